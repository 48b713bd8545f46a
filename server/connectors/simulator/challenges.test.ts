import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { places } from '../../test/torture.ts';
import { openWorld, type Processor, publicUrl, type World } from '../processor.fixture.ts';
import { challengePage } from './challenge_page.ts';

const thenApproved = '4000000000003220';
const thenDeclined = '4000008400001629';

describe.each(places)('a simulator that is %s', (place) => {
  const name = `simulator, ${place}` as const;
  let world: World;
  let processor: Processor;
  beforeAll(async () => {
    world = await openWorld(name);
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    processor = world.processor();
  });

  async function challenge(number = thenApproved, capture = true) {
    const returnUrl = 'https://shop.test/done?order=1';
    const { attempt, outcome } = await processor.authorize({ number, capture, returnUrl });
    return { attempt, token: tokenIn(outcome) };
  }
  const decide = (token: string, choice: 'approve' | 'refuse') => processor.challenges.decide(token, choice);
  const show = (token: string) => processor.challenges.show(token);

  test('when the cardholder approves, the card is charged once, and the payment and return address are given back', async () => {
    const { attempt, token } = await challenge();
    expect(await processor.charges()).toMatchObject([{ authorized: 0, net: 0 }]);
    const place = { tenant: processor.tenant, attempt, payment: 'pay_1', returnUrl: 'https://shop.test/done?order=1' };
    expect(await decide(token, 'approve')).toEqual(place);
    expect(await decide(token, 'refuse')).toEqual(place);
    expect((await processor.find(attempt)).outcome).toMatchObject({ kind: 'approved', cvcResult: 'M' });
    expect(await processor.charges()).toMatchObject([{ authorized: 1_000, captured: 1_000, net: 1_000 }]);
  });

  test('an approved authorization without capture can be captured, refunded and canceled like any other', async () => {
    const { attempt: of, token } = await challenge(thenApproved, false);
    expect((await processor.capture({ of })).outcome).toMatchObject({ declineCode: 'challenge_unanswered' });
    await decide(token, 'approve');
    expect((await processor.capture({ of, amount: 700 })).outcome.kind).toBe('approved');
    expect((await processor.refund({ of, amount: 200 })).outcome.kind).toBe('approved');
    expect(await processor.charges()).toMatchObject([{ authorized: 1_000, captured: 700, refunded: 200 }]);
  });

  test.each([
    [thenApproved, 'refuse', 'authentication_failed'],
    [thenDeclined, 'refuse', 'authentication_failed'],
    [thenDeclined, 'approve', 'generic_decline'],
  ] as const)('card %s, %s: declined, %s', async (number, choice, declineCode) => {
    const { attempt, token } = await challenge(number);
    await decide(token, choice);
    const { outcome } = await processor.find(attempt);
    expect(outcome).toMatchObject({ kind: 'declined', code: 'card_declined', declineCode });
    expect(await processor.charges()).toMatchObject([{ authorized: 0, net: 0 }]);
  });

  test('the page of a setup has no amount, and a cancel ends it', async () => {
    const { attempt: of, outcome } = await processor.setup({ number: thenApproved });
    const token = tokenIn(outcome);
    expect((await show(token))!.html).toContain('May the shop charge this card later?');
    expect((await show(token))!.html).not.toContain('class="amount"');
    await processor.cancelSetup({ of });
    expect((await show(token))!.html).toContain('was canceled');
    await decide(token, 'approve');
    expect((await processor.find(of, 'setup')).outcome.kind).toBe('declined');
  });

  describe('a card that is authenticated once', () => {
    const once = '4000002500003155';
    const again = async () => (await processor.authorize({ number: once })).outcome.kind;

    test('is challenged the first time and approved; from then on it is approved', async () => {
      const { attempt, token } = await challenge(once);
      await decide(token, 'approve');
      expect((await processor.find(attempt)).outcome.kind).toBe('approved');
      expect([await again(), await again()]).toEqual(['approved', 'approved']);
      expect((await processor.charges()).map(({ net }) => net)).toEqual([1_000, 1_000, 1_000]);
    });

    test('is challenged until the cardholder has approved, and by each tenant', async () => {
      const { attempt, token } = await challenge(once);
      expect(await again()).toBe('requires_action');
      await decide(token, 'refuse');
      expect((await processor.find(attempt)).outcome).toMatchObject({ declineCode: 'authentication_failed' });
      expect(await again()).toBe('requires_action');
      await decide((await challenge(once)).token, 'approve');
      expect(await again()).toBe('approved');
      expect((await world.processor().authorize({ number: once })).outcome.kind).toBe('requires_action');
    });

    test('is no other card: another one is challenged each time', async () => {
      await decide((await challenge(once)).token, 'approve');
      await decide((await challenge(thenApproved)).token, 'approve');
      expect((await processor.authorize({ number: thenApproved })).outcome.kind).toBe('requires_action');
    });
  });

  test('an inquiry before the decision makes another valid page, and the first decision on any page counts', async () => {
    const { attempt, token } = await challenge();
    const again = tokenIn((await processor.find(attempt)).outcome);
    expect(again).not.toBe(token);
    expect((await decide(again, 'refuse'))?.returnUrl).toBe('https://shop.test/done?order=1');
    await decide(token, 'approve');
    expect((await processor.find(attempt)).outcome).toMatchObject({ declineCode: 'authentication_failed' });
  });

  test('after a cancel, later decisions return the same and change nothing', async () => {
    const { attempt, token } = await challenge();
    expect((await processor.cancel({ of: attempt })).outcome.kind).toBe('approved');
    expect(await decide(token, 'approve')).toMatchObject({ attempt });
    expect((await processor.find(attempt)).outcome).toMatchObject({ declineCode: 'authorization_canceled' });
    expect(await processor.charges()).toMatchObject([{ authorized: 0, canceled: true, net: 0 }]);
    expect((await show(token))?.html).toContain('was canceled');
  });

  test('of concurrent decisions, one counts', async () => {
    for (let round = 0; round < 10; round++) {
      const { attempt, token } = await challenge();
      await Promise.all([decide(token, 'approve'), decide(token, 'refuse'), decide(token, 'approve')]);
      const entries = (await processor.entries()).filter((entry) => entry.authorization_attempt === attempt);
      expect(entries).toHaveLength(2);
    }
  });

  test('of a concurrent decision and cancel, whichever comes first, nothing is charged in the end', async () => {
    for (let round = 0; round < 10; round++) {
      const { attempt, token } = await challenge();
      await Promise.all([decide(token, 'approve'), processor.cancel({ of: attempt })]);
      const charge = (await processor.charges()).find((one) => one.attempt === attempt);
      expect(charge).toMatchObject({ canceled: true, net: 0 });
      const entries = (await processor.entries()).filter((entry) => entry.authorization_attempt === attempt);
      const order = entries.sort((a, b) => Number(a.sequence) - Number(b.sequence)).map(({ verb }) => verb);
      // A cancel that comes second reverses the charge of the decision; a decision that comes second adds no entry.
      expect(['authorize decide cancel', 'authorize cancel']).toContain(order.join(' '));
    }
  });

  test('the page asks for a decision, and shows it afterwards', async () => {
    const { token } = await challenge();
    const page = await show(token);
    expect(page?.html).toContain('10.00');
    expect(page?.html).toMatch(/<form method="post">\s*<button[^>]*value="approve"/);
    expect(page?.html).toContain('test page');
    expect(page?.html).not.toContain('<script');
    await decide(token, 'approve');
    const after = await show(token);
    expect(after?.html).toContain('You have approved');
    expect(after?.html).not.toContain('<form');
  });

  test('an unknown token has no page and decides nothing', async () => {
    for (const token of ['', 'x', "'; drop table", '0'.repeat(22), 'é'.repeat(22), '0'.repeat(100_000)]) {
      expect(await show(token)).toBeUndefined();
      expect(await decide(token, 'approve')).toBeUndefined();
    }
  });

  test('a page whose token was made before tokens named their tenant is still found', async () => {
    const { token } = await challenge();
    const earlier = 'a'.repeat(22);
    await processor.sql.query('update simulator_challenges set hash = $1 where hash = $2', [
      createHash('sha256').update(earlier).digest(),
      createHash('sha256').update(token).digest(),
    ]);
    expect(await processor.challenges.show(earlier)).toMatchObject({ html: expect.stringContaining('<form') });
    expect(await processor.challenges.show(token)).toBeUndefined();
  });

  test('tokens differ, carry 128 random bits, and are stored only as hashes', async () => {
    const tokens = new Set<string>();
    for (let times = 0; times < 20; times++) tokens.add((await challenge()).token);
    expect(tokens.size).toBe(20);
    for (const token of tokens) expect(token).toMatch(/^[0-9A-Za-z]{28}$/);
    const { rows } = await processor.sql.query('select * from simulator_challenges where tenant = $1', [
      processor.tenant,
    ]);
    const hashes = rows.map((row) => (row.hash as Buffer).toString('hex')).sort();
    expect(hashes).toEqual([...tokens].map((token) => createHash('sha256').update(token).digest('hex')).sort());
    const kept = JSON.stringify([rows, await processor.entries()]);
    for (const token of tokens) expect(kept).not.toContain(token);
  });
});

function tokenIn(outcome: object): string {
  const { url } = outcome as { url: string };
  const start = `${publicUrl}/simulator/challenge/`;
  expect(url.startsWith(start)).toBe(true);
  return url.slice(start.length);
}

test('the style on the page is the one that the policy allows', () => {
  const { html, csp } = challengePage('open', { amount: 17_545, currency: 'huf' });
  expect(html).toContain('HUF 175.45');
  const style = /<style>(.*)<\/style>/s.exec(html)![1]!;
  expect(csp).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
});
