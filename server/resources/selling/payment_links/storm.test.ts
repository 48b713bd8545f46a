import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { catalog } from '../../../catalog.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { numbers } from '../../../test/numbers.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { places, seed, shareOf } from '../../../test/torture.ts';
import { Checkout, cards, tokenOf } from '../checkout_sessions/checkout.fixture.ts';
import type { CheckoutCalls, PayInput } from '../checkout_sessions/page_calls.ts';
import { type LinkCalls, linkCalls } from './link_calls.ts';

/**
 * Whatever the customer, the shop and the processor do at the same moment, over two instances: at most one payment of a session succeeds.
 * Chance chooses the acts; the invariants say what must hold after each round, and once all is over.
 */
const minute = 60_000;
const address = '203.0.113.7';
const sessionsAtOnce = 6;
const actsAtOnce = 12;
const rounds = shareOf(120, 4);

const lostCards = ['4000000000000408', '4000000000000416'];
const wishes = [cards.good, cards.good, cards.declined, cards.challenged, ...lostCards];

describe.each(places)(
  'presses, closings, coupons, expiries and late answers at once, with a simulator that is %s',
  (place) => {
    const random = numbers(seed);
    const pick = <One>(list: readonly One[]): One => list[random(list.length)]!;
    const clock = virtualClock(Date.now());
    const environment = { OWN_CARD_FIELDS: 'yes' };
    let first: TestServer;
    let second: TestServer;
    let account: TestAccount;
    let checkout: Checkout;
    let instances: CheckoutCalls[];
    let coupons: string[];
    let monthly: string;
    let links: LinkCalls;
    let linkToken: string;
    const counts: Record<string, number> = {};

    beforeAll(async () => {
      first = await startServer({ clock, environment });
      second = await startServer({ clock, environment, databaseUrl: first.databaseUrl });
      account = await first.account();
      checkout = new Checkout(first, account);
      instances = [checkout.calls, checkout.callsOf(second)];
      const post = async (path: string, body: object) => (await account.test.post(`/v1/${path}`, body)).json.id;
      await post('processor_accounts', { connector: 'simulator', name: 'Simulator', settings: { place } });
      coupons = await Promise.all([25, 100].map((percent_off) => post('coupons', { percent_off, duration: 'once' })));
      const recurring = { interval: 'month' };
      monthly = await post('prices', { currency: 'eur', unit_amount: 900, product_name: 'Tea', recurring });
      const terms = { amount: 500, currency: 'eur', limit: shareOf(60, 6) };
      linkToken = (await account.test.post('/v1/payment_links', terms)).json.url.split('/l/')[1];
      links = linkCalls(checkout.servicesOf(first), catalog);
    });
    afterAll(async () => {
      await second.stop();
      await first.stop();
    });

    type Session = { id: string; url: string };

    async function newSession(): Promise<Session> {
      const kind = random(5);
      if (kind === 0) return checkout.create({ capture_method: 'manual', expires_in: 1_800 });
      if (kind === 1) {
        const lines = { amount: null, currency: null, line_items: [{ price: monthly }] };
        return checkout.create({ mode: 'subscription', expires_in: 1_800, ...lines });
      }
      if (kind === 2) return ofLink();
      return checkout.create({ allow_coupons: true, expires_in: 1_800 + random(3_600) });
    }

    /** The link may be sold out by now. */
    async function ofLink(): Promise<Session> {
      const begun = await links.begin(linkToken, { address });
      if (begun === undefined || !('goTo' in begun)) return checkout.create({ expires_in: 1_800 });
      return { id: /cs_\w{22}/.exec(begun.goTo)![0], url: `https://localhost${begun.goTo}` };
    }

    const instrument = (): PayInput['instrument'] => (random(4) === 0 ? { kind: 'page' } : checkout.card(pick(wishes)));

    /** The customer decides where the processor has sent him, maybe a while ago. */
    async function decide(calls: CheckoutCalls, session: Session): Promise<void> {
      const goTo = (await calls.find(tokenOf(session.url), address))?.try.goTo;
      if (goTo === undefined) return;
      const card = pick(['visa', 'visa', 'chargeDeclined']);
      const decision = pick(['approve', 'approve', 'refuse']);
      const body = goTo.includes('/pay/') ? `card=${card}` : `decision=${decision}`;
      await first.anonymous.form(new URL(goTo).pathname, body);
    }

    const acts: Record<string, (calls: CheckoutCalls, session: Session) => Promise<unknown>> = {
      pay: (calls, { url }) => calls.pay(tokenOf(url), { instrument: instrument(), details: {}, address }),
      again: (calls, { url }) => calls.pay(tokenOf(url), { instrument: instrument(), details: {}, address }),
      decide,
      andDecide: decide,
      close: (calls, { url }) => calls.closeTry(tokenOf(url), address),
      coupon: (calls, { url }) => calls.applyCoupon(tokenOf(url), pick(coupons), address),
      noCoupon: (calls, { url }) => calls.applyCoupon(tokenOf(url), undefined, address),
      expire: (_, { id }) => account.test.post(`/v1/checkout_sessions/${id}/expire`, {}),
      update: (_, { id }) => account.test.post(`/v1/checkout_sessions/${id}`, { metadata: { n: random(9) } }),
      async cancel(_, { id }) {
        const { payment } = await checkout.get(id);
        if (payment !== undefined) await account.test.post(`/v1/payments/${payment}/cancel`, {});
      },
      async capture(_, { id }) {
        const { payment } = await checkout.get(id);
        if (payment !== undefined) await account.test.post(`/v1/payments/${payment}/capture`, {});
      },
    };
    const names = ['pay', 'pay', 'again', 'decide', 'decide', 'andDecide', ...Object.keys(acts)];

    async function act(session: Session): Promise<void> {
      const name = pick(names);
      counts[name] = (counts[name] ?? 0) + 1;
      // A press that finds another under way may be refused for a while, as any request.
      await acts[name]!(pick(instances), session).catch((error: { code?: string }) => {
        if (error.code !== 'lock_timeout') throw error;
      });
    }

    async function pass(milliseconds: number): Promise<void> {
      clock.advance(milliseconds);
      await first.settled();
    }

    test(`${rounds} rounds; TEST_SEED=${seed}`, async () => {
      for (let round = 0; round < rounds; round++) {
        const sessions = await Promise.all(Array.from({ length: sessionsAtOnce }, newSession));
        for (let wave = 0; wave < 3; wave++) {
          await Promise.all(Array.from({ length: actsAtOnce }, () => act(pick(sessions))));
          expect(await violationsOf(first.sql, { rest: false }), `wave ${wave} of round ${round}`).toEqual([]);
          await pass(pick([1_000, 10_000, minute]));
        }
        // Whatever waits is over after its time: sessions of links and the shortest of the others live for half an hour.
        if (round % 2 === 0) for (const session of sessions) await decide(pick(instances), session);
      }
      for (let hours = 0; hours < 4; hours++) await pass(60 * minute);
      for (let looks = 0; looks < 10; looks++) await pass(minute);
      expect(await violationsOf(first.sql, { rest: true })).toEqual([]);
      const ends =
        await first.sql.query(`select mode, status, payment_status, count(*)::int4 as n from checkout_sessions
      group by 1, 2, 3 order by 1, 2, 3`);
      console.info(
        JSON.stringify({ place, seed, acts: counts, ends: ends.rows.map((row) => Object.values(row).join(' ')) }),
      );
      expect(ends.rows.some(({ status }) => status === 'open' || status === 'processing')).toBe(false);
    });
  },
);
