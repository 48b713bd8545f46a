import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TestPerson } from '../../../test/person.ts';
import { type MailShop, openMailShop } from '../../events/mails/mails.fixture.ts';

let shop: MailShop;
let developer: TestPerson;

beforeAll(async () => {
  shop = await openMailShop();
  developer = await shop.server.person(shop.account.id, 'developer', { mode: 'test' });
  await shop.server.person(shop.account.id, 'viewer');
});
beforeEach(async () => {
  await shop.server.settled();
  shop.receiver.mails.length = 0;
});
afterAll(() => shop.stop());

/** The recipients of each mail, in their order, and all that was sent. */
async function sent() {
  await shop.server.settled();
  const mails = [...shop.receiver.mails].sort((one, other) => (one.to[0]! < other.to[0]! ? -1 : 1));
  return { to: mails.flatMap(({ to }) => to), text: mails.map(({ raw }) => raw.replaceAll('=\r\n', '')).join('\n') };
}

test('a new key is mailed to the owners and to the person who made it, without the key', async () => {
  const name = 'Till\r\nBcc: evil@example.com <b>';
  const made = await developer.client.post('/v1/api_keys', { name, kind: 'secret' });
  expect(made.status, made.text).toBe(200);
  const { to, text } = await sent();
  expect(to).toEqual([developer.email, shop.owner.email].sort());
  const { key, hint } = made.json;
  for (const said of [hint, developer.email, 'New API key of Test', `/dashboard/${shop.account.id}/test/api-keys`])
    expect(text).toContain(said);
  for (const mail of shop.receiver.mails) expect(mail.headers.has('bcc')).toBe(false);
  expect(text).not.toContain(key);
  const [{ kept }] = await shop.sql(`select string_agg(m::text, '') as kept from person_mails m`);
  expect(kept).not.toContain(key);
});

test('a key that an owner rolls is mailed once, and says what it replaces', async () => {
  const { id, hint } = (await shop.owner.client.post('/v1/api_keys', { name: 'Shop', kind: 'secret' })).json;
  await sent();
  shop.receiver.mails.length = 0;
  const rolled = (await shop.owner.client.post(`/v1/api_keys/${id}/roll`, {})).json;
  const { to, text } = await sent();
  expect(to).toEqual([shop.owner.email]);
  expect(text).toContain('An API key was replaced');
  for (const said of [rolled.hint, hint]) expect(text).toContain(said);
  await shop.owner.client.post(`/v1/api_keys/${id}/revoke`, {});
  expect((await sent()).to).toEqual([shop.owner.email]); // ending one is no news
});

test('a key of the operator is mailed to the owners, and that of a new account to nobody', async () => {
  const parameters = { name: 'By hand', kind: 'secret' };
  await shop.server.operator.run('api_keys.create', { account: shop.account.id, mode: 'live', parameters });
  const { to, text } = await sent();
  expect(to).toEqual([shop.owner.email]);
  expect(text).toContain('the operator of the gateway');
  await shop.server.account();
  expect((await sent()).to).toEqual([shop.owner.email]);
});
