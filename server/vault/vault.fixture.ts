import { randomBytes } from 'node:crypto';
import { type VirtualClock, virtualClock } from '../base/clock.fixture.ts';
import { Committer, type Write } from '../base/commit/index.ts';
import { onePool } from '../base/places/sql_at.ts';
import { Reads, type Tenant } from '../base/reads.ts';
import { loadKeyring, type Masters } from '../base/root_key.ts';
import { Secret } from '../base/secret.ts';
import { type Connection, connect, openPool, type Pool } from '../base/sql.ts';
import { createDatabase } from '../test/harness.ts';
import { Vault } from './vault.ts';

export const visa = new Secret('4242424242424242');
export const amex = new Secret('378282246310005');
export const asTenant = (number: number) => number as Tenant;
export const newMaster = () => new Secret(randomBytes(32));

export type VaultServer = { vault: Vault; clock: VirtualClock };

export type World = {
  masters: Masters;
  sql: Connection;
  pool: Pool;
  reads: Reads;
  vault: Vault;
  /** Another server on the same database. */
  server(masters?: Masters): Promise<VaultServer>;
  connection(): Promise<Connection>;
  write(...writes: Write[]): Promise<void>;
  stop(): Promise<void>;
};

/** A database with a vault, and everything that works on it. */
export async function vaultWorld(): Promise<World> {
  const database = await createDatabase();
  const masters: Masters = { current: newMaster(), previous: undefined };
  const sql = await connect(database.address, 'test');
  const pool = openPool(database.address, { use: 'durable', connectionsMax: 4, onError: () => {} });
  const committer = new Committer(database.address);
  const server = async (own = masters) => {
    const clock = virtualClock(0);
    const keyring = await loadKeyring(sql, own);
    return { vault: new Vault({ masters: own, keyring, durable: onePool(pool), clock }), clock };
  };
  const connections: Connection[] = [];
  return {
    masters,
    sql,
    pool,
    reads: new Reads(pool),
    vault: (await server()).vault,
    server,
    async connection() {
      const made = await connect(database.address, 'test');
      connections.push(made);
      return made;
    },
    async write(...writes) {
      const verdict = await committer.commit({ tenant: writes[0]!.row.tenant as Tenant, writes });
      if (verdict !== 'committed') throw new Error(verdict);
    },
    async stop() {
      await committer.close();
      for (const one of connections) await one.end().catch(() => {});
      await pool.end();
      await sql.end();
      await database.drop();
    },
  };
}
