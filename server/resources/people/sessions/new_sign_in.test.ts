import { Agent } from 'node:https';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Client } from '../../../test/client.ts';
import { startServer } from '../../../test/harness.ts';
import { type TestPerson, testPassword } from '../../../test/person.ts';
import { type MailShop, openMailShop } from '../../events/mails/mails.fixture.ts';

let shop: MailShop;
let person: TestPerson;
const opened: Client[] = [];

beforeAll(async () => {
  shop = await openMailShop();
});
beforeEach(async () => {
  person = await shop.server.person(shop.account.id, 'viewer');
  await shop.server.settled();
  shop.receiver.mails.length = 0;
});
afterAll(async () => {
  for (const client of opened) client.close();
  await shop.stop();
});

/** Signs in from another address of this machine. */
async function signIn(localAddress: string, { email, password }: TestPerson = person, { baseUrl, ca } = shop.server) {
  const agent = new Agent({ keepAlive: true, ca, localAddress });
  const client = new Client(baseUrl, ca, undefined, undefined, agent, { Origin: baseUrl, 'User-Agent': browser });
  opened.push(client);
  return client.post('/v1/sessions', { email, password });
}

const subject = 'New sign-in to your user';
const browser = 'Firefox <b>144</b>';

async function mailsTo({ email }: TestPerson = person) {
  await shop.server.settled();
  return shop.receiver.mails.filter(({ to, headers }) => to.includes(email) && headers.get('subject') === subject);
}

test('a sign-in from a new network is mailed, once; the first one of a user is not, nor one from beside a known network', async () => {
  expect(await mailsTo()).toEqual([]); // has signed in once, from 127.0.0.1
  expect((await signIn('127.0.0.9')).status).toBe(200);
  expect(await mailsTo()).toEqual([]);
  expect((await signIn('127.0.7.1')).status).toBe(200);
  const [mail, ...others] = await mailsTo();
  expect(others).toEqual([]);
  expect(mail!.raw).toContain('127.0.7.1');
  expect(mail!.raw).toContain(browser);
  expect(mail!.raw).not.toContain('<b>144</b></');
  expect(mail!.raw).toContain(`${shop.server.baseUrl}/dashboard/settings/profile`);
  for (const again of ['127.0.7.1', '127.0.7.2', '127.0.0.1']) expect((await signIn(again)).status).toBe(200);
  expect(await mailsTo()).toHaveLength(1);
});

test('a wrong password makes no network known, and is not mailed', async () => {
  expect((await signIn('127.0.8.1', { ...person, password: 'not my password' })).status).toBe(401);
  expect(await mailsTo()).toEqual([]);
  expect((await signIn('127.0.8.1')).status).toBe(200);
  expect(await mailsTo()).toHaveLength(1);
});

test('of sessions that begin in a new network at the same moment, on two instances, one is mailed', async () => {
  const { databaseUrl } = shop.server;
  const other = await startServer({
    databaseUrl,
    environment: { SMTP_URL: shop.receiver.url, MAIL_FROM: 'x@y.example' },
  });
  const begun = await Promise.all(
    [shop.server, other, shop.server, other].map((server) => signIn('127.0.9.1', person, server)),
  );
  expect(begun.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await mailsTo()).toHaveLength(1);
  await other.stop();
});

test('without a mail server the network is known all the same', async () => {
  const other = await startServer({ databaseUrl: shop.server.databaseUrl });
  expect((await signIn('127.0.10.1', person, other)).status).toBe(200);
  await other.stop();
  expect((await signIn('127.0.10.1')).status).toBe(200);
  expect(await mailsTo()).toEqual([]);
});

test('an accepted invitation is the first sign-in of its user', async () => {
  const email = `new-${shop.clock.now()}@example.com`;
  const parameters = { email, role: 'viewer', link: true };
  const { url } = await shop.server.operator.run<{ url: string }>('invitations.create', {
    account: shop.account.id,
    parameters,
  });
  const visitor = shop.server.anonymous.with({ Origin: shop.server.baseUrl });
  const accepted = await visitor.post('/v1/invitations/accept', {
    token: url.split('#invitation=')[1]!,
    password: testPassword,
  });
  expect(accepted.status, accepted.text).toBe(200);
  const invited = { ...person, email };
  expect((await signIn('127.0.0.1', invited)).status).toBe(200);
  expect(await mailsTo(invited)).toEqual([]);
  expect((await signIn('127.0.11.1', invited)).status).toBe(200);
  expect(await mailsTo(invited)).toHaveLength(1);
});
