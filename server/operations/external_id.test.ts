import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../test/harness.ts';
import { expectRefusal } from '../test/http/support.ts';

let server: TestServer;
let account: TestAccount;
let needed: { price: string; customer: string };

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
  const price = { currency: 'eur', unit_amount: 900, recurring: { interval: 'month' }, product_name: 'Gold' };
  needed = {
    price: (await account.test.post('/v1/prices', price)).json.id,
    customer: (await account.test.post('/v1/customers', {})).json.id,
  };
});
afterAll(() => server.stop());

type Kind = { path: string; noun: string; body(): object };
const kinds: [string, Kind][] = [
  ['customer', { path: '/v1/customers', noun: 'customer', body: () => ({}) }],
  [
    'price',
    {
      path: '/v1/prices',
      noun: 'price',
      body: () => ({ currency: 'eur', unit_amount: 1, recurring: { interval: 'day' }, product_name: 'Gold' }),
    },
  ],
  [
    'subscription',
    {
      path: '/v1/subscriptions',
      noun: 'subscription',
      body: () => ({ customer: needed.customer, items: [{ price: needed.price }], trial_days: 7 }),
    },
  ],
];

let names = 0;
const unused = () => `other-system/${++names} é🧾`;
const make = ({ path, body }: Kind, external_id?: string | null, client = account.test) =>
  client.post(path, { ...body(), ...(external_id === undefined ? {} : { external_id }) });
const inUse = (answer: Answer, id: string) => {
  expectRefusal(answer, 'external_id_in_use', 'external_id');
  expect(answer.json.error.message).toContain(id);
};

describe.each(kinds)('the external id of a %s', (_, kind) => {
  test('is shown, reported, found and exported; without one there is no member', async () => {
    const external_id = unused();
    const made = await make(kind, external_id);
    expect(made.json).toMatchObject({ external_id });
    const { id } = made.json;
    expect((await account.test.get(`${kind.path}/${id}`)).text).toBe(made.text);
    const q = encodeURIComponent(external_id);
    expect((await account.test.get(`${kind.path}?external_id=${q}`)).json.data).toEqual([made.json]);
    expect((await account.test.get(`/v1/search?q=${q}`)).json.data).toMatchObject([{ id, object: kind.noun }]);
    const [event] = (await account.test.get(`/v1/events?object_id=${id}`)).json.data;
    expect(event.data.object).toMatchObject({ id, external_id });
    const csv = await account.test.get(`${kind.path}?external_id=${q}`, { headers: { Accept: 'text/csv' } });
    const [header, row, ...more] = csv.text.trimEnd().split('\r\n');
    const column = header!.split(',').indexOf('external_id');
    expect([row!.split(',')[column], more]).toEqual([`"${external_id}"`, []]);
    expect((await make(kind)).json).not.toHaveProperty('external_id');
  });

  test('belongs to one object in an account and mode', async () => {
    const external_id = unused();
    const { id } = (await make(kind, external_id)).json;
    inUse(await make(kind, external_id), id);
    const { id: other } = (await make(kind)).json;
    inUse(await account.test.post(`${kind.path}/${other}`, { external_id }), id);
    expect((await account.test.get(`${kind.path}/${other}`)).json).not.toHaveProperty('external_id');
  });

  test('is set once; an empty string removes it, and then another object can have it', async () => {
    const [first, second] = [unused(), unused()];
    const made = (await make(kind)).json;
    const update = (body: object) => account.test.post(`${kind.path}/${made.id}`, body);
    expect((await update({ external_id: first })).json).toEqual({ ...made, external_id: first });
    expect((await update({ external_id: first, metadata: {} })).status).toBe(200);
    const refused = await update({ external_id: second });
    expectRefusal(refused, 'parameter_invalid', 'external_id');
    expect(refused.json.error.message).toContain('remove that first, with an empty string');
    expect((await account.test.form(`${kind.path}/${made.id}`, 'external_id=')).json).not.toHaveProperty('external_id');
    expect((await make(kind, first)).status).toBe(200);
    expect((await update({ external_id: second })).json.external_id).toBe(second);
    expect((await update({ external_id: null })).json).not.toHaveProperty('external_id');
  });

  test('has up to 200 characters; an empty one is none, and an empty filter is refused', async () => {
    const longest = '🧾'.repeat(200);
    expect((await make(kind, longest)).json.external_id).toBe(longest);
    expectRefusal(await make(kind, 'x'.repeat(201)), 'parameter_invalid', 'external_id');
    for (const none of ['', null]) expect((await make(kind, none)).json).not.toHaveProperty('external_id');
    expectRefusal(await account.test.get(`${kind.path}?external_id=`), 'parameter_invalid', 'external_id');
    expect((await account.test.get(`${kind.path}?external_id=${unused()}`)).json.data).toEqual([]);
  });

  test('goes to one of many that race, and the others are refused', async () => {
    const external_id = unused();
    const { id: stored } = (await make(kind)).json;
    const answers = await Promise.all([
      account.test.post(`${kind.path}/${stored}`, { external_id }),
      ...Array.from({ length: 11 }, () => make(kind, external_id)),
    ]);
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners, answers.map(({ text }) => text).join('\n')).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) inUse(answer, winners[0]!.json.id);
  });

  test('is refused again by a replay, although it is free by then', async () => {
    const external_id = unused();
    const { id } = (await make(kind, external_id)).json;
    const headers = { 'Idempotency-Key': external_id.replaceAll(/[^ -~]/g, '') };
    const send = () => account.test.post(kind.path, { ...kind.body(), external_id }, headers);
    const first = await send();
    inUse(first, id);
    await account.test.post(`${kind.path}/${id}`, { external_id: '' });
    expect((await send()).text).toBe(first.text);
  });
});

test('kinds, accounts and modes do not share external ids', async () => {
  const external_id = unused();
  for (const [, kind] of kinds) expect((await make(kind, external_id)).status, kind.path).toBe(200);
  const other = await server.account();
  for (const client of [account.live, other.test]) {
    const [, customers] = kinds[0]!;
    expect((await make(customers, external_id, client)).status).toBe(200);
    expect((await client.get(`/v1/customers?external_id=${encodeURIComponent(external_id)}`)).json.data).toHaveLength(
      1,
    );
  }
});

test('a deleted customer gives its external id up', async () => {
  const external_id = unused();
  const [, customers] = kinds[0]!;
  const { id } = (await make(customers, external_id)).json;
  await account.test.delete(`/v1/customers/${id}`);
  expect((await make(customers, external_id)).status).toBe(200);
});

test('a search finds an object once, whatever it is found by', async () => {
  const email = 'both@example.com';
  const { id } = (await account.test.post('/v1/customers', { email, external_id: email })).json;
  expect((await account.test.get(`/v1/search?q=${email}`)).json.data).toMatchObject([{ id }]);
});

test('other filters hold beside the external id', async () => {
  const external_id = `sub-${++names}`;
  const [, subscriptions] = kinds[2]!;
  const { id } = (await make(subscriptions, external_id)).json;
  const ids = async (query: string) =>
    (await account.test.get(`/v1/subscriptions?external_id=${external_id}&${query}`)).json.data.map(
      (one: { id: string }) => one.id,
    );
  expect(await ids('status=trialing')).toEqual([id]);
  expect(await ids('status=active')).toEqual([]);
  expect(await ids(`price=${needed.price}&customer=${needed.customer}`)).toEqual([id]);
  const another = needed.price.replace(/.$/, (last: string) => (last === 'x' ? 'y' : 'x'));
  expect(await ids(`price=${another}`)).toEqual([]);
  expect(await ids('coupon=coupon_none')).toEqual([]);
});

test('a canceled subscription can lose its external id, and nothing else but metadata changes', async () => {
  const external_id = unused();
  const [, subscriptions] = kinds[2]!;
  const { id } = (await make(subscriptions, external_id)).json;
  await account.test.post(`/v1/subscriptions/${id}/cancel`);
  const update = (body: object) => account.test.post(`/v1/subscriptions/${id}`, body);
  expectRefusal(await update({ external_id: '', cancel_at_period_end: true }), 'subscription_not_updatable', 'id');
  expect((await update({ external_id: '' })).json).not.toHaveProperty('external_id');
});

test('the customers of a deleted test clock give their external ids up with it, and not when they are deleted later', async () => {
  await server.gateway.worker.stop(); // it would delete them
  const external_id = unused();
  const { id: test_clock } = (await account.test.post('/v1/test_clocks', { frozen_time: 2_000_000_000 })).json;
  expect((await account.test.post('/v1/customers', { test_clock, external_id })).status).toBe(200);
  expect((await account.test.delete(`/v1/test_clocks/${test_clock}`)).status).toBe(200);
  expect((await account.test.post('/v1/customers', { external_id })).json).toMatchObject({ external_id });
});
