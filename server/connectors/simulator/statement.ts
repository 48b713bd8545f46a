import type { Money } from '../../base/money.ts';
import { inPages, type Pool } from '../../base/sql.ts';
import type { StatementLine } from '../contract.ts';

const pageLines = 1_000;

/** The processor's books, oldest first. */
export async function* statement(
  pool: Pool,
  { from, to }: { from: Date; to: Date },
): AsyncGenerator<StatementLine[], void, undefined> {
  for await (const rows of inPages<Omit<StatementLine, 'money'> & Money>(pool, linesText, [from, to], pageLines))
    yield rows.map(({ amount, currency, ...line }) => ({ ...line, money: { amount, currency } }));
}

/**
 * Lines of all tenants. A canceled charge has no line, and neither has its cancel. The cancel is looked up with a scalar subquery, line
 * by line: for `not exists`, PostgreSQL would first build a hash of all cancels in memory.
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
