import { idTime } from '../base/id.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Tenant } from '../base/reads.ts';
import { inTransaction, type Pool, query, type Row, type Sql } from '../base/sql.ts';
import { leafSql } from './lines.ts';

/** A backlog is sealed in steps of about this many postings, so that transactions stay short. */
const stepPostingsMax = 20_000;
const idlePatience = '10s'; // a frozen instance must not keep the others from sealing

export const firstSeal = Buffer.alloc(32);

export type Block = {
  tenant: Tenant;
  number: number;
  from_position: number;
  to_position: number;
  leaves: Buffer;
};

/** Every part has a fixed width, except the leaves at the end: two different blocks never have the same bytes. */
export function sealOf(keyring: Keyring, before: Buffer, block: Block): Buffer {
  const head = Buffer.alloc(28);
  head.writeInt32BE(block.tenant, 0);
  for (const [at, value] of [block.number, block.from_position, block.to_position].entries())
    head.writeBigInt64BE(BigInt(value), 4 + 8 * at);
  return keyring.hmac('ledger', Buffer.concat([before, head, block.leaves]));
}

/** Below the position of the oldest running transaction, no posting will be added, and this statement sees all of them. */
const finalSql = 'pg_snapshot_xmin(pg_current_snapshot())::text::int8';

/**
 * Whether there is something to seal. `order by` makes the planner use the index: without it, the planner expects to find such a row
 * soon, and reads the whole table when there is none.
 */
export async function unsealed(pool: Pool): Promise<Unsealed> {
  const [row] = await query<{ waiting: boolean | null }>(
    pool,
    `select (select p.position from postings p where p.position >= s.sealed_to order by p.position limit 1)
              < ${finalSql} + s.offset_by as waiting
       from ledger_sealer s`,
    [],
    'ledger_has_unsealed',
  );
  return row?.waiting == null ? 'none' : row.waiting ? 'ready' : 'held';
}

/** When postings were sealed last, epoch milliseconds; undefined when none ever were. The index gives the last block of each tenant. */
export async function lastSealedAt(pool: Pool | Sql): Promise<number | undefined> {
  const [row] = await query<{ at: Date | null }>(
    pool,
    `with recursive tenants_sealed as (
       (select tenant from ledger_blocks order by tenant limit 1)
       union all
       select (select b.tenant from ledger_blocks b where b.tenant > s.tenant order by b.tenant limit 1)
         from tenants_sealed s where s.tenant is not null)
     select max(last.sealed_at) as at from tenants_sealed s
       cross join lateral (select sealed_at from ledger_blocks b where b.tenant = s.tenant order by number desc limit 1) last`,
    [],
  );
  return row?.at?.getTime();
}

/** For how many seconds the oldest posting has waited to be sealed; 0 when all are sealed. */
export async function unsealedSeconds(pool: Pool): Promise<number> {
  const [row] = await query<{ id: string; now: string }>(
    pool,
    `select p.id, extract(epoch from now()) as now from ledger_sealer s, postings p
      where p.position >= s.sealed_to order by p.position limit 1`,
    [],
    'ledger_unsealed_seconds',
  );
  return row === undefined ? 0 : Math.max(0, Number(row.now) - idTime(row.id) / 1_000);
}

/** held: an older transaction is still running, and could commit postings with lower positions. */
export type Unsealed = 'none' | 'ready' | 'held';

/** full: sealed as many as one step takes, and more are left. busy: another instance is sealing. */
type SealOutcome = 'full' | 'sealed' | 'nothing' | 'busy';

/**
 * Seals the next postings, of all tenants, in one transaction: blocks, balances and the new end are written together or not at all, so
 * a sealer may be killed between any two statements.
 */
export async function sealStep(
  pool: Pool,
  keyring: Keyring,
  postingsMax: number = stepPostingsMax,
): Promise<SealOutcome> {
  const begin = `begin isolation level read committed; set local idle_in_transaction_session_timeout = '${idlePatience}'`;
  return inTransaction(pool, (client) => sealNext(client, keyring, postingsMax), begin);
}

async function sealNext(
  sql: Sql,
  keyring: Keyring,
  postingsMax: number,
): Promise<{ isKept: boolean; result: SealOutcome }> {
  const [sealer] = await query<{ sealed_to: number; offset_by: number }>(
    sql,
    'select sealed_to, offset_by from ledger_sealer for update skip locked',
    [],
    'ledger_lock_sealer',
  );
  if (sealer === undefined) return { isKept: false, result: 'busy' };
  const open = await gather(sql, sealer.sealed_to, sealer.offset_by, postingsMax);
  if (open.length === 0) return { isKept: false, result: 'nothing' };
  await write(
    sql,
    sealer.sealed_to,
    open.map(({ is_full: _, last_number, last_seal, ...rest }) => {
      const block = { ...rest, number: (last_number ?? 0) + 1, from_position: sealer.sealed_to };
      return { ...block, seal: sealOf(keyring, last_seal ?? firstSeal, block) };
    }),
  );
  return { isKept: true, result: open[0]!.is_full ? 'full' : 'sealed' };
}

type Open = Row &
  Pick<Block, 'tenant' | 'leaves' | 'to_position'> & {
    is_full: boolean;
    last_number: number | null;
    last_seal: Buffer | null;
  };

/**
 * The leaves of each tenant, with the block that they follow. A separate statement after the lock, so that it sees the commit of the
 * previous sealer. The range ends before the first posting beyond the maximum, but never within its first position, since a position is
 * not divided.
 */
function gather(sql: Sql, from: number, offset: number, postingsMax: number): Promise<Open[]> {
  return query<Open>(
    sql,
    `with final as (select ${finalSql} + $2 as position),
     step as materialized (
       select coalesce(
         (select greatest(p.position, (select min(position) + 1 from postings where position >= $1))
            from postings p where p.position >= $1 and p.position < f.position order by p.position offset $3 limit 1),
         f.position) as to_position
       from final f),
     gathered as (
       select tenant, string_agg(${leafSql}, ''::bytea order by position, id) as leaves
         from postings where position >= $1 and position < (select to_position from step) group by tenant)
     select g.tenant, g.leaves, step.to_position, step.to_position < final.position as is_full, last.number as last_number, last.seal as last_seal
       from gathered g cross join step cross join final
       left join lateral (select b.number, b.seal from ledger_blocks b
                           where b.tenant = g.tenant order by b.number desc limit 1) last on true`,
    [from, offset, postingsMax],
    'ledger_gather',
  );
}

async function write(sql: Sql, from: number, blocks: readonly (Block & { seal: Buffer })[]): Promise<void> {
  const to = blocks[0]!.to_position;
  await query(
    sql,
    `with moved as (
       select tenant, credit as account, currency, available_on, amount from postings where position >= $1 and position < $2
       union all
       select tenant, debit, currency, available_on, -amount from postings where position >= $1 and position < $2),
     summed as (
       insert into ledger_balances as b (tenant, account, currency, available_on, amount)
       select tenant, account, currency, available_on, sum(amount) from moved group by 1, 2, 3, 4
       on conflict (tenant, account, currency, available_on) do update set amount = b.amount + excluded.amount),
     sealed as (
       insert into ledger_blocks (tenant, number, from_position, to_position, leaves, seal)
       select tenant, number, $1, $2, leaves, seal
         from unnest($3::int4[], $4::int8[], $5::bytea[], $6::bytea[]) as x (tenant, number, leaves, seal))
     update ledger_sealer set sealed_to = $2`,
    [
      from,
      to,
      blocks.map(({ tenant }) => tenant),
      blocks.map(({ number }) => number),
      blocks.map(({ leaves }) => leaves),
      blocks.map(({ seal }) => seal),
    ],
    'ledger_seal',
  );
}
