import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idTime } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import { canChangeCredit, changeCredit, forfeitCredit } from './credit.ts';
import { type CreditBalance, type Customer, newCustomer } from './customer.ts';
import { serializeCustomer } from './schema.ts';

const now = Date.UTC(2027, 0, 10, 12);
const invoice = 'in_00000000000000000000A1';

const having = (credit_balance: CreditBalance | null): Customer => ({
  ...newCustomer(7 as Tenant, 'cus_00000000000000000000A1', {}),
  version: 4,
  credit_balance,
});

type Rows = { writes: { kind: string; table: { name: string }; row: Readonly<Record<string, unknown>> }[] };
const rowsOf = ({ writes }: Rows, table: string) =>
  writes.filter((write) => write.table.name === table).map(({ row }) => row);

describe('a change of credit', () => {
  const cases: [string, CreditBalance | null, string, number, CreditBalance | null, object][] = [
    ['the first', null, 'eur', 500, { eur: 500 }, { credit_balance: null }],
    ['more', { eur: 500 }, 'eur', 1, { eur: 501 }, { credit_balance: { eur: 500 } }],
    ['another currency', { eur: 500 }, 'usd', 7, { eur: 500, usd: 7 }, { credit_balance: { usd: null } }],
    ['part of it is used', { eur: 500 }, 'eur', -499, { eur: 1 }, { credit_balance: { eur: 500 } }],
    ['all of it is used', { eur: 500 }, 'eur', -500, null, { credit_balance: { eur: 500 } }],
    ['all of one is used', { eur: 5, usd: 7 }, 'eur', -5, { usd: 7 }, { credit_balance: { eur: 5 } }],
  ];
  test.each(cases)('%s', (_, before, currency, amount, after, previous) => {
    const { customer, part } = changeCredit(having(before), { currency, amount, invoice }, now);
    expect([customer.version, customer.credit_balance]).toEqual([5, after]);
    expect(part.writes.map(({ kind, table }) => `${kind} ${table.name}`)).toEqual([
      'update customers',
      'insert credit_transactions',
      'insert postings',
    ]);
    expect(rowsOf(part, 'customers')).toEqual([customer]);
    const [transaction] = rowsOf(part, 'credit_transactions');
    const { tenant, id } = customer;
    expect(transaction).toMatchObject({ tenant, customer: id, amount, currency, invoice, created: null });
    expect(idTime(String(transaction!.id))).toBe(now);
    const [kind, debit, credit] =
      amount > 0
        ? ['credit_granted', 'credit_granted', 'customer_credit']
        : ['credit_used', 'customer_credit', 'credit_granted'];
    expect(rowsOf(part, 'postings')).toEqual([
      {
        ...{ tenant, id: expect.stringMatching(/^txn_/), kind, debit, credit, amount: Math.abs(amount), currency },
        ...{ source: transaction!.id, payment: null, reference: null, available_on: '2027-01-10' },
      },
    ]);
    const object = serializeCustomer(customer);
    expect('credit_balance' in object).toBe(after !== null);
    expect(part.events).toEqual([
      { type: 'customer.credit_balance_updated', objectId: id, objectVersion: 5, object, previous },
    ]);
  });

  test('the time of a test clock is kept', () => {
    const created = new Date('2031-02-03T04:05:06Z');
    const { part } = changeCredit(having(null), { currency: 'eur', amount: 1, invoice, created }, now);
    expect(rowsOf(part, 'credit_transactions')[0]!.created).toBe(created);
  });

  test('two changes in one commit write the customer once, and are listed in their order', () => {
    const stored = having({ eur: 300 });
    const first = changeCredit(stored, { currency: 'eur', amount: 500, invoice }, now);
    const second = changeCredit(first, { currency: 'eur', amount: -800, invoice }, now);
    expect(rowsOf(second.part, 'customers')).toEqual([{ ...stored, version: 5, credit_balance: null }]);
    const transactions = rowsOf(second.part, 'credit_transactions');
    expect(transactions.map(({ amount }) => amount)).toEqual([500, -800]);
    expect(String(transactions[0]!.id) < String(transactions[1]!.id)).toBe(true);
    expect(rowsOf(second.part, 'postings').map(({ kind, source }) => [kind, source])).toEqual([
      ['credit_granted', transactions[0]!.id],
      ['credit_used', transactions[1]!.id],
    ]);
    expect(second.part.events.map(({ objectVersion, previous }) => [objectVersion, previous])).toEqual([
      [5, { credit_balance: { eur: 300 } }],
    ]);
  });

  test('what was granted and used in one commit makes no event', () => {
    const first = changeCredit(having(null), { currency: 'eur', amount: 500, invoice }, now);
    const { part } = changeCredit(first, { currency: 'eur', amount: -500, invoice }, now);
    expect([part.writes.length, part.events]).toEqual([5, []]);
  });

  const most = Number.MAX_SAFE_INTEGER;
  const impossible: [string, CreditBalance | null, string, number, typeof invoice | null][] = [
    ['below 0', { eur: 500 }, 'eur', -501, invoice],
    ['of a currency that the customer has not', { eur: 500 }, 'usd', -1, invoice],
    ['of nothing', { eur: 500 }, 'eur', 0, invoice],
    ['of half a cent', { eur: 500 }, 'eur', 0.5, invoice],
    ['to more than can be counted exactly', { eur: most }, 'eur', 1, invoice],
    ['that is used by no invoice', { eur: 500 }, 'eur', -1, null],
  ];
  test.each(impossible)('%s is never made', (_, before, currency, amount, by) => {
    const customer = having(before);
    expect(canChangeCredit(customer, { currency, amount, invoice: by })).toBe(false);
    expect(() => changeCredit(customer, { currency, amount, invoice: by }, now)).toThrow('assertion failed');
  });
});

const anyChange = fc.record({
  currency: fc.constantFrom('eur', 'usd', 'jpy'),
  amount: fc.integer({ min: -30, max: 30 }),
  isSameCommit: fc.boolean(),
});
test('after any changes, the credit is what its transactions add up to, and each commit writes the customer once', () => {
  fc.assert(
    fc.property(fc.array(anyChange, { maxLength: 40 }), (changes) => {
      let last: Customer | ReturnType<typeof changeCredit> = having(null);
      const committed: Rows[] = [];
      const commit = () => {
        if (!('part' in last)) return;
        expect(rowsOf(last.part, 'customers')).toEqual([last.customer]);
        expect(last.customer.version).toBe(last.stored.version + 1);
        committed.push(last.part);
        last = last.customer;
      };
      for (const { isSameCommit, ...change } of changes) {
        if (!isSameCommit) commit();
        const before: Customer = 'part' in last ? last.customer : last;
        if (canChangeCredit(before, { ...change, invoice })) last = changeCredit(last, { ...change, invoice }, now);
      }
      commit();
      const sums: Record<string, number> = {};
      for (const row of committed.flatMap((part) => rowsOf(part, 'credit_transactions')))
        sums[String(row.currency)] = (sums[String(row.currency)] ?? 0) + Number(row.amount);
      const left = Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0));
      expect((last as Customer).credit_balance ?? {}).toEqual(left);
    }),
  );
});

test('the credit of a deleted customer is posted away, in every currency', () => {
  expect(forfeitCredit(having(null), now)).toEqual([]);
  const writes = forfeitCredit(having({ eur: 500, usd: 7 }), now);
  const transactions = rowsOf({ writes }, 'credit_transactions');
  expect(transactions.map(({ amount, currency, invoice: by }) => [amount, currency, by])).toEqual([
    [-500, 'eur', null],
    [-7, 'usd', null],
  ]);
  const postings = rowsOf({ writes }, 'postings');
  expect(postings.map(({ kind, amount, currency, debit }) => [kind, amount, currency, debit])).toEqual([
    ['credit_forfeited', 500, 'eur', 'customer_credit'],
    ['credit_forfeited', 7, 'usd', 'customer_credit'],
  ]);
});
