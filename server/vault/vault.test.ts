import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { virtualClock } from '../base/clock.fixture.ts';
import { Keyring, MasterKeyError } from '../base/keyring.ts';
import { onePool } from '../base/places/sql_at.ts';
import { Secret } from '../base/secret.ts';
import { newestForMs } from './data_keys.ts';
import { MasterKeys } from './master_keys.ts';
import { sweepCvcs } from './sweep.ts';
import { amex, asTenant, newMaster, type VaultServer, vaultWorld, visa, type World } from './vault.fixture.ts';
import { Vault } from './vault.ts';

let world: World;
beforeAll(async () => {
  world = await vaultWorld();
});
afterAll(() => world.stop());

let tenants = 0;
const newTenant = () => asTenant(++tenants);

async function thrownBy(work: () => unknown): Promise<Error> {
  try {
    await work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('it threw nothing');
}

describe('a card', () => {
  test('opens on every server as it was sealed, and nothing in the database shows it', async () => {
    const tenant = newTenant();
    await world.write(await world.vault.seal(tenant, 'pm_1', visa), await world.vault.seal(tenant, 'pm_2', amex));
    const { vault } = await world.server();
    expect((await world.vault.open(world.reads, tenant, 'pm_1'))!.number.open()).toBe(visa.open());
    expect((await vault.open(world.reads, tenant, 'pm_1'))!.number.open()).toBe(visa.open());
    expect((await vault.open(world.reads, tenant, 'pm_2'))!.number.open()).toBe(amex.open());
    const { rows } = await world.sql.query('select c.*, k.* from vault_cards c join vault_keys k using (tenant)');
    for (const row of rows)
      for (const value of Object.values(row))
        expect(Buffer.isBuffer(value) ? value.toString('latin1') : String(value)).not.toContain('424242');
  });

  test('that does not exist is undefined', async () => {
    expect(await world.vault.open(world.reads, newTenant(), 'pm_none')).toBeUndefined();
  });

  test('is sealed differently every time, with the same fingerprint', async () => {
    const tenant = newTenant();
    const [a, b] = [await world.vault.seal(tenant, 'pm_1', visa), await world.vault.seal(tenant, 'pm_1', visa)];
    expect(a.row.sealed).not.toEqual(b.row.sealed);
    expect(a.row.fingerprint).toEqual(b.row.fingerprint);
  });

  test('has a fingerprint that other tenants do not share', () => {
    const [one, other] = [newTenant(), newTenant()];
    expect(world.vault.fingerprint(one, visa)).not.toEqual(world.vault.fingerprint(other, visa));
    expect(world.vault.fingerprint(one, visa)).not.toEqual(world.vault.fingerprint(one, amex));
    expect(world.vault.fingerprint(one, visa)).toHaveLength(32);
  });

  test('is deleted with its code when it is destroyed, and destroying it twice is no error', async () => {
    const tenant = newTenant();
    const { vault, reads } = world;
    for (const id of ['pm_1', 'pm_2'])
      await world.write(await vault.seal(tenant, id, visa), await vault.sealCvc(tenant, id, new Secret('123')));
    await world.write(vault.destroyCvc(tenant, 'pm_2'));
    await world.write(...vault.destroy(tenant, 'pm_1'));
    await world.write(...vault.destroy(tenant, 'pm_1'));
    expect(await vault.open(reads, tenant, 'pm_1')).toBeUndefined();
    expect((await vault.open(reads, tenant, 'pm_1'))?.cvc).toBeUndefined();
    expect((await vault.open(reads, tenant, 'pm_2'))!.number.open()).toBe(visa.open());
    expect((await vault.open(reads, tenant, 'pm_2'))?.cvc).toBeUndefined();
  });

  test('cannot be stored under a destroyed key', async () => {
    const tenant = newTenant();
    const write = await world.vault.seal(tenant, 'pm_1', visa);
    await world.sql.query('delete from vault_keys where tenant = $1', [tenant]);
    await expect(world.write(write)).rejects.toThrow('conflict');
  });
});

describe('a ciphertext does not open', () => {
  const tenant = asTenant(1_001);
  const other = asTenant(1_002);
  beforeAll(async () => {
    for (const one of [tenant, other])
      await world.write(
        await world.vault.seal(one, 'pm_1', visa),
        await world.vault.seal(one, 'pm_2', amex),
        await world.vault.sealCvc(one, 'pm_1', new Secret('123')),
      );
    // An attacker who can write to the database can give one tenant the wrapped key of another.
    await world.sql.query(
      'insert into vault_keys (tenant, version, master, wrapped) select $2, version, master, wrapped from vault_keys where tenant = $1',
      [tenant, 1_003],
    );
  });

  const take = (column: string, from: string) => `(select ${column} from ${from})`;
  const moves: [string, string][] = [
    ['another tenant', take('sealed', `vault_cards where tenant = 1002 and id = 'pm_1'`)],
    ['another payment method', take('sealed', `vault_cards where tenant = 1001 and id = 'pm_2'`)],
    ['another field', take('sealed', `vault_cvcs where tenant = 1001 and id = 'pm_1'`)],
    ['one changed bit', `set_bit(sealed, 120, 1 - get_bit(sealed, 120))`],
    ['another format', `set_byte(sealed, 0, 2)`],
    ['its end missing', `substring(sealed from 1 for 20)`],
    ['nothing left of it', `''::bytea`],
  ];
  test.each(moves)('as, or with, %s', async (_, expression) => {
    const { vault } = await world.server();
    const { rows } = await world.sql.query(`select sealed from vault_cards where tenant = 1001 and id = 'pm_1'`);
    await world.sql.query(`update vault_cards set sealed = ${expression} where tenant = 1001 and id = 'pm_1'`);
    const error = await thrownBy(() => vault.open(world.reads, tenant, 'pm_1'));
    expect(error.message).toMatch(
      /^tenant 1001, card pm_1: the sealed number does not open under key 1: it was changed/,
    );
    expect(inspect(error, { depth: 9 })).not.toContain('4242');
    await world.sql.query(`update vault_cards set sealed = $1 where tenant = 1001 and id = 'pm_1'`, [rows[0].sealed]);
    expect((await vault.open(world.reads, tenant, 'pm_1'))!.number.open()).toBe(visa.open());
  });

  test('under another key version, and a wrapped key does not open as another one', async () => {
    const { vault } = await world.server();
    await world.sql.query(
      `insert into vault_keys (tenant, version, master, wrapped)
       select tenant, 2, master, wrapped from vault_keys where tenant = 1001 and version = 1`,
    );
    await world.sql.query(`update vault_cards set key_version = 2 where tenant = 1001 and id = 'pm_1'`);
    await expect(vault.open(world.reads, tenant, 'pm_1')).rejects.toThrow(MasterKeyError);
    await expect(vault.seal(asTenant(1_003), 'pm_1', visa)).rejects.toThrow(/does not open.*the row was changed/);
  });

  test('with the data key of another version, even when that key is valid', async () => {
    const keyTenant = asTenant(1_004);
    await world.write(await world.vault.seal(keyTenant, 'pm_1', visa));
    const second = new MasterKeys(world.masters).newDataKey(keyTenant, 2);
    await world.sql.query('insert into vault_keys (tenant, version, master, wrapped) values ($1, 2, $2, $3)', [
      keyTenant,
      second.master,
      second.wrapped,
    ]);
    await world.sql.query('update vault_cards set key_version = 2 where tenant = $1', [keyTenant]);
    await expect(world.vault.open(world.reads, keyTenant, 'pm_1')).rejects.toThrow(/does not open under key 2/);
  });
});

describe('a data key', () => {
  test('is made once when several servers seal the first card concurrently', async () => {
    const tenant = newTenant();
    const servers: VaultServer[] = [];
    while (servers.length < 8) servers.push(await world.server());
    const writes = await Promise.all(servers.map(({ vault }, at) => vault.seal(tenant, `pm_${at}`, visa)));
    await world.write(...writes);
    const { rows } = await world.sql.query('select version from vault_keys where tenant = $1', [tenant]);
    expect(rows).toEqual([{ version: 1 }]);
    for (const { vault } of servers)
      for (const at of servers.keys())
        expect((await vault.open(world.reads, tenant, `pm_${at}`))!.number.open()).toBe(visa.open());
  });

  test('of another master key is refused with a message that says what to set', async () => {
    const tenant = newTenant();
    await world.write(await world.vault.seal(tenant, 'pm_1', visa));
    const { vault } = await world.server({ current: newMaster(), previous: world.masters.current });
    expect((await vault.open(world.reads, tenant, 'pm_1'))!.number.open()).toBe(visa.open());
    const stranger = new Vault({
      masters: { current: newMaster(), previous: undefined },
      keyring: new Keyring(newMaster()),
      durable: onePool(world.pool),
      clock: virtualClock(0),
    });
    const refused = /wrapped by another master key: set TOLLGATE_VAULT_KEY_PREVIOUS/;
    await expect(stranger.open(world.reads, tenant, 'pm_1')).rejects.toThrow(refused);
    await expect(stranger.seal(tenant, 'pm_2', visa)).rejects.toThrow(refused);
  });

  test('that is newer is used within ten seconds', async () => {
    const tenant = newTenant();
    const { vault, clock } = await world.server();
    expect((await vault.seal(tenant, 'pm_1', visa)).row.key_version).toBe(1);
    const second = new MasterKeys(world.masters).newDataKey(tenant, 2);
    await world.sql.query('insert into vault_keys (tenant, version, master, wrapped) values ($1, 2, $2, $3)', [
      tenant,
      second.master,
      second.wrapped,
    ]);
    clock.advance(newestForMs - 1);
    expect((await vault.seal(tenant, 'pm_1', visa)).row.key_version).toBe(1);
    clock.advance(1);
    expect((await vault.seal(tenant, 'pm_1', visa)).row.key_version).toBe(2);
  });
});

describe('a secret', () => {
  const whsec = new Secret('whsec_A1b2C3d4E5f6');

  test('opens on every server as it was sealed, and nothing in the database shows it', async () => {
    const tenant = newTenant();
    await world.write(await world.vault.sealSecret(tenant, 'we_1/1', whsec));
    for (const { vault } of [world, await world.server()])
      expect((await vault.openSecret(world.reads, tenant, 'we_1/1'))!.open()).toBe(whsec.open());
    const { rows } = await world.sql.query('select * from vault_secrets where tenant = $1', [tenant]);
    expect(rows).toHaveLength(1);
    for (const value of Object.values(rows[0]))
      expect(Buffer.isBuffer(value) ? value.toString('latin1') : String(value)).not.toContain('A1b2C3');
  });

  test('is deleted when it is destroyed; destroying it twice is no error, and others stay', async () => {
    const tenant = newTenant();
    for (const id of ['we_1/1', 'we_1/2']) await world.write(await world.vault.sealSecret(tenant, id, whsec));
    for (let times = 0; times < 2; times++) await world.write(world.vault.destroySecret(tenant, 'we_1/1'));
    expect(await world.vault.openSecret(world.reads, tenant, 'we_1/1')).toBeUndefined();
    expect(await world.vault.openSecret(world.reads, newTenant(), 'we_1/2')).toBeUndefined();
    expect((await world.vault.openSecret(world.reads, tenant, 'we_1/2'))!.open()).toBe(whsec.open());
  });

  test('is stored once per id, and never under a destroyed key', async () => {
    const tenant = newTenant();
    await world.write(await world.vault.sealSecret(tenant, 'we_1/1', whsec));
    await expect(world.write(await world.vault.sealSecret(tenant, 'we_1/1', whsec))).rejects.toThrow('conflict');
    const other = newTenant();
    const write = await world.vault.sealSecret(other, 'we_1/1', whsec);
    await world.sql.query('delete from vault_keys where tenant = $1', [other]);
    await expect(world.write(write)).rejects.toThrow('conflict');
  });

  const moves: [string, string][] = [
    ['of another id', `(select sealed from vault_secrets where tenant = 2001 and id = 'we_1/2')`],
    ['of another tenant', `(select sealed from vault_secrets where tenant = 2002 and id = 'we_1/1')`],
    ['that is a card number', `(select sealed from vault_cards where tenant = 2001 and id = 'we_1/1')`],
    ['with one changed bit', `set_bit(sealed, 120, 1 - get_bit(sealed, 120))`],
  ];
  test.each(moves)('does not open with a ciphertext %s, and the error does not show it', async (_, expression) => {
    const [tenant, other] = [asTenant(2_001), asTenant(2_002)];
    await world.sql.query('delete from vault_secrets where tenant in (2001, 2002)');
    await world.sql.query('delete from vault_cards where tenant = 2001');
    await world.write(await world.vault.seal(tenant, 'we_1/1', visa));
    for (const id of ['we_1/1', 'we_1/2']) await world.write(await world.vault.sealSecret(tenant, id, whsec));
    await world.write(await world.vault.sealSecret(other, 'we_1/1', whsec));
    await world.sql.query(`update vault_secrets set sealed = ${expression} where tenant = 2001 and id = 'we_1/1'`);
    const error = await thrownBy(() => world.vault.openSecret(world.reads, tenant, 'we_1/1'));
    expect(error.message).toMatch(/^tenant 2001, secret we_1\/1: the sealed secret does not open under key 1: it was/);
    expect(inspect(error, { depth: 9 })).not.toContain('A1b2C3');
  });
});

describe('a security code', () => {
  test("opens as it was sealed, until it expires by the database's clock", async () => {
    const tenant = newTenant();
    for (const id of ['pm_1', 'pm_2', 'pm_3']) await world.write(await world.vault.seal(tenant, id, visa));
    await world.write(await world.vault.sealCvc(tenant, 'pm_1', new Secret('123')));
    await world.write(await world.vault.sealCvc(tenant, 'pm_2', new Secret('4567')));
    expect((await world.vault.open(world.reads, tenant, 'pm_1'))!.cvc!.open()).toBe('123');
    expect((await world.vault.open(world.reads, tenant, 'pm_2'))!.cvc!.open()).toBe('4567');
    expect((await world.vault.open(world.reads, tenant, 'pm_3'))!.cvc).toBeUndefined();
    const { rows } = await world.sql.query(
      `update vault_cvcs set expires_at = now() where tenant = $1 and id = 'pm_1'
       returning extract(epoch from expires_at - now())::int4 as left`,
      [tenant],
    );
    expect(rows).toEqual([{ left: 0 }]);
    expect((await world.vault.open(world.reads, tenant, 'pm_1'))!.cvc).toBeUndefined();
    expect((await world.vault.open(world.reads, tenant, 'pm_2'))!.cvc!.open()).toBe('4567');

    expect(await sweepCvcs(world.pool)).toBe(1);
    expect(await sweepCvcs(world.pool)).toBe(0);
    const left = await world.sql.query('select id from vault_cvcs where tenant = $1', [tenant]);
    expect(left.rows).toEqual([{ id: 'pm_2' }]);
  });

  test('expires after 14 minutes, so that a sweep every minute leaves none older than 15', async () => {
    const tenant = newTenant();
    const before = await world.sql.query('select now() as now');
    await world.write(await world.vault.sealCvc(tenant, 'pm_1', new Secret('123')));
    const { rows } = await world.sql.query(
      'select extract(epoch from expires_at - $2::timestamptz)::int4 as s from vault_cvcs where tenant = $1',
      [tenant, before.rows[0].now],
    );
    expect(rows[0].s).toBeGreaterThanOrEqual(14 * 60);
    expect(rows[0].s).toBeLessThan(14 * 60 + 30);
  });

  test('is stored in an unlogged table', async () => {
    const { rows } = await world.sql.query(
      `select relname, relpersistence from pg_class
        where relname in ('vault_cvcs', 'vault_cvcs_pkey', 'vault_cards') order by relname`,
    );
    expect(rows).toEqual([
      { relname: 'vault_cards', relpersistence: 'p' },
      { relname: 'vault_cvcs', relpersistence: 'u' },
      { relname: 'vault_cvcs_pkey', relpersistence: 'u' },
    ]);
  });
});

describe('no error, log or write shows a secret', () => {
  const spoiled: [string, (tenant: ReturnType<typeof newTenant>) => unknown][] = [
    ['a number with spaces', (tenant) => world.vault.seal(tenant, 'pm_1', new Secret('4242 4242 4242 4242'))],
    ['a fingerprint of no number', (tenant) => world.vault.fingerprint(tenant, new Secret('42424242x'))],
    ['a code that is none', (tenant) => world.vault.sealCvc(tenant, 'pm_1', new Secret('4242424242'))],
  ];
  test.each(spoiled)('for %s', async (_, work) => {
    const error = await thrownBy(() => work(newTenant()));
    expect(inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)).not.toContain('4242');
    expect(error.message).toMatch(/the vault was given an unchecked/);
  });

  test('for the vault itself, a write, and a card that is stored twice', async () => {
    const tenant = newTenant();
    const write = await world.vault.seal(tenant, 'pm_1', visa);
    await world.write(write);
    const error = await thrownBy(async () => world.write(await world.vault.seal(tenant, 'pm_1', visa)));
    for (const value of [world.vault, write, error, await world.vault.open(world.reads, tenant, 'pm_1')])
      expect(inspect(value, { depth: 9, showHidden: true }) + JSON.stringify(value)).not.toContain('424242');
  });
});
