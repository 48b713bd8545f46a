import { insert, save, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { AttemptId } from '../../../connectors/contract.ts';
import type { Attempt, AttemptVerb } from './attempt.ts';
import type { Reader } from './topic.ts';

export const attemptsTable: Table<Attempt> = table('attempts', {
  int4: 'tenant version',
  text: `id payment setup refund dispute verb state connector processor_account reason reference network_transaction_id
    authorization_code avs_result cvc_result decline_code advice request_id`,
  int8: 'amount',
  timestamptz: 'deadline_at finished_at',
  json: 'exchange page',
});

/** A row that another row names. @throws when it is missing, which can only be a bug. */
export async function requireStored<Row extends object>(reader: Reader, table: Table<Row>, id: string): Promise<Row> {
  const row = await reader.reads.one(table, reader.tenant, id);
  if (row === undefined) throw new Error(`there is no row ${id} in ${table.name}`);
  return row;
}

export const requireAttempt = (reader: Reader, id: string) => requireStored(reader, attemptsTable, id);

export const addAttempt = (attempt: Attempt): Write => insert(attemptsTable, attempt);
export const replaceAttempt = (attempt: Attempt): Write => update(attemptsTable, attempt);
export const saveAttempt = (attempt: Attempt): Write => save(attemptsTable, attempt);

/** The attempts of a payment after this one, oldest first: those for its refunds and disputes too. */
export function findAttemptsOf({ reads, tenant }: Reader, payment: string, after: string, limit: number) {
  return reads.rows<Attempt>(
    `select ${attemptsTable.columns.join(', ')} from attempts
      where tenant = $1 and payment = $2 and id > $3 order by tenant, payment, id limit $4`,
    [tenant, payment, after, limit],
  );
}

/** The attempts of a setup, oldest first. */
export function findAttemptsOfSetup({ reads, tenant }: Reader, setup: string, limit: number): Promise<Attempt[]> {
  return reads.rows<Attempt>(
    `select ${attemptsTable.columns.join(', ')} from attempts
      where tenant = $1 and setup = $2 order by tenant, setup, id limit $3`,
    [tenant, setup, limit],
  );
}

/** Whether anything was ever asked of a processor account. */
export async function hasAttemptsAt(reads: Reads, tenant: Tenant, processorAccount: string): Promise<boolean> {
  const text = 'select from attempts where tenant = $1 and processor_account = $2 limit 1';
  return (await reads.rows(text, [tenant, processorAccount])).length > 0;
}

/** The latest attempt of a verb on a payment. */
export async function findLatestAttempt({ reads, tenant }: Reader, payment: string, verb: AttemptVerb) {
  const [latest] = await reads.rows<{ id: AttemptId }>(
    'select id from attempts where tenant = $1 and payment = $2 and verb = $3 order by id desc limit 1',
    [tenant, payment, verb],
  );
  return latest && reads.one(attemptsTable, tenant, latest.id);
}

/** The attempts of a verb on a payment, oldest first. */
export async function findAttemptIds(
  { reads, tenant }: Reader,
  payment: string,
  verb: AttemptVerb,
): Promise<AttemptId[]> {
  const rows = await reads.rows<{ id: AttemptId }>(
    'select id from attempts where tenant = $1 and payment = $2 and verb = $3 order by id',
    [tenant, payment, verb],
  );
  return rows.map(({ id }) => id);
}

/** The attempt to refund a payment, by the processor's own reference. */
export async function findRefundAttempt({ reads, tenant }: Reader, payment: string, reference: string) {
  const [found] = await reads.rows<{ id: AttemptId }>(
    `select id from attempts where tenant = $1 and payment = $2 and verb = 'refund' and reference = $3 limit 1`,
    [tenant, payment, reference],
  );
  return found && reads.one(attemptsTable, tenant, found.id);
}

/** Whether a refund of a payment was sent whose name at the processor is not known yet. */
export async function hasRefundWithoutReference({ reads, tenant }: Reader, payment: string): Promise<boolean> {
  const text = `select from attempts
     where tenant = $1 and payment = $2 and verb = 'refund' and reference is null and state in ('open', 'unknown') limit 1`;
  return (await reads.rows(text, [tenant, payment])).length > 0;
}

/** The attempts that were made for any of these objects themselves, before an id, newest first. */
export function findAttemptsFor(
  { reads, tenant }: Reader,
  { ids, before, limit }: { ids: readonly string[]; before: string; limit: number },
): Promise<Attempt[]> {
  const columns = attemptsTable.columns.join(', ');
  const of = (column: string, more = '') => `(
      select ${columns} from attempts a
       where a.tenant = $1 and a.${column} = x.id and a.id < $3 ${more} order by a.${column} desc, a.id desc limit $4)`;
  return reads.rows<Attempt>(
    `select found.* from unnest($2::text[]) as x (id)
      cross join lateral (${of('payment', 'and a.refund is null and a.dispute is null')}
        union all ${of('refund')} union all ${of('dispute')} union all ${of('setup')}) found
      order by found.id desc limit $4`,
    [tenant, ids, before, limit],
  );
}
