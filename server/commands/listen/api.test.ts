import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { newId } from '../../base/id.ts';
import { Secret } from '../../base/secret.ts';
import { followApi } from './api.ts';

const hourMs = 3_600_000;
const now = Date.UTC(2026, 10, 14, 12);
const event = (at: number) => ({ id: newId('evt', at), object: 'event', type: 'customer.created' });
let server: Server | undefined;

afterEach(() => {
  vi.useRealTimers();
  server?.close();
});

/** A server whose clock shows noon. Its stream was away for too long to be continued, and then the key is revoked. */
async function serve(events: readonly ReturnType<typeof event>[]): Promise<string> {
  let streams = 0;
  server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://localhost');
    response.setHeader('Request-Id', newId('req', now));
    if (url.pathname === '/v1/changes') {
      streams += 1;
      if (streams > 1) response.statusCode = 401;
      const error = { code: 'api_key_revoked', message: 'This API key was revoked.', type: 'authentication_error' };
      const reload = JSON.stringify({ object: 'change', type: 'reload' });
      response.end(
        streams > 1 ? JSON.stringify({ error }) : `id: 7-${now}\n\nid: 7-${now + 2 * hourMs}\ndata: ${reload}\n\n`,
      );
      return;
    }
    const after = url.searchParams.get('ending_before')!;
    const data = events.filter(({ id }) => id > after).toReversed();
    response.end(JSON.stringify({ object: 'list', has_more: false, data }));
  });
  await new Promise<void>((listening) => server!.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const past = event(now - hourMs);
const later = event(now + hourMs);

test.each<[string, number, string | undefined, ReturnType<typeof event>[]]>([
  ['is ahead', now + 5 * hourMs, undefined, [later]],
  ['is behind', now - 5 * hourMs, undefined, [later]],
  ['is ahead, since two hours', now + 5 * hourMs, '2h', [past, later]],
  ['is behind, since half an hour', now - 5 * hourMs, '30m', [later]],
])(
  'all events from the start on are passed on, and no earlier ones, where the clock of this machine %s',
  async (_, clock, since, expected) => {
    const apiBase = await serve([past, later]);
    vi.useFakeTimers({ toFake: ['Date'], now: clock });
    const passed: string[] = [];
    const sink = { begin: () => {}, event: async ({ id }: { id: string }) => void passed.push(id) };
    const choice = {
      wanted: new Set(['customer.created']),
      secret: new Secret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
    };
    const options = { forwardTo: 'http://localhost/hook', apiBase, apiKey: `sk_test_tg_${'0'.repeat(38)}` };
    const followed = followApi({ ...options, ...(since !== undefined && { since }) }, choice, sink);
    await expect(followed).rejects.toThrow('revoked');
    expect(passed).toEqual(expected.map(({ id }) => id));
  },
);
