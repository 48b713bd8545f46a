import { expect, test, vi } from 'vitest';
import { AuthenticationError } from '../src/index.ts';
import { fakeGateway, type Reaction, refused, reset } from './fakes.fixture.ts';

const change = (subject: string) => ({ object: 'change', type: 'customer.created', subject });
const block = (id: string, data?: object) =>
  `id: ${id}\n${data === undefined ? '' : `data: ${JSON.stringify(data)}\n`}\n`;

/** A stream of these texts, which then ends, or breaks. */
function streams(texts: readonly string[], error?: Error): Reaction {
  return () => {
    const left = texts.map((text) => new TextEncoder().encode(text));
    const body = new ReadableStream({
      pull(controller) {
        const next = left.shift();
        if (next !== undefined) controller.enqueue(next);
        else if (error === undefined) controller.close();
        else controller.error(error);
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
  };
}

const over = refused(401, 'session_invalid', 'authentication_error');

async function follow(reactions: Reaction[]) {
  vi.useFakeTimers();
  const { tollgate, sent } = fakeGateway(reactions);
  const heard: unknown[] = [];
  let error: unknown;
  const hear = async () => {
    for await (const { subject } of tollgate.changes.follow()) heard.push(subject);
  };
  const over = hear().catch((reason) => {
    error = reason;
  });
  while (error === undefined) await vi.advanceTimersByTimeAsync(1_000);
  await over;
  vi.useRealTimers();
  return { heard, error, positions: sent.map(({ headers }) => headers['Last-Event-ID']) };
}

test('continues after the last message when the connection ends or breaks, until the session is over', async () => {
  const first = `retry: 1000\n${block('1-0')}${block('2-a', change('é'))}`;
  const cut = new TextEncoder().encode(first).length - 25; // within a letter of two bytes, or beside it
  const reactions = [
    streams([first.slice(0, cut), first.slice(cut), block('3-b', change('b'))]),
    reset,
    streams([block('4-c', change('c')), `: \n${block('5-0')}`, 'id: 6-d\ndata: {"half"'], new TypeError('terminated')),
    refused(500, 'unavailable', 'api_error'),
    over,
  ];
  const { heard, error, positions } = await follow(reactions);
  expect(heard).toEqual(['é', 'b', 'c']);
  expect(error).toBeInstanceOf(AuthenticationError);
  expect(positions).toEqual([undefined, '3-b', '3-b', '5-0', '5-0']);
});

test('opens a connection again that has been silent for too long', async () => {
  const silent: Reaction = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
  const { heard, positions } = await follow([silent, streams([block('1-a', change('a'))]), over]);
  expect([heard, positions]).toEqual([['a'], [undefined, undefined, '1-a']]);
});

test('ends with the signal, and closes the connection when the reader leaves', async () => {
  let canceled = false;
  const endless: Reaction = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new TextEncoder().encode(block('1-a', change('a')))),
        cancel() {
          canceled = true;
        },
      }),
    );
  const { tollgate } = fakeGateway([endless]);
  for await (const _ of tollgate.changes.follow()) break;
  expect(canceled).toBe(true);
  const leaving = new AbortController();
  const following = fakeGateway([streams([])])
    .tollgate.changes.follow({}, { signal: leaving.signal })
    .next();
  leaving.abort(new Error('left'));
  await expect(following).rejects.toThrow('left');
});
