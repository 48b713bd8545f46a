import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startServer({ environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
  account = await server.account();
});
afterAll(() => server.stop());

const get = async (path: string) => (await account.test.get(path)).json;

test('the events about one object are listed, and a type beside it is refused', async () => {
  const { id } = (await account.test.post('/v1/customers', { name: 'Ada' })).json;
  await account.test.post('/v1/customers', { name: 'Grace' });
  await account.test.post(`/v1/customers/${id}`, { name: 'Ada Lovelace' });
  const found = await get(`/v1/events?object_id=${id}`);
  expect(found.data.map(({ type }: { type: string }) => type)).toEqual(['customer.updated', 'customer.created']);
  const next = await get(`/v1/events?object_id=${id}&limit=1&starting_after=${found.data[0].id}`);
  expect(next).toMatchObject({ has_more: false, data: [{ id: found.data[1].id }] });
  const both = await get(`/v1/events?object_id=${id}&type=customer.created`);
  expect(both.error).toMatchObject({ code: 'parameters_exclusive', param: 'type' });
});

test('the events of a family are listed by its name, newest first, in pages', async () => {
  const own = await server.account();
  const events = async (query: string) => (await own.test.get(`/v1/events?${query}`)).json;
  const { id } = (await own.test.post('/v1/customers', { name: 'Ada' })).json;
  await own.test.post('/v1/coupons', { percent_off: 10, duration: 'once' });
  await own.test.post(`/v1/customers/${id}`, { name: 'Grace' });
  await own.test.delete(`/v1/customers/${id}`);
  const types = ['customer.deleted', 'customer.updated', 'customer.created'];
  const all = await events('type=customer.*');
  expect(all.data.map(({ type }: { type: string }) => type)).toEqual(types);
  const first = await events('type=customer.*&limit=2');
  expect([first.data, first.has_more]).toEqual([all.data.slice(0, 2), true]);
  const rest = await events(`type=customer.*&starting_after=${first.data[1].id}`);
  expect([rest.data, rest.has_more]).toEqual([all.data.slice(2), false]);
  expect((await events(`type=customer.*&ending_before=${all.data[2].id}`)).data).toEqual(all.data.slice(0, 2));
  expect((await events('type=payment.*')).data).toEqual([]);
  expect((await events('type=customers.*')).error).toMatchObject({ code: 'parameter_invalid', param: 'type' });
});

test('the deliveries of an event name its type, and each endpoint that it was sent to', async () => {
  const create = async (port: number) => {
    const wish = { url: `http://127.0.0.1:${port}/hook`, enabled_events: ['price.*'] };
    return (await account.test.post('/v1/webhook_endpoints', wish)).json.id;
  };
  const endpoints = [await create(9), await create(10)];
  await account.test.post('/v1/prices', {
    unit_amount: 500,
    currency: 'eur',
    product_name: 'Seat',
    recurring: { interval: 'month' },
  });
  const [event] = (await get('/v1/events?type=price.created')).data;
  await server.settled();
  const { data, has_more } = await get(`/v1/events/${event.id}/deliveries`);
  expect(has_more).toBe(false);
  expect(new Set(data.map((one: { webhook_endpoint: string }) => one.webhook_endpoint))).toEqual(new Set(endpoints));
  for (const one of data)
    expect(one).toMatchObject({ event: event.id, event_type: 'price.created', status: 'pending' });
  const listed = await get(`/v1/webhook_endpoints/${endpoints[0]}/deliveries`);
  expect(listed.data).toMatchObject([{ event: event.id, event_type: 'price.created' }]);
  const other = await server.account();
  expect((await other.test.get(`/v1/events/${event.id}/deliveries`)).status).toBe(404);
  const narrow = await server.key(account.id, { scopes: ['events:read'] });
  expect((await narrow.client.get(`/v1/events/${event.id}/deliveries`)).json.error.code).toBe('scope_missing');
});
