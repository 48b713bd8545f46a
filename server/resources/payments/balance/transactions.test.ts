import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { newId } from '../../../base/id.ts';
import { postingKinds, transfers } from '../../../ledger/chart.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { expectCommonHeaders, expectRefusal } from '../../../test/http/support.ts';
import { addPosting, tenantOf, type Wish } from './postings.fixture.ts';

const day = 86_400_000;
const noon = Math.floor(Date.now() / day) * day + day / 2;
const clock = virtualClock(noon);

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ clock });
});
afterAll(() => server.stop());

const path = '/v1/balance/transactions';
const payment = 'py_0000000000000000000001';
const other = 'py_0000000000000000000002';
const refund = 're_0000000000000000000003';
const dispute = 'dp_0000000000000000000004';

async function accountWith(wishes: readonly Wish[]): Promise<{ account: TestAccount; ids: string[] }> {
  const account = await server.account();
  const tenant = await tenantOf(server.sql, account);
  const ids: string[] = [];
  for (const wish of wishes) ids.push(await addPosting(server.sql, tenant, wish));
  return { account, ids };
}

async function read(account: TestAccount, query: string) {
  const answer = await account.test.get(`${path}${query}`);
  expect(answer.status).toBe(200);
  expectCommonHeaders(answer);
  return answer.json;
}

describe('a balance transaction', () => {
  const at = noon - 5_500;
  const facts = { source: refund, payment, amount: 1_234, currency: 'usd', at, inDays: 2 };

  const kinds: [kind: Wish['kind'], type: string, sign: 1 | -1][] = [
    ['payment', 'payment', 1],
    ['fee', 'fee', -1],
    ['refund', 'refund', -1],
    ['refund_failure', 'refund_failure', 1],
    ['refund_bounce', 'refund_failure', 1],
    ['payment_correction', 'payment_correction', -1],
    ['fee_correction', 'fee_correction', 1],
    ['refund_correction', 'refund_correction', -1],
    ['dispute', 'dispute', -1],
    ['dispute_reversal', 'dispute_reversal', 1],
  ];
  test.each(kinds)('of a %s is shown as %s, with its effect on the balance', async (kind, type, sign) => {
    const { account, ids } = await accountWith([{ kind, ...facts }]);
    const midnight = (Math.floor(at / day) * day + 2 * day) / 1_000;
    const shown =
      `{"id":"${ids[0]}","object":"balance_transaction","amount":${sign * 1_234},"currency":"usd","type":"${type}",` +
      `"source":"${refund}","payment":"${payment}","status":"pending","available_on":${midnight},"created":${Math.floor(at / 1_000)}}`;
    const answer = await account.test.get(`${path}/${ids[0]}`);
    expect([answer.status, answer.text]).toEqual([200, shown]);
    expect((await account.test.get(path)).text).toBe(
      `{"object":"list","url":"${path}","has_more":false,"data":[${shown}]}`,
    );
  });

  const hidden = postingKinds.filter((kind) => !kinds.some(([shown]) => shown === kind));
  test.each(hidden)('does not exist for a %s, which does not change the balance', async (kind) => {
    expect([transfers[kind].debit, transfers[kind].credit]).not.toContain('balance');
    const { account, ids } = await accountWith([{ kind, ...facts }]);
    expectRefusal(await account.test.get(`${path}/${ids[0]}`), 'resource_missing', 'id');
    for (const query of ['', `?source=${refund}`, `?payment=${payment}`, '?limit=1'])
      expect(await read(account, query)).toMatchObject({ has_more: false, data: [] });
  });

  const nobodys: [string, () => string][] = [
    ['an id that nobody has', () => newId('txn', noon)],
    ['an id of another kind', () => payment],
    ['no id at all', () => 'txn_1'],
  ];
  test.each(nobodys)('with %s is missing', async (_what, id) => {
    const account = await server.account();
    const answer = await account.test.get(`${path}/${id()}`);
    expectRefusal(answer, 'resource_missing', 'id');
    expect(answer.json.error.message).toBe('No such balance transaction.');
  });

  test('of another account, or of the other mode, is missing', async () => {
    const { account, ids } = await accountWith([{ kind: 'payment', ...facts }]);
    const stranger = await server.account();
    for (const client of [stranger.test, account.live]) {
      expectRefusal(await client.get(`${path}/${ids[0]}`), 'resource_missing', 'id');
      for (const query of ['', `?source=${refund}`, `?payment=${payment}`, '?type=payment'])
        expect((await client.get(`${path}${query}`)).json.data).toEqual([]);
    }
  });

  test('is pending until its day begins in UTC', async () => {
    const wishes = [-1, 0, 1].map(
      (inDays) => ({ kind: 'payment', ...facts, at: noon, source: `py_${inDays}`, inDays }) as Wish,
    );
    const { account } = await accountWith(wishes);
    const statuses = async () =>
      Object.fromEntries((await read(account, '')).data.map((one: Record<string, string>) => [one.source, one.status]));
    expect(await statuses()).toEqual({ 'py_-1': 'available', py_0: 'available', py_1: 'pending' });
    clock.advance(day / 2 - 2_000);
    expect((await statuses()).py_1).toBe('pending');
    clock.advance(4_000);
    expect((await statuses()).py_1).toBe('available');
  });
});

describe('the list', () => {
  // Oldest first, a second apart.
  const story: Omit<Wish, 'at'>[] = [
    { kind: 'payment', source: payment }, // 0
    { kind: 'fee', source: payment },
    { kind: 'payment', source: other }, // 2
    { kind: 'refund', source: refund, payment },
    { kind: 'refund_settled', source: refund, payment }, // 4: not shown
    { kind: 'refund_bounce', source: refund, payment },
    { kind: 'dispute', source: dispute, payment }, // 6
    { kind: 'refund_failure', source: 're_other', payment: other },
    { kind: 'dispute_lost', source: dispute, payment }, // 8: not shown
    { kind: 'fee', source: other },
  ];
  const start = Math.floor(noon / 1_000) - 100;
  let account: TestAccount;
  let ids: string[];
  beforeAll(async () => {
    const wishes = story.map((wish, n) => ({ ...wish, at: (start + n) * 1_000 + 500 }));
    ({ account, ids } = await accountWith(wishes));
  });

  const cases: [what: string, query: () => string, shown: number[], more?: boolean][] = [
    ['everything, newest first', () => '', [9, 7, 6, 5, 3, 2, 1, 0]],
    ['a page', () => '?limit=3', [9, 7, 6], true],
    ['the last page, exactly full', () => `?limit=2&starting_after=${ids[2]}`, [1, 0]],
    ['a page after one that is not shown', () => `?limit=2&starting_after=${ids[4]}`, [3, 2], true],
    ['a page before', () => `?limit=2&ending_before=${ids[3]}`, [6, 5], true],
    ['the first page, from the end', () => `?limit=5&ending_before=${ids[5]}`, [9, 7, 6]],
    ['a time', () => `?created[gte]=${start + 2}&created[lt]=${start + 6}`, [5, 3, 2]],
    ['a time, the other way', () => `?created[gt]=${start + 2}&created[lte]=${start + 6}`, [6, 5, 3]],
    ['payments', () => '?type=payment', [2, 0]],
    ['fees', () => '?type=fee', [9, 1]],
    ['refunds that failed, of both kinds', () => '?type=refund_failure', [7, 5]],
    ['the latest of both kinds', () => '?type=refund_failure&limit=1', [7], true],
    ['the earliest of both kinds', () => `?type=refund_failure&limit=1&ending_before=${ids[0]}`, [5], true],
    ['a type in a time', () => `?type=fee&created[lt]=${start + 5}`, [1]],
    ['a type that never was', () => '?type=dispute_reversal', []],
    ['the source of a payment', () => `?source=${payment}`, [1, 0]],
    ['the source of a refund', () => `?source=${refund}`, [5, 3]],
    ['a page of a source', () => `?source=${refund}&limit=1`, [5], true],
    ['the page after it', () => `?source=${refund}&limit=1&starting_after=${ids[5]}`, [3]],
    ['a source and a type', () => `?source=${refund}&type=refund_failure`, [5]],
    ['a source and its payment', () => `?source=${refund}&payment=${payment}`, [5, 3]],
    ['a source and another payment', () => `?source=${refund}&payment=${other}`, []],
    ['a payment with its refunds and disputes', () => `?payment=${payment}`, [6, 5, 3, 1, 0]],
    ['a page of a payment', () => `?payment=${payment}&limit=2`, [6, 5], true],
    ['the page after it, across both', () => `?payment=${payment}&limit=2&starting_after=${ids[5]}`, [3, 1], true],
    ['the page before', () => `?payment=${payment}&limit=2&ending_before=${ids[1]}`, [5, 3], true],
    ['a payment and one of its types', () => `?payment=${payment}&type=fee`, [1]],
    ["a payment and a type of its refund's", () => `?payment=${payment}&type=refund_failure`, [5]],
    ['a payment in a time', () => `?payment=${payment}&created[gte]=${start + 1}&created[lt]=${start + 5}`, [3, 1]],
    ['all three', () => `?payment=${payment}&source=${dispute}&type=dispute`, [6]],
    ["a refund in a payment's place", () => `?payment=${refund}`, []],
    ['a source that nobody knows', () => '?source=nothing', []],
  ];
  test.each(cases)('shows %s', async (_what, query, shown, more = false) => {
    const page = await read(account, query());
    expect(page).toMatchObject({ object: 'list', url: path, has_more: more });
    expect(page.data.map((one: { id: string }) => ids.indexOf(one.id))).toEqual(shown);
  });

  const refused: [what: string, query: string, code: 'parameter_invalid' | 'parameter_unknown', param: string][] = [
    ['a type that is not shown', '?type=refund_settled', 'parameter_invalid', 'type'],
    ['a type that is shown as another', '?type=refund_bounce', 'parameter_invalid', 'type'],
    ['an empty source', '?source=', 'parameter_invalid', 'source'],
    ['an empty payment', '?payment=', 'parameter_invalid', 'payment'],
    ['an endless source', `?source=${'x'.repeat(65)}`, 'parameter_invalid', 'source'],
    ['a position of another kind', `?starting_after=${payment}`, 'parameter_invalid', 'starting_after'],
    ['a filter that there is not', '?currency=eur', 'parameter_unknown', 'currency'],
  ];
  test.each(refused)('refuses %s', async (_what, query, code, param) => {
    expectRefusal(await account.test.get(`${path}${query}`), code, param);
  });

  test('is for keys with the scope balance:read', async () => {
    const without = await server.key(account.id, { scopes: ['payments:write'] });
    expectRefusal(await without.client.get(path), 'scope_missing');
    const reader = await server.key(account.id, { scopes: ['balance:read'] });
    expect((await reader.client.get(path)).json.data).toHaveLength(8);
  });
});
