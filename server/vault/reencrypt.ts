import type { KeyObject } from 'node:crypto';
import type { Tenant } from '../base/reads.ts';
import type { Connection } from '../base/sql.ts';
import { type Field, openField, sealField } from './fields.ts';

/** The keys of one tenant by version, and the version that everything moves to. */
export type Move = { tenant: Tenant; target: number; keys: ReadonlyMap<number, KeyObject> };

export type SealedKind = 'vault_cards' | 'vault_cvcs' | 'vault_secrets';
export type Moved = { rows: number; unreadable: string[] };

const fields: Record<SealedKind, Field> = { vault_cards: 'number', vault_cvcs: 'cvc', vault_secrets: 'secret' };
/** A card's version moves on, so that a guarded write which was decided on the old row is decided anew. The others have none. */
const bumps: Record<SealedKind, string> = {
  vault_cards: ', version = t.version + 1',
  vault_cvcs: '',
  vault_secrets: '',
};

export const batchRows = 500; // some milliseconds of work: nobody waits longer for a row

/**
 * Seals everything of a tenant anew that lies under an older key, in batches that each commit. A row that somebody else holds is
 * passed over: this side never waits for a row while it holds others, so it deadlocks with nobody. The caller comes again for it.
 */
export async function reencrypt(
  client: Connection,
  kind: SealedKind,
  move: Move,
  done: (rows: number) => void,
): Promise<Moved> {
  const moved: Moved = { rows: 0, unreadable: [] };
  for (let after = ''; ; ) {
    const batch = await inBatch(client, () => moveBatch(client, kind, move, after));
    moved.rows += batch.rows;
    moved.unreadable.push(...batch.unreadable);
    if (batch.rows > 0) done(batch.rows);
    if (batch.last === undefined) return moved;
    after = batch.last;
  }
}

async function inBatch<T>(client: Connection, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {}); // a broken connection has rolled back already
    throw error;
  }
}

type OldRow = { id: string; key_version: number; sealed: Buffer };

async function moveBatch(
  client: Connection,
  kind: SealedKind,
  { tenant, target, keys }: Move,
  after: string,
): Promise<Moved & { last: string | undefined }> {
  const { rows } = await client.query<OldRow>(
    `select id, key_version, sealed from ${kind}
      where tenant = $1 and id > $2 and key_version < $3 order by id limit ${batchRows} for update skip locked`,
    [tenant, after, target],
  );
  const last = rows.length < batchRows ? undefined : rows.at(-1)!.id;
  const fresh: OldRow[] = [];
  const unreadable: string[] = [];
  for (const row of rows) {
    const sealed = sealAnew(row, { field: fields[kind], tenant, target, keys });
    if (sealed === undefined) unreadable.push(row.id);
    else fresh.push({ ...row, sealed });
  }
  if (fresh.length > 0)
    await client.query(
      `update ${kind} t set key_version = $2, sealed = x.sealed${bumps[kind]}
         from unnest($3::text[], $4::int4[], $5::bytea[]) as x (id, key_version, sealed)
        where t.tenant = $1 and t.id = x.id and t.key_version = x.key_version`,
      [tenant, target, fresh.map((row) => row.id), fresh.map((row) => row.key_version), fresh.map((row) => row.sealed)],
    );
  return { rows: fresh.length, unreadable, last };
}

/** Undefined when the row does not open: it stays as it is, and its key with it. */
function sealAnew(row: OldRow, { field, tenant, target, keys }: Move & { field: Field }): Buffer | undefined {
  const place = { tenant, id: row.id, field };
  const old = keys.get(row.key_version);
  const plain = old && openField(old, { ...place, keyVersion: row.key_version }, row.sealed);
  if (plain === undefined) return undefined;
  const sealed = sealField(keys.get(target)!, { ...place, keyVersion: target }, plain);
  plain.fill(0);
  return sealed;
}
