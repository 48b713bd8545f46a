import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Tenant } from '../base/reads.ts';
import { type BookLine, type Reconciled, Reconciliation, type Side } from './reconcile.ts';

const day = '2026-11-14';
const noon = Date.parse(`${day}T12:00:00Z`);
const dayMs = 86_400_000;

type Wish = Partial<Omit<BookLine, 'money' | 'at'>> & { amount?: number; currency?: string; day?: number };

/** A payment of 10 dollars at noon of the day, or so many days later. */
function line({ amount = 1_000, currency = 'usd', day: days = 0, ...more }: Wish = {}): BookLine {
  return {
    tenant: 1 as Tenant,
    kind: 'payment',
    reference: 'att_1',
    ...more,
    money: { amount, currency },
    at: new Date(noon + days * dayMs),
  };
}

const isOfDay = ({ at }: BookLine) => at.getTime() === noon;

/** Adds the lines as the command does: the day itself first. */
function compared(books: Record<Side, BookLine[]>): Reconciled {
  const comparison = new Reconciliation(day);
  for (const wanted of [isOfDay, (one: BookLine) => !isOfDay(one)])
    for (const side of ['ledger', 'processor'] as const) comparison.add(side, books[side].filter(wanted));
  return comparison.result();
}

const names = ({ differences }: Reconciled) => differences.map(({ what }) => what);

describe('one line', () => {
  test('on both sides is not a difference', () => {
    expect(compared({ ledger: [line({ payment: 'py_1' })], processor: [line()] })).toEqual({
      differences: [],
      matched: 1,
      matchedOnAnotherDay: 0,
      sums: [
        {
          kind: 'payment',
          currency: 'usd',
          ledger: { lines: 1, amount: 1_000n },
          processor: { lines: 1, amount: 1_000n },
        },
      ],
    });
  });

  test.each<[string, Wish[], Wish[], string[]]>([
    ['that only the processor has', [], [{}], ['missing_in_ledger']],
    ['that only we have', [{}], [], ['missing_at_processor']],
    ['of another amount', [{}], [{ amount: 999 }], ['amount_differs']],
    ['of another currency', [{}], [{ currency: 'eur' }], ['currency_differs']],
    ['of another currency and amount', [{}], [{ currency: 'eur', amount: 1 }], ['currency_differs']],
    ['of another tenant', [{}], [{ tenant: 2 as Tenant }], ['missing_at_processor', 'missing_in_ledger']],
    ['of another kind', [{}], [{ kind: 'refund' }], ['missing_at_processor', 'missing_in_ledger']],
    ['twice at the processor', [{}], [{}, {}], ['doubled_at_processor']],
    ['twice at the processor, and not here', [], [{}, {}], ['missing_in_ledger', 'doubled_at_processor']],
    ['twice here', [{}, {}], [{}], ['doubled_in_ledger']],
    ['again on the next day', [{}], [{}, { day: 1 }], ['doubled_at_processor']],
    ['again on the day before', [{}], [{}, { day: -1 }], ['doubled_at_processor']],
    ['twice, and one of them is right', [{}], [{ amount: 5 }, {}], ['doubled_at_processor']],
    [
      'twice, and none of them is right',
      [{}],
      [{ amount: 5 }, { amount: 6 }],
      ['amount_differs', 'doubled_at_processor'],
    ],
    ['of another day alone', [{ day: 1 }], [{ day: -1 }], []],
    ['of another day, on one side', [], [{ day: 1 }], []],
    ['of another day and amount', [{ day: 1 }], [{ amount: 5 }], ['amount_differs']],
  ])('%s', (_, ledger, processor, expected) => {
    expect(names(compared({ ledger: ledger.map(line), processor: processor.map(line) }))).toEqual(expected);
  });

  test.each([
    [1, 0],
    [0, 1],
    [0, -4],
    [4, 0],
  ])('on day %i here and on day %i there is the same, and is counted', (ours, theirs) => {
    const result = compared({ ledger: [line({ day: ours })], processor: [line({ day: theirs })] });
    expect(result).toMatchObject({ differences: [], matched: 1, matchedOnAnotherDay: 1 });
  });
});

test('a difference has the lines of both sides; a duplicate has the surplus line', () => {
  const [ours, theirs, again] = [line({ payment: 'py_1' }), line({ amount: 5 }), line({ amount: 6 })];
  expect(compared({ ledger: [ours], processor: [theirs, again] }).differences).toEqual([
    { what: 'amount_differs', ledger: ours, processor: theirs },
    { what: 'doubled_at_processor', ledger: ours, processor: again },
  ]);
  expect(compared({ ledger: [], processor: [theirs] }).differences).toEqual([
    { what: 'missing_in_ledger', processor: theirs },
  ]);
});

test('the day is a day of UTC, from its first millisecond to its last', () => {
  const at = (text: string) => ({ ...line({ reference: text }), at: new Date(text) });
  const comparison = new Reconciliation(day);
  const inside = ['2026-11-14T00:00:00.000Z', '2026-11-14T23:59:59.999Z'];
  comparison.add('processor', [...inside, '2026-11-13T23:59:59.999Z', '2026-11-15T00:00:00.000Z'].map(at));
  expect(comparison.result().differences.map(({ processor }) => processor!.reference)).toEqual(inside);
});

test('sums are exact where a double is not', () => {
  const amount = 2 ** 53 - 1;
  const books = ['a', 'b', 'c'].map((reference) => line({ amount, reference }));
  const { sums } = compared({ ledger: books, processor: [] });
  expect(sums[0]!.ledger).toEqual({ lines: 3, amount: 3n * BigInt(amount) });
});

// ── Against a model without keys, pages and stored days ──────────────────────────────────────────────────

const sameThing = (a: BookLine) => (b: BookLine) =>
  a.tenant === b.tenant && a.kind === b.kind && a.reference === b.reference;
const sameMoney = (a: BookLine, b: BookLine) => JSON.stringify(a.money) === JSON.stringify(b.money);

/** The number of differences of each kind, and of matches. */
function modelled({ ledger, processor }: Record<Side, BookLine[]>): Record<string, number> {
  const count: Record<string, number> = {};
  const add = (what: string, times = 1) => {
    if (times > 0) count[what] = (count[what] ?? 0) + times;
  };
  const all = [...ledger, ...processor];
  for (const [at, one] of all.entries()) {
    if (all.findIndex(sameThing(one)) !== at || !all.filter(sameThing(one)).some(isOfDay)) continue;
    const [ours, theirs] = [ledger.filter(sameThing(one)), processor.filter(sameThing(one))];
    add('doubled_in_ledger', ours.length - 1);
    add('doubled_at_processor', theirs.length - 1);
    if (ours.length === 0) add('missing_in_ledger');
    else if (theirs.length === 0) add('missing_at_processor');
    else if (ours.some((line) => theirs.some((other) => sameMoney(line, other)))) add('matched');
    else add('money');
  }
  return count;
}

/** The result in the terms of the model. Which of two wrong lines is compared depends on their order: it counts as one difference. */
function counted(result: Reconciled): Record<string, number> {
  const count: Record<string, number> = result.matched > 0 ? { matched: result.matched } : {};
  for (const what of names(result)) {
    const name = what.endsWith('_differs') ? 'money' : what;
    count[name] = (count[name] ?? 0) + 1;
  }
  return count;
}

const anyLine = fc
  .record({
    tenant: fc.constantFrom(1 as Tenant, 2 as Tenant),
    kind: fc.constantFrom('payment', 'refund'),
    reference: fc.constantFrom('a', 'b', 'c'),
    amount: fc.constantFrom(1, 2),
    currency: fc.constantFrom('usd', 'eur'),
    day: fc.integer({ min: -1, max: 1 }),
  })
  .map(line);

test('finds the same as a simple model, in whatever order the lines are added', () => {
  const books = fc.record({
    ledger: fc.array(anyLine, { maxLength: 12 }),
    processor: fc.array(anyLine, { maxLength: 12 }),
  });
  fc.assert(
    fc.property(books, (given) => {
      const result = compared(given);
      expect(counted(result)).toEqual(modelled(given));
      for (const side of ['ledger', 'processor'] as const) {
        const total = result.sums.reduce((sum, one) => sum + one[side].amount, 0n);
        const ofDay = given[side].filter(isOfDay).reduce((sum, { money }) => sum + money.amount, 0);
        expect(total).toBe(BigInt(ofDay));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('equal books have no difference, and every single change is found', () => {
  const references = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 10 });
  const change = fc.constantFrom('remove', 'amount', 'currency', 'double');
  const expected = {
    remove: 'missing_in_ledger',
    amount: 'amount_differs',
    currency: 'currency_differs',
    double: 'doubled_in_ledger',
  } as const;
  fc.assert(
    fc.property(references, fc.nat(), change, (all, place, how) => {
      const processor = all.map((reference) => line({ reference }));
      expect(compared({ ledger: [...processor], processor }).differences).toEqual([]);
      const at = place % all.length;
      const changed = {
        remove: [],
        amount: [line({ reference: all[at]!, amount: 999 })],
        currency: [line({ reference: all[at]!, currency: 'eur' })],
        double: [processor[at]!, line({ reference: all[at]! })],
      }[how];
      const result = compared({ ledger: processor.toSpliced(at, 1, ...changed), processor });
      expect(names(result)).toEqual([expected[how]]);
      const [{ ledger: ours, processor: theirs }] = result.differences as [(typeof result.differences)[0]];
      expect((ours ?? theirs)!.reference).toBe(all[at]);
    }),
  );
});
