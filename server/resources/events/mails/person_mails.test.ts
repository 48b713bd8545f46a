import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../../../mail/smtp/receiver.fixture.ts';
import { linkIn, type MailShop, openMailShop } from './mails.fixture.ts';

let receiver: Receiver;
let shop: MailShop;
let says: Error | null = null;

beforeAll(async () => {
  receiver = await startReceiver({ onMailFrom: (_, __, callback) => callback(says) });
  shop = await openMailShop({ smtp: receiver });
});
afterAll(() => shop.stop());
beforeEach(() => {
  receiver.mails.length = 0;
  says = null;
});

const stored = () => shop.sql('select kind, address, status, message, attempts from person_mails order by id');

test('an invitation is mailed, and its link lets its reader in; nothing keeps the link', async () => {
  const email = 'grace@example.com';
  says = Object.assign(new Error('later'), { responseCode: 451 });
  const invited = await shop.owner.client.post('/v1/invitations', { email, role: 'developer' });
  expect(invited.json).toMatchObject({ email, mailed: true });
  expect(invited.text).not.toContain('#invitation');
  await shop.server.settled();
  const [waiting] = await stored();
  expect(waiting).toMatchObject({ kind: 'invitation', address: email, status: 'queued', attempts: 1 });
  says = null;
  shop.clock.advance(60_000);
  await shop.server.settled();
  expect(await stored()).toEqual([{ kind: 'invitation', address: email, status: 'sent', message: null, attempts: 2 }]);
  const [mail, ...others] = receiver.mails;
  expect(others).toEqual([]);
  expect(mail!.to).toEqual([email]);
  expect(mail!.headers.get('from')).toBe('Tollgate <billing@shop.example>');
  const link = linkIn(mail!);
  expect(link).toMatch(new RegExp(`^${shop.server.baseUrl}/dashboard#invitation=[0-9A-Za-z]{46}$`));
  const token = link.split('=')[1]!;
  expect(waiting.message.includes(token)).toBe(false);
  const accepted = await shop.server.anonymous
    .with({ Origin: shop.server.baseUrl })
    .post('/v1/invitations/accept', { token, password: 'seven purple elephants' });
  expect(accepted.status, accepted.text).toBe(200);
  expect(shop.server.logged.join()).not.toContain(token);
  expect((await shop.account.live.get('/v1/mails')).json.data).toEqual([]);
});

test('a link to choose a new password is mailed to its user', async () => {
  const { email } = await shop.server.person(shop.account.id, 'viewer');
  const made = await shop.server.operator.run<object>('me.create_reset_link', { id: email });
  expect(made).toMatchObject({ object: 'reset_link', email, mailed: true });
  expect(made).not.toHaveProperty('url');
  await shop.server.settled();
  expect(receiver.mails.map(({ to }) => to)).toEqual([[email]]);
  expect(linkIn(receiver.mails[0]!)).toMatch(new RegExp(`^${shop.server.baseUrl}/dashboard#reset=[0-9A-Za-z]{46}$`));
});
