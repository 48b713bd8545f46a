import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { catalog } from '../../../catalog.ts';
import { localeTags } from '../../../locales/index.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { customerMailKinds } from '../../people/accounts/mail_kinds.ts';
import { allKinds, card } from './mails.fixture.ts';

/** A gateway for development, without a mail server. */
let server: TestServer;
let account: TestAccount;
let clock: VirtualClock;

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

beforeAll(async () => {
  clock = virtualClock(Date.now());
  server = await startServer({ purpose: 'dev', clock });
  account = await server.account();
  await server.operator.run('accounts.update', { id: account.id, parameters: { mail: allKinds } });
  const branding = { display_name: 'Ümlaut & Söhne', support_email: 'help@shop.example', logo: png };
  const { client } = await server.person(account.id, 'owner');
  expect((await client.post('/v1/branding', branding)).status).toBe(200);
  clock.advance(1_000);
});
afterAll(() => server.stop());

async function paid(details: object) {
  const { test: client } = account;
  const customer = (await client.post('/v1/customers', details)).json.id;
  const method = (await client.post('/v1/payment_methods', card)).json.id;
  const body = { amount: 2_000, currency: 'eur', payment_method: method, customer, description: 'Three posters' };
  const payment = (await client.post('/v1/payments', body)).json.id;
  await server.settled();
  const [mail] = (await client.get(`/v1/mails?customer=${customer}`)).json.data;
  return { customer, payment, mail };
}

const pathOf = (url: string) => url.slice(server.baseUrl.length);

describe('in development without a mail server', () => {
  test('a mail to anybody counts as sent, and can be read', async () => {
    const { mail } = await paid({ email: 'stranger@example.com', locale: 'de' });
    expect(mail).toMatchObject({ status: 'sent', to: 'stranger@example.com' });
    const { status, json } = await account.test.get(`/v1/mails/${mail.id}/content`);
    expect(status).toBe(200);
    expect(json).toEqual({
      object: 'mail_content',
      mail: mail.id,
      sender: 'Ümlaut & Söhne <tollgate@localhost>',
      to: 'stranger@example.com',
      reply_to: 'help@shop.example',
      subject: mail.subject,
      text: expect.stringContaining('Three posters'),
      html: expect.stringContaining('<html lang="de" dir="ltr">'),
      url: expect.stringMatching(/^https:\/\/localhost:\d+\/mail\//),
    });
    expect(json.html).toContain('src="data:image/png;base64,');
    expect(json.html).not.toMatch(/(?:src|href)="(?!data:|mailto:|https:)/);
  });

  test('the API says that mails are only shown', async () => {
    expect((await account.test.get('/v1/mails/setup')).json).toEqual({
      object: 'mail_setup',
      delivery: 'preview',
      sender: 'tollgate@localhost',
    });
  });
});

test('in production without a mail server, the API says that none are sent', async () => {
  const serving = await startServer({ clock });
  const { test: client } = await serving.account();
  expect((await client.get('/v1/mails/setup')).json).toEqual({ object: 'mail_setup', delivery: 'none' });
  const sample = await client.get('/v1/mails/sample?kind=receipt');
  expect([sample.status, sample.json.sender]).toEqual([200, undefined]);
  await serving.stop();
});

describe('the page of a mail', () => {
  test('is its HTML, in a sandbox that only this gateway may frame, without scripts and other addresses', async () => {
    const { mail } = await paid({ email: 'ada@example.com' });
    const { html, url } = (await account.test.get(`/v1/mails/${mail.id}/content`)).json;
    const page = await server.anonymous.get(pathOf(url));
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text.replace('<base target="_blank">', '')).toBe(html);
    expect(page.headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  test('is there for an hour', async () => {
    const { mail } = await paid({ email: 'hour@example.com' });
    const path = pathOf((await account.test.get(`/v1/mails/${mail.id}/content`)).json.url);
    clock.advance(3_590_000);
    expect((await server.anonymous.get(path)).status).toBe(200);
    clock.advance(11_000);
    expect((await server.anonymous.get(path)).status).toBe(404);
  });

  test('has an address that cannot be made up, or be made one of another mail, account or time', async () => {
    const { mail } = await paid({ email: 'mac@example.com' });
    const [other, path] = [
      (await paid({ email: 'other@example.com' })).mail.id,
      pathOf((await account.test.get(`/v1/mails/${mail.id}/content`)).json.url),
    ];
    const [, tenant, until] = /^\/mail\/(\d+)-mail_\w+-(\d+)-/.exec(path)!;
    const changed = [
      path.replace(mail.id, other),
      path.replace(mail.id, 'receipt.en'),
      path.replace(`/${tenant}-`, `/${Number(tenant) + 1}-`),
      path.replace(`-${until}-`, `-${Number(until) + 9}-`),
      path.replace(/.(.{4})$/, (end, kept) => (end.startsWith('A') ? `B${kept}` : `A${kept}`)),
      path.slice(0, -1),
      '/mail/',
      '/mail/x',
      '/mail/1-mail_0-1-',
    ];
    for (const address of changed) expect((await server.anonymous.get(address)).status, address).toBe(404);
    expect((await server.anonymous.get(path)).status).toBe(200);
  });

  test('is gone with the customer, and so is what the mail says', async () => {
    const { mail, customer } = await paid({ email: 'gone@example.com' });
    const path = pathOf((await account.test.get(`/v1/mails/${mail.id}/content`)).json.url);
    await account.test.delete(`/v1/customers/${customer}`);
    await server.settled();
    expect((await server.anonymous.get(path)).status).toBe(404);
    const { status, json } = await account.test.get(`/v1/mails/${mail.id}/content`);
    expect([status, json.error.code, json.error.param]).toEqual([400, 'mail_erased', 'id']);
  });
});

describe('a sample', () => {
  test.each(customerMailKinds)(
    'of %s shows every language as it would look, and its page says the same',
    async (kind) => {
      for (const locale of ['en', 'ar', 'ja'] as const) {
        const { status, json } = await account.test.get(`/v1/mails/sample?kind=${kind}&locale=${locale}`);
        expect(status).toBe(200);
        expect(json.html).toContain(`<html lang="${locale}"`);
        expect(json.subject).toContain('Ümlaut & Söhne');
        expect((await server.anonymous.get(pathOf(json.url))).text.replace('<base target="_blank">', '')).toBe(
          json.html,
        );
      }
      expect((await account.test.get('/v1/mails?kind=receipt&customer=cus_none')).json.data).toEqual([]);
    },
  );

  test.each(catalog.personMailKinds.map(({ kind }) => kind))(
    'of %s to people is in English, in the name of the gateway, and without a link that works',
    async (kind) => {
      const { status, json } = await account.test.get(`/v1/mails/sample?kind=${kind}&locale=de`);
      expect([status, json.sender]).toEqual([200, 'Tollgate <tollgate@localhost>']);
      expect(json).not.toHaveProperty('reply_to');
      expect(json.html).toContain('<html lang="en"');
      expect(json.html).not.toContain('Ümlaut');
      expect(json.text).not.toContain(server.baseUrl);
      const page = await server.anonymous.get(pathOf(json.url));
      expect(page.text.replace('<base target="_blank">', '')).toBe(json.html);
    },
  );

  test('is in English unless it is said', async () => {
    expect((await account.test.get('/v1/mails/sample?kind=receipt')).json.html).toContain('<html lang="en"');
    expect(localeTags).toHaveLength(29);
  });

  test.each([
    ['', 'kind'],
    ['kind=newsletter', 'kind'],
    ['kind=receipt&locale=xx', 'locale'],
    ['kind=receipt&name=Ada', 'name'],
  ])('is refused for "%s"', async (query, param) => {
    const { status, json } = await account.test.get(`/v1/mails/sample?${query}`);
    expect([status, json.error.param]).toEqual([400, param]);
  });
});

test('what a mail says takes the scope of mails, and the right to read them; samples everybody may see', async () => {
  const { mail } = await paid({ email: 'rights@example.com' });
  const other = await server.key(account.id, { scopes: ['payments:read'] });
  expect((await other.client.get(`/v1/mails/${mail.id}/content`)).json.error.code).toBe('scope_missing');
  for (const client of [account.live, (await server.account()).test])
    expect((await client.get(`/v1/mails/${mail.id}/content`)).json.error.code).toBe('resource_missing');
  const viewer = (await server.person(account.id, 'viewer')).client;
  expect((await viewer.get(`/v1/mails/${mail.id}/content`)).json.error.code).toBe('role_missing');
  for (const path of ['setup', 'sample?kind=invoice']) expect((await viewer.get(`/v1/mails/${path}`)).status).toBe(200);
});

describe('the timeline', () => {
  // biome-ignore lint/suspicious/noExplicitAny: answers of the API
  const entries = async (id: string, client = account.test): Promise<any[]> =>
    (await client.get(`/v1/timeline/${id}?limit=50`)).json.data;

  test('of a payment and of its customer has the mail, with what has caused it', async () => {
    const { customer, payment, mail } = await paid({ email: 'story@example.com' });
    for (const id of [payment, customer]) {
      const all = await entries(id);
      const told = all.filter(({ type }) => type === 'mail');
      const details = { id: mail.id, kind: 'receipt', to: 'story@example.com', subject: mail.subject, status: 'sent' };
      expect(told).toEqual([expect.objectContaining({ summary: 'mail receipt: sent', mail: details })]);
      const event = all.find((entry) => entry.event?.type === 'payment.succeeded');
      expect(told[0].group).toBe(event.group);
    }
  });

  test('shows a mail that was sent again as one more, page by page', async () => {
    const { payment, mail } = await paid({ email: 'again@example.com' });
    clock.advance(1);
    const again = (await account.test.post(`/v1/mails/${mail.id}/resend`)).json;
    const [newest] = (await account.test.get(`/v1/timeline/${payment}?limit=1`)).json.data;
    expect(newest).toMatchObject({ id: again.id, type: 'mail' });
    const next = (await account.test.get(`/v1/timeline/${payment}?limit=50&starting_after=${newest.id}`)).json.data;
    expect(next.filter(({ type }: { type: string }) => type === 'mail')).toMatchObject([{ id: mail.id }]);
  });

  test('has no mails for those who may not read them', async () => {
    const { payment } = await paid({ email: 'hidden@example.com' });
    const { client } = await server.key(account.id, { scopes: ['payments:read'] });
    const viewer = (await server.person(account.id, 'viewer')).client;
    for (const reader of [client, viewer])
      expect((await entries(payment, reader)).map(({ type }) => type)).not.toContain('mail');
  });
});
