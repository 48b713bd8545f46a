import { expect } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import type { Answer } from '../../../test/client.ts';
import type { ServerOptions } from '../../../test/harness.ts';
import { openShop, type Rows, type Shop } from '../payments/payments.fixture.ts';

export const cards = {
  approves: '4242424242424242',
  declines: '4000000000000002',
  challengesAlways: '4000000000003220',
  challengesThenDeclines: '4000008400001629',
  challengesOnce: '4000002500003155',
  attachesOnly: '4000000000000341',
  replyLost: '4000000000000408',
  neverReceived: '4000000000000416',
};

/** A shop, and what tests of setups ask it again and again. */
export type SetupShop = Shop & {
  clock: VirtualClock;
  setUp(number?: string, more?: object, headers?: Record<string, string>): Promise<Answer>;
  /** The same, which must be answered 200; the setup. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into setups of every shape
  made(number?: string, more?: object): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readSetup(id: string): Promise<any>;
  setupAttempts(id: string): Promise<Rows>;
  /** The cardholder decides on the page of a setup, and comes back. */
  decide(setup: { next_action: { redirect_to_url: { url: string } } }, decision: 'approve' | 'refuse'): Promise<Answer>;
};

export async function openSetupShop(options: ServerOptions = {}): Promise<SetupShop> {
  const clock = virtualClock(Date.now());
  const shop = await openShop({ clock, ...options });
  const setUp = async (number = cards.approves, more: object = {}, headers: Record<string, string> = {}) => {
    const body = { payment_method: await shop.method(number), ...more };
    return shop.account.test.post('/v1/setups', body, headers);
  };
  return {
    ...shop,
    clock,
    setUp,
    async made(number, more) {
      const answer = await setUp(number, more);
      expect([answer.status, answer.json.error]).toEqual([200, undefined]);
      return answer.json;
    },
    readSetup: async (id) => (await shop.account.test.get(`/v1/setups/${id}`)).json,
    setupAttempts: (id) => shop.sql('select * from attempts where setup = $1 order by id', [id]),
    async decide(setup, decision) {
      const { pathname } = new URL(setup.next_action.redirect_to_url.url);
      const decided = await shop.server.anonymous.form(pathname, `decision=${decision}`);
      expect(decided.status).toBe(303);
      return shop.server.anonymous.get(new URL(decided.headers.location!).pathname);
    },
  };
}
