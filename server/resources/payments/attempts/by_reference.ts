import type { Context } from '../../../operations/operation.ts';
import type { Attempt } from './attempt.ts';
import { attemptsTable } from './store.ts';

/**
 * The attempts that a processor knows by its own reference. Those at a processor account have an index; a processor in this process can
 * tell the attempt from the reference.
 */
export async function findAttemptsByReference(
  { reads, tenant, connectors }: Pick<Context, 'reads' | 'tenant' | 'connectors'>,
  reference: string | undefined,
  limit: number,
): Promise<Attempt[]> {
  if (reference === undefined) return [];
  const told = connectors.all.flatMap((connector) => connector.attemptOf?.(reference) ?? []);
  const [local, remote] = await Promise.all([
    Promise.all(told.map((id) => reads.one(attemptsTable, tenant, id))),
    reads.rows<Attempt>(
      `select ${attemptsTable.columns.join(', ')} from attempts
        where tenant = $1 and reference = $2 and processor_account is not null limit $3`,
      [tenant, reference, limit],
    ),
  ]);
  return [...local.filter((attempt) => attempt !== undefined), ...remote];
}
