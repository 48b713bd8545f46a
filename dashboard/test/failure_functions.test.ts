import { expect, test } from 'vitest';
import { newId } from '../../server/base/id.ts';
import { ChunkError, chunk } from '../src/kit/chunk.ts';
import { idTime, isByClock } from '../src/kit/id_time.ts';
import { pathsOfParam, refusalInWords, refusalOfField } from '../src/kit/refusal_words.ts';
import { draftKey, dropDrafts, openDraft } from '../src/session/drafts.ts';
import { mayReload } from '../src/shell/reloads.ts';

function storage() {
  const kept = new Map<string, string>();
  return {
    kept,
    get length() {
      return kept.size;
    },
    key: (index: number) => [...kept.keys()][index] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

test('a tab reloads by itself once in ten minutes, whatever fails after the reload', () => {
  const tab = storage();
  const minute = 60_000;
  const now = Date.parse('2026-11-18T10:00:00Z');
  const tries = [0, 0, 1, 9, 10, 19, 20].map((minutes) => mayReload(tab, now + minutes * minute));
  expect(tries).toEqual([true, false, false, false, true, false, true]);
});

test('a draft keeps what differs from the first value, and nothing of cards, keys, codes and passwords', () => {
  const tab = storage();
  const draft = openDraft('tollgate.draft usr_1 form', tab);
  draft.keep('name', 'Ada', '');
  draft.keep('email', 'same', 'same');
  for (const secret of [
    'password',
    'new_password',
    'code',
    'number',
    'expiry',
    'cvc',
    'credentials',
    'webhook_secret',
    'api_key',
  ])
    draft.keep(secret, '4242424242424242', '');
  expect([...tab.kept.values()]).toEqual(['{"name":"Ada"}']);
  expect(openDraft('tollgate.draft usr_1 form', tab).restored).toEqual({ name: 'Ada' });
  expect(openDraft('tollgate.draft usr_2 form', tab).restored).toEqual({});
  draft.keep('name', '', '');
  expect(draft.isEmpty()).toBe(true);
  expect(tab.kept.size).toBe(0);
});

test('a draft keeps the idempotency key of what was sent, until it is refused, and none of what has a secret in it', () => {
  const tab = storage();
  const open = () => openDraft('tollgate.draft usr_1 refund', tab);
  const change = JSON.stringify({ payment: 'py_1', amount: 500 });
  open().keepKey(change, 'a');
  expect(open().keyOf(change)).toBe('a');
  expect(open().keyOf(JSON.stringify({ payment: 'py_1', amount: 501 }))).toBeUndefined();
  expect([open().restored, open().isEmpty()]).toEqual([{}, false]);
  open().keep('amount', '5.00', '20.00');
  open().keepKey(change, undefined);
  expect([open().keyOf(change), open().restored]).toEqual([undefined, { amount: '5.00' }]);
  for (const secret of [
    { password: 'x' },
    { card: { number: '4242424242424242' } },
    { credentials: { secret_key: 'sk' } },
  ])
    open().keepKey(JSON.stringify(secret), 'b');
  expect([...tab.kept.values()]).toEqual(['{"amount":"5.00"}']);
  open().drop();
  expect(tab.kept.size).toBe(0);
});

test('the drafts of others are dropped, and nothing else', () => {
  const tab = storage();
  const [mine, theirs] = ['usr_1', 'usr_2'].map((user) =>
    draftKey(user, ['acct_1', 'test', '/customers', 'Create a customer']),
  );
  for (const key of [mine!, theirs!, 'tollgate.place']) tab.setItem(key, '{}');
  dropDrafts({ except: 'usr_1' }, tab);
  expect([...tab.kept.keys()]).toEqual([mine, 'tollgate.place']);
  dropDrafts({}, tab);
  expect([...tab.kept.keys()]).toEqual(['tollgate.place']);
});

test('times are those of a test clock if the object says so, or was created at another time than its id was made', () => {
  const at = Date.parse('2026-11-18T10:00:00Z') / 1_000;
  const id = newId('py', at * 1_000 + 420);
  expect(idTime(id)).toBe(at);
  expect(idTime('py_nothing')).toBeUndefined();
  const cases: [object, boolean][] = [
    [{ created: at }, false],
    [{ created: at + 60 }, false],
    [{ created: at + 86_400 }, true],
    [{ created: at - 86_400 }, true],
    [{ created: at, test_clock: 'clock_1' }, true],
    [{}, false],
  ];
  for (const [item, expected] of cases) expect(isByClock({ id, ...item }), JSON.stringify(item)).toBe(expected);
});

test('a part that has failed to load fails with words for people, and is not asked for again in this page', async () => {
  let asked = 0;
  const load = chunk(async () => {
    asked += 1;
    throw new TypeError('Failed to fetch dynamically imported module: https://localhost/dashboard/assets/list-1.js');
  });
  await expect(load()).rejects.toThrow(ChunkError);
  await expect(load()).rejects.toThrow('A part of the dashboard could not be loaded.');
  expect(asked).toBe(1);
});

test.each([
  ['code', 'The parameter code is invalid: check it.', 'Code: check it.'],
  ['card.exp_month', 'The parameter card.exp_month is invalid: check it.', 'Card exp month: check it.'],
  ['rules.0.use', 'The parameter rules.0.use is invalid: check it.', 'The parameter rules.0.use is invalid: check it.'],
  ['code', 'Another message.', 'Another message.'],
  [undefined, 'Another message.', 'Another message.'],
])('the refusal of %s names the field of the form', (param, message, words) =>
  expect(refusalInWords({ message, param })).toBe(words),
);

test('at its field, a refusal does not name the field again', () => {
  const message = 'The parameter items.0.quantity is invalid: it must be at most 5.';
  expect(refusalOfField({ message, param: 'items.0.quantity' })).toBe('It must be at most 5.');
  expect(refusalOfField({ message: 'No such customer.', param: 'customer' })).toBe('No such customer.');
});

test.each([
  ['email', ['email']],
  ['items[0][quantity]', ['rows.0.quantity', 'rows.0', 'rows']],
  ['items.0.quantity', ['rows.0.quantity', 'rows.0', 'rows']],
  ['card.exp_month', ['expiry.month', 'expiry']],
  ['card.number', ['card.number', 'card']],
  ['currency', ['amount.currency', 'amount']],
])('the parameter %s is looked for at %o', (param, paths) => {
  const sentBy = { items: 'rows', 'card.exp_month': 'expiry.month', currency: 'amount.currency' };
  expect(pathsOfParam(param, sentBy)).toEqual(paths);
});
