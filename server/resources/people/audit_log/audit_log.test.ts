import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { catalog } from '../../../catalog.ts';
import { defaultRetention } from '../../../operations/retention.ts';
import type { Answer, Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { type TestPerson, testPassword } from '../../../test/person.ts';

let server: TestServer;
let shop: TestAccount;
let owner: TestPerson;
let viewer: TestPerson;
let stranger: TestPerson;
beforeAll(async () => {
  // The clock stands still: no minute ends within a test. Each instance counts by itself what it logs in one.
  server = await startServer({ clock: virtualClock(Date.now()), isAlone: true });
  shop = await server.account();
  owner = await server.person(shop.id, 'owner');
  viewer = await server.person(shop.id, 'viewer');
  stranger = await server.person((await server.account()).id, 'owner');
});
afterAll(() => server.stop());

type Entry = { id: string; action: string; actor: string; created: number; details: object; request: string };

const visitor = () => server.anonymous.with({ Origin: server.baseUrl });
const log = async (query: string, by: Client = owner.client): Promise<Entry[]> =>
  (await by.get(`/v1/audit_log?${query}`)).json.data;
const wrongPassword = () => visitor().post('/v1/sessions', { email: viewer.email, password: 'not the password' });

describe('what people are refused is in the audit log, with who and from where:', () => {
  const change = (by: TestPerson, headers: object = {}) =>
    by.client.with({ ...headers }).post('/v1/customers', { name: 'Eve' });
  const refusals: [string, string, () => Promise<Answer>, () => object][] = [
    ['a guessed password', 'sign_in_failed', wrongPassword, () => ({ actor: viewer.email, user: viewer.id })],
    [
      'a guess at the password of somebody who is signed in',
      'sign_in_failed',
      () => viewer.alone.post('/v1/me/password', { password: 'not mine at all', new_password: 'x'.repeat(12) }),
      () => ({ actor: viewer.email }),
    ],
    [
      'a request from another site',
      'csrf_invalid',
      () => change(owner, { Origin: 'https://evil.example' }),
      () => ({ actor: owner.email, details: { operation: 'customers.create' } }),
    ],
    [
      "a role's buttons called by hand",
      'role_missing',
      () => change(viewer),
      () => ({ actor: viewer.email, user: viewer.id }),
    ],
    [
      'an account switched in the header',
      'role_missing',
      () => stranger.client.with({ 'X-Tollgate-Account': shop.id }).get('/v1/payments'),
      () => ({ actor: stranger.email, details: { operation: 'payments.list' } }),
    ],
    [
      'a session after sign-out',
      'session_invalid',
      async () => {
        const again = await viewer.signInAgain();
        await again.delete('/v1/sessions/current');
        return again.get('/v1/me');
      },
      () => ({ actor: viewer.email, user: viewer.id }),
    ],
  ];

  test.each(refusals)('%s', async (_, code, tried, who) => {
    const answer = await tried();
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const request = String(answer.headers['request-id']);
    const entries = () => log(`action=${code}&refused=true&limit=100`);
    await expect.poll(async () => (await entries()).find((entry) => entry.request === request)).toBeDefined();
    const entry = (await entries()).find((one) => one.request === request);
    expect(entry).toMatchObject({ object: 'audit_entry', refused: true, address: '127.0.0.1', ...who() });
  });

  test('an email that is locked, at most ten times a minute', async () => {
    const person = await server.person(shop.id, 'viewer');
    const guess = () => visitor().post('/v1/sessions', { email: person.email, password: 'wrong-wrong-wrong' });
    await Promise.all(Array.from({ length: 25 }, guess));
    const count = async (action: string) => (await log(`user=${person.id}&action=${action}&limit=100`)).length;
    await expect.poll(() => count('sign_in_locked')).toBe(10);
    await expect.poll(() => count('sign_in_failed')).toBe(10);
  });

  test('an email that nobody has, without the email, for nobody to read', async () => {
    const email = 'my-password-in-the-wrong-field@example.com';
    const { headers } = await visitor().post('/v1/sessions', { email, password: testPassword });
    const found = async () =>
      (
        await server.sql.query('select a::text as text, account from audit a where request_id = $1', [
          headers['request-id'],
        ])
      ).rows;
    await expect.poll(async () => (await found()).length).toBe(1);
    expect((await found())[0]).toMatchObject({ account: null, text: expect.not.stringContaining('wrong-field') });
  });

  test('for 90 days; what was done is kept', async () => {
    const request = String((await wrongPassword()).headers['request-id']);
    const isWritten = async () =>
      (await log('action=sign_in_failed&limit=100')).some((entry) => entry.request === request);
    await expect.poll(isWritten).toBe(true);
    await server.sql.query(`update audit set at = at - interval '91 days' where account = $1`, [shop.id]);
    const done = (await log('refused=false&limit=100')).length;
    const task = catalog.maintenance.find(({ name }) => name === 'refused entries of the audit log')!;
    await task.run(server.gateway.services.durable.directory, defaultRetention, async () => []);
    expect(await log('action=sign_in_failed')).toEqual([]);
    expect((await log('refused=false&limit=100')).length).toBe(done);
  });
});

describe('the audit log', () => {
  test('has what people do for themselves in each account that they work in, and nowhere else', async () => {
    const person = await server.person(shop.id, 'viewer');
    const other = await server.account();
    const boss = await server.person(other.id, 'owner');
    const { url } = (await boss.client.post('/v1/invitations', { email: person.email, role: 'viewer' })).json;
    await person.alone.post('/v1/invitations/accept', { token: url.split('=')[1] });
    const { json } = await visitor().post('/v1/sessions', { email: person.email, password: testPassword });
    for (const by of [owner.client, boss.client])
      expect(await log(`subject=${json.id}`, by)).toMatchObject([{ action: 'session.created', actor: person.email }]);
    expect(await log(`subject=${json.id}`, stranger.client)).toEqual([]);
    expect(await log(`user=${person.id}&action=session.created`, boss.client)).toHaveLength(1);
  });

  const filters = ['action=old', 'action=old&refused=false']; // by an index alone, and compared
  test.each(filters)('with %s is read in pages in both directions, and by when it was', async (filter) => {
    const account = await server.account();
    const boss = await server.person(account.id, 'owner');
    // Several of one moment, as a commit of several entries leaves them.
    await server.sql.query(
      `insert into audit (at, actor, action, account, subject)
       select '2026-01-01'::timestamptz + (n / 3) * interval '1 second', 'x', 'old', $1, n::text from generate_series(0, 10) n`,
      [account.id],
    );
    const page = async (query: string) => (await boss.client.get(`/v1/audit_log?${filter}&${query}`)).json;
    const all: Entry[] = (await page('limit=100')).data;
    expect(all.map((entry) => (entry as unknown as { subject: string }).subject)).toEqual(
      Array.from({ length: 11 }, (_, at) => String(10 - at)),
    );
    for (const limit of [1, 4]) {
      const walked: Entry[] = [];
      for (let after = '', more = true; more; after = `&starting_after=${walked.at(-1)!.id}`) {
        const next = await page(`limit=${limit}${after}`);
        walked.push(...next.data);
        more = next.has_more;
      }
      expect(walked).toEqual(all);
    }
    expect((await page(`limit=3&ending_before=${all[5]!.id}`)).data).toEqual(all.slice(2, 5));
    const second = all[5]!.created;
    const at = all.filter(({ created }) => created === second);
    expect((await page(`created[gte]=${second}&created[lte]=${second}`)).data).toEqual(at);
    expect((await page(`created[gt]=${second}`)).data).toEqual(all.filter(({ created }) => created > second));
    expect((await page(`starting_after=aud_${'z'.repeat(22)}&limit=1`)).data).toEqual(all.slice(0, 1));
    expect((await boss.client.get('/v1/audit_log?starting_after=cus_1')).json.error.code).toBe('parameter_invalid');
  });
});
