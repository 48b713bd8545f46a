import { vi } from 'vitest';
import { createDatabase } from '../../test/harness.ts';
import { type Connection, connect, type DatabaseAddress } from '../sql.ts';
import {
  type CommitObserver,
  Committer,
  claim,
  type Derived,
  insert,
  remove,
  type Table,
  table,
  update,
  type Write,
} from './index.ts';

/** Tables for the committer, wherever their rows are: rows with versions, rows that are only inserted, and keys that can be claimed. */
type Thing = { tenant: number; id: string; version: number; value: string };
type Remark = { tenant: number; id: string; text: string };
type Sheet = { tenant: number; id: string; content: object };
type Claim = { tenant: number; key: string; owner: string };

const things: Table<Thing, 'both'> = table('things', { home: 'both', int4: 'tenant version', text: 'id value' });
const remarks: Table<Remark, 'both'> = table('remarks', { home: 'both', int4: 'tenant', text: 'id text' });
const sheets: Table<Sheet, 'both'> = table('sheets', { home: 'both', int4: 'tenant', text: 'id', json: 'content' });
const claims = {
  home: 'both',
  int4: 'tenant',
  text: 'key owner',
  key: ['tenant', 'key'],
  identity: ['tenant', 'key', 'owner'],
} as const;
const expiringKeys: Table<Claim, 'both'> = table('expiring_keys', { ...claims, expiry: 'expires_at' });
const lastingKeys: Table<Claim, 'both'> = table('lasting_keys', claims);

const schema = `
  create table things (
    tenant int4, id text collate "C", version int4 not null, value text check (value <> 'poison'), primary key (tenant, id));
  create table remarks (tenant int4, id text collate "C", text text, primary key (tenant, id));
  create table sheets (tenant int4, id text collate "C", content json, primary key (tenant, id));
  create table expiring_keys (
    tenant int4, key text collate "C", owner text not null, expires_at timestamptz not null default now() + interval '1 hour',
    primary key (tenant, key));
  create table lasting_keys (tenant int4, key text collate "C", owner text not null, primary key (tenant, key));`;

export const tenant = 7;

/** Updates a thing to a new version; conflicts unless the stored one is the version before. */
export const put = (id: string, version: number, value = `${id} ${version}`): Write<'both'> =>
  update(things, { tenant, id, version, value });
export const drop = (id: string, version: number): Write<'both'> => remove(things, { tenant, id, version, value: '' });
export const add = (id: string, value: string): Write<'both'> => insert(things, { tenant, id, version: 1, value });
export const remark = (id: string, text = ''): Write<'both'> => insert(remarks, { tenant, id, text });
export const sheet = (id: string, content: object): Write<'both'> => insert(sheets, { tenant, id, content });
export const claimExpiring = (key: string, owner: string): Write<'both'> => claim(expiringKeys, { tenant, key, owner });
export const claimLasting = (key: string, owner: string): Write<'both'> => claim(lastingKeys, { tenant, key, owner });

export type Batch = { units: number; form: Parameters<CommitObserver['batch']>[1] };

export type World = {
  address: DatabaseAddress;
  sql: Connection;
  /** A committer, and the batches that it made. */
  committer(address?: DatabaseAddress, derived?: readonly Derived[]): { committer: Committer; batches: Batch[] };
  /** Leaves a thing for each of the names, all at version 1, and nothing else. */
  reset(...names: string[]): Promise<void>;
  things(): Promise<Record<string, string>>;
  remarks(): Promise<string[]>;
  /** key → owner */
  claims(table: 'expiring_keys' | 'lasting_keys'): Promise<Record<string, string>>;
  /** Locks a thing, so that writers wait; returns the function that releases it. */
  hold(id: string): Promise<() => Promise<void>>;
  /** The server processes of committers that wait for a lock. */
  blocked(): Promise<number[]>;
  /** Waits until a committer waits for a lock; returns the id of its server process. */
  untilBlocked(): Promise<number>;
  stop(): Promise<void>;
};

/** By default, in a new database. */
export async function openWorld(address?: DatabaseAddress): Promise<World> {
  const database = address === undefined ? await createDatabase() : { address, drop: async () => {} };
  const sql = await connect(database.address, 'test');
  await sql.query(schema);
  const committers: Committer[] = [];
  const rows = async (text: string) => (await sql.query<Record<string, string>>(text)).rows;
  const record = async (text: string) =>
    Object.fromEntries((await rows(text)).map(({ name, value }) => [name, value!]));
  const blocked = async () => {
    const processes = await sql.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database()
          and application_name = 'tollgate commit' and wait_event_type = 'Lock'`,
    );
    return processes.rows.map((row) => row.pid);
  };
  return {
    address: database.address,
    sql,
    committer(through = database.address, derived = []) {
      const batches: Batch[] = [];
      const observer = { batch: (units: number, form: Batch['form']) => void batches.push({ units, form }) };
      const committer = new Committer(through, { observer, derived });
      committers.push(committer);
      return { committer, batches };
    },
    async reset(...names) {
      await sql.query('truncate things, remarks, sheets, expiring_keys, lasting_keys');
      await sql.query(`insert into things select $1, id, 1, id || ' 1' from unnest($2::text[]) id`, [tenant, names]);
    },
    things: () => record('select id as name, value from things order by id'),
    remarks: async () => (await rows('select id from remarks order by id')).map((row) => row.id!),
    claims: (name) => record(`select key as name, owner as value from ${name} order by key`),
    async hold(id) {
      const holder = await connect(database.address, 'test');
      await holder.query('begin');
      await holder.query('select 1 from things where tenant = $1 and id = $2 for update', [tenant, id]);
      return () => holder.end();
    },
    blocked,
    untilBlocked: () =>
      vi.waitFor(
        async () => {
          const [process] = await blocked();
          if (process === undefined) throw new Error('no commit waits for a lock');
          return process;
        },
        { timeout: 10_000, interval: 5 },
      ),
    async stop() {
      await Promise.all(committers.map((committer) => committer.close()));
      await sql.end();
      await database.drop();
    },
  };
}

/** The outcomes of commits: a verdict, or the name of the error. */
export async function fates(commits: Promise<string>[]): Promise<string[]> {
  const settled = await Promise.allSettled(commits);
  return settled.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).constructor.name));
}
