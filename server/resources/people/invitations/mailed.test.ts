import type { SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startReceiver } from '../../../mail/smtp/receiver.fixture.ts';
import type { Answer } from '../../../test/client.ts';
import { startServer, type TestAccount } from '../../../test/harness.ts';
import { linkIn, type MailShop, openMailShop } from '../../events/mails/mails.fixture.ts';

/** A link that nobody but the reader of a mail has seen proves whose the email is. */

let shop: MailShop;
/** Another account of the same gateway, with which the first has nothing to do. */
let other: TestAccount;
beforeAll(async () => {
  shop = await openMailShop({ smtp: await startReceiver({ onRcptTo: answerTo }) });
  other = await shop.server.account();
});
afterAll(() => shop.stop());

/** The mail server knows no `gone-…`, and takes mails to `busy-…` later. */
const answerTo: NonNullable<SMTPServerOptions['onRcptTo']> = ({ address }, _session, callback) => {
  const refusal = /^gone/.test(address)
    ? ['No such user', 550]
    : /^busy/.test(address)
      ? ['Try later', 450]
      : undefined;
  callback(refusal && Object.assign(new Error(String(refusal[0])), { responseCode: refusal[1] }));
};

const password = 'seven purple elephants';
const chosen = 'violet anchors drift west';
const refused = ({ status, json }: Answer) => [status, json.error?.code, json.error?.param];
const visitor = () => shop.server.anonymous.with({ Origin: shop.server.baseUrl });
let people = 0;
const newEmail = () => `reader-${++people}@example.com`;

async function lastLinkTo(email: string): Promise<string> {
  await shop.server.settled();
  return linkIn(shop.receiver.mails.findLast(({ to }) => to.includes(email))!);
}

const tokenOf = (url: string) => url.split('=')[1]!;

type Invited = { email: string; account?: string; link?: boolean };

/** The token of an invitation: from its mail, or as its sender sees it. */
async function invite({ email, account = shop.account.id, link = false }: Invited): Promise<string> {
  const inviting = await shop.server.person(account, 'owner');
  const made = await inviting.client.post('/v1/invitations', { email, role: 'viewer', ...(link && { link }) });
  expect(made.status, made.text).toBe(200);
  expect([made.json.mailed, typeof made.json.url]).toEqual(link ? [undefined, 'string'] : [true, 'undefined']);
  return tokenOf(link ? made.json.url : await lastLinkTo(email));
}

const accept = (token: string, fields: object = { password }, by = visitor()) =>
  by.post('/v1/invitations/accept', { token, ...fields });

async function join(invited: Invited): Promise<Answer> {
  const answer = await accept(await invite(invited));
  expect(answer.status, answer.text).toBe(200);
  return answer;
}

const signedInBy = (answer: Answer) => {
  const [cookie = ''] = answer.headers['set-cookie']!;
  return visitor().with({ Cookie: cookie.split(';', 1)[0]!, 'X-Tollgate-CSRF': answer.json.csrf_token });
};

const verifiedUserOf = async (email: string) =>
  (await shop.sql('select user_id from verified_emails where email = $1', [email]))[0]?.user_id;

describe('what became of the mail', () => {
  const listed = async (id: string, mode: 'live' | 'test' = 'live') => {
    const reader = (await shop.server.person(shop.account.id, 'owner', { mode })).client;
    // biome-ignore lint/suspicious/noExplicitAny: an answer of the API
    return (await reader.get('/v1/invitations')).json.data.find((one: any) => one.id === id);
  };
  const made = async (email: string, more: object = {}) =>
    (await shop.owner.client.post('/v1/invitations', { email, role: 'viewer', ...more })).json;

  test('is said beside the invitation, in both modes: taken, refused, or to be tried again', async () => {
    const [taken, refusedOne, delayed] = [
      await made('here@example.com'),
      await made('gone@example.com'),
      await made('busy@example.com'),
    ];
    expect(taken.mail).toEqual({ status: 'queued' });
    await shop.server.settled();
    expect((await listed(taken.id)).mail).toEqual({ status: 'sent', sent_at: Math.floor(shop.clock.now() / 1_000) });
    const bounced = { status: 'bounced', failure: expect.stringContaining('No such user') };
    expect((await listed(refusedOne.id)).mail).toEqual(bounced);
    expect((await listed(refusedOne.id, 'test')).mail).toEqual(bounced);
    expect((await listed(delayed.id)).mail).toEqual({
      status: 'queued',
      failure: expect.stringContaining('Try later'),
    });
    const revoked = (await shop.owner.client.post(`/v1/invitations/${refusedOne.id}/revoke`)).json;
    expect(revoked).toMatchObject({ status: 'revoked', mail: bounced });
  });

  test('is nothing where the link was shown', async () => {
    const { id, url } = await made('gone@example.com', { link: true });
    expect(url).toContain('#invitation=');
    await shop.server.settled();
    expect(await listed(id)).not.toHaveProperty('mail');
  });
});

describe('an invitation', () => {
  test('that was mailed verifies the email of the user that it makes; one whose link was shown does not', async () => {
    const [mailed, shown] = [newEmail(), newEmail()];
    const token = await invite({ email: mailed });
    expect((await visitor().post('/v1/invitations/preview', { token })).json).toMatchObject({ mailed: true });
    expect((await accept(token)).json.user.email_verified).toBe(true);
    const other = await invite({ email: shown, link: true });
    expect((await visitor().post('/v1/invitations/preview', { token: other })).json).not.toHaveProperty('mailed');
    expect((await accept(other)).json.user.email_verified).toBe(false);
    await shop.server.settled();
    expect(shop.receiver.mails.some(({ to }) => to.includes(shown))).toBe(false);
  });

  test('that was mailed verifies the user who accepts it signed in, and lets them into another account', async () => {
    const email = newEmail();
    const first = await join({ email, link: true });
    expect(first.json.user.email_verified).toBe(false);
    const shown = await invite({ email, account: other.id, link: true });
    expect(refused(await accept(shown, {}, signedInBy(first)))).toEqual([400, 'invitation_invalid', 'token']);
    const mailed = await invite({ email, account: other.id });
    const joined = await accept(mailed, {}, signedInBy(first));
    expect(joined.status, joined.text).toBe(200);
    expect(joined.json.user).toMatchObject({ id: first.json.user.id, email_verified: true });
    expect(joined.json.accounts.map(({ id }: { id: string }) => id).sort()).toEqual([shop.account.id, other.id].sort());
    expect(await verifiedUserOf(email)).toBe(first.json.user.id);
    const log = (await shop.owner.client.get('/v1/audit_log?action=user.verified')).json.data;
    expect(log[0]).toMatchObject({ subject: first.json.user.id, details: { email, by: 'mail' } });
  });

  test('makes a second user where the email is verified for another, who keeps it', async () => {
    const email = newEmail();
    const first = await join({ email });
    const second = await join({ email, account: other.id });
    expect(second.json.user.id).not.toBe(first.json.user.id);
    expect(second.json.user.email_verified).toBe(false);
    expect(await verifiedUserOf(email)).toBe(first.json.user.id);
  });

  test('is shown as a link where no mail server is set up', async () => {
    const plain = await startServer({ databaseUrl: shop.server.databaseUrl });
    const person = await plain.person(shop.account.id, 'owner');
    const made = await person.client.post('/v1/invitations', { email: newEmail(), role: 'viewer' });
    expect(made.json.url).toMatch(/#invitation=/);
    expect(made.json).not.toHaveProperty('mailed');
    await plain.stop();
  });
});

describe('a link for a new password', () => {
  const reset = (id: string, parameters: { link?: boolean } = {}) =>
    shop.server.operator.run<{ url?: string; mailed?: boolean }>('me.create_reset_link', { id, parameters });
  const use = (token: string) => visitor().post('/v1/me/reset', { token, password: chosen });

  test('that was mailed verifies the email; one that the operator was shown does not', async () => {
    const email = newEmail();
    const { json } = await join({ email, link: true });
    const { url, mailed } = await reset(json.user.id, { link: true });
    expect(mailed).toBeUndefined();
    expect((await use(tokenOf(url!))).json.user.email_verified).toBe(false);
    expect(await reset(json.user.id)).toMatchObject({ mailed: true });
    expect((await use(tokenOf(await lastLinkTo(email)))).json.user.email_verified).toBe(true);
    expect(await verifiedUserOf(email)).toBe(json.user.id);
  });

  test('ends all others of the user', async () => {
    const email = newEmail();
    const { json } = await join({ email });
    const [first, second] = [await reset(json.user.id, { link: true }), await reset(json.user.id, { link: true })];
    expect((await use(tokenOf(second.url!))).status).toBe(200);
    expect(refused(await use(tokenOf(first.url!)))).toEqual([400, 'parameter_invalid', 'token']);
  });
});
