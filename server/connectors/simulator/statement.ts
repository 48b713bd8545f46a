import type { Tenant } from '../../base/reads.ts';
import { inPages, type Pool } from '../../base/sql.ts';
import type { StatementLine } from '../contract.ts';

const pageLines = 1_000;

type StatementRow = {
  tenant: Tenant;
  kind: StatementLine['kind'];
  reference: string;
  amount: number;
  currency: string;
  at: Date;
};

/** The processor's books, oldest first. */
export async function* statement(
  pool: Pool,
  { from, to }: { from: Date; to: Date },
): AsyncGenerator<StatementLine[], void, undefined> {
  for await (const lines of inPages<StatementRow>(pool, linesText, [from, to], pageLines)) yield lines.map(shown);
}

function shown({ tenant, kind, reference, amount, currency, at }: StatementRow): StatementLine {
  return { tenant, kind, reference, money: { amount, currency }, at };
}

/**
 * Of all tenants. A charge that was canceled never was one: it has no line, and neither has its cancel. The cancel is looked for
 * with a scalar subquery, line by line: for `not exists`, PostgreSQL would gather all cancels there ever were in memory first.
 */
const linesText = `
  select tenant, amount, currency, at,
         case verb when 'refund' then 'refund' when 'dispute' then 'dispute' when 'close' then 'dispute_reversal' else 'payment'
         end as kind,
         case when verb in ('dispute', 'close') then reference when verb = 'decide' then authorization_attempt else attempt
         end as reference
    from simulator.entries as entry
   where tenant > 0 and result = 'approved' and (captures or verb in ('capture', 'refund', 'dispute', 'close'))
     and at >= $1 and at < $2
     and (verb <> 'close' or verdict = 'won')
     and (verb in ('refund', 'dispute', 'close') or (
           select true from simulator.entries as other
            where other.tenant = entry.tenant and other.authorization_attempt = entry.authorization_attempt
              and other.sequence > 0 and other.verb = 'cancel' and other.result = 'approved'
            limit 1) is null)
   order by at, tenant, attempt`;
