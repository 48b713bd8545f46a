import { describe, expect, test } from 'vitest';
import { amountsIn } from './amounts.ts';
import { readQuery } from './query.ts';

const starts = (q: string) => readQuery(q).words.map(({ start }) => start);

describe('a query', () => {
  const nothing = { words: [], phrases: [], statuses: [], amounts: [], cards: [], customers: [], created: [] };
  const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
  const bound = (whole: string, isOpen = false) => ({
    amount: { whole, fraction: undefined, currencies: undefined },
    isOpen,
  });
  /** An amount and four digits are in the index, too. */
  const word = (q: string) => ({
    ...(q.startsWith('card') ? { start: q.slice(5), amounts: [] } : { amounts: [bound(q.slice(7)).amount] }),
    written: q.slice(q.indexOf(':') + 1),
    isOperator: true,
  });
  const operators: [q: string, object][] = [
    ['status:failed', { statuses: [['failed']] }],
    ['STATUS:Requires-Action', { statuses: [['requires_action']] }],
    ['status:"requires action",canceled', { statuses: [['requires_action']] }],
    ['status:failed,canceled', { statuses: [['failed', 'canceled']] }],
    ['amount:129', { amounts: [{ from: bound('129'), to: bound('129') }], words: [word('amount:129')] }],
    ['amount:>1,299', { amounts: [{ from: bound('1299', true) }] }],
    ['amount:<1.299', { amounts: [{ to: bound('1299', true) }] }],
    ['amount:>100', { amounts: [{ from: bound('100', true) }] }],
    ['amount:<=100', { amounts: [{ to: bound('100') }] }],
    ['amount:100..200', { amounts: [{ from: bound('100'), to: bound('200') }] }],
    ['card:4242', { cards: ['4242'], words: [word('card:4242')] }],
    ['customer:ada', { customers: ['ada'] }],
    ['customer:"Ada Lovelace"', { customers: ['Ada Lovelace'] }],
    ['created:2026', { created: [{ from: day('2026-01-01'), before: day('2027-01-01') }] }],
    ['created:2026-02', { created: [{ from: day('2026-02-01'), before: day('2026-03-01') }] }],
    ['created:2028-02-29', { created: [{ from: day('2028-02-29'), before: day('2028-03-01') }] }],
    ['created:>2026-02', { created: [{ from: day('2026-03-01') }] }],
    ['created:>=2026-02', { created: [{ from: day('2026-02-01') }] }],
    ['created:<2026-02-10', { created: [{ before: day('2026-02-10') }] }],
    ['created:2025-12..2026-01', { created: [{ from: day('2025-12-01'), before: day('2026-02-01') }] }],
  ];
  test.each(operators.filter(([q]) => !q.includes('",')))('%s is an operator', (q, read) =>
    expect(readQuery(q)).toEqual({ ...nothing, ...read }),
  );

  const words: [q: string, string[]][] = [
    ['colour:red', ['colourred']],
    ['amount:abc', ['amountabc']],
    ['amount:1..2..3', ['amount123']],
    ['card:42', ['card42']],
    ['created:2026-02-30', ['created20260230']],
    ['created:yesterday', ['createdyesterday']],
    ['status:', ['status']],
    ['http://example.com', ['httpexamplecom']],
    ['12:30', ['1230']],
  ];
  test.each(words)('%s is a word', (q, read) => expect(starts(q)).toEqual(read));

  test('has words and operators together, quoted or not', () => {
    const { words, phrases, statuses } = readQuery('  ada status:failed "annual plan" ');
    expect(words.map(({ start }) => start)).toEqual(['ada', 'annual', 'plan']);
    expect([phrases, statuses]).toEqual([['annual plan'], [['failed']]]);
  });

  test('takes a quote without an end, and nothing in quotes', () => {
    expect(starts('"ada love')).toEqual(['ada', 'love']);
    expect(readQuery('""')).toEqual(nothing);
  });

  test('has each word once, and twelve at most', () => {
    expect(starts('ada ADA ada')).toEqual(['ada']);
    expect(starts('a b c d e f g h i j k l m n')).toHaveLength(12);
  });
});

describe('an amount', () => {
  const cases: [text: string, ...amounts: [whole: string, fraction?: string | undefined, ...currencies: string[]][]][] =
    [
      ['129', ['129']],
      ['129.00', ['129', '00']],
      ['129,5', ['129', '5']],
      ['0129', ['129']],
      ['1,299.00', ['1299', '00']],
      ['1.299,00', ['1299', '00']],
      ["1'299.00", ['1299', '00']],
      ['1,299', ['1', '299'], ['1299', undefined]],
      ['1.299', ['1', '299'], ['1299', undefined]],
      ['€129', ['129', undefined, 'eur']],
      ['129€', ['129', undefined, 'eur']],
      ['EUR129.00', ['129', '00', 'eur']],
      ['129.00 eur', ['129', '00', 'eur']],
      ['¥129', ['129', undefined, 'jpy', 'cny']],
    ];
  test.each(cases)('%s', (text, ...amounts) => {
    const read = amountsIn(text).map(({ whole, fraction, currencies = [] }) => [whole, fraction, ...currencies]);
    expect(read).toEqual(amounts.map(([whole, fraction, ...currencies]) => [whole, fraction, ...currencies]));
  });

  test.each(['', 'abc', '1.2.3', '12,34,56', '1.2345', '9999999999999', '€129€', 'xyz129', '-5', '1e3'])(
    '%s is none',
    (text) => expect(amountsIn(text)).toEqual([]),
  );
});
