import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { dock, dockAnswers } from '../connectors/dock.fixture.ts';
import { registrations } from '../connectors/index.ts';
import type { ConnectorRegistration } from '../connectors/registration.ts';
import { startServer, type TestAccount, type TestServer, testMasterKey } from '../test/harness.ts';
import { main } from './cli.ts';

// Commands know the processors of this list alone.
const known = registrations as ConnectorRegistration[];

let server: TestServer;
let account: TestAccount;
const output: string[] = [];
const errors: string[] = [];

beforeAll(async () => {
  known.push(dock);
  server = await startServer();
  account = await server.account();
  vi.stubEnv('DATABASE_URL', server.databaseUrl);
  vi.stubEnv('TOLLGATE_VAULT_KEY', testMasterKey);
  vi.stubEnv('PUBLIC_URL', 'https://pay.example.com');
  vi.stubEnv('DOCK_KEY', 'live_key');
  vi.stubEnv('DOCK_WEBHOOK_SECRET', 'whsec_canary');
  vi.spyOn(console, 'log').mockImplementation((text) => void output.push(text));
  vi.spyOn(console, 'error').mockImplementation((text) => void errors.push(text));
});
afterEach(() => {
  process.exitCode = 0;
});
afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  known.pop();
  await server.stop();
});

/** Runs `tollgate processors …` in this process: what it prints, and its exit code. */
async function processors(...args: string[]): Promise<{ out: string; error: string; code: typeof process.exitCode }> {
  output.length = 0;
  errors.length = 0;
  process.exitCode = 0;
  await main(['processors', ...args]);
  return { out: output.join('\n'), error: errors.join('\n'), code: process.exitCode };
}

async function json(...args: string[]) {
  const { out, error } = await processors(...args, '--json');
  expect(error).toBe('');
  return JSON.parse(out);
}

const add = (...more: string[]) =>
  json('add', '--account', account.id, '--live', '--connector', 'dock', '--name', 'Dock', ...more);
const key = ['--credential', 'api_key=env:DOCK_KEY'];

describe('tollgate processors', () => {
  test('adds an account, and prints it as the API shows it, with its owner', async () => {
    const made = await add(...key, '--setting', 'raw_cards=true');
    const { json: shown } = await account.live.get(`/v1/processor_accounts/${made.id}`);
    const webhook_url = `https://pay.example.com/processors/${made.id}`;
    expect(made).toEqual({ ...shown, webhook_url, account: account.id, mode: 'live' });
    expect(made.settings).toEqual({ raw_cards: true });
    expect((await json('list', '--account', account.id)).at(-1)).toEqual(made);
  });

  test('changes it, disables it, enables it, verifies it and removes it; all of it is in the audit log', async () => {
    const { id } = await add(...key, '--disabled');
    expect((await processors('list')).out).toMatch(new RegExp(`${id} .* dock +Dock +disabled +never`));
    expect(await json('enable', id)).toMatchObject({ id, enabled: true });
    expect(await json('disable', id)).toMatchObject({ id, enabled: false });
    const changes = ['--name', 'Pier', '--credential', 'webhook_secret=env:DOCK_WEBHOOK_SECRET'];
    expect(await json('set', id, ...changes)).toMatchObject({ name: 'Pier' });
    expect(await json('set', id, '--credential', 'webhook_secret=')).toMatchObject({ name: 'Pier' });
    expect(await processors('verify', id)).toEqual({ out: 'ok     It works.', error: '', code: 0 });
    expect(await json('remove', id)).toEqual({ id, object: 'processor_account', deleted: true });
    const { rows } = await server.sql.query(
      'select action, details, actor, account from audit where subject = $1 order by id',
      [id],
    );
    expect(
      rows.map(({ action, details }) => [action.split('.')[1], details.enabled, details.changed_credentials]),
    ).toEqual([
      ['created', false, ['api_key']],
      ['updated', true, []],
      ['updated', false, []],
      ['updated', false, ['webhook_secret']],
      ['updated', false, ['webhook_secret']],
      ['verify', undefined, undefined],
      ['deleted', false, []],
    ]);
    expect(rows[0]).toMatchObject({ account: account.id, actor: expect.stringMatching(/^command line/) });
    expect(JSON.stringify(rows)).not.toContain('canary');
  });

  test('says what is wrong with the credentials, with exit code 1', async () => {
    const { id } = await add(...key);
    dockAnswers.set('live_key', async () => ({ ok: false, message: 'The key was revoked.' }));
    expect(await processors('verify', id)).toEqual({ out: 'WRONG  The key was revoked.', error: '', code: 1 });
    dockAnswers.delete('live_key');
  });

  test('says that the processor, not the database, does not answer', async () => {
    const { id } = await add(...key);
    await json('verify', id);
    vi.stubEnv('DOCK_KEY', 'live_new');
    dockAnswers.set('live_new', () => Promise.reject(Object.assign(new Error(), { code: 'ECONNREFUSED' })));
    const { error, code } = await processors('set', id, ...key);
    expect([error, code]).toEqual(['nothing was changed: dock did not answer: ECONNREFUSED.', 5]);
    vi.stubEnv('DOCK_KEY', 'live_key');
  });

  const wrong: [what: string, args: string[], code: number, message: string | RegExp][] = [
    [
      'a secret as an argument',
      ['--credential', 'api_key=live_canary'],
      2,
      /^(?!.*canary).*other users of this machine/,
    ],
    ['an unknown credential', [...key, '--credential', 'kye='], 3, 'Unknown parameter credentials.kye.'],
    ['a missing credential', [], 3, '--credential api_key is required'],
    ['a wrong setting', [...key, '--setting', 'raw_cards=maybe'], 3, '--setting raw_cards must be true or false'],
  ];
  test.each(wrong)('refuses %s', async (_what, args, exitCode, message) => {
    const required = ['--account', account.id, '--live', '--connector', 'dock', '--name', 'x'];
    const { error, code } = await processors('add', ...required, ...args);
    expect(code).toBe(exitCode);
    expect(error).toMatch(message);
  });

  test.each(['pa_unknown', 'live_canary'])('does not know %s, and does not repeat it', async (id) => {
    const { error, code } = await processors('verify', id);
    expect([error, code]).toEqual(['there is no such processor account; "tollgate processors list" shows them.', 3]);
  });
});
