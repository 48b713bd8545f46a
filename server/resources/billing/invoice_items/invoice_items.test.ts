import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Id, newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import type { InvoiceItem } from './invoice_item.ts';
import { invoiceItemsTable } from './store.ts';
import { releaseItem, takeItem, waitingItems } from './waiting.ts';

const path = '/v1/invoice_items';
const invoice = 'in_00000000000000000000A1';

let server: TestServer;
let second: TestServer;
let account: TestAccount;
let tenant: Tenant;
let subscriber: string;
let subscription: Id<'sub'>;

beforeAll(async () => {
  server = await startServer();
  second = await startServer({ databaseUrl: server.databaseUrl });
  account = await server.account();
  subscriber = await makeCustomer();
  subscription = await makeSubscription(subscriber);
  const { rows } = await server.sql.query('select tenant from customers where id = $1', [subscriber]);
  tenant = rows[0].tenant;
});
afterAll(async () => {
  await second.stop();
  await server.stop();
});

const makeCustomer = async (): Promise<string> => (await account.test.post('/v1/customers', {})).json.id;

async function makeSubscription(customer: string): Promise<Id<'sub'>> {
  const recurring = { interval: 'month' };
  const price = await account.test.post('/v1/prices', {
    currency: 'eur',
    unit_amount: 1,
    recurring,
    product_name: 'Gold',
  });
  const items = [{ price: price.json.id }];
  return (await account.test.post('/v1/subscriptions', { customer, items, trial_days: 30 })).json.id;
}

async function create(body: object) {
  const answer = await account.test.post(path, { amount: 700, currency: 'eur', description: 'Setup', ...body });
  expect(answer.status).toBe(200);
  return answer;
}
const make = async (body: object): Promise<string> => (await create(body)).json.id;

async function stored(id: string): Promise<InvoiceItem> {
  const text = `select ${invoiceItemsTable.columns.join(', ')} from invoice_items where id = $1`;
  return (await server.sql.query<InvoiceItem & Record<string, unknown>>(text, [id])).rows[0]!;
}
const commit = (write: ReturnType<typeof releaseItem>) =>
  server.gateway.services.committer.commit({ tenant: write.row.tenant as Tenant, writes: [write] });
const take = async (id: string) => commit(takeItem(await stored(id), invoice));
const typesOf = async (id: string): Promise<string[]> =>
  (await server.sql.query('select type from events where object_id = $1 order by object_version', [id])).rows.map(
    ({ type }) => type,
  );

describe('an invoice item', () => {
  test('has exactly its fields, and an event', async () => {
    const customer = await makeCustomer();
    const answer = await create({ customer, currency: 'EUR' });
    const { id, created } = answer.json;
    expect(id).toMatch(/^ii_[0-9A-Za-z]{22}$/);
    const facts = { customer, amount: 700, currency: 'eur', description: 'Setup', created };
    expect(answer.text).toBe(JSON.stringify({ id, object: 'invoice_item', ...facts }));
    expect((await account.test.get(`${path}/${id}`)).text).toBe(answer.text);
    const { json } = await account.test.get('/v1/events?type=invoice_item.created&limit=1');
    expect(json.data[0].data).toEqual({ object: answer.json });
  });

  test('of a subscription names it, and its invoice once it has one', async () => {
    const { json } = await create({ customer: subscriber, subscription });
    expect(json.subscription).toBe(subscription);
    await take(json.id);
    expect((await account.test.get(`${path}/${json.id}`)).json).toEqual({ ...json, invoice });
  });

  test('of a customer that lives in the time of a test clock shows that time', async () => {
    const id = await make({ customer: await makeCustomer() });
    await server.sql.query(`update invoice_items set created = '2031-02-03T04:05:06Z' where id = $1`, [id]);
    expect((await account.test.get(`${path}/${id}`)).json.created).toBe(Date.UTC(2031, 1, 3, 4, 5, 6) / 1_000);
  });

  test.each([1, -1, 999_999_999_999, -999_999_999_999])('can have the amount %i', async (amount) => {
    expect((await create({ customer: subscriber, amount })).json.amount).toBe(amount);
  });

  const refused: [string, object, number, object][] = [
    ['nothing', { amount: 0 }, 400, { code: 'parameter_invalid', param: 'amount' }],
    ['too much', { amount: 1e12 }, 400, { code: 'amount_too_large', param: 'amount' }],
    ['too much of a deduction', { amount: -1e12 }, 400, { code: 'amount_too_large', param: 'amount' }],
    ['a fraction', { amount: 1.5 }, 400, { code: 'parameter_invalid', param: 'amount' }],
    ['no amount', { amount: null }, 400, { code: 'parameter_missing', param: 'amount' }],
    ['no currency', { currency: null }, 400, { code: 'parameter_missing', param: 'currency' }],
    ['a currency that there is not', { currency: 'eux' }, 400, { code: 'currency_unknown', param: 'currency' }],
    ['no description', { description: '' }, 400, { code: 'parameter_missing', param: 'description' }],
    ['a long one', { description: 'd'.repeat(1_001) }, 400, { code: 'parameter_invalid', param: 'description' }],
    ['no customer', { customer: null }, 400, { code: 'parameter_missing', param: 'customer' }],
    ['nobody', { customer: 'cus_0' }, 404, { code: 'resource_missing', param: 'customer' }],
    ['an invoice', { invoice }, 400, { code: 'parameter_unknown', param: 'invoice' }],
    [
      'a subscription of nobody',
      { subscription: 'sub_1' },
      404,
      { code: 'resource_missing', param: 'subscription', message: 'No such subscription.' },
    ],
  ];
  test.each(refused)('with %s is refused', async (_, change, status, error) => {
    const body = { customer: subscriber, amount: 700, currency: 'eur', description: 'Setup', ...change };
    const answer = await account.test.post(path, body);
    expect([answer.status, answer.json.error]).toMatchObject([status, error]);
  });

  test('in another currency than its subscription is refused', async () => {
    const body = { customer: subscriber, amount: 700, currency: 'usd', description: 'Setup', subscription };
    const { status, json } = await account.test.post(path, body);
    expect([status, json.error.param]).toEqual([400, 'currency']);
  });

  test("with another customer's subscription, or one that is canceled, is refused", async () => {
    const other = await makeCustomer();
    const canceled = await makeSubscription(other);
    await account.test.post(`/v1/subscriptions/${canceled}/cancel`, {});
    const body = { customer: other, amount: 700, currency: 'eur', description: 'Setup' };
    for (const [named, reason] of [
      [subscription, 'it is of another customer'],
      [canceled, 'it is canceled'],
    ]) {
      const { status, json } = await account.test.post(path, { ...body, subscription: named });
      expect([status, json.error.param, json.error.message]).toEqual([
        400,
        'subscription',
        `The parameter subscription is invalid: ${reason}.`,
      ]);
    }
  });

  test('is for those with the scope of invoices', async () => {
    const [reader, writer, stranger] = await Promise.all(
      ['invoices:read', 'invoices:write', 'customers:write'].map(
        async (scope) => (await server.key(account.id, { scopes: [scope] })).client,
      ),
    );
    const id = await make({ customer: subscriber });
    const body = { customer: subscriber, amount: 1, currency: 'eur', description: 'Setup' };
    expect((await reader!.get(`${path}/${id}`)).status).toBe(200);
    expect((await reader!.get(path)).status).toBe(200);
    expect((await reader!.post(path, body)).status).toBe(403);
    expect((await reader!.delete(`${path}/${id}`)).status).toBe(403);
    expect((await writer!.post(path, body)).status).toBe(200);
    expect((await stranger!.get(`${path}/${id}`)).status).toBe(403);
  });
});

describe('the list', () => {
  test('has the items of a customer, newest first, whether they wait or not', async () => {
    const [customer, other] = [await makeCustomer(), await makeCustomer()];
    const ids = [await make({ customer }), await make({ customer }), await make({ customer })];
    await make({ customer: other });
    await take(ids[1]!);
    const read = async (query: string) => (await account.test.get(`${path}?${query}`)).json;
    const all = await read(`customer=${customer}`);
    expect([all.url, all.has_more, all.data.map(({ id }: { id: string }) => id)]).toEqual([
      path,
      false,
      ids.toReversed(),
    ]);
    const page = await read(`customer=${customer}&limit=1&starting_after=${ids[2]}`);
    expect([page.has_more, page.data[0].id, page.data[0].invoice]).toEqual([true, ids[1], invoice]);
    expect((await read(`customer=${newId('cus', Date.now())}`)).data).toEqual([]);
  });
});

describe('an item that is deleted', () => {
  test('is gone, and told of', async () => {
    const id = await make({ customer: subscriber });
    const answer = await account.test.delete(`${path}/${id}`);
    expect([answer.status, answer.text]).toEqual([200, `{"id":"${id}","object":"invoice_item","deleted":true}`]);
    for (const later of [account.test.get(`${path}/${id}`), account.test.delete(`${path}/${id}`)])
      expect((await later).json.error).toMatchObject({ code: 'resource_missing', param: 'id' });
    expect(await typesOf(id)).toEqual(['invoice_item.created', 'invoice_item.deleted']);
  });

  test('must wait for its invoice still', async () => {
    const id = await make({ customer: subscriber });
    await take(id);
    const refused = await account.test.delete(`${path}/${id}`);
    expect([refused.status, refused.json.error]).toEqual([
      400,
      {
        code: 'invoice_item_not_deletable',
        message: `This invoice item cannot be deleted: the invoice ${invoice} has it.`,
        param: 'id',
        type: 'invalid_request_error',
      },
    ]);
    await commit(releaseItem(await stored(id)));
    expect((await account.test.delete(`${path}/${id}`)).status).toBe(200);
  });

  test('is never taken as well', async () => {
    const id = await make({ customer: subscriber });
    const item = await stored(id);
    await account.test.delete(`${path}/${id}`);
    expect(await commit(takeItem(item, invoice))).toBe('conflict');
    const taken = await stored(await make({ customer: subscriber }));
    await commit(takeItem(taken, invoice));
    expect(await commit(takeItem(taken, 'in_00000000000000000000A2'))).toBe('conflict');
    expect((await stored(taken.id)).invoice).toBe(invoice);
  });
});

describe('items that wait for an invoice', () => {
  test('are those of its currency, without a subscription or of this one, oldest first', async () => {
    const customer = (await makeCustomer()) as Id<'cus'>;
    const subscription = await makeSubscription(customer);
    const wishes = [
      { currency: 'eur' },
      { currency: 'usd' },
      { currency: 'eur', subscription },
      { currency: 'eur' },
      { currency: 'eur' },
    ];
    const ids: string[] = [];
    for (const wish of wishes) ids.push(await make({ customer, ...wish }));
    await make({ customer: await makeCustomer() });
    await take(ids[4]!);
    const { reads } = server.gateway.services;
    const found = async (currency: string | undefined, of: Id<'sub'> | null, max = 10) =>
      (await waitingItems(reads, tenant, customer, currency, of, max)).map(({ id }) => ids.indexOf(id));
    expect(await found('eur', null)).toEqual([0, 3]);
    expect(await found('usd', null)).toEqual([1]);
    expect(await found(undefined, null)).toEqual([0, 1, 3]);
    expect(await found('eur', subscription)).toEqual([0, 2, 3]);
    expect(await found(undefined, subscription)).toEqual([0, 1, 2, 3]);
    expect(await found('eur', 'sub_0000000000000000000002')).toEqual([0, 3]);
    expect(await found(undefined, subscription, 2)).toEqual([0, 1]);
    expect(await waitingItems(reads, (tenant + 1_000) as Tenant, customer, undefined, null, 10)).toEqual([]);
  });
});

describe('the deletion of a customer', () => {
  test('deletes the items that wait, however many, and keeps those of invoices', async () => {
    const customer = await makeCustomer();
    const [first, taken] = [await make({ customer }), await make({ customer })];
    await take(taken);
    const many = `insert into invoice_items (tenant, id, version, customer, amount, currency, description)
      select $1, $2 || lpad(n::text, 4, '0'), 1, $3, 5, 'eur', 'Many' from generate_series(1, 250) n`;
    await server.sql.query(many, [tenant, newId('ii', Date.now()).slice(0, -4), customer]);
    expect((await account.test.delete(`/v1/customers/${customer}`)).status).toBe(200);
    const left = async () =>
      (await server.sql.query('select id from invoice_items where customer = $1', [customer])).rows;
    await expect.poll(left).toEqual([{ id: taken }]);
    expect(await typesOf(first)).toEqual(['invoice_item.created', 'invoice_item.deleted']);
    expect((await account.test.get(`${path}/${taken}`)).json).toMatchObject({ customer, invoice });
    const { rows } = await server.sql.query(
      `select count(*)::int as told from events where type = 'invoice_item.deleted' and tenant = $1 and object_id in
         (select object_id from events group by object_id having count(*) = 1)`,
      [tenant],
    );
    expect(rows[0].told).toBe(250);
  });

  test('and an item at the same moment: the item is deleted too, or was never made', async () => {
    for (let round = 0; round < 10; round++) {
      const customer = await makeCustomer();
      const clients = [account.test, second.client(account.testKey)];
      const body = { customer, amount: 700, currency: 'eur', description: 'Setup' };
      const [item, deletion] = await Promise.all([
        clients[round % 2]!.post(path, body),
        account.test.delete(`/v1/customers/${customer}`),
      ]);
      expect(deletion.status).toBe(200);
      expect([200, 404]).toContain(item.status);
      expect((await server.sql.query('select from invoice_items where customer = $1', [customer])).rows).toEqual([]);
      if (item.status === 200)
        expect(await typesOf(item.json.id)).toEqual(['invoice_item.created', 'invoice_item.deleted']);
    }
  });
});
