import { expect, test, vi } from 'vitest';
import { callOnce, HttpCall, type HttpCallResult } from './http_call.ts';

const limits = { timeoutMs: 60_000, readBytesMax: 100, keptBytesMax: 10 };

function fakeController() {
  return { abort: vi.fn(), pause() {}, resume() {}, aborted: false, paused: false, reason: null };
}

test('a connection that opens after the time limit is not used', async () => {
  const controller = fakeController();
  const result = await new Promise<HttpCallResult>((settle) => {
    const call = new HttpCall({ ...limits, timeoutMs: 1 }, (ended) => {
      settle(ended);
      call.onRequestStart(controller);
    });
  });
  expect(result).toMatchObject({ end: { kind: 'timed_out' }, isStarted: false, status: null });
  expect(controller.abort).toHaveBeenCalled();
});

test('nothing is sent if the request cannot be handed over', async () => {
  const error = new Error('no such origin');
  const result = await callOnce(limits, () => {
    throw error;
  });
  expect(result).toMatchObject({ end: { kind: 'failed', error }, isStarted: false });
});

test.each([
  ['before the request starts: nothing was sent', false],
  ['after the request has started: it may have arrived', true],
])('a failure %s', async (_, isStarted) => {
  const error = new Error('broken');
  const result = await callOnce(limits, (call) => {
    const controller = fakeController();
    if (isStarted) call.onRequestStart(controller);
    call.onResponseError(controller, error);
  });
  expect(result).toEqual({
    end: { kind: 'failed', error },
    isStarted,
    status: null,
    headers: {},
    body: Buffer.alloc(0),
  });
});

test('the time limit ends a request that has started, and its connection', async () => {
  const controller = fakeController();
  const result = await callOnce({ ...limits, timeoutMs: 1 }, (call) => call.onRequestStart(controller));
  expect(result).toMatchObject({ end: { kind: 'timed_out' }, isStarted: true });
  expect(controller.abort).toHaveBeenCalled();
});

test('the result has the first bytes, in separate memory', async () => {
  const chunk = Buffer.from('abcdefgh');
  const result = await callOnce(limits, (call) => {
    const controller = fakeController();
    call.onRequestStart(controller);
    call.onResponseStart(controller, 103, { early: 'hints' });
    call.onResponseStart(controller, 200, { a: 'b' });
    call.onResponseData(controller, chunk);
    call.onResponseData(controller, chunk);
    chunk.fill('x');
    call.onResponseEnd();
    call.onResponseError(controller, new Error('after the end'));
  });
  const body = Buffer.from('abcdefghab');
  expect(result).toEqual({ end: { kind: 'complete' }, isStarted: true, status: 200, headers: { a: 'b' }, body });
});

test.each([
  [99, 'complete', 0],
  [100, 'too_long', 1],
])('a response of %i bytes: %s', async (bytes, kind, aborts) => {
  const controller = fakeController();
  const result = await callOnce(limits, (call) => {
    call.onRequestStart(controller);
    call.onResponseStart(controller, 200, {});
    call.onResponseData(controller, Buffer.alloc(bytes));
    call.onResponseEnd();
  });
  expect(result).toMatchObject({ end: { kind }, status: 200 });
  expect(controller.abort).toHaveBeenCalledTimes(aborts);
});
