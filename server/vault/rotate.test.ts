import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MasterKeyError } from '../base/keyring.ts';
import { oneConnection } from '../base/places/connections.ts';
import type { Reads, Tenant } from '../base/reads.ts';
import { findKeyring, type Masters } from '../base/root_key.ts';
import { Secret } from '../base/secret.ts';
import type { Connection } from '../base/sql.ts';
import { eventually } from '../test/eventually.ts';
import { shareOf } from '../test/torture.ts';
import { newestForMs } from './data_keys.ts';
import { batchRows } from './reencrypt.ts';
import { type RotationStep, rotateVault } from './rotate.ts';
import { contentsView, secretsTable } from './tables.ts';
import { asTenant, newMaster, vaultWorld, visa, type World } from './vault.fixture.ts';
import type { Vault } from './vault.ts';

let world: World;
beforeEach(async () => {
  world = await vaultWorld();
});
afterEach(() => world.stop());

const tenants = [1, 2, 3].map(asTenant);
const whsec = new Secret('whsec_3kOa9');
const pause = () => sleep(2);
const numberOf = (at: number) => new Secret(String(4_000_000_000_000_000 + at));

type Wanted = Partial<Omit<Parameters<typeof rotateVault>[0], 'at'>> & { client?: Connection };

/** Rotates without waiting for servers to use the new keys. */
function rotate({ client = world.sql, ...parts }: Wanted = {}) {
  return rotateVault({ at: oneConnection(client), masters: world.masters, pause, graceMs: 0, ...parts });
}

async function sealCards(vault: Vault, tenant: Tenant, count: number): Promise<void> {
  const writes = Array.from({ length: count }, (_, at) => vault.seal(tenant, `pm_${at}`, numberOf(at)));
  await world.write(...(await Promise.all(writes)));
}

async function expectCards(tenant: Tenant, count: number, masters = world.masters): Promise<void> {
  const { vault } = await world.server(masters);
  for (let at = 0; at < count; at++)
    expect((await vault.open(world.reads, tenant, `pm_${at}`))!.number.open()).toBe(numberOf(at).open());
}

async function keyVersions(tenant: Tenant): Promise<number[]> {
  const { rows } = await world.sql.query('select version from vault_keys where tenant = $1 order by version', [tenant]);
  return rows.map((row) => row.version);
}

describe('a rotation', () => {
  test('seals everything of all tenants again, and leaves one key per tenant', async () => {
    const many = 2 * batchRows + 7;
    await sealCards(world.vault, tenants[0]!, many);
    await sealCards(world.vault, tenants[1]!, 1);
    await world.write(await world.vault.sealCvc(tenants[1]!, 'pm_0', new Secret('123')));
    await world.sql.query(`update vault_cvcs set expires_at = '2100-01-01'`);
    await world.write(await world.vault.sealSecret(tenants[1]!, 'we_1/1', whsec));
    const secretBefore = await world.sql.query('select sealed from vault_secrets');
    const before = await world.sql.query('select tenant, id, sealed, fingerprint from vault_cards order by tenant, id');
    const steps: RotationStep[] = [];
    const done = await rotate({ report: (step) => void steps.push(step) });
    expect(done).toEqual({
      rewrapped: 0,
      rootResealed: false,
      resumed: false,
      tenants: 2,
      cards: many + 1,
      cvcs: 1,
      secrets: 1,
      destroyed: 2,
      unfinished: 0,
      unreadable: [],
    });
    expect(steps.map((step) => step.kind)).toEqual([
      'started',
      ...['reencrypted', 'reencrypted', 'reencrypted', 'destroyed'],
      ...['reencrypted', 'reencrypted', 'reencrypted', 'destroyed'],
    ]);
    for (const tenant of tenants.slice(0, 2)) expect(await keyVersions(tenant)).toEqual([2]);
    const after = await world.sql.query('select * from vault_cards order by tenant, id');
    for (const [at, row] of after.rows.entries()) {
      expect(row).toMatchObject({ version: 2, key_version: 2, fingerprint: before.rows[at].fingerprint });
      expect(row.sealed).not.toEqual(before.rows[at].sealed);
    }
    await expectCards(tenants[0]!, many);
    expect((await world.vault.open(world.reads, tenants[1]!, 'pm_0'))!.cvc!.open()).toBe('123');
    const secretAfter = await world.sql.query('select key_version, sealed from vault_secrets');
    expect(secretAfter.rows[0].key_version).toBe(2);
    expect(secretAfter.rows[0].sealed).not.toEqual(secretBefore.rows[0].sealed);
    expect((await world.vault.openSecret(world.reads, tenants[1]!, 'we_1/1'))!.open()).toBe(whsec.open());
    const { rows } = await world.sql.query('select expires_at from vault_cvcs');
    expect(rows[0].expires_at.getUTCFullYear()).toBe(2100); // a rotation gives no code more time
    expect(await rotate()).toMatchObject({ resumed: false, cards: many + 1, destroyed: 2 });
    expect(await keyVersions(tenants[0]!)).toEqual([3]);
  });

  test('of an empty vault does nothing', async () => {
    expect(await rotate()).toMatchObject({ tenants: 0, cards: 0, destroyed: 0, unfinished: 0 });
  });

  test('moves everything to a new master key, and the old one no longer opens anything', async () => {
    for (const tenant of tenants) await sealCards(world.vault, tenant, 3);
    const next: Masters = { current: newMaster(), previous: world.masters.current };
    const fingerprint = world.vault.fingerprint(tenants[0]!, visa);
    expect(await rotate({ masters: next })).toMatchObject({ rewrapped: 3, rootResealed: true, cards: 9, destroyed: 3 });
    const alone: Masters = { current: next.current, previous: undefined };
    for (const tenant of tenants) await expectCards(tenant, 3, alone);
    expect((await world.server(alone)).vault.fingerprint(tenants[0]!, visa)).toEqual(fingerprint);
    await expect(findKeyring(world.sql, { current: world.masters.current })).rejects.toThrow(MasterKeyError);
    expect(await rotate({ masters: next })).toMatchObject({ rewrapped: 0, rootResealed: false });
  });

  test('refuses a master key that does not open the data, and changes nothing', async () => {
    await sealCards(world.vault, tenants[0]!, 1);
    for (const previous of [undefined, newMaster()])
      await expect(rotate({ masters: { current: newMaster(), previous } })).rejects.toThrow(MasterKeyError);
    expect(await keyVersions(tenants[0]!)).toEqual([1]);
    await expectCards(tenants[0]!, 1);
  });

  test('waits until every server uses the new keys; a resumed run waits only for the rest of that time', async () => {
    await sealCards(world.vault, tenants[0]!, 1);
    const parts = { at: oneConnection(world.sql), masters: world.masters };
    const broken = rotateVault({ ...parts, pause: () => Promise.reject(new Error('killed')) });
    await expect(broken).rejects.toThrow('killed');
    await world.sql.query(`update vault_keys set created_at = created_at - interval '40 s'`);
    const pauses: number[] = [];
    const done = await rotateVault({ ...parts, pause: async (milliseconds) => void pauses.push(milliseconds) });
    expect(done).toMatchObject({ resumed: true, cards: 1, destroyed: 1 });
    expect(pauses).toHaveLength(1);
    expect(pauses[0]).toBeGreaterThan(10_000);
    expect(pauses[0]).toBeLessThanOrEqual(20_000);
  });

  test('leaves cards that do not open as they are, moves the rest, and finishes once they are repaired', async () => {
    await sealCards(world.vault, tenants[0]!, 3);
    const { rows } = await world.sql.query(`select sealed from vault_cards where id = 'pm_1'`);
    await world.sql.query(`update vault_cards set sealed = '\\x01' where id = 'pm_1'`);
    const broken = { cards: 2, destroyed: 0, unfinished: 1, unreadable: ['pm_1'] };
    expect(await rotate()).toMatchObject(broken);
    expect(await rotate()).toMatchObject({ ...broken, resumed: true, cards: 0 });
    expect(await keyVersions(tenants[0]!)).toEqual([1, 2]);
    await world.sql.query(`update vault_cards set sealed = $1 where id = 'pm_1'`, [rows[0].sealed]);
    expect(await rotate()).toMatchObject({ resumed: true, cards: 1, destroyed: 1, unfinished: 0, unreadable: [] });
    await expectCards(tenants[0]!, 3);
  });
});

describe('a rotation of a tenant that has secrets and no cards', () => {
  const tenant = tenants[0]!;

  test('moves all of them, and destroys the key after the last one', async () => {
    const many = batchRows + 3;
    const ids = Array.from({ length: many }, (_, at) => `we_${at}/1`);
    await world.write(...(await Promise.all(ids.map((id) => world.vault.sealSecret(tenant, id, new Secret(id))))));
    expect(await rotate()).toMatchObject({ cards: 0, secrets: many, destroyed: 1, unfinished: 0 });
    const { vault } = await world.server();
    for (const id of ids) expect((await vault.openSecret(world.reads, tenant, id))!.open()).toBe(id);
  });

  test('keeps the key of a secret that does not open, and finishes once it is repaired', async () => {
    for (const id of ['we_1/1', 'we_2/1']) await world.write(await world.vault.sealSecret(tenant, id, whsec));
    const { rows } = await world.sql.query(`select sealed from vault_secrets where id = 'we_1/1'`);
    await world.sql.query(`update vault_secrets set sealed = '\\x01' where id = 'we_1/1'`);
    expect(await rotate()).toMatchObject({ secrets: 1, destroyed: 0, unfinished: 1, unreadable: ['we_1/1'] });
    expect(await keyVersions(tenant)).toEqual([1, 2]);
    await world.sql.query(`update vault_secrets set sealed = $1 where id = 'we_1/1'`, [rows[0].sealed]);
    expect(await rotate()).toMatchObject({ resumed: true, secrets: 1, destroyed: 1, unfinished: 0, unreadable: [] });
    expect((await world.vault.openSecret(world.reads, tenant, 'we_1/1'))!.open()).toBe(whsec.open());
  });

  test('keeps the key of a locked secret, and moves the secret once it is unlocked', async () => {
    await world.write(await world.vault.sealSecret(tenant, 'we_1/1', whsec));
    const [holder, rotator] = [await world.connection(), await world.connection()];
    await holder.query('begin');
    await holder.query('select from vault_secrets where tenant = $1 for update', [tenant]);
    let pauses = 0;
    const pauseThrice = async () => void (++pauses === 3 && (await holder.query('commit')));
    expect(await rotate({ client: rotator, pause: pauseThrice })).toMatchObject({ secrets: 1, destroyed: 1 });
    expect(pauses).toBe(3);
  });

  test('makes a server that read the row before its key was destroyed read again', async () => {
    await world.write(await world.vault.sealSecret(tenant, 'we_1/1', whsec));
    const answers = [await world.reads.one(secretsTable, tenant, 'we_1/1')];
    await rotate();
    const { vault } = await world.server();
    const one = async () => (answers.length > 0 ? answers.pop() : world.reads.one(secretsTable, tenant, 'we_1/1'));
    expect((await vault.openSecret({ one } as unknown as Reads, tenant, 'we_1/1'))!.open()).toBe(whsec.open());
  });
});

describe('a rotation that is killed', () => {
  class Killed extends Error {}

  /** A connection that dies at its nth statement: before the database receives it, or after it ran and before the reply. */
  async function dying(nth: number, when: 'before' | 'after'): Promise<Connection> {
    const client = await world.connection();
    let statements = 0;
    const die = () => {
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      throw new Killed();
    };
    const query = async (...args: [string, unknown[]]) => {
      statements++;
      if (statements === nth && when === 'before') die();
      const result = await client.query(...args);
      if (statements === nth) die();
      return result;
    };
    return { query } as unknown as Connection;
  }

  test.each(['before', 'after'] as const)(
    '%s any of its statements loses nothing, and the next run finishes it',
    async (when) => {
      for (const tenant of tenants) await sealCards(world.vault, tenant, 2);
      await world.write(await world.vault.sealCvc(tenants[2]!, 'pm_0', new Secret('123')));
      await world.write(await world.vault.sealSecret(tenants[1]!, 'we_1/1', whsec));
      let masters = world.masters;
      let finished = false;
      let kills = 0;
      for (let nth = 1; !finished; nth += shareOf(1, 13)) {
        masters = { current: newMaster(), previous: masters.current };
        const versionsBefore = await keyVersions(tenants[0]!);
        const client = await dying(nth, when);
        try {
          await rotate({ client, masters });
          finished = true;
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
          kills++;
        }
        for (const tenant of tenants) await expectCards(tenant, 2, masters);
        // The next run. When the killed run had finished, this is a new rotation.
        await rotate({ masters });
        masters = { current: masters.current, previous: undefined };
        for (const tenant of tenants) {
          await expectCards(tenant, 2, masters);
          const versions = await keyVersions(tenant);
          expect(versions).toHaveLength(1);
          expect(versions[0]).toBeGreaterThan(versionsBefore[0]!);
        }
        const { vault } = await world.server(masters);
        expect((await vault.open(world.reads, tenants[2]!, 'pm_0'))!.cvc!.open()).toBe('123');
        expect((await vault.openSecret(world.reads, tenants[1]!, 'we_1/1'))!.open()).toBe(whsec.open());
      }
      expect(kills).toBeGreaterThan(shareOf(30, 1));
    },
  );

  test.each(['rewrapped', 'root_resealed', 'started', 'waiting', 'reencrypted', 'destroyed'] as const)(
    'right after it reported "%s" loses nothing either',
    async (kind) => {
      for (const tenant of tenants) await sealCards(world.vault, tenant, 2);
      const masters: Masters = { current: newMaster(), previous: world.masters.current };
      const report = (step: RotationStep) => {
        if (step.kind === kind) throw new Killed();
      };
      await expect(rotate({ masters, report, graceMs: 60_000, pause })).rejects.toThrow(Killed);
      for (const tenant of tenants) await expectCards(tenant, 2, masters);
      expect(await rotate({ masters })).toMatchObject({ unfinished: 0 });
      for (const tenant of tenants) {
        expect(await keyVersions(tenant)).toEqual([2]);
        await expectCards(tenant, 2, { current: masters.current, previous: undefined });
      }
    },
  );
});

describe('beside running servers', () => {
  const tenant = tenants[0]!;

  test('every stored card can be opened at any moment, through several rotations', async () => {
    const client = await world.connection();
    await sealCards(world.vault, tenant, 20);
    const taken = new Map<string, string>();
    let [over, refused, opened] = [false, 0, 0];
    const serve = async (name: string) => {
      const { vault, clock } = await world.server();
      for (let at = 0; !over; at++) {
        const id = `pm_${name}_${at}`;
        try {
          await world.write(await vault.seal(tenant, id, numberOf(at)));
          taken.set(id, numberOf(at).open());
        } catch (error) {
          // There is no grace period in this test, so a write may be too late for its key. The database refuses all of it.
          expect(String(error)).toMatch(/conflict/);
          refused++;
        }
        for (const card of ['pm_3', ...[...taken.keys()].slice(-1)]) {
          const found = await vault.open(world.reads, tenant, card);
          expect(found!.number.open()).toBe(taken.get(card) ?? numberOf(3).open());
          opened++;
        }
        clock.advance(at % 3 === 0 ? newestForMs : 0);
      }
    };
    const servers = [serve('a')];
    await eventually(() => expect(taken.size).toBeGreaterThan(0));
    servers.push(serve('b'));
    try {
      for (let round = 0; round < 10; round++) {
        const done = await rotate({ client });
        expect(done.unreadable).toEqual([]);
      }
    } finally {
      over = true;
    }
    await Promise.all(servers);
    await rotate({ client });
    expect(await keyVersions(tenant)).toHaveLength(1);
    const { vault } = await world.server();
    for (const [id, number] of taken) expect((await vault.open(world.reads, tenant, id))!.number.open()).toBe(number);
    await expectCards(tenant, 20);
    const { rows } = await world.sql.query('select count(*) as count from vault_cards where tenant = $1', [tenant]);
    expect(rows[0].count).toBe(20 + taken.size);
    expect(opened).toBeGreaterThan(refused);
  });

  test('a server with an outdated key cannot store a card under a destroyed key, and recovers', async () => {
    const { vault, clock } = await world.server();
    await sealCards(vault, tenant, 1);
    await rotate();
    expect((await vault.open(world.reads, tenant, 'pm_0'))!.number.open()).toBe(numberOf(0).open());
    await expect(world.write(await vault.seal(tenant, 'pm_late', visa))).rejects.toThrow('conflict');
    expect(await vault.open(world.reads, tenant, 'pm_late')).toBeUndefined();
    clock.advance(newestForMs);
    await world.write(await vault.seal(tenant, 'pm_late', visa));
    expect((await vault.open(world.reads, tenant, 'pm_late'))!.number.open()).toBe(visa.open());
  });

  test('a server that read the row before its key was destroyed reads it again', async () => {
    await sealCards(world.vault, tenant, 1);
    const stale = await world.reads.one(contentsView, tenant, 'pm_0');
    await rotate();
    const { vault } = await world.server();
    const answers = [stale];
    const reads = {
      one: async () => (answers.length > 0 ? answers.pop() : world.reads.one(contentsView, tenant, 'pm_0')),
    };
    expect((await vault.open(reads as unknown as Reads, tenant, 'pm_0'))!.number.open()).toBe(numberOf(0).open());
  });

  test('a card that is stored under the old key during its deletion keeps the key, and is moved', async () => {
    await sealCards(world.vault, tenant, 1);
    const { row } = await world.vault.seal(tenant, 'pm_late', visa);
    const [writer, rotator] = [await world.connection(), await world.connection()];
    await writer.query('begin');
    await writer.query(
      'insert into vault_cards (tenant, id, version, key_version, sealed, fingerprint) values ($1, $2, 1, $3, $4, $5)',
      [tenant, 'pm_late', row.key_version, row.sealed, row.fingerprint],
    );
    const rotating = rotate({ client: rotator });
    await eventually(async () => {
      const waiting = await world.sql.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      expect(waiting.rows).toHaveLength(1);
    });
    await writer.query('commit');
    expect(await rotating).toMatchObject({ cards: 2, destroyed: 1, unfinished: 0 });
    const { vault } = await world.server();
    expect((await vault.open(world.reads, tenant, 'pm_late'))!.number.open()).toBe(visa.open());
  });

  test('a locked card is skipped, and moved once it is unlocked', async () => {
    await sealCards(world.vault, tenant, 3);
    const [holder, rotator] = [await world.connection(), await world.connection()];
    await holder.query('begin');
    await holder.query(`select from vault_cards where tenant = $1 and id = 'pm_1' for update`, [tenant]);
    let pauses = 0;
    const done = await rotate({
      client: rotator,
      pause: async () => {
        if (++pauses === 3) await holder.query('commit');
      },
    });
    expect(done).toMatchObject({ cards: 3, destroyed: 1, unfinished: 0 });
    expect(pauses).toBe(3);
    await expectCards(tenant, 3);
  });

  test('a rotation waits until a running one has finished', async () => {
    for (const one of tenants) await sealCards(world.vault, one, 20);
    const [first, second] = [await world.connection(), await world.connection()];
    const order: string[] = [];
    let waiting: Promise<unknown> | undefined;
    const meet = async () => {
      const tell = ({ kind }: RotationStep) => void order.push(`second: ${kind}`);
      waiting ??= rotate({ client: second, report: tell });
      await eventually(() => expect(order).toContain('second: queued'));
    };
    const tell = ({ kind }: RotationStep) => void order.push(`first: ${kind}`);
    await rotate({ client: first, graceMs: 60_000, pause: meet, report: tell });
    await waiting;
    expect(order.indexOf('second: started')).toBeGreaterThan(order.lastIndexOf('first: destroyed'));
    for (const one of tenants) {
      expect(await keyVersions(one)).toEqual([3]);
      await expectCards(one, 20);
    }
  });

  test('rotations that start at the same time run one after the other', async () => {
    for (const one of tenants) await sealCards(world.vault, one, 20);
    const clients = [await world.connection(), await world.connection(), await world.connection()];
    await Promise.all(clients.map((client) => rotate({ client })));
    for (const one of tenants) {
      expect(await keyVersions(one)).toEqual([4]);
      await expectCards(one, 20);
    }
  });
});
