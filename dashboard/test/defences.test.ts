import type { BrowserContext, Page as Tab } from 'playwright-core';
import { expect } from 'vitest';
import type { SignInLinkShown } from '../../server/resources/people/sessions/schema.ts';
import { heading, longWalk, openDashboard } from './fixture.ts';

const dashboard = openDashboard();

type Entry = { action: string; actor: string; details: { operation?: string } };

/** What the owner sees of it in the audit log. */
const refused = async (query: string): Promise<Entry[]> =>
  (await dashboard.owner.client.get(`/v1/audit_log?refused=true&limit=100&${query}`)).json.data;

const cookieOf = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => /tollgate/.test(name))!;

/** As a program that has a cookie, and nothing else. */
const current = (cookie: string) =>
  dashboard.server.anonymous.with({ Cookie: `__Host-tollgate=${cookie}` }).get('/v1/sessions/current');

longWalk('a session that was planted before is not that of the person who signs in', async () => {
  const { server, account, owner } = dashboard;
  const planter = await server.person(account.id, 'viewer');
  const { token } = await server.operator.run<SignInLinkShown>('sessions.create_link', { id: owner.id });
  const tab = await dashboard.openAs(planter, `#link=${token}`);
  await heading(tab, 'Home').waitFor();
  const [, planted = ''] = planter.cookie.split('=');
  const { value, ...kept } = await cookieOf(tab.context());
  expect(value).not.toBe(planted);
  expect(kept).toMatchObject({ name: '__Host-tollgate', httpOnly: true, secure: true, sameSite: 'Strict', path: '/' });
  expect((await current(value)).json.user.id).toBe(owner.id);
  // The planted session is still that of the attacker, or of nobody.
  expect((await current(planted)).json.user?.id).not.toBe(owner.id);
});

longWalk('the cookie of a session that was signed out is refused, and the audit log has it', async () => {
  const person = await dashboard.server.person(dashboard.account.id, 'support');
  const tab = await dashboard.openAs(person, '/payments');
  const { value } = await cookieOf(tab.context());
  expect((await current(value)).status).toBe(200);
  await tab.getByRole('button', { name: /^Account/ }).click();
  await tab.getByRole('menuitem', { name: 'Sign out' }).click();
  await tab.getByLabel('Email').waitFor();
  const answer = await current(value);
  expect([answer.status, answer.json.error.code]).toEqual([401, 'session_invalid']);
  await expect
    .poll(async () => (await refused(`user=${person.id}`)).map(({ action }) => action))
    .toContain('session_invalid');
  expect(await cookieOf(tab.context())).toBeUndefined();
});

/** Calls the API from the page itself, with everything that the page has. */
async function byHand(tab: Tab, account: string, calls: readonly (readonly [call: string, body?: object])[]) {
  return (await tab.evaluate(`(async () => {
    const { csrf_token } = await (await fetch('/v1/sessions/current')).json();
    const headers = { 'Content-Type': 'application/json', 'X-Tollgate-CSRF': csrf_token,
      'X-Tollgate-Account': ${JSON.stringify(account)}, 'X-Tollgate-Mode': 'test' };
    const send = async ([call, body]) => {
      const [method, path] = call.split(' ');
      const rest = method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) };
      const answer = await fetch('/v1/' + path, { method, headers, ...rest });
      return [call, answer.status, (await answer.json()).error?.code];
    };
    return Promise.all(${JSON.stringify(calls)}.map(send));
  })()`)) as [call: string, status: number, code: string | undefined][];
}

longWalk('an account in which one has no role is refused, whether it exists or not', async () => {
  const other = await dashboard.server.account();
  const neighbour = await dashboard.server.person(other.id, 'owner');
  const tab = await dashboard.open('/payments');
  await heading(tab, 'Payments').waitFor();
  const calls = [['GET payments'], ['POST customers', { name: 'Eve' }], ['GET api_keys']] as const;
  const own = await byHand(tab, dashboard.account.id, [['GET payments']]);
  expect(own).toEqual([['GET payments', 200, undefined]]);
  const foreign = calls.map(([call]) => [call, 403, 'role_missing']);
  expect(await byHand(tab, other.id, calls)).toEqual(foreign);
  expect(await byHand(tab, 'acct_0000000000000000000000', calls)).toEqual(foreign);
  expect((await other.test.get('/v1/customers')).json.data).toEqual([]);
  const seen = async () => (await neighbour.client.get('/v1/audit_log?refused=true')).json.data;
  await expect.poll(async () => (await seen()).length).toBe(calls.length);
  expect(await seen()).toMatchObject(calls.map(() => ({ action: 'role_missing', actor: dashboard.owner.email })));
});

longWalk('the buttons that a viewer does not see are refused when they are called by hand', async () => {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const method = await dashboard.post('/v1/payment_methods', { type: 'card', card });
  const wish = { amount: 2000, currency: 'eur', payment_method: method.id };
  const paid = await dashboard.post('/v1/payments', wish);
  const held = await dashboard.post('/v1/payments', { ...wish, capture_method: 'manual' });
  const customer = await dashboard.post('/v1/customers', { name: 'Ada' });
  const hook = { url: 'http://127.0.0.1:9/hook', enabled_events: ['price.*'] };
  const endpoint = await dashboard.post('/v1/webhook_endpoints', hook);
  const viewer = await dashboard.server.person(dashboard.account.id, 'viewer');
  const tab = await dashboard.openAs(viewer, `/webhooks/${endpoint.id}`);
  await tab.getByText('Owners and developers can open this page.').waitFor();
  expect(await tab.getByRole('button', { name: /Edit|More|Send test event|Resend|Delete/ }).count()).toBe(0);
  const calls: [string, object?][] = [
    ['POST refunds', { payment: paid.id }],
    [`POST payments/${held.id}/capture`],
    [`POST payments/${held.id}/cancel`],
    [`POST customers/${customer.id}`, { name: 'Eve' }],
    [`DELETE customers/${customer.id}`],
    ['POST api_keys', { name: 'mine', kind: 'secret' }],
    [`POST webhook_endpoints/${endpoint.id}`, { url: 'https://evil.example/' }],
    [`POST webhook_endpoints/${endpoint.id}/rotate_secret`],
    [`DELETE webhook_endpoints/${endpoint.id}`],
    ['POST inbox'],
    ['POST account', { name: 'Mine' }],
    ['POST invitations', { email: 'eve@example.com', role: 'owner' }],
    [`POST users/${viewer.id}`, { role: 'owner' }],
    ['GET audit_log'],
  ];
  const answers = await byHand(tab, dashboard.account.id, calls);
  expect(answers).toEqual(calls.map(([call]) => [call, 403, 'role_missing']));
  const now = async (path: string) => (await dashboard.account.test.get(path)).json;
  expect(await now('/v1/refunds')).toMatchObject({ data: [] });
  expect(await now(`/v1/payments/${held.id}`)).toMatchObject({ status: 'requires_capture' });
  expect(await now(`/v1/customers/${customer.id}`)).toMatchObject({ name: 'Ada' });
  expect(await now(`/v1/webhook_endpoints/${endpoint.id}`)).toMatchObject({ url: hook.url, status: 'enabled' });
  // Ten a minute of one person and one kind are recorded.
  await expect.poll(async () => (await refused(`user=${viewer.id}&action=role_missing`)).length).toBe(10);
});
