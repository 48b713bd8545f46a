import { randomBytes } from 'node:crypto';
import { vi } from 'vitest';
import { newId } from '../base/id.ts';
import { Keyring } from '../base/keyring.ts';
import { Reads, type Tenant } from '../base/reads.ts';
import { Secret } from '../base/secret.ts';
import { type Connection, connect, openPool, type Pool, type Sql } from '../base/sql.ts';
import { createDatabase } from '../test/harness.ts';
import { type PostingKind, transfers } from './chart.ts';
import { sealStep } from './seal.ts';
import { type Chain, verifyChain } from './verify.ts';

export const asTenant = (number: number) => number as Tenant;
export const [shop, other] = [asTenant(1), asTenant(2)];

export type Wish = {
  tenant?: Tenant;
  id?: string;
  kind?: PostingKind;
  amount?: number | string;
  currency?: string;
  source?: string;
  /** The source when not given. */
  payment?: string | null;
  on?: string;
};

/** Inserts a posting on the given connection; returns its id. */
export async function postOn(sql: Sql, wish: Wish = {}): Promise<string> {
  const { tenant = shop, kind = 'payment', amount = 100, currency = 'eur', on = '2027-01-10' } = wish;
  const { id = newId('txn', Date.now()), source = newId('py', Date.now()) } = wish;
  const { payment = source } = wish;
  const { debit, credit } = transfers[kind];
  await sql.query(
    `insert into postings (tenant, id, kind, debit, credit, amount, currency, source, payment, available_on)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [tenant, id, kind, debit, credit, amount, currency, source, payment, on],
  );
  return id;
}

export type World = {
  sql: Connection;
  pool: Pool;
  reads: Reads;
  keyring: Keyring;
  connection(): Promise<Connection>;
  post(wish?: Wish): Promise<string>;
  /** Seals until nothing is left. Other transactions in this PostgreSQL may delay that for a moment. */
  sealAll(): Promise<void>;
  verify(tenant?: Tenant): Promise<Chain>;
  empty(): Promise<void>;
  stop(): Promise<void>;
};

/** A new database with a ledger. */
export async function ledgerWorld(): Promise<World> {
  const database = await createDatabase();
  const sql = await connect(database.address, 'test');
  const pool = openPool(database.address, { use: 'durable', connectionsMax: 8, onError: () => {} });
  const keyring = new Keyring(new Secret(randomBytes(32)));
  const connections: Connection[] = [];
  return {
    sql,
    pool,
    reads: new Reads(pool),
    keyring,
    async connection() {
      const made = await connect(database.address, 'test');
      connections.push(made);
      return made;
    },
    post: (wish) => postOn(sql, wish),
    sealAll: () => sealAll(sql, pool, keyring),
    async verify(tenant = shop) {
      await sql.query('begin isolation level repeatable read read only');
      const chain = await verifyChain(sql, keyring, tenant);
      await sql.query('commit');
      return chain;
    },
    async empty() {
      await sql.query('truncate postings, ledger_blocks, ledger_balances');
    },
    async stop() {
      for (const one of connections) await one.end().catch(() => {});
      await pool.end();
      await sql.end();
      await database.drop();
    },
  };
}

/** Seals all postings together, as soon as all are final: a call then makes one block for each tenant that posted since the last. */
export async function sealAll(sql: Sql, pool: Pool, keyring: Keyring): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await sql.query(
        `select pg_snapshot_xmin(pg_current_snapshot())::text::int8 + offset_by > (select max(position) from postings) as final
           from ledger_sealer`,
      );
      if (rows[0].final === false) throw new Error('a transaction that is older than a posting is still running');
    },
    { timeout: 20_000, interval: 5 },
  );
  while ((await sealStep(pool, keyring)) !== 'nothing');
}
