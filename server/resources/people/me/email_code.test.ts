import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Answer, Client } from '../../../test/client.ts';
import { startServer, type TestAccount } from '../../../test/harness.ts';
import { cookieOf, testPassword } from '../../../test/person.ts';
import { type MailShop, openMailShop, plainTextOf } from '../../events/mails/mails.fixture.ts';

let shop: MailShop;
let other: TestAccount;
let email: string;
let people = 0;
beforeAll(async () => {
  shop = await openMailShop();
  other = await shop.server.account();
});
beforeEach(async () => {
  email = `claimed-${++people}@example.com`;
});
afterAll(() => shop.stop());

const refused = ({ status, json }: Answer) => [status, json.error?.code, json.error?.param];

/** Somebody who was sent a link by hand, in their session. */
async function joined(account: TestAccount = shop.account, address = email): Promise<Client> {
  const owner = await shop.server.person(account.id, 'owner');
  const { url } = (await owner.client.post('/v1/invitations', { email: address, role: 'viewer', link: true })).json;
  const visitor = shop.server.anonymous.with({ Origin: shop.server.baseUrl });
  const token = url.split('=')[1];
  const answer = await visitor.post('/v1/invitations/accept', { token, password: testPassword });
  return visitor.with({ Cookie: cookieOf(answer), 'X-Tollgate-CSRF': answer.json.csrf_token });
}

async function codeFor(client: Client, address = email): Promise<string> {
  const sent = await client.post('/v1/me/email_code', {});
  expect(sent.status, sent.text).toBe(200);
  expect(sent.json).toMatchObject({ object: 'email_code', email: address });
  await shop.server.settled();
  const mail = shop.receiver.mails.findLast(({ to }) => to.includes(address))!;
  const [code] = /\b[2-9A-HJKMNP-Z]{6}\b/.exec(plainTextOf(mail))!;
  expect([...mail.headers.values()].join()).not.toContain(code);
  return code;
}

const verify = (client: Client, code: string) => client.post('/v1/me/verify_email', { code });

test('a mailed code verifies the email of the user who has asked for it, and works once', async () => {
  const client = await joined();
  expect((await client.get('/v1/me')).json.email_verified).toBe(false);
  const code = await codeFor(client);
  const verified = await verify(client, ` ${code.slice(0, 3).toLowerCase()} ${code.slice(3)}`);
  expect(verified.status, verified.text).toBe(200);
  expect(verified.json).toMatchObject({ object: 'me', email_verified: true });
  await expect.poll(async () => (await client.get('/v1/me')).json.email_verified).toBe(true);
  expect(refused(await client.post('/v1/me/email_code', {}))).toEqual([400, 'email_verified', undefined]);
  expect(await shop.sql('select * from email_codes where user_id = $1', [verified.json.id])).toEqual([]);
  const [entry] = (await shop.owner.client.get('/v1/audit_log?action=user.verified')).json.data;
  expect(entry).toMatchObject({ subject: verified.json.id, details: { email, by: 'mail' } });
  for (const line of shop.server.logged) expect(line).not.toContain(code);
});

test('is stored hashed, and of no use to another user of the same email', async () => {
  const [mine, theirs] = [await joined(), await joined(other)];
  const code = await codeFor(theirs);
  const stored = await shop.sql(
    'select c::text as row from email_codes c union all select m::text from person_mails m',
  );
  for (const { row } of stored) expect(row).not.toContain(code);
  expect(refused(await verify(mine, code))).toEqual([400, 'parameter_invalid', 'code']);
  expect((await verify(theirs, code)).json.email_verified).toBe(true);
  const late = await codeFor(mine);
  const answer = await verify(mine, late);
  expect(refused(answer)).toEqual([400, 'parameter_invalid', 'code']);
  expect(answer.json.error.message).toContain('verified for another user');
});

test('has five tries, however many come at the same moment, and 15 minutes', async () => {
  const client = await joined();
  const code = await codeFor(client);
  const wrong = code === 'AAAAAA' ? 'BBBBBB' : 'AAAAAA';
  for (let left = 4; left > 2; left--)
    expect((await verify(client, wrong)).json.error.message).toContain(`${left} more tries`);
  const tries = await Promise.all(Array.from({ length: 6 }, () => verify(client, wrong)));
  expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([400]));
  expect(refused(await verify(client, code))).toEqual([400, 'parameter_invalid', 'code']);
  const again = await codeFor(client);
  shop.clock.advance(15 * 60_000);
  expect(refused(await verify(client, again))).toEqual([400, 'parameter_invalid', 'code']);
});

test('replaces the one before, and an email gets five in an hour', async () => {
  const client = await joined();
  const first = await codeFor(client);
  const second = await codeFor(client);
  expect(refused(await verify(client, first))[0]).toBe(400);
  for (let at = 0; at < 3; at++) await codeFor(client);
  expect(refused(await client.post('/v1/me/email_code', {}))).toEqual([429, 'mail_limit', undefined]);
  expect(second).not.toBe(first);
});

test('is refused where no mail server is set up', async () => {
  const client = await joined();
  const plain = await startServer({ databaseUrl: shop.server.databaseUrl });
  const visitor = plain.anonymous.with({ Origin: plain.baseUrl });
  const session = await visitor.post('/v1/sessions', { email, password: testPassword });
  const there = visitor.with({ Cookie: cookieOf(session), 'X-Tollgate-CSRF': session.json.csrf_token });
  expect(refused(await there.post('/v1/me/email_code', {}))).toEqual([400, 'mail_not_set_up', undefined]);
  await plain.stop();
  expect((await client.get('/v1/me')).json.email_verified).toBe(false);
});
