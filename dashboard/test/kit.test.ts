import { describe, expect, test, vi } from 'vitest';
import { agoWords } from '../src/kit/ago_words.ts';
import { amountBounds } from '../src/kit/amount_words.ts';
import { columnsThatFit } from '../src/kit/column_fit.ts';
import { amountFilter, currencyFilter, mistakeIn, namesOf, paramsOf, shownValue } from '../src/kit/filters.ts';
import { isolated } from '../src/kit/isolated.ts';
import { amountOf, decimalOf, formatMoney, withSymbol } from '../src/kit/money.ts';

describe('amounts', () => {
  test.each([
    [2000, 'eur', '€20.00', '20.00'],
    [5, 'usd', '$0.05', '0.05'],
    [2000, 'jpy', '¥2,000', '2000'],
    [12345, 'kwd', 'KWD\u00a012.345', '12.345'],
    [1500, 'iqd', 'IQD\u00a01.500', '1.500'], // browsers say 0 digits, ISO 4217 says 3
    [-1, 'eur', '-€0.01', '-0.01'],
    [999_999_999_999, 'eur', '€9,999,999,999.99', '9999999999.99'],
  ])('%i %s is %s', (amount, currency, shown, decimal) => {
    expect(formatMoney(amount, currency, 'en-US')).toBe(shown);
    expect(decimalOf(amount, currency)).toBe(decimal);
    if (amount > 0) expect(amountOf(decimal, currency)).toBe(amount);
  });

  test.each([
    ['EUR 129.00', formatMoney(12_900, 'eur')],
    ['JPY 129, draft', `${formatMoney(129, 'jpy')}, draft`],
    ['EUR 19.00 a month', `${formatMoney(1_900, 'eur')} a month`],
    ['EUR 1,299.00', formatMoney(129_900, 'eur')],
    ['KWD 58,800.000, paid', `${formatMoney(58_800_000, 'kwd')}, paid`],
    ['IDR 9,999,999,999.99', formatMoney(999_999_999_999, 'idr')],
    ['JPY 1,50', 'JPY 1,50'],
    ['EUR 7 gift', 'EUR 7 gift'],
    ['ABC 129.00', 'ABC 129.00'],
    ['For EUR 129.00', 'For EUR 129.00'],
  ])('%s in a text of the API is shown as %s', (text, shown) => expect(withSymbol(text)).toBe(shown));

  test.each([
    ['20', 'eur', 2000],
    ['20,5', 'eur', 2050],
    [' 20.', 'eur', 2000],
    ['20.001', 'eur', undefined],
    ['20.5', 'jpy', undefined],
    ['', 'eur', undefined],
    ['-1', 'eur', undefined],
    ['1e3', 'eur', undefined],
    ['1,000.00', 'eur', undefined],
  ])('%o in %s is %o', (text, currency, amount) => expect(amountOf(text, currency)).toBe(amount));
});

test.each([
  ['Ada', 'Ada'],
  ['山田 太郎', '山田 太郎'],
  ['محمد عبد', '\u2068محمد عبد\u2069'],
  ['נעמי כהן', '\u2068נעמי כהן\u2069'],
  ['Ada محمد', '\u2068Ada محمد\u2069'],
])('%s keeps its direction to itself within a sentence', (name, shown) => expect(isolated(name)).toBe(shown));

describe('filters in the address', () => {
  const status = { kind: 'choice', name: 'status', title: 'Status', choices: ['failed'] } as const;
  const created = { kind: 'days', name: 'created', title: 'Created' } as const;
  const at = (year: number, month: number, day: number) => new Date(year, month - 1, day).getTime() / 1_000;

  test('become parameters; the last day is included, and what is not set is left out', () => {
    const search = {
      status: 'failed',
      created_from: '2026-11-01',
      created_to: '2026-11-30',
      other: 'x',
      after: 'py_1',
    };
    expect(paramsOf([status, created], search)).toEqual({
      status: 'failed',
      created: { gte: at(2026, 11, 1), lt: at(2026, 12, 1) },
    });
    expect(paramsOf([status, created], { status: '' })).toEqual({});
    expect(namesOf(created)).toEqual(['created_from', 'created_to']);
  });

  test('of several values are lists; amounts are bounds in the main unit', () => {
    const statuses = { ...status, kind: 'choices', choices: ['failed', 'refunded'] } as const;
    expect(paramsOf([statuses], { status: 'failed,refunded' })).toEqual({ status: ['failed', 'refunded'] });
    expect(paramsOf([statuses], { status: 'failed' })).toEqual({ status: 'failed' });
    expect(shownValue(statuses, { status: 'failed,refunded' })).toBe('Failed, Refunded');
    expect(paramsOf([amountFilter], { amount: '>100' })).toEqual({ amount_decimal: { gt: '100' } });
  });

  test.each([
    ['129', { gte: '129', lte: '129' }],
    ['129,50', { gte: '129.50', lte: '129.50' }],
    ['> 100', { gt: '100' }],
    ['>=100.5', { gte: '100.5' }],
    ['<50', { lt: '50' }],
    ['<=50', { lte: '50' }],
    ['50..200', { gte: '50', lte: '200' }],
    ['50..', { gte: '50' }],
    ['..200', { lte: '200' }],
    ['..', undefined],
    ['1e3', undefined],
    ['12.3456', undefined],
    ['-5', undefined],
    ['', undefined],
  ])('the amount %o is %o', (text, bounds) => expect(amountBounds(text)).toEqual(bounds));

  test.each([
    [{ created_from: '2026-99-99' }, 'created_from=2026-99-99 is not a date. Write it as 2026-11-30.'],
    [{ created_to: '2026-02-30' }, 'created_to=2026-02-30 is not a date. Write it as 2026-11-30.'],
    [{ created_to: 'soon' }, 'created_to=soon is not a date. Write it as 2026-11-30.'],
    [{ created_from: '2026-02-28', created_to: '2026-11-16T09:00Z' }, undefined],
    [{ amount: 'much' }, 'amount=much is not an amount. Write it as 129, >100 or 50..200.'],
    [{ amount: '5', created_from: '' }, undefined],
  ])('%o: %o', (search, mistake) => expect(mistakeIn([created, amountFilter], search)).toBe(mistake));

  test('by currency suggest the codes as the API shows them', () => {
    expect(paramsOf([currencyFilter], { currency: 'usd' })).toEqual({ currency: 'usd' });
    expect(currencyFilter.suggestions).toEqual(expect.arrayContaining(['eur', 'jpy']));
  });

  test('are shown on their buttons', () => {
    expect(shownValue(status, {})).toBeUndefined();
    expect(shownValue(status, { status: 'failed' })).toBe('Failed');
    expect(shownValue({ ...status, words: { failed: 'Not paid' } }, { status: 'failed' })).toBe('Not paid');
    expect(shownValue(created, { created_from: '2026-11-01' })).toBe('2026-11-01 to today');
  });
});

describe('the columns of a table', () => {
  const columns = [
    { id: 'amount', room: 7 },
    { id: 'status', room: 8 },
    { id: 'card', room: 10, isWideOnly: true },
    { id: 'customer', isText: true, room: 9, isBelow: true },
    { id: 'description', isText: true, room: 9, isWideOnly: true },
    { id: 'created', room: 8, isLastBelow: true },
  ];
  const ids = (found: readonly { id: string }[]) => found.map(({ id }) => id).join(' ');

  test.each([
    [51, 'amount status card customer description created', ''],
    [50.9, 'amount status card customer created', ''],
    [42, 'amount status card customer created', ''],
    [41, 'amount status customer created', ''],
    [30, 'amount status customer created', ''],
    [29, 'amount status created', 'customer'],
  ])('in %d rem are %s, and below the first one %o', (width, shown, below) => {
    const found = columnsThatFit(columns, width);
    expect([ids(found.shown), ids(found.below)]).toEqual([shown, below]);
    expect(found.isNarrow).toBe(below !== '');
  });

  test.each([
    [51, 1, 'amount status card customer created', true],
    [51, 2, 'amount status customer created', true],
    [51, 3, 'amount status created', true],
    [45, 1, 'amount status customer created', true],
    [45, 2, 'amount status created', true],
    [45, 3, 'amount status', false],
    [45, 9, 'amount status', false],
    [29, 0, 'amount status created', true],
    [29, 1, 'amount status', false],
  ])('in %d rem, where the others need more than their room, %d more give way', (width, more, shown, canGive) => {
    const found = columnsThatFit(columns, width, more);
    expect([ids(found.shown), found.canGive]).toEqual([shown, canGive]);
  });

  test('that somebody has chosen stay, and others give way', () => {
    const chosen = { id: 'failure', room: 9, isWideOnly: true, isHidden: true };
    expect(ids(columnsThatFit([...columns, chosen], 45).shown)).toBe('amount status customer created failure');
    expect(ids(columnsThatFit([...columns, chosen], 29).shown)).toBe('amount status created');
    expect(ids(columnsThatFit([...columns, chosen], 45, 9).shown)).toBe('amount status customer created failure');
  });
});

test.each([
  [30, 'now'],
  [-30, 'now'],
  [-61, undefined],
  [60, '1m ago'],
  [3_599, '59m ago'],
  [3_600, '1h ago'],
  [86_399, '23h ago'],
  [86_400, undefined],
])('what was %d s ago was %o', (past, words) => expect(agoWords(1_000_000 - past, 1_000_000)).toBe(words));

test('where there is nothing, a command makes the first one', async () => {
  // By its address: the program that checks these types knows no browser.
  const { nothingYet } = await import(new URL('../src/kit/nothing_yet.ts', import.meta.url).href);
  vi.stubGlobal('location', { origin: 'https://localhost:8443' });
  vi.stubGlobal('document', { querySelector: () => ({ content: '/srv/tls/ca.pem' }) });
  const price = { noun: 'prices', here: 'Create one.', event: 'price.created', path: '/v1/prices' } as const;
  const [inTest, inLive] = (['test', 'live'] as const).map((mode) =>
    nothingYet(mode, { ...price, parameters: { a: 1 } }),
  );
  const command = 'TOLLGATE_DATA_DIR=/srv npx tollgate trigger price.created';
  expect(inTest).toMatchObject({ title: 'No test prices yet', command });
  expect(inLive.command).toMatch(
    /^curl https:\/\/localhost:8443\/v1\/prices \\\n {2}--cacert \/srv\/tls\/ca\.pem .+ sk_live_tg_…" \\\n {2}--json '{"a":1}'$/s,
  );
  vi.unstubAllGlobals();
});
