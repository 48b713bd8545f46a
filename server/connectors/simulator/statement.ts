import type { Money } from '../../base/money.ts';
import type { SqlAt } from '../../base/places/sql_at.ts';
import { inPages } from '../../base/sql.ts';
import type { ProcessorAccountId, StatementLine } from '../contract.ts';

const pageLines = 1_000;

type StatementRow = Omit<StatementLine, 'money' | 'payout'> & Money & { payout: string | null; place: string };

/** The processor's books of one account, or of everything without an account, oldest first at each place. */
export async function* statement(
  durable: SqlAt,
  account: ProcessorAccountId | null,
  { from, to, now }: { from: Date; to: Date; now: number },
): AsyncGenerator<StatementLine[], void, undefined> {
  const values = [from, to, account, new Date(now)];
  for (const { sql } of durable.places('tenant'))
    for await (const rows of inPages<StatementRow>(sql, statementText, values, pageLines)) yield rows.map(lineOf);
}

function lineOf({ amount, currency, payout, place: _, ...line }: StatementRow): StatementLine {
  return { ...line, money: { amount, currency }, ...(payout === null ? {} : { payout }) };
}

/** Of a payment 1.5%, at least 1. Everything else is free. */
const feeSql = `case when kind = 'payment' then greatest((amount * 15 + 999) / 1000, 1) else 0 end`;
const grossSql = `case when kind in ('payment', 'dispute_reversal') then amount else -amount end`;
const netSql = `${grossSql} - ${feeSql}`;

/** The net of a UTC day is available two days later, and paid out at that moment. */
const availableSql = `(date_trunc('day', at at time zone 'UTC') + interval '2 days') at time zone 'UTC'`;
const payoutSql = `'sim_po_' || tenant || '_' || to_char(at at time zone 'UTC', 'YYYYMMDD') || '_' || currency
  || coalesce('_' || substr(account, 4), '')`;

/**
 * Movements of money of all tenants. A canceled charge has no line, and neither has its cancel. The cancel is looked up
 * with a scalar subquery, line by line: for `not exists`, PostgreSQL would first build a hash of all cancels in memory.
 */
const movements = (from: string, to: string) => `
  select tenant, account, attempt, amount, currency, at,
         case verb when 'refund' then 'refund' when 'dispute' then 'dispute' when 'close' then 'dispute_reversal' else 'payment'
         end as kind,
         case when verb in ('dispute', 'close') then reference when verb = 'decide' then authorization_attempt
              when attempt not like '%/by\\_hand\\_%' then attempt when verb = 'refund' then reference else authorization_attempt
         end as reference
    from simulator_entries as entry
   where tenant > 0 and account is not distinct from $3
     and result = 'approved' and (captures or verb in ('capture', 'refund', 'dispute', 'close'))
     and at >= ${from} and at < ${to}
     and (verb <> 'close' or verdict = 'won')
     and (verb in ('refund', 'dispute', 'close') or (
           select true from simulator_entries as other
            where other.tenant = entry.tenant and other.authorization_attempt = entry.authorization_attempt
              and other.sequence > 0 and other.verb = 'cancel' and other.result = 'approved'
            limit 1) is null)`;

/** A day that brought less than it cost is collected from the merchant: its payout has a net above zero. */
const statementText = `
  select tenant, kind, reference, amount, currency, at, ${grossSql} as gross, ${feeSql} as fee, ${netSql} as net,
         ${availableSql} as "availableOn", case when ${availableSql} <= $4 then ${payoutSql} end as payout, attempt as place
    from (${movements('$1', '$2')}) as moved
  union all
  select tenant, 'payout', name, abs(sum(net))::int8, currency, available, -sum(net)::int8, 0, -sum(net)::int8, available, null, name
    from (select *, ${netSql} as net, ${availableSql} as available, ${payoutSql} as name
            from (${movements(`$1::timestamptz - interval '48 hours'`, `$2::timestamptz - interval '24 hours'`)}) as moved) as paid
   where available >= $1 and available < $2 and available <= $4
   group by tenant, name, currency, available
   order by at, tenant, place`;
