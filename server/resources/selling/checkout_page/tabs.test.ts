import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CheckoutTab } from '../../../test/checkout_tab.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';

/** Customers who press twice, reload, go back, and use two devices that reach two instances. */
let first: TestServer;
let second: TestServer;
let shop: TestAccount;
let mug: string;

beforeAll(async () => {
  first = await startServer();
  second = await startServer({ databaseUrl: first.databaseUrl });
  shop = await first.account();
  const price = { currency: 'eur', unit_amount: 1_000, product_name: 'A mug' };
  mug = (await shop.test.post('/v1/prices', price)).json.id;
});
afterAll(async () => {
  expect(await violationsOf(first.sql, { rest: true })).toEqual([]);
  await second.stop();
  await first.stop();
});

type Session = { id: string; url: string };
async function session(more: object = {}): Promise<Session> {
  const { json } = await shop.test.post('/v1/checkout_sessions', { line_items: [{ price: mug }], ...more });
  expect(json.error).toBeUndefined();
  return json;
}

async function opened({ url }: Session, server = first, browser?: CheckoutTab): Promise<CheckoutTab> {
  const tab = new CheckoutTab(server.anonymous, url, browser);
  expect((await tab.open()).status).toBe(200);
  return tab;
}

async function payments({ id }: Session): Promise<[status: string, amount: number][]> {
  const text = 'select status, amount from payments where checkout_session = $1 order by id';
  return (await first.sql.query(text, [id])).rows.map(({ status, amount }) => [status, amount]);
}

async function completed({ id }: Session): Promise<number> {
  const text = `select count(*)::int4 as n from events where object_id = $1 and type = 'checkout_session.completed'`;
  return (await first.sql.query(text, [id])).rows[0].n;
}

async function expectPaidOnce(made: Session, amount = 1_000): Promise<void> {
  expect((await payments(made)).filter(([status]) => status === 'succeeded')).toEqual([['succeeded', amount]]);
  expect(await completed(made)).toBe(1);
}

describe('one payment, one event', () => {
  test('by a double click, and a triple', async () => {
    const made = await session();
    const tab = await opened(made);
    const answers = await Promise.all([tab.pay(), tab.pay(), tab.pay()]);
    expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual(Array(3).fill([303, tab.path]));
    expect(await payments(made)).toHaveLength(1);
    await expectPaidOnce(made);
  });

  test('by two tabs and another device, at two instances', async () => {
    const made = await session();
    const one = await opened(made);
    const tabs = [one, await opened(made, second, one), await opened(made, second)];
    const answers = await Promise.all(tabs.flatMap((tab) => [tab.pay(), tab.pay()]));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    for (const tab of tabs) expect((await tab.open()).text).toContain('Payment confirmed');
    await expectPaidOnce(made);
  });

  test('by a reload of what was sent, and by the back button', async () => {
    const made = await session();
    const tab = await opened(made);
    const stale = await opened(made, second, tab);
    expect((await tab.pay({ number: '4000000000000002' })).status).toBe(303);
    expect((await tab.open()).text).toContain('Your card was declined.');
    expect((await stale.pay()).status).toBe(303);
    for (const late of [
      await stale.pay(),
      await tab.pay(),
      await tab.send({ act: 'another_way' }),
      await tab.send({ act: 'coupon' }),
    ])
      expect([late.status, late.headers.location]).toEqual([303, tab.path]);
    expect((await payments(made)).map(([status]) => status)).toEqual(['failed', 'succeeded']);
    await expectPaidOnce(made);
  });

  test('while a bank asks in one tab, the other offers to continue there, and no second try', async () => {
    const made = await session();
    const [one, other] = [await opened(made), await opened(made, second)];
    expect((await one.pay({ number: '4000002500003155' })).status).toBe(303);
    expect((await other.pay()).status).toBe(303);
    expect(await payments(made)).toHaveLength(1);
    const shown = /id="go"[^>]* href="([^"]+)"/.exec((await other.open()).text)![1]!;
    const [decided, closed] = await Promise.all([
      first.anonymous.form(new URL(shown, first.baseUrl).pathname, 'decision=approve'),
      other.send({ act: 'another_way' }),
    ]);
    expect([decided.status, closed.status]).toEqual([303, 303]);
    await first.settled();
    // Whichever came first: paid there, or closed, and then another card pays.
    const [[status]] = (await payments(made)) as [[string, number]];
    if (status === 'canceled') expect((await other.pay()).status).toBe(303);
    await expectPaidOnce(made);
  });
});

describe('what is charged is what was shown, or nothing', () => {
  let coupons = 0;
  async function withCoupon(): Promise<{ made: Session; one: CheckoutTab; other: CheckoutTab; code: string }> {
    const code = `TABS${++coupons}`;
    await shop.test.post('/v1/coupons', { percent_off: 20, duration: 'once', code });
    const made = await session({ allow_coupons: true });
    const one = await opened(made);
    return { made, one, other: await opened(made, second), code };
  }

  test('a coupon that another tab takes back', async () => {
    const { made, one, other, code } = await withCoupon();
    expect((await one.send({ act: 'coupon', coupon: code })).status).toBe(303);
    expect((await one.open()).text).toContain('€8.00');
    await other.send({ act: 'coupon', coupon: '' });
    const refused = await one.pay();
    expect([refused.status, await payments(made)]).toEqual([400, []]);
    expect(refused.text).toContain('Something went wrong. Please try again.');
    expect(refused.text).toContain('€10.00');
    expect(refused.text).toContain('ada@example.com'); // what was typed stays
    expect((await one.pay()).status).toBe(303); // by now it was shown
    await expectPaidOnce(made, 1_000);
  });

  test('a coupon that another tab enters while the button is pressed, in any order', async () => {
    for (let times = 0; times < 6; times++) {
      const { made, one, other, code } = await withCoupon();
      const [pressed] = await Promise.all([one.pay(), other.send({ act: 'coupon', coupon: code })]);
      if (pressed.status === 400) {
        expect(await payments(made)).toEqual([]);
        await one.pay();
        await expectPaidOnce(made, 800);
      } else await expectPaidOnce(made, 1_000);
    }
  });

  test('a total that is no number, or another, pays nothing', async () => {
    const made = await session();
    const tab = await opened(made);
    for (const total of ['1', '999', '0', '1001']) expect((await tab.pay({ total })).status).toBe(400);
    expect(await payments(made)).toEqual([]);
  });
});
