import { expect } from 'vitest';
import { codeAt, stepAt } from '../../resources/people/users/totp.ts';
import { fromBase32, testPassword } from '../person.ts';
import { day, type Recorder, type Shown } from './recorder.ts';

/** Somebody signs in, sets up an account, and invites others. */
export async function people(shop: Recorder): Promise<void> {
  const visitor = shop.person;
  const request = { email: 'ada@shop.example', password: testPassword };
  const signIn = async (more: object = {}) => {
    shop.person = visitor;
    const session = await shop.call('sessions.create', { request: { ...request, ...more } });
    shop.person = visitor.with({
      Cookie: shop.cookie,
      'X-Tollgate-CSRF': session.csrf_token,
      'X-Tollgate-Account': session.accounts[0].id,
      'X-Tollgate-Mode': 'test',
    });
  };
  await signIn();
  await shop.call('sessions.current');
  await shop.call('sessions.end');
  await signIn();
  await shop.call('sessions.end_all');
  await signIn();
  await oneself(shop, signIn);
  await members(shop, visitor);
  await shop.call('audit_log.list', { query: { action: 'invitation.created', limit: 1 } });
}

async function oneself(shop: Recorder, signIn: (more: object) => Promise<void>): Promise<void> {
  const password = 'seven purple elephants';
  await shop.call('me.retrieve');
  await shop.call('needs_attention.update_mail', { request: { frequency: 'daily' } });
  await shop.call('needs_attention.retrieve_mail');
  await shop.call('needs_attention.update_mail', { request: { frequency: 'off' } });
  await shop.call('me.change_password', { request: { password: testPassword, new_password: password } });
  const { secret, token } = await shop.call('me.enrol_totp');
  const code = () => codeAt(fromBase32(secret), stepAt(shop.now * 1_000));
  const { codes } = await shop.call('me.confirm_totp', { request: { token, password, code: code() } });
  await shop.pass(60);
  await shop.call('me.renew_recovery_codes', { request: { password, code: code() } });
  await shop.pass(60);
  expect(codes).toHaveLength(10);
  await shop.call('me.disable_totp', { request: { password, code: code() } });
  await signIn({ password });
  const { data } = await shop.call('me.list_sessions', { query: { limit: 2 } });
  await shop.call('me.end_session', { id: data.find((session: Shown) => !session.current).id });
  await shop.call('me.reset_password', {
    request: { token: await shop.resetToken('ada@shop.example'), password: testPassword },
  });
  await signIn({});
}

async function members(shop: Recorder, visitor: Recorder['person']): Promise<void> {
  const owner = shop.person;
  const request = { email: 'grace@shop.example', role: 'developer' };
  const unwanted = await shop.call('invitations.create', { request: { email: 'eve@shop.example', role: 'viewer' } });
  const { url } = await shop.call('invitations.create', { request: { ...request, link: true } });
  const token = url.split('=')[1];
  await shop.call('invitations.revoke', { id: unwanted.id });
  await shop.call('invitations.list', { query: { limit: 2 } });
  shop.person = visitor;
  await shop.call('invitations.preview', { request: { token } });
  const session = await shop.call('invitations.accept', { request: { token, password: 'nine green crocodiles' } });
  shop.person = visitor.with({ Cookie: shop.cookie, 'X-Tollgate-CSRF': session.csrf_token });
  await shop.call('me.send_email_code');
  await shop.call('me.verify_email', { request: { code: shop.mailedCode } });
  shop.person = visitor;
  await shop.call('me.request_reset', { request: { email: request.email } });
  shop.person = owner;
  const { id } = session.user;
  await shop.call('users.list', { query: { limit: 2 } });
  await shop.call('users.retrieve', { id });
  await shop.call('users.update', { id, request: { role: 'support' } });
  await shop.call('users.remove', { id });
}

/** What people see and set in the dashboard, once there is something to see. */
export async function dashboard(shop: Recorder, customer: Shown): Promise<void> {
  const scopes = ['payments:write', 'refunds:read'];
  const key = { name: 'Order system', kind: 'restricted', scopes, allowed_ips: ['203.0.113.0/24'] };
  const { id } = await shop.call('api_keys.create', { request: key });
  await shop.call('api_keys.retrieve', { id });
  await shop.call('api_keys.update', { id, request: { scopes: ['payments:write'] } });
  await shop.call('api_keys.list', { query: { limit: 1 } });
  const rolled = await shop.call('api_keys.roll', { id, request: { overlap_hours: 48 } });
  await shop.call('api_keys.revoke', { id: rolled.id });
  await shop.call('account.retrieve');
  await shop.call('account.update', {
    request: { name: 'Corner shop', dunning_days: [2, 5, 9], mail: { receipt: true } },
  });
  await shop.call('branding.update', {
    request: { display_name: 'The corner shop', color: '#0a7d5a', support_email: 'help@corner-shop.example' },
  });
  await shop.call('branding.retrieve');
  const request = { name: 'Failed payments', page: 'payments', query: 'status=failed' };
  const view = await shop.call('saved_views.create', { request });
  await shop.call('saved_views.list', { query: { page: 'payments' } });
  await shop.call('saved_views.update', { id: view.id, request: { name: 'Failed' } });
  await shop.call('saved_views.delete', { id: view.id });
  await notes(shop, customer);
  await shop.call('needs_attention.list');
  await shop.call('processor_accounts.health');
  const today = Math.floor(shop.now / day) * day;
  const week = { from: today - 6 * day, to: today + day };
  await shop.call('statistics.retrieve', { query: { ...week, bucket: 'day' } });
  await shop.call('statistics.breakdown', { query: { ...week, by: 'brand' } });
  await shop.call('statistics.subscriptions', { query: week });
  await shop.call('statistics.checkout_sessions', { query: week });
}

async function notes(shop: Recorder, customer: Shown): Promise<void> {
  const request = { object: customer.id, text: 'Called about the invoice of March, which was sent again.' };
  const { id } = await shop.call('notes.create', { request });
  await shop.call('notes.retrieve', { id });
  await shop.call('notes.list', { query: { object: customer.id, limit: 1 } });
  await shop.call('notes.delete', { id });
}

export async function inbox(shop: Recorder): Promise<void> {
  const request = { enabled_events: ['customer.*'] };
  const { id, webhook_endpoint } = await shop.call('inbox.create', { request });
  await shop.call('webhook_endpoints.test', { id: webhook_endpoint });
  const { data } = await shop.call('inbox.list_requests', { id, query: { limit: 1 } });
  await shop.call('inbox_requests.retrieve', { id: data[0].id });
  await shop.call('inbox.update', { id, request: { answer: '500' } });
  await shop.call('inbox.retrieve', { id });
  await shop.call('inbox.list', { query: { limit: 1 } });
  await shop.call('inbox.delete', { id });
}
