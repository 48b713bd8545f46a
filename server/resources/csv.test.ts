import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestAccount, type TestServer } from '../test/harness.ts';
import { expectRefusal } from '../test/http/support.ts';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startServer();
  account = await server.account();
});
afterAll(() => server.stop());

const csv = { headers: { Accept: 'text/csv' } };

test('an export has every object that the filters select, newest first, and texts as texts', async () => {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const method = (await account.test.post('/v1/payment_methods', { type: 'card', card })).json.id;
  const pay = async (description: string, more = {}) =>
    (
      await account.test.post('/v1/payments', {
        ...{ amount: 2_000, currency: 'eur', payment_method: method, description, ...more },
      })
    ).json;
  const first = await pay('=HYPERLINK("https://x.example")');
  await pay('a, "b"\nc', { capture_method: 'manual' });
  const { headers, text } = await account.test.get('/v1/payments?status=succeeded', csv);
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  const moment = new Date(first.created * 1_000).toISOString().replace('.000', '');
  expect(text).toBe(
    [
      'id,created,amount,amount_received,amount_refunded,currency,status,description,customer,payment_method,invoice,dispute,failure_code,failure_message,processor.account,processor.connector,processor.reference',
      `${first.id},${moment},2000,2000,,eur,succeeded,"'=HYPERLINK(""https://x.example"")",,${method},,,,,,,`,
      '',
    ].join('\r\n'),
  );
  const all = (await account.test.get('/v1/payments', csv)).text;
  expect(all).toContain('requires_capture,"a, ""b""\nc",');
  for (const position of ['limit=1', `starting_after=${first.id}`])
    expectRefusal(await account.test.get(`/v1/payments?${position}`, csv), 'parameter_invalid', position.split('=')[0]);
});

test('it is as long as the list, page after page', async () => {
  const { id } = (await account.test.post('/v1/customers', { name: 'Ada', email: 'ada@example.com' })).json;
  await server.sql.query(
    `insert into customers (tenant, id, version, email, metadata)
     select tenant, 'cus_' || lpad(n::text, 22, '0'), 1, n || '@example.com', '{}' from customers, generate_series(1, 2500) n where id = $1`,
    [id],
  );
  const lines = (await account.test.get('/v1/customers', csv)).text.trimEnd().split('\r\n');
  expect(lines).toHaveLength(2_502);
  expect(lines[1]).toMatch(new RegExp(`^${id},.*,Ada,ada@example.com,,$`));
  expect(new Set(lines).size).toBe(2_502);
});

test.each(['refunds', 'disputes', 'invoices'])('%s can be exported', async (resource) => {
  const { text } = await account.test.get(`/v1/${resource}`, csv);
  expect(text).toMatch(/^id,created,[\w.,]+\r\n$/);
});
