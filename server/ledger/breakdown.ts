import { firstIdAt } from '../base/id.ts';
import type { Reads, Tenant } from '../base/reads.ts';
import type { PostingKind } from './chart.ts';

/** The days whose movements are listed separately, as YYYY-MM-DD, from the first to the last. Movements of later days are pending. */
export type Window = { from: string; to: string };

/** What the balance of a currency is made of. Sums are exact decimals: they may exceed a double. */
export type BalanceParts = {
  currency: string;
  /** What was available at the end of the day before the window. */
  opening: string;
  /** What has become available within the window, by what has moved it. Together with `opening` it is what is available. */
  payments: string;
  fees: string;
  refunds: string;
  disputes: string;
  disputed: string;
  /** What becomes available on later days, in their order. */
  upcoming: { day: string; amount: string }[];
};

/** Refunds and disputes are posted for the day on which they are made: their ids tell where to look. */
const taken = {
  refunds: ['refund', 'refund_failure', 'refund_bounce', 'refund_correction'],
  disputes: ['dispute', 'dispute_reversal'],
} as const satisfies Record<string, readonly PostingKind[]>;

const takenKinds = Object.values(taken).flat();
const dayMs = 86_400_000;

/**
 * The balance as `balanceOf` has it, with its parts, on one snapshot. The sums that are stored have no kind: refunds and disputes of the
 * window are read, fees are those of the account that they go to, and payments are what is left. The cost grows with the refunds and
 * disputes of the window, and not with its payments.
 */
export function balancePartsOf(reads: Reads, tenant: Tenant, { from, to }: Window): Promise<BalanceParts[]> {
  return reads.rows<BalanceParts>(statement, [
    tenant,
    from,
    to,
    firstIdAt('txn', Date.parse(from) - dayMs),
    takenKinds,
  ]);
}

const signed = `case when credit = 'balance' then amount else -amount end`;
const takenSql = (kinds: readonly string[]) =>
  `coalesce(sum(${signed}) filter (where kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})), 0)`;

const statement = `
  with since as materialized (
    select p.debit, p.credit, p.amount, p.currency, p.available_on from postings p
     where p.tenant + 0 = $1 and p.position >= (select s.sealed_to from ledger_sealer s)
       and p.position < 9223372036854775807),
  moved as (
    select b.account, b.currency, b.available_on, b.amount from ledger_balances b
     where b.tenant = $1 and b.account in ('balance', 'disputed', 'fees')
    union all select credit, currency, available_on, amount from since where credit in ('balance', 'disputed', 'fees')
    union all select debit, currency, available_on, -amount from since where debit in ('balance', 'disputed', 'fees')),
  sums as (
    select currency,
           coalesce(sum(amount) filter (where account = 'balance' and available_on < $2::date), 0) as opening,
           coalesce(sum(amount) filter (where account = 'balance' and available_on between $2::date and $3::date), 0) as change,
           coalesce(sum(-amount) filter (where account = 'fees' and available_on between $2::date and $3::date), 0) as fees,
           coalesce(sum(amount) filter (where account = 'disputed'), 0) as disputed
      from moved group by currency),
  later as (
    select currency, json_agg(json_build_object('day', day, 'amount', amount) order by day) as upcoming
      from (select currency, to_char(available_on, 'YYYY-MM-DD') as day, sum(amount)::text as amount from moved
             where account = 'balance' and available_on > $3::date group by currency, available_on
            having sum(amount) <> 0) as days
     group by currency),
  taken as (
    select currency, ${takenSql(taken.refunds)} as refunds, ${takenSql(taken.disputes)} as disputes
      from unnest($5::text[]) as x (wanted)
     cross join lateral (
       select p.kind, p.credit, p.amount, p.currency from postings p
        where p.tenant = $1 and p.kind = x.wanted and p.id >= $4 and p.available_on between $2::date and $3::date) as found
     group by currency)
  select s.currency, s.opening::text, s.fees::text, s.disputed::text,
         coalesce(t.refunds, 0)::text as refunds, coalesce(t.disputes, 0)::text as disputes,
         (s.change - s.fees - coalesce(t.refunds, 0) - coalesce(t.disputes, 0))::text as payments,
         coalesce(l.upcoming, '[]') as upcoming
    from sums s left join taken t using (currency) left join later l using (currency)
   order by s.currency collate "C"`;
