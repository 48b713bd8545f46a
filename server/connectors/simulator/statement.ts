import type { Tenant } from '../../base/reads.ts';
import { type Pool, query } from '../../base/sql.ts';
import type { StatementLine } from '../contract.ts';

const pageLines = 1_000;

type Line = {
  tenant: Tenant;
  attempt: string;
  kind: StatementLine['kind'];
  reference: string;
  amount: number;
  currency: string;
  at: Date;
};

type Position = Pick<Line, 'at' | 'tenant' | 'attempt'>;

/** The processor's books, oldest first. A page is a range of the index by time, so its cost does not depend on what went before. */
export async function* statement(
  pool: Pool,
  { from, to }: { from: Date; to: Date },
): AsyncGenerator<StatementLine[], void, undefined> {
  let after: Position | undefined = { at: from, tenant: 0 as Tenant, attempt: '' }; // tenants count from 1
  while (after !== undefined) {
    const lines: Line[] = await linesAfter(pool, after, to);
    if (lines.length > 0) yield lines.map(shown);
    after = lines.length < pageLines ? undefined : lines.at(-1);
  }
}

function shown({ tenant, kind, reference, amount, currency, at }: Line): StatementLine {
  return { tenant, kind, reference, money: { amount, currency }, at };
}

/**
 * Of all tenants. A charge that was canceled never was one: it has no line, and neither has its cancel. The cancel is looked for
 * with a scalar subquery, line by line: for `not exists`, PostgreSQL would gather all cancels there ever were in memory first.
 */
function linesAfter(pool: Pool, after: Position, to: Date): Promise<Line[]> {
  return query<Line>(
    pool,
    `select tenant, attempt, amount, currency, at,
            case verb when 'refund' then 'refund' when 'dispute' then 'dispute' when 'close' then 'dispute_reversal' else 'payment'
            end as kind,
            case when verb in ('dispute', 'close') then reference when verb = 'decide' then authorization_attempt else attempt
            end as reference
       from simulator.entries as entry
      where result = 'approved' and (captures or verb in ('capture', 'refund', 'dispute', 'close'))
        and at >= $1 and at < $4 and (at, tenant, attempt) > ($1, $2::int4, $3)
        and (verb <> 'close' or verdict = 'won')
        and (verb in ('refund', 'dispute', 'close') or (
              select true from simulator.entries as other
               where other.tenant = entry.tenant and other.authorization_attempt = entry.authorization_attempt
                 and other.sequence > 0 and other.verb = 'cancel' and other.result = 'approved'
               limit 1) is null)
      order by at, tenant, attempt
      limit $5`,
    [after.at, after.tenant, after.attempt, to, pageLines],
  );
}
