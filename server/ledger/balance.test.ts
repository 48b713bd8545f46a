import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { balanceOf } from './balance.ts';
import type { PostingKind } from './chart.ts';
import { ledgerWorld, other, shop, type World } from './ledger.fixture.ts';

let world: World;
beforeAll(async () => {
  world = await ledgerWorld();
});
afterAll(() => world.stop());
beforeEach(() => world.empty());

const today = '2027-01-10';
const [past, later] = ['2027-01-01', '2027-01-11'];

describe('the balance', () => {
  type Movement = [kind: PostingKind, amount: number, on: string];
  const cases: [string, Movement[], [available: string, pending: string, disputed: string]][] = [
    ['a payment of today is available', [['payment', 500, today]], ['500', '0', '0']],
    ['a payment of tomorrow is pending', [['payment', 500, later]], ['0', '500', '0']],
    ['its fee is pending with it', [['payment', 500, later], ['fee', 20, later]], ['0', '480', '0']], // biome-ignore format: one line is a case
    ['a refund is deducted immediately', [['payment', 500, later], ['refund', 200, today]], ['-200', '500', '0']], // biome-ignore format: one line is a case
    ['settling a refund changes nothing', [['payment', 500, past], ['refund', 200, past], ['refund_settled', 200, today]], ['300', '0', '0']], // biome-ignore format: one line is a case
    ['a failed refund is added again', [['payment', 500, past], ['refund', 200, past], ['refund_failure', 200, today]], ['500', '0', '0']], // biome-ignore format: one line is a case
    ['a bounced refund is added again', [['payment', 500, past], ['refund', 200, past], ['refund_settled', 200, past], ['refund_bounce', 200, today]], ['500', '0', '0']], // biome-ignore format: one line is a case
    ['a dispute moves its amount to disputed', [['payment', 500, past], ['dispute', 500, today]], ['0', '0', '500']], // biome-ignore format: one line is a case
    ['a won dispute gives it back', [['payment', 500, past], ['dispute', 500, past], ['dispute_reversal', 500, today]], ['500', '0', '0']], // biome-ignore format: one line is a case
    ['a lost dispute removes it', [['payment', 500, past], ['dispute', 500, past], ['dispute_lost', 500, today]], ['0', '0', '0']], // biome-ignore format: one line is a case
  ];
  test.each(cases)('%s', async (_, movements, [available, pending, disputed]) => {
    await world.post({ tenant: other, amount: 77 }); // another tenant's
    // The balance is the same before, during and after sealing.
    for (const [at, [kind, amount, on]] of movements.entries()) {
      await world.post({ kind, amount, on });
      if (at === 0 && movements.length > 1) await world.sealAll();
    }
    const expected = [{ currency: 'eur', available, pending, disputed }];
    expect(await balanceOf(world.reads, shop, today)).toEqual(expected);
    await world.sealAll();
    expect(await balanceOf(world.reads, shop, today)).toEqual(expected);
  });

  test('is separate for each currency, and exact beyond a double', async () => {
    for (let n = 0; n < 3; n++) await world.post({ amount: String(2n ** 53n - 1n), currency: 'jpy' });
    await world.post({ amount: 1, currency: 'eur' });
    const expected = [
      { currency: 'eur', available: '1', pending: '0', disputed: '0' },
      { currency: 'jpy', available: String(3n * (2n ** 53n - 1n)), pending: '0', disputed: '0' },
    ];
    expect(await balanceOf(world.reads, shop, today)).toEqual(expected);
    await world.sealAll();
    expect(await balanceOf(world.reads, shop, today)).toEqual(expected);
  });

  test('includes the first unsealed posting', async () => {
    const { rows } = await world.sql.query('select sealed_to from ledger_sealer');
    await world.post({ amount: 9 });
    await world.sql.query('update postings set position = $1', [rows[0].sealed_to]);
    expect(await balanceOf(world.reads, shop, today)).toMatchObject([{ available: '9' }]);
    await world.sealAll();
    expect(await balanceOf(world.reads, shop, today)).toMatchObject([{ available: '9' }]);
  });

  test('of a tenant without postings is empty', async () => {
    expect(await balanceOf(world.reads, shop, today)).toEqual([]);
  });

  test('becomes available on its day, without a posting', async () => {
    await world.post({ amount: 5, on: later });
    await world.sealAll();
    expect(await balanceOf(world.reads, shop, today)).toMatchObject([{ available: '0', pending: '5' }]);
    expect(await balanceOf(world.reads, shop, later)).toMatchObject([{ available: '5', pending: '0' }]);
  });

  test('does not read sealed postings, however many a tenant has', async () => {
    await world.sql.query(
      `insert into postings (tenant, id, kind, debit, credit, amount, currency, source, payment, available_on, position)
       select case when n % 50 = 0 then 1 else 2 end, 'txn_' || n, 'payment', 'processor', 'balance', 1, 'eur', 'py_' || n, 'py_' || n,
              '2027-01-10', n from generate_series(1, 20000) n`,
    );
    await world.sql.query('analyze postings');
    let plan = '';
    const explained = {
      rows: async (text: string, values: unknown[]) => {
        plan = JSON.stringify((await world.sql.query(`explain (format json) ${text}`, values)).rows);
        return [];
      },
    };
    await balanceOf(explained as never, shop, today);
    expect(plan).toContain('postings_by_position');
    expect(plan).not.toContain('postings_pkey');
  });
});
