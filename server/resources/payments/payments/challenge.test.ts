import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { onePool } from '../../../base/places/sql_at.ts';
import { openPool } from '../../../base/sql.ts';
import { pause } from '../../../base/timers.ts';
import { createChallenges } from '../../../connectors/simulator/challenges.ts';
import { brokenInvariants, openShop, type Shop } from './payments.fixture.ts';

const clock = virtualClock(Date.now());
let shop: Shop;

beforeAll(async () => {
  shop = await openShop({ clock });
});
afterAll(() => shop.stop());
// Pages are counted by address, a hundred a minute.
beforeEach(() => clock.advance(60_000));

const approving = '4000000000003220';
const declining = '4000008400001629';
const hour = 3_600_000;

/** A payment that waits for its cardholder, and the path of their page. */
async function challenged(number = approving, more: object = {}) {
  const payment = await shop.paid(number, more);
  expect(payment.status).toBe('requires_action');
  const { pathname } = new URL(payment.next_action.redirect_to_url.url);
  return { id: payment.id as string, payment, path: pathname, token: pathname.split('/').at(-1)! };
}

/** Decides, and follows the redirect to the page that cardholders come back to. */
async function decide(path: string, decision: string) {
  const answer = await shop.server.anonymous.form(path, `decision=${decision}`);
  const { origin, pathname } = new URL(answer.headers.location ?? 'none:');
  expect([answer.status, origin]).toEqual([303, shop.server.baseUrl]);
  expect(pathname).toMatch(/^\/return\/[\w-]+$/);
  return shop.server.anonymous.get(pathname);
}
const statusOf = async (id: string) => (await shop.read(id)).json.status;
const settled = () => shop.server.settled();

describe('the page', () => {
  test('shows the amount and two buttons, and is guarded', async () => {
    const { path } = await challenged(approving, {
      amount: 123456,
      currency: 'eur',
      return_url: 'https://shop.test/a',
    });
    const { status, headers, text } = await shop.server.anonymous.get(path);
    expect(status).toBe(200);
    expect(text).toContain('EUR 1,234.56');
    expect(text).toMatch(/<form method="post">.*name="decision" value="approve".*name="decision" value="refuse"/s);
    expect(headers).toMatchObject({
      ...{ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', 'x-frame-options': 'DENY' },
      ...{ 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff', 'x-ratelimit-limit': '100' },
      ...{ 'x-ratelimit-remaining': expect.stringMatching(/^\d+$/), 'x-ratelimit-reset': expect.any(String) },
      ...{ 'strict-transport-security': expect.any(String), 'request-id': expect.stringMatching(/^req_/) },
    });
    const policy = headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self' https: http:;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(text).not.toMatch(/<script|http:\/\//);
  });

  test('opening it decides nothing, however often and by whatever method', async () => {
    const { id, path, payment } = await challenged();
    const entries = () => shop.sql('select * from simulator_entries where payment = $1', [id]);
    const before = await entries();
    for (const method of ['GET', 'HEAD', 'GET', 'HEAD']) {
      const { status, text } = await shop.server.anonymous.request(method, path);
      expect([status, text === '']).toEqual([200, method === 'HEAD']);
    }
    expect((await shop.server.anonymous.get(`${path}?decision=approve`)).status).toBe(200);
    expect((await shop.read(id)).json).toEqual(payment);
    expect(await entries()).toEqual(before);
  });

  test.each(['', 'decision=', 'decision=maybe', 'decision=APPROVE', 'approve', '{"decision":"approve"}'])(
    'a form with "%s" decides nothing either',
    async (body) => {
      const { id, path } = await challenged();
      const { status, text } = await shop.server.anonymous.form(path, body);
      expect([status, text.includes('value="approve"')]).toEqual([400, true]);
      expect(await statusOf(id)).toBe('requires_action');
    },
  );

  test('an unknown or malformed token is not found, whatever is sent to it', async () => {
    const { id, token } = await challenged();
    const others = [
      '0'.repeat(22),
      token.slice(1),
      `${token}0`,
      `${token.slice(0, -1)}-`,
      '%00',
      'x',
      token.toLowerCase(),
    ];
    for (const other of others)
      for (const method of ['GET', 'POST']) {
        const options = method === 'POST' ? { body: 'decision=approve' } : {};
        const { status, headers, text } = await shop.server.anonymous.request(
          method,
          `/simulator/challenge/${other}`,
          options,
        );
        expect([other, method, status]).toEqual([other, method, 404]);
        expect(text).not.toContain(other === 'x' ? 'value=' : other);
        expect(headers['cache-control']).toBe('no-store');
      }
    for (const method of ['PUT', 'DELETE', 'PATCH'])
      expect((await shop.server.anonymous.request(method, `/simulator/challenge/${token}`)).status).not.toBe(200);
    expect(await statusOf(id)).toBe('requires_action');
  });

  test('the token is written nowhere: not to the log, the request log, the attempt or the simulator', async () => {
    const { id, path, token } = await challenged();
    expect(JSON.stringify((await shop.attempts(id))[0].exchange)).toContain('"url":"[secret]"');
    await shop.server.anonymous.get(path);
    await decide(path, 'approve');
    await pause(600); // the request log is written within 200 ms
    const [{ count }] = await shop.sql(`select count(*) from anonymous_requests where path like '/simulator/%'`);
    expect(count).toBeGreaterThan(0);
    const tables = ['requests', 'anonymous_requests', 'attempts', 'simulator_entries', 'simulator_challenges'];
    for (const table of tables)
      expect([table, await shop.sql(`select 1 from ${table} t where t::text like $1`, [`%${token}%`])]).toEqual([
        table,
        [],
      ]);
    expect(shop.server.logged.filter((line) => line.includes(token))).toEqual([]);
  });
});

describe('the decision', () => {
  const cases: [string, string, string, object, number][] = [
    [approving, 'approve', 'payment.succeeded', { status: 'succeeded', amount_received: 2000 }, 2000],
    [approving, 'refuse', 'payment.failed', { status: 'failed', failure_code: 'card_declined' }, 0],
    [declining, 'approve', 'payment.failed', { status: 'failed', failure_code: 'card_declined' }, 0],
    [declining, 'refuse', 'payment.failed', { status: 'failed', failure_code: 'card_declined' }, 0],
  ];
  test.each(cases)('%s, %s: %s', async (number, choice, type, shown, net) => {
    const { id, path, payment } = await challenged(number, { return_url: 'https://shop.test/back' });
    const { status, headers, text } = await decide(path, choice);
    expect([status, headers.location, text]).toEqual([303, `https://shop.test/back?payment=${id}`, '']);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const read = (await shop.read(id)).json;
    const { next_action: _, ...waited } = payment;
    expect(read).toMatchObject({ ...waited, ...shown });
    expect(read).not.toHaveProperty('next_action');
    const events = await shop.events(id);
    expect(events.map((event) => event.type)).toEqual(['payment.requires_action', type]);
    const { created: _c, ...object } = read;
    expect(events[1].data).toEqual({ object });
    expect((await shop.charges(id))[0]!.net).toBe(net);
    const [attempt] = await shop.attempts(id);
    const declined = choice === 'refuse' ? 'authentication_failed' : 'generic_decline';
    expect(attempt).toMatchObject(
      net > 0 ? { state: 'approved', decline_code: null } : { state: 'declined', decline_code: declined },
    );
    expect(await shop.row(id)).toMatchObject({ open_attempt: null, due_at: null });
  });

  const returns: [string, string][] = [
    ['https://shop.test', 'https://shop.test?payment='],
    ['https://shop.test/', 'https://shop.test/?payment='],
    ['https://shop.test/a?b=c', 'https://shop.test/a?b=c&payment='],
    ['https://shop.test/a?b=%20c+d', 'https://shop.test/a?b=%20c+d&payment='],
    ['http://localhost:3000/x', 'http://localhost:3000/x?payment='],
  ];
  test.each(returns)('leads back to %s with the payment added and nothing else', async (return_url, expected) => {
    const { id, path } = await challenged(approving, { return_url });
    expect((await decide(path, 'approve')).headers.location).toBe(`${expected}${id}`);
  });
  test('a fragment stays at the end', async () => {
    const { id, path } = await challenged(approving, { return_url: 'https://shop.test/a?b=c#/done?d=e' });
    expect((await decide(path, 'approve')).headers.location).toBe(`https://shop.test/a?b=c&payment=${id}#/done?d=e`);
  });
  test.each(['https://shop.test/ä', 'https://shop.test/?q=日本', 'https://exämple.test/🧾'])(
    'a URL beyond ASCII, %s, is encoded for the header',
    async (return_url) => {
      const { id, path } = await challenged(approving, { return_url });
      const answer = await Promise.race([decide(path, 'approve'), pause(3_000)]);
      expect(await statusOf(id)).toBe('succeeded');
      if (answer === undefined) throw new Error('the cardholder got no answer');
      const { status, headers } = answer;
      const plain = new URL(return_url);
      plain.searchParams.append('payment', id);
      expect([status, new URL(headers.location ?? 'none:').href]).toEqual([303, plain.href]);
      expect(headers.location).toMatch(/^[\x21-\x7e]+$/);
    },
  );

  test('without a return URL, a page says how it went, and the page of the decision shows it', async () => {
    for (const [number, choice, title, outcome] of [
      ['4000000000003220', 'approve', 'You have approved this payment', 'Your payment was approved'],
      ['4000000000003220', 'refuse', 'You have refused this payment', 'Your payment failed'],
      ['4000008400001629', 'approve', 'Your bank has declined this payment', 'Your payment failed'],
    ] as const) {
      const { path } = await challenged(number);
      const { status, text, headers } = await decide(path, choice);
      expect([status, headers.location]).toEqual([200, undefined]);
      expect(text).toContain(outcome);
      const decided = (await shop.server.anonymous.get(path)).text;
      expect(decided).toContain(title);
      expect(decided).not.toContain('<form');
    }
  });

  test('the first one counts: a second changes nothing and redirects to the same URL', async () => {
    for (const [first, second, status] of [
      ['approve', 'refuse', 'succeeded'],
      ['refuse', 'approve', 'failed'],
      ['approve', 'approve', 'succeeded'],
    ] as const) {
      const { id, path } = await challenged(approving, { return_url: 'https://shop.test/' });
      const { headers } = await decide(path, first);
      const stored = JSON.stringify([await shop.row(id), await shop.events(id), await shop.charges(id)]);
      const again = await decide(path, second);
      expect([again.status, again.headers.location]).toEqual([303, headers.location]);
      expect(JSON.stringify([await shop.row(id), await shop.events(id), await shop.charges(id)])).toBe(stored);
      expect(await statusOf(id)).toBe(status);
    }
  });

  test('with manual capture it leads to requires_capture', async () => {
    const { id, path, payment } = await challenged(approving, { capture_method: 'manual' });
    expect(payment.amount_capturable).toBe(0);
    await decide(path, 'approve');
    expect((await shop.read(id)).json).toMatchObject({ status: 'requires_capture', amount_capturable: 2000 });
    expect(await shop.eventTypes(id)).toEqual(['payment.requires_action', 'payment.requires_capture']);
    const { json } = await shop.account.test.post(`/v1/payments/${id}/capture`, { amount: 700 });
    expect(json).toMatchObject({ status: 'succeeded', amount_received: 700 });
    expect(await shop.charges(id)).toEqual([{ authorized: 2000, captured: 700, canceled: false, net: 700 }]);
  });

  test('concurrent approve, refuse and cancel: one wins, and the ledger agrees', async () => {
    const winners = new Set<string>();
    for (let round = 0; round < 12; round++) {
      clock.advance(60_000);
      const { id, path } = await challenged();
      const acts = [
        () => decide(path, 'approve'),
        () => decide(path, 'refuse'),
        () => shop.account.test.post(`/v1/payments/${id}/cancel`, {}),
      ];
      const turned = acts.map((_, at) => acts[(at + round) % acts.length]!);
      const answers = await Promise.all(turned.map((act) => act()));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      const { status, amount_received } = (await shop.read(id)).json;
      winners.add(status);
      expect(['succeeded', 'failed', 'canceled']).toContain(status);
      expect((await shop.charges(id))[0]!.net).toBe(amount_received);
      expect(await shop.eventTypes(id)).toEqual(['payment.requires_action', `payment.${status}`]);
      expect(await shop.row(id)).toMatchObject({ open_attempt: null, due_at: null });
    }
    expect(winners.size).toBeGreaterThan(0);
  });
});

describe('an hour passes', () => {
  const toExpiry = async (id: string) => (await shop.row(id)).expires_at.getTime() - clock.now();

  test('then it is canceled, not a second earlier, and a later decision changes nothing', async () => {
    const { id, path, payment } = await challenged(approving, { return_url: 'https://shop.test/' });
    const wait = await toExpiry(id);
    expect(wait).toBe(hour);
    clock.advance(wait - 1_000);
    await settled();
    expect((await shop.read(id)).json).toEqual(payment);
    clock.advance(1_000);
    await settled();
    const { next_action: _, ...waited } = payment;
    const canceled_at = Math.floor(clock.now() / 1_000);
    const canceled = { ...waited, status: 'canceled', canceled_at, cancellation_reason: 'expired' };
    expect((await shop.read(id)).json).toEqual(canceled);
    const events = await shop.events(id);
    const { created: _c, ...object } = canceled;
    expect(events.map(({ type }) => type)).toEqual(['payment.requires_action', 'payment.canceled']);
    expect(events[1].data).toEqual({ object });
    expect(await shop.attempts(id)).toMatchObject([
      { verb: 'authorize', state: 'reversed' },
      { verb: 'cancel', state: 'approved', request_id: null },
    ]);
    // It was never approved, whatever was undone.
    const shown = (await shop.account.test.get(`/v1/payments/${id}/attempts`)).json.data;
    expect(shown.map(({ verb, state }: Record<string, string>) => [verb, state])).toEqual([
      ['authorize', 'canceled'],
      ['cancel', 'approved'],
    ]);
    const { data: entries } = (await shop.account.test.get(`/v1/timeline/${id}`)).json;
    expect(entries.map(({ summary }: { summary: string }) => summary)).toContain(
      'simulator was asked to authorize: it was canceled before it was decided',
    );
    const late = await decide(path, 'approve');
    expect([late.status, late.headers.location]).toEqual([303, `https://shop.test/?payment=${id}`]);
    expect((await shop.server.anonymous.get(path)).text).toContain('This payment was canceled');
    expect((await shop.read(id)).json).toEqual(canceled);
    expect(await shop.charges(id)).toMatchObject([{ canceled: true, net: 0 }]);
  });

  test.each([
    ['approve', 'succeeded', 2000],
    ['refuse', 'failed', 0],
  ] as const)(
    'a decision that only the simulator knows (%s) is found when it would expire',
    async (choice, status, net) => {
      const { id, token } = await challenged();
      const address = { connectionString: shop.server.databaseUrl };
      const pool = openPool(address, { use: 'durable', connectionsMax: 1, onError: () => {} });
      await createChallenges({ durable: onePool(pool), clock }).decide(token, choice);
      await pool.end();
      expect(await statusOf(id)).toBe('requires_action');
      clock.advance(await toExpiry(id));
      await settled();
      expect((await shop.read(id)).json).toMatchObject({ status, amount_received: net });
      expect(await shop.eventTypes(id)).toEqual(['payment.requires_action', `payment.${status}`]);
      expect(await shop.attempts(id)).toHaveLength(1);
      expect((await shop.charges(id))[0]!.net).toBe(net);
    },
  );
});

test('the books agree', async () => {
  expect(await brokenInvariants(shop)).toEqual([]);
});
