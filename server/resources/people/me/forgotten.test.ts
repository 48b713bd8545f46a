import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Answer } from '../../../test/client.ts';
import { startServer } from '../../../test/harness.ts';
import { fromBase32, type TestPerson, testPassword } from '../../../test/person.ts';
import { linkIn, type MailShop, openMailShop, plainTextOf } from '../../events/mails/mails.fixture.ts';
import { codeAt, stepAt } from '../users/totp.ts';

let shop: MailShop;
let person: TestPerson;
beforeAll(async () => {
  shop = await openMailShop();
});
beforeEach(async () => {
  person = await shop.server.person(shop.account.id, 'viewer');
  await shop.server.sql.query('delete from mail_requests');
  shop.receiver.mails.length = 0;
});
afterAll(() => shop.stop());

const chosen = 'violet anchors drift west';
const refused = ({ status, json }: Answer) => [status, json.error?.code];
const visitor = (server = shop.server) => server.anonymous.with({ Origin: server.baseUrl });
const ask = (email: string, server = shop.server) => visitor(server).post('/v1/me/forgotten_password', { email });
const use = (token: string, fields: object = {}) =>
  visitor().post('/v1/me/reset', { token, password: chosen, ...fields });

async function mailsTo(email: string) {
  await shop.server.settled();
  return shop.receiver.mails.filter(({ to }) => to.includes(email));
}

const tokenIn = (mail: { raw: string }) => linkIn(mail).split('#reset=')[1]!;

test('a visitor who has forgotten the password gets a link, chooses another one and is signed in', async () => {
  const answer = await ask(person.email.toUpperCase());
  expect([answer.status, answer.json]).toEqual([200, { object: 'reset_request' }]);
  const [mail, ...others] = await mailsTo(person.email);
  expect(others).toEqual([]);
  expect(plainTextOf(mail!)).toContain('127.0.0.1');
  const token = tokenIn(mail!);
  const reset = await use(token);
  expect(reset.status, reset.text).toBe(200);
  expect(reset.json.user.id).toBe(person.id);
  expect((await use(token)).status).toBe(400);
  expect((await person.alone.get('/v1/me')).status).toBe(401); // its sessions are over
  const log = (await shop.owner.client.get('/v1/audit_log?action=user.reset_link_mailed')).json.data;
  expect(log[0]).toMatchObject({ actor: 'visitor', subject: person.id, address: '127.0.0.1' });
  for (const line of shop.server.logged) expect(line).not.toContain(token);
  const kept = await shop.sql(
    `select l::text as row from sign_in_links l union all select m::text from person_mails m`,
  );
  for (const { row } of kept) expect(row).not.toContain(token);
});

test('an email that nobody has is answered alike, and nothing is written to it', async () => {
  const unknown = 'nobody-at-all@example.com';
  const [known, other] = [await ask(person.email), await ask(unknown)];
  expect([other.status, other.text]).toEqual([known.status, known.text]);
  const [waiting] = await shop.sql(
    'select count(*)::int as count, string_agg(r::text, $1) as text from reset_requests r',
    [''],
  );
  expect(waiting.text ?? '').not.toContain(unknown);
  expect(await mailsTo(unknown)).toEqual([]);
  expect(await mailsTo(person.email)).toHaveLength(1);
  expect(await shop.sql('select id from reset_requests')).toEqual([]);
});

test('the code of an authenticator is still asked for', async () => {
  const { secret, token: enrolment } = (await person.alone.post('/v1/me/totp')).json;
  const code = (steps = 0) => codeAt(fromBase32(secret), stepAt(shop.clock.now()) + steps);
  await person.alone.post('/v1/me/totp/confirm', { token: enrolment, password: testPassword, code: code() });
  await ask(person.email);
  const token = tokenIn((await mailsTo(person.email))[0]!);
  expect(refused(await use(token))).toEqual([401, 'code_required']);
  expect((await use(token, { code: code(1) })).json.user).toMatchObject({ id: person.id, totp_enabled: true });
});

test('each user of an email gets a link of their own, which says where they work', async () => {
  const email = `shared-${shop.clock.now()}@example.com`;
  const other = await shop.server.account();
  await shop.server.sql.query(`update accounts set name = 'Corner <shop>' where id = $1`, [other.id]);
  for (const { id } of [shop.account, other]) {
    const parameters = { email, role: 'viewer', link: true };
    const { url } = await shop.server.operator.run<{ url: string }>('invitations.create', { account: id, parameters });
    const accepted = { token: url.split('=')[1]!, password: testPassword };
    expect((await visitor().post('/v1/invitations/accept', accepted)).status).toBe(200);
  }
  await ask(email);
  const mails = await mailsTo(email);
  expect(mails.map((mail) => /Works in:? +(.+)/.exec(plainTextOf(mail))?.[1]).sort()).toEqual([
    'Corner <shop>',
    'Test',
  ]);
  const users = await Promise.all(mails.map(async (mail) => (await use(tokenIn(mail))).json.user.id));
  expect(new Set(users).size).toBe(2);
});

test('an email gets three links in an hour, and a network ten, over all instances; those that nobody has are counted too', async () => {
  const { databaseUrl } = shop.server;
  const environment = { SMTP_URL: shop.receiver.url, MAIL_FROM: 'x@y.example' };
  const other = await startServer({ databaseUrl, environment });
  for (const email of [person.email, 'nobody@example.com']) {
    const asked = await Promise.all([shop.server, other, shop.server, other].map((server) => ask(email, server)));
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429]);
    const limited = asked.find(({ status }) => status === 429)!;
    expect(limited.json.error.code).toBe('mail_limit');
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(3_000);
  }
  expect(await mailsTo(person.email)).toHaveLength(3);
  for (let at = 0; at < 2; at++) expect((await ask(`somebody-${at}@example.com`)).status).toBe(200);
  expect(refused(await ask('one-more@example.com'))).toEqual([429, 'mail_limit']);
  await other.stop();
});

test('two instances mail one link', async () => {
  const environment = { SMTP_URL: shop.receiver.url, MAIL_FROM: 'x@y.example' };
  const other = await startServer({ databaseUrl: shop.server.databaseUrl, environment });
  await ask(person.email);
  await Promise.all([shop.server.settled(), other.settled()]);
  expect(await mailsTo(person.email)).toHaveLength(1);
  await other.stop();
});

test('without a mail server it is refused', async () => {
  const plain = await startServer({ databaseUrl: shop.server.databaseUrl });
  expect(refused(await ask(person.email, plain))).toEqual([400, 'mail_not_set_up']);
  await plain.stop();
});

test.each([
  ['nothing', {}],
  ['no email', { email: 'ada' }],
  ['more', { email: 'ada@example.com', password: 'x' }],
])('%s is refused', async (_, fields) => {
  expect((await visitor().post('/v1/me/forgotten_password', fields)).status).toBe(400);
});
