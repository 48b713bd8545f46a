import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { tenantOf } from '../../../operations/tenants.ts';
import type { Answer } from '../../../test/client.ts';
import { startServer, type TestAccount } from '../../../test/harness.ts';
import type { TestPerson } from '../../../test/person.ts';
import { type MailShop, openMailShop, plainTextOf } from '../../events/mails/mails.fixture.ts';

let shop: MailShop;
/** An account of its own for each test. */
let account: TestAccount;
let tenant: number;
let owner: TestPerson;
beforeAll(async () => {
  shop = await openMailShop();
});
beforeEach(async () => {
  account = await shop.server.account();
  tenant = await tenantOf(shop.server.sql, account.id, 'live');
  owner = await person('owner');
  shop.receiver.mails.length = 0;
});
afterAll(() => shop.stop());

const hour = 3_600_000;
const person = (role: 'owner' | 'support' | 'viewer') => shop.server.person(account.id, role, { mode: 'live' });
const choose = (frequency: string, by: TestPerson = owner) => by.client.post('/v1/needs_attention/mail', { frequency });
const refused = ({ status, json }: Answer) => [status, json.error?.code];

let payments = 0;
/** A payment that waits for a person: who cancels or captures it, or only the operator. */
async function flagged(status: 'requires_capture' | 'processing' = 'processing'): Promise<string> {
  const id = `py_${String(++payments).padStart(22, '0')}`;
  await shop.sql(
    `insert into payments (tenant, id, version, amount, amount_received, currency, payment_method, status, inquiries, flagged_at)
     values ($1, $2, 1, 1500, 0, 'eur', 'pm_x', $3, 1, now())`,
    [tenant, id, status],
  );
  return id;
}

const resolve = (id: string) =>
  shop.sql('update payments set flagged_at = null where tenant = $1 and id = $2', [tenant, id]);
const flagAgain = (id: string) =>
  shop.sql('update payments set flagged_at = now() where tenant = $1 and id = $2', [tenant, id]);

/** The payments in each mail to somebody, since it was asked last. */
async function told({ email }: TestPerson = owner): Promise<string[][]> {
  await shop.server.settled();
  const mine = shop.receiver.mails.filter(({ to }) => to.includes(email));
  shop.receiver.mails.splice(
    0,
    shop.receiver.mails.length,
    ...shop.receiver.mails.filter((mail) => !mine.includes(mail)),
  );
  return mine.map((mail) => [...new Set(plainTextOf(mail).match(/py_\d{22}/g))].toSorted());
}

async function after(ms: number): Promise<void> {
  shop.clock.advance(ms);
  await shop.server.settled();
}

test('nobody is mailed who has not chosen it; what waits then comes with the first mail, and each item once', async () => {
  const first = await flagged();
  expect((await owner.client.get('/v1/needs_attention/mail')).json).toEqual({
    object: 'attention_mail',
    frequency: 'off',
  });
  await after(hour);
  expect(await told()).toEqual([]);
  expect((await choose('at_once')).json).toEqual({ object: 'attention_mail', frequency: 'at_once' });
  await shop.server.settled();
  const mail = shop.receiver.mails[0]!;
  expect(mail.headers.get('subject')).toBe('Needs attention: Test');
  expect(plainTextOf(mail)).toContain(`/dashboard/${account.id}/live/needs-attention`);
  expect(await told()).toEqual([[first]]);
  for (let at = 0; at < 3; at++) await after(hour);
  expect(await told()).toEqual([]);
  const second = await flagged();
  await after(60_000);
  expect(await told()).toEqual([[second]]);
  const third = await flagged();
  await after(5 * 60_000);
  expect(await told()).toEqual([]); // so soon after a mail
  const fourth = await flagged();
  await after(5 * 60_000);
  expect(await told()).toEqual([[third, fourth]]);
  expect((await owner.client.get('/v1/needs_attention/mail')).json.frequency).toBe('at_once');
});

test('daily is one mail a day at most, also for somebody who changes the choice back and forth', async () => {
  const first = await flagged();
  await choose('daily');
  expect(await told()).toEqual([[first]]);
  const second = await flagged();
  await after(2 * hour);
  await choose('off');
  await choose('daily');
  expect(await told()).toEqual([]);
  await after(21 * hour);
  expect(await told()).toEqual([]);
  await after(hour);
  expect(await told()).toEqual([[second]]);
});

test('a role gets mails about what it can resolve, and one that can resolve nothing gets none', async () => {
  const [support, viewer] = [await person('support'), await person('viewer')];
  const [forAll, forOwners] = [await flagged('requires_capture'), await flagged('processing')];
  for (const one of [owner, support, viewer]) expect((await choose('at_once', one)).status).toBe(200);
  expect(await told()).toEqual([[forAll, forOwners].toSorted()]);
  expect(await told(support)).toEqual([[forAll]]);
  expect(await told(viewer)).toEqual([]);
  const other = await shop.server.account();
  const elsewhere = await shop.server.person(other.id, 'owner', { mode: 'live' });
  await choose('at_once', elsewhere);
  expect(await told(elsewhere)).toEqual([]);
});

test('what is resolved and comes back is mailed again, though not within a day', async () => {
  const id = await flagged();
  await choose('at_once');
  expect(await told()).toEqual([[id]]);
  await resolve(id);
  await after(hour);
  await flagAgain(id);
  await after(hour);
  expect(await told()).toEqual([]);
  await resolve(id);
  await after(25 * hour);
  await flagAgain(id);
  await after(60_000);
  expect(await told()).toEqual([[id]]);
});

test('two instances, and one that was killed with the row, write one mail', async () => {
  const environment = { SMTP_URL: shop.receiver.url, MAIL_FROM: 'x@y.example' };
  const other = await startServer({ databaseUrl: shop.server.databaseUrl, environment, clock: shop.clock });
  await choose('at_once');
  await shop.server.settled();
  // As an instance leaves it that was killed right after it had leased the row.
  await shop.sql(
    `update attention_mails set version = version + 1, due_at = now() - interval '2 days', lease_until = now() - interval '1 second'
      where tenant = $1`,
    [tenant],
  );
  const id = await flagged();
  await Promise.all([shop.server.settled(), other.settled()]);
  expect(await told()).toEqual([[id]]);
  await other.stop();
});

test('nobody gets one after they were removed, or while the account is suspended', async () => {
  const support = await person('support');
  for (const one of [owner, support]) await choose('at_once', one);
  await shop.server.settled();
  expect((await owner.client.delete(`/v1/users/${support.id}`)).status).toBe(200);
  await shop.sql(`update accounts set status = 'suspended' where id = $1`, [account.id]);
  const id = await flagged('requires_capture');
  await after(hour);
  expect([await told(), await told(support)]).toEqual([[], []]);
  const rows = await shop.sql('select id from attention_mails where tenant = $1', [tenant]);
  expect(rows).toEqual([{ id: owner.id }]);
  await shop.sql(`update accounts set status = 'active' where id = $1`, [account.id]);
  await after(hour);
  expect(await told()).toEqual([[id]]);
});

test('an email that is not verified is refused, and no longer mailed to', async () => {
  await shop.server.operator.run('users.unverify', { id: owner.email });
  await expect.poll(async () => refused(await choose('daily'))).toEqual([400, 'email_not_verified']);
  expect((await choose('off')).status).toBe(200);
  const support = await person('support');
  await choose('at_once', support);
  await shop.server.settled();
  await shop.server.operator.run('users.unverify', { id: support.email });
  await flagged('requires_capture');
  await after(hour);
  expect(await told(support)).toEqual([]);
});

test.each([{}, { frequency: 'hourly' }, { frequency: 'daily', user: 'usr_x' }])('%j is refused', async (fields) => {
  const answer = await owner.client.post('/v1/needs_attention/mail', fields);
  expect(answer.status).toBe(400);
});

test('without a mail server the choice is kept, and what waits is mailed once there is one', async () => {
  const plain = await startServer();
  const { id } = await plain.account();
  const alone = await plain.person(id, 'owner', { mode: 'live' });
  expect((await alone.client.post('/v1/needs_attention/mail', { frequency: 'daily' })).status).toBe(200);
  await plain.settled();
  const { rows } = await plain.sql.query('select due_at <= now() as due, told from attention_mails');
  expect(rows).toEqual([{ due: true, told: {} }]);
  await plain.stop();
});
