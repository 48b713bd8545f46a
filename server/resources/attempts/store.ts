import { insert, save, table, update, type Write } from '../../base/commit/index.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
import type { AttemptId } from '../../connectors/contract.ts';
import type { Attempt, AttemptVerb } from './attempt.ts';

const attemptsTable = table<Attempt>(
  'attempts',
  {
    tenant: 'int4',
    id: 'text',
    version: 'int4',
    payment: 'text',
    refund: 'text',
    dispute: 'text',
    verb: 'text',
    state: 'text',
    amount: 'int8',
    connector: 'text',
    deadline_at: 'timestamptz',
    reference: 'text',
    network_transaction_id: 'text',
    authorization_code: 'text',
    avs_result: 'text',
    cvc_result: 'text',
    decline_code: 'text',
    exchange: 'json',
    request_id: 'text',
  },
  { key: ['tenant', 'id'] },
);

export type AttemptReader = { reads: Reads; tenant: Tenant };

export function findAttempt(reads: Reads, tenant: Tenant, id: AttemptId): Promise<Attempt | undefined> {
  return reads.one(attemptsTable, tenant, id);
}

/** An attempt that another row names: it is there. */
export async function requireAttempt(reads: Reads, tenant: Tenant, id: string): Promise<Attempt> {
  const attempt = await findAttempt(reads, tenant, id as AttemptId);
  if (attempt === undefined) throw new Error(`there is no attempt ${id}`);
  return attempt;
}

export const addAttempt = (attempt: Attempt): Write => insert(attemptsTable, attempt);
export const replaceAttempt = (attempt: Attempt): Write => update(attemptsTable, attempt);
export const saveAttempt = (attempt: Attempt): Write => save(attemptsTable, attempt);

/** The latest attempt of a verb on a payment. */
export async function findLatestAttempt(
  reads: Reads,
  tenant: Tenant,
  payment: string,
  verb: AttemptVerb,
): Promise<Attempt | undefined> {
  const [latest] = await reads.rows<{ id: AttemptId }>(
    'select id from attempts where tenant = $1 and payment = $2 and verb = $3 order by id desc limit 1',
    [tenant, payment, verb],
  );
  return latest && findAttempt(reads, tenant, latest.id);
}
