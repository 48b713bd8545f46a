import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import { oneConnection } from '../../../base/places/connections.ts';
import type { Tenant } from '../../../base/reads.ts';
import { simulator } from '../../../connectors/simulator/index.ts';
import { eventWrite } from '../../../outbox/event.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { verifyBooks } from '../balance/verify.ts';
import { ledgerLines } from '../reconciliations/reconcile_reads.ts';
import { type CreditChange, changeCredit } from './credit.ts';
import type { Customer } from './customer.ts';
import { customersTable } from './store.ts';

const invoice = 'in_00000000000000000000A1';
let server: TestServer;
let account: TestAccount;
let tenant: Tenant;

beforeAll(async () => {
  server = await startServer({ onePostgres: true });
  account = await server.account();
  const { rows } = await server.sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [
    account.id,
  ]);
  tenant = rows[0].tenant;
});
afterAll(() => server.stop());

const makeCustomer = async (): Promise<string> => (await account.test.post('/v1/customers', { name: 'Ada' })).json.id;
const read = async (id: string) => (await account.test.get(`/v1/customers/${id}`)).json;
const stored = async (id: string): Promise<Customer> =>
  (await server.gateway.services.reads.one(customersTable, tenant, id))!;

/** What an invoice commits; returns the verdict. */
function commitChange(customer: Customer, ...changes: Omit<CreditChange, 'invoice'>[]): Promise<string> {
  const now = Date.now();
  const [first, ...more] = changes.map((change) => ({ invoice, ...change }) as CreditChange);
  let changed = changeCredit(customer, first!, now);
  for (const change of more) changed = changeCredit(changed, change, now);
  const { writes, events } = changed.part;
  const told = events.map((event) => eventWrite(tenant, null, now, event));
  return server.gateway.services.committer.commit({ tenant, writes: [...writes, ...told] });
}

async function grant(id: string, ...changes: [currency: string, amount: number][]): Promise<void> {
  const wishes = changes.map(([currency, amount]) => ({ currency, amount }));
  expect(await commitChange(await stored(id), ...wishes)).toBe('committed');
}

const list = async (id: string, query = '') =>
  (await account.test.get(`/v1/customers/${id}/credit_transactions${query}`)).json;
const differences = async () =>
  (await verifyBooks({ at: oneConnection(server.sql), keyring: server.gateway.keyring }, account.id)).differences;

describe('the credit of a customer', () => {
  test('is shown while there is some, and told of', async () => {
    const id = await makeCustomer();
    const before = await read(id);
    await grant(id, ['eur', 500]);
    expect(await read(id)).toEqual({ ...before, credit_balance: { eur: 500 } });
    await grant(id, ['usd', 40], ['eur', -500]);
    const after = { ...before, credit_balance: { usd: 40 } };
    expect(await read(id)).toEqual(after);
    const { data } = (await account.test.get('/v1/events?type=customer.credit_balance_updated&limit=1')).json;
    expect(data[0].data).toEqual({
      object: after,
      previous_attributes: { credit_balance: { eur: 500, usd: null } },
    });
    await grant(id, ['usd', -40]);
    expect(await read(id)).toEqual(before);
    expect(await differences()).toEqual([]);
  });

  test('stays when the customer is changed, and of two concurrent changes one is decided again', async () => {
    const id = await makeCustomer();
    await grant(id, ['eur', 500]);
    const seen = await stored(id);
    const renamed = await account.test.post(`/v1/customers/${id}`, { name: 'Eve' });
    expect(renamed.json).toMatchObject({ name: 'Eve', credit_balance: { eur: 500 } });
    expect(await commitChange(seen, { currency: 'eur', amount: -500 })).toBe('conflict');
    expect((await list(id)).data).toHaveLength(1);
    const both = await stored(id);
    const verdicts = [-500, -400].map((amount) => commitChange(both, { currency: 'eur', amount }));
    expect((await Promise.all(verdicts)).sort()).toEqual(['committed', 'conflict']);
    expect(await differences()).toEqual([]);
  });

  test('is no parameter', async () => {
    const answer = await account.test.post('/v1/customers', { credit_balance: { eur: 1 } });
    expect(answer.json.error).toMatchObject({ code: 'parameter_unknown', param: 'credit_balance' });
  });

  test('is no part of the balance, of its transactions, of an export, or of what a processor knows', async () => {
    const other = await server.account();
    const { rows } = await server.sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [
      other.id,
    ]);
    const { id } = (await other.test.post('/v1/customers', {})).json;
    const customer = (await server.gateway.services.reads.one(customersTable, rows[0].tenant, id))!;
    const { writes } = changeCredit(customer, { currency: 'eur', amount: 500, invoice }, Date.now()).part;
    await server.gateway.services.committer.commit({ tenant: customer.tenant, writes });
    expect((await other.test.get('/v1/customers')).json.data[0].credit_balance).toEqual({ eur: 500 });
    const sealed = async () =>
      (
        await server.sql.query('select account, amount from ledger_balances where tenant = $1 order by 1', [
          rows[0].tenant,
        ])
      ).rows;
    const sums = [
      { account: 'credit_granted', amount: '-500' },
      { account: 'customer_credit', amount: '500' },
    ];
    for (const isSealed of [false, true]) {
      if (isSealed) await expect.poll(sealed, { timeout: 10_000 }).toEqual(sums);
      const balance = { object: 'balance', available: [], pending: [], disputed: [] };
      expect((await other.test.get('/v1/balance')).json).toEqual(balance);
    }
    expect((await other.test.get('/v1/balance/transactions')).json.data).toEqual([]);
    const exported = await other.test.request('GET', '/v1/balance/transactions', { headers: { accept: 'text/csv' } });
    expect(exported.text.trim().split('\r\n')).toHaveLength(1);
    const source = { connector: simulator.name, processor_account: null };
    const span = { from: Date.now() - 60_000, to: Date.now() + 60_000 };
    for await (const page of ledgerLines(oneConnection(server.sql), [rows[0].tenant], source, span))
      expect(page).toEqual([]);
  });
});

describe('the credit transactions of a customer', () => {
  test('are listed newest first, in pages', async () => {
    const [id, other] = [await makeCustomer(), await makeCustomer()];
    const created = new Date('2031-02-03T04:05:06Z');
    expect(await commitChange(await stored(id), { currency: 'eur', amount: 500, created })).toBe('committed');
    await grant(other, ['eur', 1]);
    await grant(id, ['eur', 20], ['eur', -520]);
    const { data, ...page } = await list(id);
    expect(page).toEqual({ object: 'list', url: `/v1/customers/${id}/credit_transactions`, has_more: false });
    const now = expect.toSatisfy((seconds: number) => Math.abs(seconds - Date.now() / 1_000) < 60);
    expect(data).toEqual(
      [-520, 20, 500].map((amount) => ({
        id: expect.stringMatching(/^ctx_[0-9A-Za-z]{22}$/),
        object: 'credit_transaction',
        ...{ customer: id, amount, currency: 'eur', invoice },
        created: amount === 500 ? created.getTime() / 1_000 : now,
      })),
    );
    expect(Object.keys(data[0]).join(' ')).toBe('id object customer amount currency invoice created');
    expect(await list(id, `?limit=1&starting_after=${data[0].id}`)).toMatchObject({ has_more: true, data: [data[1]] });
    expect((await list(id, '?starting_after=py_1')).error.param).toBe('starting_after');
    expect((await list(newId('cus', Date.now()))).error).toMatchObject({ code: 'resource_missing', param: 'id' });
  });

  test('are for those with the scope of customers', async () => {
    const id = await makeCustomer();
    const path = `/v1/customers/${id}/credit_transactions`;
    for (const [scope, status] of [
      ['customers:read', 200],
      ['balance:read', 403],
    ] as const)
      expect((await (await server.key(account.id, { scopes: [scope] })).client.get(path)).status).toBe(status);
  });
});

describe('a customer with credit that is deleted', () => {
  const amounts = async (customer: string) =>
    (
      await server.sql.query(
        `select c.amount, c.currency, c.invoice, p.kind from credit_transactions c
           join postings p on p.tenant = c.tenant and p.source = c.id where c.customer = $1 order by c.amount, c.currency`,
        [customer],
      )
    ).rows.map(({ amount, currency, invoice: by, kind }) => `${amount} ${currency} ${by} ${kind}`);

  test('loses it: it is posted away', async () => {
    const id = await makeCustomer();
    await grant(id, ['eur', 500], ['usd', 40]);
    await account.test.delete(`/v1/customers/${id}`);
    expect(await amounts(id)).toEqual([
      '-500 eur null credit_forfeited',
      '-40 usd null credit_forfeited',
      `40 usd ${invoice} credit_granted`,
      `500 eur ${invoice} credit_granted`,
    ]);
    expect((await list(id)).error).toMatchObject({ code: 'resource_missing', param: 'id' });
    expect(await differences()).toEqual([]);
  });

  test('gets none at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await makeCustomer();
      await grant(id, ['eur', 500]);
      const use = commitChange(await stored(id), { currency: 'eur', amount: -300 });
      const [verdict, deletion] = await Promise.all([use, account.test.delete(`/v1/customers/${id}`)]);
      expect(deletion.status).toBe(200);
      expect(await amounts(id)).toContain(`${verdict === 'committed' ? -200 : -500} eur null credit_forfeited`);
    }
    expect(await differences()).toEqual([]);
  });

  test('may have left as much as a customer can have: the deletion is still one commit that fits', async () => {
    const id = await makeCustomer();
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const currencies = letters.flatMap((one) => letters.slice(0, 6).map((other) => `${one}${other}x`));
    await grant(id, ...currencies.map((currency): [string, number] => [currency, 5]));
    const rows = (prefix: 'pm' | 'ii') => Array.from({ length: 100 }, () => newId(prefix, Date.now()));
    await server.sql.query(
      `insert into payment_methods (tenant, id, version, customer, detached, brand, last4, exp_month, exp_year, billing)
       select $1, id, 1, $3, false, 'visa', '4242', 12, 2040, '{}' from unnest($2::text[]) id`,
      [tenant, rows('pm'), id],
    );
    await server.sql.query(
      `insert into invoice_items (tenant, id, version, customer, amount, currency, description)
       select $1, id, 1, $3, 5, 'eur', 'Many' from unnest($2::text[]) id`,
      [tenant, rows('ii'), id],
    );
    expect((await account.test.delete(`/v1/customers/${id}`)).status).toBe(200);
    const left = async () =>
      (await server.sql.query('select id from invoice_items where customer = $1', [id])).rows.length;
    await expect.poll(left).toBe(0);
    expect(await differences()).toEqual([]);
  });
});
