import type { KeyObject } from 'node:crypto';
import type { PlaceConnection } from '../base/places/connections.ts';
import type { Tenant } from '../base/reads.ts';
import type { Connection } from '../base/sql.ts';
import { type Field, fieldContext, openBytes, sealBytes } from './envelope.ts';

/** The keys of one tenant by version, and the version that everything moves to. */
export type Move = { tenant: Tenant; target: number; keys: ReadonlyMap<number, KeyObject> };

export const sealedKinds = ['cards', 'cvcs', 'secrets'] as const;
type SealedKind = (typeof sealedKinds)[number];

/** A card's version is counted up, so that a write guarded by the old row is decided again. The others have no version that moves. */
const sealedTables: Record<SealedKind, { table: string; field: Field; bump: string }> = {
  cards: { table: 'vault_cards', field: 'number', bump: ', version = t.version + 1' },
  cvcs: { table: 'vault_cvcs', field: 'cvc', bump: '' },
  secrets: { table: 'vault_secrets', field: 'secret', bump: '' },
};

export const batchRows = 500; // some milliseconds of work: no request waits longer for a row

/**
 * Seals everything of a tenant again that is under an older key, in batches that each commit. Rows that are locked are skipped: this
 * side never waits for a row while it holds others, so it cannot deadlock. The caller comes back for them.
 */
export async function reencrypt(
  { sql, change }: PlaceConnection,
  kind: SealedKind,
  move: Move,
  done: (rows: number) => void,
): Promise<{ rows: number; unreadable: string[] }> {
  const moved = { rows: 0, unreadable: [] as string[] };
  for (let after = ''; ; ) {
    const batch = await change([move.tenant], () => moveBatch(sql, kind, move, after));
    moved.rows += batch.rows;
    moved.unreadable.push(...batch.unreadable);
    if (batch.rows > 0) done(batch.rows);
    if (batch.last === undefined) return moved;
    after = batch.last;
  }
}

type OldRow = { id: string; key_version: number; sealed: Buffer };

async function moveBatch(client: Connection, kind: SealedKind, move: Move, after: string) {
  const { tenant, target } = move;
  const { table, field, bump } = sealedTables[kind];
  const { rows } = await client.query<OldRow>(
    `select id, key_version, sealed from ${table}
      where tenant = $1 and id > $2 and key_version < $3 order by id limit ${batchRows} for update skip locked`,
    [tenant, after, target],
  );
  const fresh: OldRow[] = [];
  const unreadable: string[] = [];
  for (const row of rows) {
    const sealed = sealAgain(row, field, move);
    if (sealed === undefined) unreadable.push(row.id);
    else fresh.push({ ...row, sealed });
  }
  if (fresh.length > 0)
    await client.query(
      `update ${table} t set key_version = $2, sealed = x.sealed${bump}
         from unnest($3::text[], $4::int4[], $5::bytea[]) as x (id, key_version, sealed)
        where t.tenant = $1 and t.id = x.id and t.key_version = x.key_version`,
      [tenant, target, fresh.map((row) => row.id), fresh.map((row) => row.key_version), fresh.map((row) => row.sealed)],
    );
  return { rows: fresh.length, unreadable, last: rows.length < batchRows ? undefined : rows.at(-1)!.id };
}

/** Undefined when the row does not open: the row and its key stay as they are. */
function sealAgain(row: OldRow, field: Field, { tenant, target, keys }: Move): Buffer | undefined {
  const place = { tenant, id: row.id, field };
  const old = keys.get(row.key_version);
  const plain = old && openBytes(old, fieldContext({ ...place, keyVersion: row.key_version }), row.sealed);
  if (plain === undefined) return undefined;
  const sealed = sealBytes(keys.get(target)!, fieldContext({ ...place, keyVersion: target }), plain);
  plain.fill(0);
  return sealed;
}
