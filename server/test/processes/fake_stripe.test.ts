import { afterAll, expect, test } from 'vitest';
import { Children } from './children.ts';

const children = new Children();
const cwd = children.directory();
afterAll(() => children.cleanUp());

test('tollgate fake-stripe needs no database, prints how to reach it, serves, and stops on a signal', async () => {
  const options = ['--port', '0', '--account', 'acct_one', '--live', '--webhook-url', 'http://127.0.0.1:9/hook'];
  const child = children.tollgate(['fake-stripe', ...options], { cwd });
  await child.prints(/Ctrl-C stops it/);
  const printed = (label: string) => new RegExp(`${label} +(\\S+)`).exec(child.stdout)?.[1] ?? '';
  const url = printed('API');
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(printed('Secret key')).toMatch(/^sk_live_\w{32}$/);
  expect(printed('Webhook secret')).toMatch(/^whsec_\w{32}$/);
  const headers = { authorization: `Bearer ${printed('Secret key')}` };
  expect(await (await fetch(`${url}/v1/account`, { headers })).json()).toMatchObject({ id: 'acct_one' });

  const taken = await children.run(['fake-stripe', '--port', new URL(url).port], { cwd });
  expect(taken).toMatchObject({ code: 2, stderr: expect.stringMatching(/^The port \d+ is in use .* --port\.\n$/) });
  // Without a listener, its own timer keeps the process alive.
  await fetch(`${url}/_fake/faults`, { method: 'POST', body: JSON.stringify({ kind: 'refuse', ms: 200 }) });
  const isRefused = () =>
    fetch(`${url}/_fake/books`).then(
      () => false,
      () => true,
    );
  await expect.poll(isRefused, { interval: 5 }).toBe(true);
  await expect.poll(isRefused).toBe(false);
  expect(await child.stop('SIGTERM')).toEqual({ code: 0, signal: null });
});

test.each([
  [['--port', 'x'], '--port takes a number from 0 to 65535'],
  [['--port', '0', '--account', 'one'], '--account takes an id that begins with acct_'],
  [['--port', '0', '--webhook-url', 'http://example.com/'], '--webhook-url takes an address on this machine'],
  [['--port', '0', '--tls-cert', 'package.json'], '--tls-cert and --tls-key belong together'],
])('%j is refused in a sentence', async (options, sentence) => {
  const { code, stderr } = await children.run(['fake-stripe', ...options], { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain(sentence);
});
