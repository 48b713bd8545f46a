import type { Table } from '../../../base/commit/index.ts';
import { type Pool, query } from '../../../base/sql.ts';
import type { ResourceGauge } from '../../../operations/gauge.ts';
import type { AttemptVerb } from './attempt.ts';

/** The calls about one kind of object whose outcome is unknown: how many, and for how long. Calls that are still in flight do not count. */
export function unknownOutcomes(kind: string, verbs: readonly AttemptVerb[]): ResourceGauge[] {
  return [
    {
      name: 'tollgate_unknown_outcomes',
      help: 'Calls to processors whose outcome is unknown, by the kind of object. The processor is asked until it is known.',
      labels: { kind },
      read: async (pool) => (await unknown(pool, kind, verbs)).calls,
    },
    {
      name: 'tollgate_unknown_outcome_oldest_seconds',
      help: 'Time since the deadline of the oldest call whose outcome is unknown; 0 without any.',
      labels: { kind },
      read: async (pool) => Number((await unknown(pool, kind, verbs)).oldest_seconds ?? 0),
    },
  ];
}

async function unknown(
  pool: Pool,
  kind: string,
  verbs: readonly AttemptVerb[],
): Promise<{ calls: number; oldest_seconds: string | null }> {
  const [row] = await query<{ calls: number; oldest_seconds: string | null }>(
    pool,
    `select count(*) as calls, extract(epoch from now() - min(deadline_at)) as oldest_seconds from attempts
      where state in ('open', 'unknown') and deadline_at < now() and verb = any($1) and (setup is not null) = $2`,
    [verbs, kind === 'setup'],
    'attempts_unknown',
  );
  return row!;
}

/** The objects that need attention: listed by `tollgate payments unsettled`. */
export function needsPerson(
  kind: string,
  { name }: Pick<Table, 'name'>,
  condition = 'flagged_at is not null',
): ResourceGauge {
  return {
    name: 'tollgate_needs_person',
    help: 'Payments, setups, refunds, disputes and invoices that only a person can settle, by kind.',
    labels: { kind },
    async read(pool) {
      const [row] = await query<{ flagged: number }>(
        pool,
        `select count(*) as flagged from ${name} where ${condition}`,
        [],
      );
      return row!.flagged;
    },
  };
}
