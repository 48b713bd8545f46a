import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { RefusedCommand } from '../../../commands/operator.ts';
import type { ProcessorAccountId } from '../../../connectors/contract.ts';
import { dock, dockAnswers, openedDocks } from '../../../connectors/dock.fixture.ts';
import { registrations } from '../../../connectors/index.ts';
import type { Answer } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { expectErrorShape, expectRefusal, unusedId } from '../../../test/http/support.ts';
import { sweep } from '../../../worker/sweep.fixture.ts';
import { newAttempt } from '../attempts/attempt.ts';
import { addAttempt } from '../attempts/store.ts';
import { processorAccounts } from './index.ts';
import type { ProcessorAccount } from './processor_account.ts';
import { cachedProcessorAccounts } from './processors.ts';
import { removeProcessorAccount } from './store.ts';

const path = '/v1/processor_accounts';

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  const environment = { PUBLIC_URL: 'https://pay.example.com' };
  server = await startServer({ connectors: [...registrations, dock], environment, processorDeadlineMs: 300 });
  account = await server.account();
});
afterAll(() => server.stop());

let keys = 0;
const newKey = (mode = 'test') => `${mode}_key_${++keys}`;
const dockBody = (more: object = {}) => ({
  connector: 'dock',
  name: 'Dock',
  credentials: { api_key: newKey(), webhook_secret: 'whsec_1' },
  ...more,
});

async function make(more: object = {}): Promise<ProcessorAccountId> {
  const { status, json } = await account.test.post(path, dockBody(more));
  expect(status).toBe(200);
  return json.id;
}

const change = (id: string, body: object) => account.test.post(`${path}/${id}`, body);
const verify = (id: string) => account.test.post(`${path}/${id}/verify`);

async function rowOf(id: string): Promise<ProcessorAccount> {
  return (await server.sql.query('select * from processor_accounts where id = $1', [id])).rows[0];
}

/** The ids of what the vault has of an account. */
async function secretsOf(id: string): Promise<string[]> {
  const { rows } = await server.sql.query(`select id from vault_secrets where id like $1 || '/%' order by id`, [id]);
  return rows.map((row) => row.id);
}

/** The credentials as a connector gets them, past the cache. */
async function inUse(id: ProcessorAccountId): Promise<Record<string, string>> {
  const { tenant } = await rowOf(id);
  const { credentials } = await cachedProcessorAccounts(server.gateway.services).open(tenant, id);
  return Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name, value.open()]));
}

describe('a processor account', () => {
  test('is shown in the shape of the interface, without its credentials', async () => {
    const { status, json } = await account.test.post(path, dockBody({ settings: { raw_cards: true } }));
    expect([status, json]).toEqual([
      200,
      {
        id: expect.stringMatching(/^pa_[0-9A-Za-z]{22}$/),
        object: 'processor_account',
        connector: 'dock',
        name: 'Dock',
        enabled: true,
        settings: { raw_cards: true },
        capabilities: {
          currencies: ['eur'],
          partial_capture: true,
          authorization_days: 5,
          challenge: false,
          tokens: true,
          raw_cards: true,
          setup: false,
        },
        webhook_url: `https://pay.example.com/processors/${json.id}`,
        created: expect.any(Number),
      },
    ]);
    expect((await account.test.get(`${path}/${json.id}`)).json).toEqual(json);
    expect((await account.test.get(path)).json.data[0]).toEqual(json);
  });

  test('at the simulator needs no credentials, and several can be made', async () => {
    const body = { connector: 'simulator', name: 'Spare', enabled: false };
    const { json: first } = await account.test.post(path, body);
    const { json: second } = await account.test.post(path, body);
    expect(first).toMatchObject({ connector: 'simulator', enabled: false, settings: {} });
    expect(first.capabilities).not.toHaveProperty('currencies');
    expect(first.capabilities).toMatchObject({ setup: true, page: { min_minutes: 30, max_minutes: 1_440 } });
    expect(second.id).not.toBe(first.id);
    const { tenant } = await rowOf(first.id);
    const processor = { tenant, connector: 'simulator', processor_account: first.id };
    expect(await server.gateway.services.connectors.of(processor)).toMatchObject({ account: first.id });
  });

  test('can be sent as a form', async () => {
    const credentials = `credentials[api_key]=${newKey()}&credentials[webhook_secret]=`;
    const { json } = await account.test.form(path, `connector=dock&name=Dock&${credentials}&settings[raw_cards]=true`);
    expect(json).toMatchObject({ settings: { raw_cards: true }, enabled: true });
    expect(Object.keys(await inUse(json.id))).toEqual(['api_key']);
  });

  test('is opened for its own tenant alone, whatever was opened before', async () => {
    const id = await make();
    const { tenant } = await rowOf(id);
    const accounts = cachedProcessorAccounts(server.gateway.services);
    await accounts.open(tenant, id);
    await expect(accounts.open((tenant + 1) as Tenant, id)).rejects.toThrow(`there is no processor account ${id}`);
  });

  test('that is one too many is refused', async () => {
    const crowded = await server.account();
    const body = { connector: 'simulator', name: 'x' };
    const { json } = await crowded.test.post(path, body);
    await server.sql.query(
      `insert into processor_accounts (tenant, id, version, connector, name, enabled, settings, secret)
       select tenant, id || n, 1, connector, name, enabled, settings, secret
         from processor_accounts, generate_series(1, 49) n where id = $1`,
      [json.id],
    );
    expectRefusal(await crowded.test.post(path, body), 'parameter_invalid', 'connector');
  });
});

describe('a new processor account is refused', () => {
  const wrong: [what: string, body: object, code: string, param: string, message?: RegExp][] = [
    ['without a connector', { name: 'x' }, 'parameter_missing', 'connector'],
    ['without a name', { connector: 'dock' }, 'parameter_missing', 'name'],
    ['with a blank name', { connector: 'dock', name: ' ' }, 'parameter_invalid', 'name'],
    ['with a name that moves a cursor', { connector: 'dock', name: 'a\u001b[2J' }, 'parameter_invalid', 'name'],
    ['with such a setting', dockBody({ settings: { host: 'a\nb' } }), 'parameter_invalid', 'settings.host'],
    [
      'at an unknown connector',
      { connector: 'x', name: 'x' },
      'parameter_invalid',
      'connector',
      /one of simulator, stripe, dock/,
    ],
    ['at one without accounts', { connector: 'none', name: 'x' }, 'parameter_invalid', 'connector'],
    ['without its credentials', { connector: 'dock', name: 'x' }, 'parameter_missing', 'credentials.api_key'],
    ['with null for them', dockBody({ credentials: null }), 'parameter_missing', 'credentials.api_key'],
    ['with a text for them', dockBody({ credentials: 'test_1' }), 'parameter_invalid', 'credentials'],
    ['with a list of them', dockBody({ credentials: ['test_1'] }), 'parameter_invalid', 'credentials'],
    ['with an empty one', dockBody({ credentials: { api_key: '' } }), 'parameter_missing', 'credentials.api_key'],
    ['with a misspelt one', dockBody({ credentials: { api_kye: 'x' } }), 'parameter_unknown', 'credentials.api_kye'],
    ['with one of a wrong type', dockBody({ credentials: { api_key: 7 } }), 'parameter_invalid', 'credentials.api_key'],
    [
      'with one of the other mode',
      dockBody({ credentials: { api_key: 'live_1' } }),
      'parameter_invalid',
      'credentials.api_key',
      /in test mode it begins with test_/,
    ],
    ['with an unknown setting', dockBody({ settings: { hots: 'x' } }), 'parameter_unknown', 'settings.hots'],
    ['with a setting of a wrong type', dockBody({ settings: { host: true } }), 'parameter_invalid', 'settings.host'],
    [
      'with a flag that is none',
      dockBody({ settings: { raw_cards: 'no' } }),
      'parameter_invalid',
      'settings.raw_cards',
    ],
    ['with metadata', dockBody({ metadata: {} }), 'parameter_unknown', 'metadata'],
  ];
  test.each(wrong)('%s', async (_what, body, code, param, message = /./) => {
    const answer = await account.test.post(path, body);
    expectRefusal(answer, code, param);
    expect(answer.json.error.message).toMatch(message);
  });
});

describe('in live mode', () => {
  const live = (call: object) => ({ account: account.id, mode: 'live' as const, ...call });
  const liveBody = () => dockBody({ credentials: { api_key: newKey('live') } });

  test('an API key can read and not write, and the operator can do both', async () => {
    const made = await server.operator.run<{ id: string }>(
      'processor_accounts.create',
      live({ parameters: liveBody() }),
    );
    expect((await account.live.get(`${path}/${made.id}`)).json).toEqual(made);
    expect((await account.live.get(path)).json.data).toEqual([made]);
    const headers = { 'Idempotency-Key': 'live-1' };
    const writes: [() => Promise<Answer>, command: string][] = [
      [() => account.live.post(path, liveBody(), headers), 'add'],
      [() => account.live.post(`${path}/${made.id}`, { enabled: false }), 'set'],
      [() => account.live.post(`${path}/${unusedId('pa')}`, 'no json'), 'set'],
      [() => account.live.post(`${path}/${made.id}/verify`), 'verify'],
      [() => account.live.delete(`${path}/${made.id}`), 'remove'],
    ];
    for (const [write, command] of writes) {
      const answer = await write();
      expectErrorShape(answer);
      expect([answer.status, answer.json.error.code]).toEqual([403, 'role_missing']);
      expect(answer.json.error.message).toContain(`tollgate processors ${command}`);
    }
    expect(await server.operator.run('processor_accounts.verify', live({ id: made.id }))).toMatchObject({ ok: true });
    expect(await server.operator.run('processor_accounts.delete', live({ id: made.id }))).toMatchObject({
      deleted: true,
    });
    const { rows } = await server.sql.query('select action, actor, details from audit where subject = $1 order by id', [
      made.id,
    ]);
    expect(rows.map(({ action, actor }) => [action, actor])).toEqual([
      ['processor_account.created', 'test'],
      ['processor_accounts.verify', 'test'],
      ['processor_account.deleted', 'test'],
    ]);
    expect(rows[0].details).toMatchObject({ connector: 'dock', changed_credentials: ['api_key'] });
  });

  test('the simulator takes no account', async () => {
    const call = live({ parameters: { connector: 'simulator', name: 'x' } });
    await expect(server.operator.run('processor_accounts.create', call)).rejects.toThrow(
      '--connector: in live mode it must be one of stripe, dock',
    );
    expect.assertions(1);
  });

  test('credentials of test mode are refused', async () => {
    const call = live({ parameters: dockBody() });
    const refused = server.operator.run('processor_accounts.create', call);
    await expect(refused).rejects.toMatchObject({ code: 'parameter_invalid' } satisfies Partial<RefusedCommand>);
  });
});

describe('a change', () => {
  test('of names, settings and the switch keeps the credentials', async () => {
    const id = await make();
    const [before, secrets] = [await inUse(id), await secretsOf(id)];
    const { json } = await change(id, { name: 'Pier', enabled: false, settings: { raw_cards: true } });
    expect(json).toMatchObject({ name: 'Pier', enabled: false, settings: { raw_cards: true } });
    expect((await account.test.get(`${path}/${id}`)).json).toEqual(json);
    expect([await inUse(id), await secretsOf(id)]).toEqual([before, secrets]);
    expect((await change(id, { settings: { raw_cards: null } })).json.settings).toEqual({});
  });

  test('of nothing writes nothing', async () => {
    const id = await make();
    const { version } = await rowOf(id);
    const { api_key } = await inUse(id);
    await change(id, {});
    await change(id, { name: 'Dock', credentials: { api_key }, enabled: true });
    expect((await rowOf(id)).version).toBe(version);
  });

  test('merges credentials member by member, and destroys the old ones in the vault', async () => {
    const id = await make();
    const before = await secretsOf(id);
    const api_key = newKey();
    expect((await change(id, { credentials: { api_key } })).status).toBe(200);
    expect(await inUse(id)).toEqual({ api_key, webhook_secret: 'whsec_1' });
    const after = await secretsOf(id);
    expect([before.length, after.length]).toEqual([1, 1]);
    expect(after).not.toEqual(before);
    expect((await rowOf(id)).secret).toBe(after[0]);
  });

  const wrong: [what: string, body: object, code: string, param: string][] = [
    ['clears its name', { name: '' }, 'parameter_invalid', 'name'],
    ['clears its switch', { enabled: null }, 'parameter_invalid', 'enabled'],
    ['clears all credentials', { credentials: null }, 'parameter_invalid', 'credentials'],
    ['removes a credential it needs', { credentials: { api_key: null } }, 'parameter_missing', 'credentials.api_key'],
    ['has a key of the other mode', { credentials: { api_key: 'live_1' } }, 'parameter_invalid', 'credentials.api_key'],
    ['changes the connector', { connector: 'simulator' }, 'parameter_unknown', 'connector'],
    ['sends the stored key elsewhere', { settings: { host: 'evil.test' } }, 'parameter_invalid', 'settings.host'],
    [
      'sends the stored key elsewhere with another secret',
      { settings: { host: 'evil.test' }, credentials: { webhook_secret: 'mine' } },
      'parameter_invalid',
      'settings.host',
    ],
  ];
  test.each(wrong)('that %s is refused, and nothing changes', async (_what, body, code, param) => {
    const id = await make();
    const before = await rowOf(id);
    expectRefusal(await change(id, body), code, param);
    expect(await rowOf(id)).toEqual(before);
  });

  test('of the host takes the key in the same request', async () => {
    const id = await make();
    const { api_key } = await inUse(id);
    const { json } = await change(id, { settings: { host: 'other.test' }, credentials: { api_key } });
    expect(json.settings).toEqual({ host: 'other.test' });
  });

  test('is not repeated under an idempotency key, and another one under it names the credentials', async () => {
    const id = await make();
    const headers = { 'Idempotency-Key': `change of ${id}` };
    const send = (api_key: string) => account.test.post(`${path}/${id}`, { credentials: { api_key } }, headers);
    const first = await send('test_same');
    const again = await send('test_same');
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    await expect
      .poll(async () => (await send('test_other')).json.error)
      .toMatchObject({ code: 'idempotency_key_reused', message: expect.stringContaining('(different: credentials)') });
    expect(await inUse(id)).toMatchObject({ api_key: 'test_same' });
  });
});

describe('a webhook secret that was replaced', () => {
  const previous = async (id: ProcessorAccountId) => (await inUse(id)).webhook_secret_previous;
  const replace = (id: string, webhook_secret: string | null) => change(id, { credentials: { webhook_secret } });

  test('stays usable for a day, and is then destroyed', async () => {
    const id = await make();
    await replace(id, 'whsec_2');
    expect(await inUse(id)).toMatchObject({ webhook_secret: 'whsec_2', webhook_secret_previous: 'whsec_1' });
    const { previous_until } = await rowOf(id);
    expect(Math.abs(previous_until!.getTime() - Date.now() - 86_400_000)).toBeLessThan(600_000);
    await change(id, { credentials: { api_key: newKey() } });
    expect(await previous(id)).toBe('whsec_1');
    expect(await secretsOf(id)).toHaveLength(2);
    await server.sql.query(`update processor_accounts set previous_until = now() - interval '1 second' where id = $1`, [
      id,
    ]);
    expect(await previous(id)).toBeUndefined();
    for (const { sql } of server.gateway.services.durable.places('tenant'))
      await sweep(processorAccounts.maintenance!, sql);
    expect(await secretsOf(id)).toEqual([(await rowOf(id)).secret]);
    expect(await inUse(id)).toMatchObject({ webhook_secret: 'whsec_2' });
  });

  test('gives way to the one that is replaced next', async () => {
    const id = await make();
    await replace(id, 'whsec_2');
    await replace(id, 'whsec_3');
    expect(await previous(id)).toBe('whsec_2');
    expect(await secretsOf(id)).toHaveLength(2);
  });

  test('is gone immediately when it is removed', async () => {
    const id = await make();
    await replace(id, 'whsec_2');
    await replace(id, null);
    expect(Object.keys(await inUse(id))).toEqual(['api_key']);
    expect(await secretsOf(id)).toHaveLength(1);
  });

  test('is not asked about at the processor', async () => {
    const id = await make();
    await verify(id);
    const { api_key } = await inUse(id);
    dockAnswers.set(api_key!, () => Promise.reject(new Error('down')));
    expect((await replace(id, 'whsec_2')).status).toBe(200);
  });
});

describe('verify', () => {
  test('tells that the credentials work, and since when that is known', async () => {
    const id = await make();
    expect((await verify(id)).json).toEqual({ ok: true, message: 'It works.' });
    expect((await account.test.get(`${path}/${id}`)).json.last_verified).toBeGreaterThan(Date.now() / 1_000 - 600);
    expect((await rowOf(id)).identity).toBe('dock_1');
  });

  type Answering = () => Promise<{ ok: boolean; message: string; identity?: string }>;
  const failing: [what: string, answering: Answering, message: string][] = [
    ['refuses the key', async () => ({ ok: false, message: 'The key was revoked.' }), 'The key was revoked.'],
    [
      'cannot be reached',
      () => Promise.reject(Object.assign(new Error('canary'), { code: 'ECONNREFUSED' })),
      'dock did not answer: ECONNREFUSED.',
    ],
    ['hangs', () => new Promise(() => {}), 'dock did not answer: no reply within 0.3 s.'],
  ];
  test.each(failing)('says what is wrong when the processor %s', async (_what, answering, message) => {
    const id = await make();
    dockAnswers.set((await inUse(id)).api_key!, answering);
    const answer = await verify(id);
    expect([answer.status, answer.json]).toEqual([200, { ok: false, message }]);
    expect(await rowOf(id)).toMatchObject({ identity: null, last_verified_at: null, version: 1 });
  });

  test('of an account at the simulator has nothing to ask', async () => {
    const id = await make({ connector: 'simulator', credentials: {} });
    expect((await verify(id)).json).toMatchObject({ ok: true });
  });
});

describe('new credentials', () => {
  const answer = (identity: string) => async () => ({ ok: true, message: 'It works.', identity });

  async function verified(): Promise<ProcessorAccountId> {
    const id = await make();
    await verify(id);
    return id;
  }

  const cases: [
    what: string,
    answering: () => Promise<{ ok: boolean; message: string; identity?: string }>,
    message: RegExp,
  ][] = [
    ['another account at the processor', answer('dock_2'), /of another account at the processor/],
    ['nobody', async () => ({ ok: false, message: 'No such key.' }), /does not accept them: No such key/],
  ];
  test.each(cases)('of %s are refused, and the old ones stay', async (_what, answering, message) => {
    const id = await verified();
    const before = await rowOf(id);
    const api_key = newKey();
    dockAnswers.set(api_key, answering);
    const refused = await change(id, { credentials: { api_key } });
    expectRefusal(refused, 'parameter_invalid', 'credentials');
    expect(refused.json.error.message).toMatch(message);
    expect(await rowOf(id)).toEqual(before);
  });

  test('that cannot be checked are answered 500, and the old ones stay', async () => {
    const id = await verified();
    const before = await rowOf(id);
    const api_key = newKey();
    dockAnswers.set(api_key, () => Promise.reject(new Error('down')));
    const headers = { 'Idempotency-Key': `unchecked ${id}` };
    const send = () => account.test.post(`${path}/${id}`, { credentials: { api_key } }, headers);
    const refused = await send();
    expect([refused.status, refused.json.error.code]).toEqual([500, 'unavailable']);
    expect(await rowOf(id)).toEqual(before);
    dockAnswers.delete(api_key);
    expect((await send()).status).toBe(200); // nothing was saved under the key
  });

  test('of the same account replace the old ones; requests in flight keep theirs', async () => {
    const id = await verified();
    const { tenant } = await rowOf(id);
    const processor = { tenant, connector: 'dock', processor_account: id };
    await server.gateway.services.connectors.of(processor);
    const inFlight = openedDocks.at(-1)!;
    const old = inFlight.credentials.api_key!.open();
    const api_key = newKey();
    const { json } = await change(id, { credentials: { api_key } });
    expect(json.last_verified).toEqual(expect.any(Number));
    expect(inFlight.credentials.api_key!.open()).toBe(old);
    expect((await inUse(id)).api_key).toBe(api_key);
  });

  test('of an account that was never verified are stored unasked, and count as not verified', async () => {
    const id = await make();
    const api_key = newKey();
    dockAnswers.set(api_key, () => Promise.reject(new Error('down')));
    expect((await change(id, { credentials: { api_key } })).json).not.toHaveProperty('last_verified');
  });
});

describe('a deletion', () => {
  test('destroys the credentials, and a later look finds nothing', async () => {
    const id = await make();
    await change(id, { credentials: { webhook_secret: 'whsec_2' } });
    const gone = await account.test.delete(`${path}/${id}`);
    expect(gone.json).toEqual({ id, object: 'processor_account', deleted: true });
    expect([await rowOf(id), await secretsOf(id)]).toEqual([undefined, []]);
    for (const answer of [await account.test.get(`${path}/${id}`), await account.test.delete(`${path}/${id}`)])
      expectRefusal(answer, 'resource_missing', 'id');
  });

  /** An attempt at the account, not stored yet. */
  const attemptAt = (tenant: Tenant, id: ProcessorAccountId) => ({
    ...newAttempt(
      {
        ...{ tenant, payment: newId('py', Date.now()), verb: 'authorize', amount: 100, request_id: null },
        ...{ connector: 'dock', processor_account: id },
      },
      Date.now(),
      Date.now(),
    ),
    version: 1,
  });

  test('of an account with a payment is refused, and the account can be disabled', async () => {
    const id = await make();
    const { tenant } = await rowOf(id);
    const { committer } = server.gateway.services;
    expect(await committer.commit({ tenant, writes: [addAttempt(attemptAt(tenant, id))] })).toBe('committed');
    const refused = await account.test.delete(`${path}/${id}`);
    expectRefusal(refused, 'processor_account_in_use', 'id');
    expect(refused.json.error.message).toContain('there are payments of it');
    expect((await change(id, { enabled: false })).json.enabled).toBe(false);
    expect(await secretsOf(id)).toHaveLength(1);
  });

  test('and a payment at the same moment cannot both be committed', async () => {
    const { committer } = server.gateway.services;
    const [used, unused] = [await make(), await make()];
    const row = await rowOf(used);
    await committer.commit({ tenant: row.tenant, writes: [addAttempt(attemptAt(row.tenant, used))] });
    // As decided before the payment was there, and before the account was gone.
    expect(await committer.commit({ tenant: row.tenant, writes: [removeProcessorAccount(row)] })).toBe('conflict');
    await account.test.delete(`${path}/${unused}`);
    expect(await committer.commit({ tenant: row.tenant, writes: [addAttempt(attemptAt(row.tenant, unused))] })).toBe(
      'conflict',
    );
  });
});

test('a disabled account takes no new payments, and is still opened for what goes on', async () => {
  const other = await server.account();
  const { json } = await other.test.post(path, { connector: 'simulator', name: 'x' });
  const { tenant } = await rowOf(json.id);
  const enabled = async () =>
    (await cachedProcessorAccounts(server.gateway.services).enabled(tenant)).map(({ id }) => id);
  expect(await enabled()).toEqual([json.id]);
  await other.test.post(`${path}/${json.id}`, { enabled: false });
  expect(await enabled()).toEqual([]);
  expect(await cachedProcessorAccounts(server.gateway.services).open(tenant, json.id)).toMatchObject({ id: json.id });
});
