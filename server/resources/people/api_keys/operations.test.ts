import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import type { NewKeyShown, ShownKey } from './schema.ts';

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
});
afterAll(() => server.stop());

const create = (parameters: object = {}, mode: 'test' | 'live' = 'test') =>
  server.operator.run<NewKeyShown>('api_keys.create', {
    account: account.id,
    mode,
    parameters: { name: 'till', kind: 'secret', ...parameters },
  });
const roll = (id: string, overlap_hours: number) =>
  server.operator.run<NewKeyShown>('api_keys.roll', { account: account.id, id, parameters: { overlap_hours } });
const revoke = (id: string) => server.operator.run<ShownKey>('api_keys.revoke', { account: account.id, id });

async function column(id: string, name: string) {
  return (await server.sql.query(`select ${name} as value from api_keys where id = $1`, [id])).rows[0].value;
}

describe('api_keys.create', () => {
  test('creates a key of the tenant that the operator acts for, and shows it once', async () => {
    const expires_at = Math.floor(Date.now() / 1_000) + 3_600;
    const limits = { scopes: ['events:read'], allowed_ips: ['127.0.0.0/8'], signature_required: true, expires_at };
    const { key, ...shown } = await create({ kind: 'restricted', ...limits }, 'live');
    expect(key).toMatch(/^rk_live_tg_/);
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_/),
      object: 'api_key',
      name: 'till',
      mode: 'live',
      kind: 'restricted',
      status: 'active',
      hint: key.slice(-4),
      ...limits,
      used_scopes: [],
      used_scopes_since: shown.created,
      created: expect.any(Number),
    });
    const listed = (mode: 'test' | 'live') =>
      server.operator.all<ShownKey>('api_keys.list', { account: account.id, mode });
    expect(await listed('live')).toContainEqual(shown);
    expect((await listed('test')).map(({ id }) => id)).not.toContain(shown.id);
  });

  const restricted = { kind: 'restricted', scopes: ['events:read'] };
  test.each([
    [{ kind: 'restricted' }, '--scopes is required'],
    [{ scopes: ['events:read'] }, '--scopes belongs to a restricted key'],
    [{ ...restricted, scopes: ['api_keys:write'] }, 'there is no scope "api_keys:write"; the scopes are '],
    [{ ...restricted, scopes: ['accounts:read'] }, 'there is no scope "accounts:read"'],
    [{ ...restricted, scopes: ['4242424242424242'] }, 'there is no scope (value withheld)'],
    [{ allowed_ips: ['10.0.0.0/40'] }, '"10.0.0.0/40" is not an address'],
    [{ allowed_ips: ['10'] }, '"10" is not an address'],
    [{ allowed_ips: ['0x7f.1'] }, '"0x7f.1" is not an address'],
    [{ allowed_ips: ['10.1/16'] }, '"10.1/16" is not an address'],
    [{ allowed_ips: ['::ffff:10.0.0.1'] }, 'as an IPv4 address'],
    [{ expires_at: 1_700_000_000 }, '--expires-at lies in the past'],
    [{ kind: 'master' }, '--kind must be one of secret, restricted'],
  ])('%j is refused: %s', async (parameters, sentence) => {
    await expect(create(parameters)).rejects.toThrow(sentence);
  });
});

describe('the end of a key', () => {
  test('that was set by a roll is not postponed by another roll', async () => {
    const { id } = await create();
    await roll(id, 1);
    const end = await column(id, 'revoked_at');
    const second = await roll(id, 24);
    expect(await column(id, 'revoked_at')).toEqual(end);
    expect(await column(id, 'rolled_to')).toBe(second.id);
    await revoke(id);
    expect((await column(id, 'revoked_at')).getTime()).toBeLessThan(end.getTime());
    expect(await column(id, 'rolled_to')).toBe(second.id);
  });

  test('leaves the time of the last use as it is', async () => {
    const { id } = await create();
    const used = new Date('2026-11-14T12:00:00Z');
    await server.sql.query('update api_keys set last_used = $2 where id = $1', [id, used]);
    expect(await revoke(id)).toMatchObject({ status: 'revoked', last_used: used.getTime() / 1_000 });
    expect(await column(id, 'last_used')).toEqual(used);
  });

  test('is set once: a second revocation, also a concurrent one, changes and records nothing', async () => {
    const { id } = await create();
    const [first, second] = await Promise.all([revoke(id), revoke(id)]);
    expect(second).toEqual(first);
    expect(await revoke(id)).toEqual(first);
    await expect(roll(id, 1)).rejects.toThrow(`${id} is already revoked`);
    const { rows } = await server.sql.query(`select 1 from audit where subject = $1 and action = 'key.revoked'`, [id]);
    expect(rows).toHaveLength(1);
  });

  test('cannot be set for a key of another account or of the other mode', async () => {
    const other = await server.account();
    const { id } = await create();
    for (const place of [{ account: other.id }, { account: account.id, mode: 'live' as const }])
      await expect(server.operator.run('api_keys.revoke', { ...place, id })).rejects.toMatchObject({
        code: 'resource_missing',
      });
    expect(await column(id, 'revoked_at')).toBeNull();
  });
});
