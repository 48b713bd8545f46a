import { firstIdAt } from '../../../base/id.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { BreakdownName, BreakdownSource } from '../../../operations/extension_points/statistics.ts';

/** So many payments are counted at most, the newest of the range: a request costs no more than this, whatever the range. */
export const paymentsMax = 1_000_000;
/** So many are counted by one statement: it holds a connection that everybody's reads share. */
const stepRowsMax = 50_000;
/** So many values of a currency are shown, and all others as one. */
export const valuesMax = 20;

export type Tally = { payments: number; succeeded: number; failed: number; volume: number };
/** The payments of a currency that have a value; null: that have none. */
export type ValueTally = Tally & { currency: string; value: string | null };

/** The payments of one currency, status and value in a step, and the oldest of them. */
type StepCount = {
  currency: string;
  status: string;
  value: string | null;
  count: number;
  amount: string;
  oldest: string;
};

type BreakdownWish = { from: number; to: number; by: BreakdownName };
export type WalkLimits = { rowsMax?: number; stepRows?: number; isLate?: (() => boolean) | undefined };

/** Counts the payments of a range by a value, newest first, in steps. Not complete: it has stopped at a limit. */
export async function readTallies(
  { reads, tenant }: { reads: Reads; tenant: Tenant },
  { table, prefix, amount, values }: BreakdownSource,
  { from, to, by }: BreakdownWish,
  { rowsMax = paymentsMax, stepRows = stepRowsMax, isLate = () => false }: WalkLimits = {},
): Promise<{ tallies: ValueTally[]; isComplete: boolean }> {
  const { value, status } = values[by];
  const text = `select currency, status, value, count(*) as count, sum(amount) as amount, min(id) as oldest from (
      select id, currency, status, ${value} as value, ${amount} as amount from ${table.name}
       where tenant = $1 and id >= $2 and id < $3 ${status === undefined ? '' : `and status = '${status}'`}
       order by id desc limit $4) as step
    group by currency, status, value`;
  const found = new Map<string, ValueTally>();
  const first = firstIdAt(prefix, from * 1_000);
  let before: string = firstIdAt(prefix, to * 1_000);
  for (let counted = 0; counted < rowsMax && !isLate(); ) {
    const limit = Math.min(stepRows, rowsMax - counted);
    const step = await reads.rows<StepCount>(text, [tenant, first, before, limit]);
    let rows = 0;
    for (const one of step) {
      addTo(found, one);
      rows += one.count;
      if (one.oldest < before) before = one.oldest;
    }
    if (rows < limit) return { tallies: [...found.values()], isComplete: true };
    counted += rows;
  }
  const isComplete = !isLate() && (await reads.rows(text, [tenant, first, before, 1])).length === 0;
  return { tallies: [...found.values()], isComplete };
}

function addTo(found: Map<string, ValueTally>, { currency, status, value, count, amount }: StepCount): void {
  const key = JSON.stringify([currency, value]);
  const added = {
    payments: count,
    succeeded: status === 'succeeded' ? count : 0,
    failed: status === 'failed' ? count : 0,
    volume: Number(amount),
  };
  found.set(key, { currency, value, ...sumOf([found.get(key) ?? nothing, added]) });
}

const nothing: Tally = { payments: 0, succeeded: 0, failed: 0, volume: 0 };

function sumOf(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, { payments, succeeded, failed, volume }) => ({
      payments: sum.payments + payments,
      succeeded: sum.succeeded + succeeded,
      failed: sum.failed + failed,
      volume: sum.volume + volume,
    }),
    nothing,
  );
}

export type RestTally = Tally & { currency: string; values: number };

/** The values with most payments of each currency, and the others of each currency together. */
export function topOf(tallies: readonly ValueTally[], max = valuesMax): { top: ValueTally[]; rest: RestTally[] } {
  const byCurrency = [...Map.groupBy(tallies, ({ currency }) => currency)].map(
    ([currency, all]) => [currency, all.toSorted(mostFirst)] as const,
  );
  return {
    top: byCurrency.flatMap(([, all]) => all.slice(0, max)).sort(mostFirst),
    rest: byCurrency
      .filter(([, all]) => all.length > max)
      .map(([currency, all]) => ({ currency, values: all.length - max, ...sumOf(all.slice(max)) }))
      .sort(mostFirst),
  };
}

/** Equal ones in an order that does not change between two requests. */
function mostFirst(
  one: Tally & { currency: string; value?: string | null },
  other: Tally & { currency: string; value?: string | null },
): number {
  const [a, b] = [one, other].map(({ currency, value }) => `${currency} ${value ?? ''}`) as [string, string];
  return other.payments - one.payments || (a < b ? -1 : a > b ? 1 : 0);
}
