import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestAccount } from '../../../test/harness.ts';
import { customerMailKinds } from '../../people/accounts/mail_kinds.ts';
import { allKinds, type MailShop, openMailShop } from './mails.fixture.ts';

let shop: MailShop;

beforeAll(async () => {
  shop = await openMailShop();
});
afterAll(() => shop.stop());
beforeEach(() => {
  shop.receiver.mails.length = 0;
});

const received = (to: string) => shop.receiver.mails.filter((mail) => mail.to.includes(to));
const storedFor = (account: TestAccount) =>
  shop.sql('select kind from mails m join tenants t using (tenant) where t.account = $1', [account.id]);

describe('a receipt', () => {
  test('is sent to the customer, and the API says so', async () => {
    const customer = await shop.customer({ email: 'ada@example.com', name: 'Ada' });
    const payment = await shop.pay({ customer: customer.id, description: 'Three posters' });
    await shop.server.settled();
    const [mail, ...others] = await shop.mailsOf(customer.id);
    expect(others).toEqual([]);
    expect(mail).toEqual({
      id: expect.stringMatching(/^mail_/),
      object: 'mail',
      kind: 'receipt',
      to: 'ada@example.com',
      status: 'sent',
      subject: expect.stringContaining('Test'),
      created: expect.any(Number),
      customer: customer.id,
      payment: payment.id,
      sent_at: expect.any(Number),
    });
    expect((await shop.account.live.get(`/v1/mails/${mail.id}`)).json).toEqual(mail);
    const [sent, ...more] = received('ada@example.com');
    expect(more).toEqual([]);
    expect(sent).toMatchObject({ from: 'billing@shop.example', to: ['ada@example.com'] });
    expect(Object.fromEntries(sent!.headers)).toMatchObject({
      from: 'Test <billing@shop.example>',
      to: 'ada@example.com',
      subject: expect.stringContaining('Receipt'),
      'message-id': `<${mail.id}@shop.example>`,
      'auto-submitted': 'auto-generated',
    });
    expect(sent!.raw).toContain('Three posters');
  });

  test.each([
    ['a customer without an email', async () => ({ customer: (await shop.customer({ name: 'Ada' })).id })],
    ['nobody', async () => ({})],
  ])('is not written to %s', async (_, about) => {
    const { id } = await shop.pay(await about());
    expect(await shop.sql('select from mails where payment = $1', [id])).toEqual([]);
  });

  test('looks as the account does when it is sent, and speaks the language of the customer', async () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const branding = { display_name: 'Ümlaut & Söhne <shop>', support_email: 'help@shop.example', logo: png };
    expect((await shop.owner.client.post('/v1/branding', branding)).status).toBe(200);
    shop.clock.advance(1_000);
    const customer = await shop.customer({ email: 'rtl@example.com', locale: 'ar' });
    await shop.pay({ customer: customer.id });
    await shop.server.settled();
    const { raw, headers } = received('rtl@example.com')[0]!;
    expect(headers.get('reply-to')).toBe('help@shop.example');
    expect(headers.get('content-language')).toBe('ar');
    expect(raw).toMatch(/dir=3D"rtl"|dir="rtl"/);
    expect(raw).toContain('Content-ID: <logo>');
    expect(raw.slice(raw.indexOf('text/html'))).not.toContain('<shop>');
    expect(raw).not.toMatch(/src=(3D)?"http/);
  });
});

describe('kinds of mails', () => {
  test('are all off until an owner switches them on, and nothing is written before', async () => {
    const account = await shop.server.account();
    const { client } = await shop.server.person(account.id, 'owner', { mode: 'live' });
    expect((await client.get('/v1/account')).json.mail).toEqual(
      Object.fromEntries(customerMailKinds.map((kind) => [kind, false])),
    );
    const customer = await shop.customer({ email: 'off@example.com' }, account.live);
    await shop.pay({ customer: customer.id }, account.live);
    expect(await storedFor(account)).toEqual([]);
    const answer = await client.post('/v1/account', { mail: { receipt: true } });
    expect(answer.json.mail).toEqual({ ...allOff, receipt: true });
    shop.clock.advance(1_000);
    await shop.pay({ customer: customer.id }, account.live);
    expect(await storedFor(account)).toEqual([{ kind: 'receipt' }]);
    await client.post('/v1/account', { mail: { receipt: false } });
    shop.clock.advance(1_000);
    await shop.pay({ customer: customer.id }, account.live);
    expect(await storedFor(account)).toHaveLength(1);
    const { rows } = await shop.server.sql.query(
      `select details -> 'to' -> 'mail' -> 'receipt' as receipt from audit where account = $1 and action = 'account.mail' order by id`,
      [account.id],
    );
    expect(rows).toEqual([{ receipt: true }, { receipt: false }]);
  });

  test.each(['developer', 'finance', 'support', 'viewer'] as const)('are not switched by a %s', async (role) => {
    for (const mode of ['test', 'live'] as const) {
      const { client } = await shop.server.person(shop.account.id, role, { mode });
      const answer = await client.post('/v1/account', { mail: { receipt: false } });
      expect([answer.status, answer.json.error.code]).toEqual([403, 'role_missing']);
    }
  });

  test.each([
    ['a kind that does not exist', { mail: { newsletter: true } }, 'mail.newsletter'],
    ['a switch that is none', { mail: { receipt: 'sometimes' } }, 'mail.receipt'],
    ['no object', { mail: true }, 'mail'],
  ])('are refused: %s', async (_, change, param) => {
    const answer = await shop.owner.client.post('/v1/account', change);
    expect([answer.status, answer.json.error.param]).toEqual([400, param]);
  });

  test('have a switch each, and each switch has a kind', () => {
    expect(Object.keys(allKinds)).toEqual([...customerMailKinds]);
  });
});

const allOff = Object.fromEntries(customerMailKinds.map((kind) => [kind, false]));

describe('mails', () => {
  test('are listed by customer, payment, kind and status', async () => {
    const customer = await shop.customer({ email: 'list@example.com' });
    const [first, second] = [await shop.pay({ customer: customer.id }), await shop.pay({ customer: customer.id })];
    await shop.server.settled();
    const list = async (query: string) =>
      (await shop.account.live.get(`/v1/mails?${query}`)).json.data.map(({ payment }: { payment: string }) => payment);
    expect(await list(`customer=${customer.id}`)).toEqual([second.id, first.id]);
    expect(await list(`payment=${first.id}`)).toEqual([first.id]);
    expect(await list(`customer=${customer.id}&kind=receipt&status=sent`)).toEqual([second.id, first.id]);
    expect(await list(`customer=${customer.id}&status[]=failed&status[]=bounced`)).toEqual([]);
    expect((await list('kind=receipt&status=sent&limit=2')).slice(0, 2)).toEqual([second.id, first.id]);
    expect(await list(`customer=${customer.id}&created[lt]=1`)).toEqual([]);
  });

  test.each([
    ['kind=newsletter', 'kind'],
    ['status=lost', 'status'],
    ['customer=', 'customer'],
    ['to=ada@example.com', 'to'],
    ['limit=0', 'limit'],
    ['starting_after=py_1', 'starting_after'],
  ])('are not listed by %s', async (query, param) => {
    const answer = await shop.account.live.get(`/v1/mails?${query}`);
    expect([answer.status, answer.json.error.param]).toEqual([400, param]);
  });

  test('need their scope, and belong to one account in one mode', async () => {
    const customer = await shop.customer({ email: 'scope@example.com' });
    await shop.pay({ customer: customer.id });
    const [{ id }] = await shop.mailsOf(customer.id);
    const reader = await shop.server.key(shop.account.id, { mode: 'live', scopes: ['mails:read'] });
    const other = await shop.server.key(shop.account.id, { mode: 'live', scopes: ['payments:write'] });
    expect((await reader.client.get(`/v1/mails/${id}`)).status).toBe(200);
    expect((await reader.client.post(`/v1/mails/${id}/resend`)).json.error.code).toBe('scope_missing');
    expect((await other.client.get(`/v1/mails/${id}`)).json.error.code).toBe('scope_missing');
    for (const client of [shop.account.test, (await shop.server.account()).live]) {
      expect((await client.get(`/v1/mails/${id}`)).json.error.code).toBe('resource_missing');
      expect((await client.post(`/v1/mails/${id}/resend`)).json.error.code).toBe('resource_missing');
    }
  });
});

describe('a mail that is sent again', () => {
  test('is a new one that says the same, to the address that the customer has now', async () => {
    const customer = await shop.customer({ email: 'old@example.com' });
    await shop.pay({ customer: customer.id });
    await shop.server.settled();
    const [first] = await shop.mailsOf(customer.id);
    await shop.account.live.post(`/v1/customers/${customer.id}`, { email: 'new@example.com' });
    const { json, status } = await shop.account.live.post(`/v1/mails/${first.id}/resend`);
    expect(status).toBe(200);
    const { sent_at: _, ...facts } = first;
    const queued = { ...facts, id: json.id, to: 'new@example.com', status: 'queued', created: json.created };
    expect(json).toEqual(queued);
    expect(json.id).not.toBe(first.id);
    await shop.server.settled();
    expect((await shop.account.live.get(`/v1/mails/${json.id}`)).json.status).toBe('sent');
    expect((await shop.account.live.get(`/v1/mails/${first.id}`)).json).toEqual(first);
    expect([received('old@example.com').length, received('new@example.com').length]).toEqual([1, 1]);
  });

  test('is one for a repeated request with the same idempotency key', async () => {
    const customer = await shop.customer({ email: 'once@example.com' });
    await shop.pay({ customer: customer.id });
    const [{ id }] = await shop.mailsOf(customer.id);
    const again = () => shop.account.live.post(`/v1/mails/${id}/resend`, {}, { 'Idempotency-Key': `again ${id}` });
    const [one, other] = [await again(), await again()];
    expect(other.text).toBe(one.text);
    await shop.server.settled();
    expect(received('once@example.com')).toHaveLength(2);
  });

  test.each([
    [404, 'mail_0VbMzVqBO5sVKyDNfqIl5T'],
    [404, 'mail_no'],
    [404, 'py_0VbMzVqBO5sVKyDNfqIl5T'],
  ])('is answered %d for %s', async (status, id) => {
    expect((await shop.account.live.post(`/v1/mails/${id}/resend`)).status).toBe(status);
  });
});

describe('in test mode', () => {
  test('mails go to members of the account alone', async () => {
    const { test: client } = shop.account;
    const stranger = await shop.customer({ email: 'stranger@example.com' }, client);
    const member = await shop.customer({ email: shop.owner.email.toUpperCase() }, client);
    for (const { id } of [stranger, member]) await shop.pay({ customer: id }, client);
    await shop.server.settled();
    expect(await shop.mailsOf(stranger.id, client)).toEqual([
      expect.objectContaining({ status: 'suppressed', suppressed_reason: 'test_mode', to: 'stranger@example.com' }),
    ]);
    expect(await shop.mailsOf(member.id, client)).toEqual([expect.objectContaining({ status: 'sent' })]);
    expect(received('stranger@example.com')).toEqual([]);
    expect(shop.receiver.mails.flatMap(({ to }) => to.map((one) => one.toLowerCase()))).toEqual([shop.owner.email]);
  });

  test('somebody who has left the account gets none', async () => {
    const { test: client } = shop.account;
    const { email, id } = await shop.server.person(shop.account.id, 'viewer');
    const customer = await shop.customer({ email }, client);
    await shop.owner.client.delete(`/v1/users/${id}`);
    await shop.pay({ customer: customer.id }, client);
    await shop.server.settled();
    expect(await shop.mailsOf(customer.id, client)).toEqual([
      expect.objectContaining({ suppressed_reason: 'test_mode' }),
    ]);
  });
});
