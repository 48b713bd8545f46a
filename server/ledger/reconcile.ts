import { getOrMake } from '../base/get_or_make.ts';
import type { Money } from '../base/money.ts';
import type { Tenant } from '../base/reads.ts';
import { dayOf } from './posting.ts';

/** One movement of money, in our ledger or in the processor's statement. Tenant, kind and reference identify it on both sides. */
export type BookLine = {
  tenant: Tenant;
  kind: string;
  reference: string;
  money: Money;
  at: Date;
  /** Known on our side only. */
  payment?: string;
};

export type Side = 'ledger' | 'processor';

export type DifferenceKind =
  | 'missing_in_ledger'
  | 'missing_at_processor'
  | 'amount_differs'
  | 'currency_differs'
  | 'doubled_in_ledger'
  | 'doubled_at_processor'
  | BookingFault;

/** The problem of a line of the processor's books by itself. */
export type BookingFault = 'gross_differs' | 'net_differs';

/** The amounts that the processor has booked for a line. */
export type Booked = { gross: number; fee: number; net: number };

/** The line on each side that has it. Of a duplicate, it is the surplus line. */
export type Difference = { what: DifferenceKind; booked?: Booked } & Record<Side, BookLine | undefined>;

type Sum = { kind: string; currency: string } & Record<Side, { lines: number; amount: bigint }>;

export type Matched = {
  /** The number of lines that are the same on both sides. */
  matched: number;
  /** How many of those are on different days: the processor's answer was late. */
  matchedOnAnotherDay: number;
};

export type Reconciled = Matched & {
  differences: Difference[];
  /** The sums of the day's lines, for each side. */
  sums: Sum[];
};

type LinePair = Record<Side, BookLine[]>;
const emptyPair = (): LinePair => ({ ledger: [], processor: [] });

/**
 * Compares two books for one day of UTC. All lines of that day are added first, of both sides. After them, lines of other days can be
 * added: only those that match a line of the day are kept, so that memory is bounded by one day.
 */
export class Reconciliation {
  readonly #day: string;
  readonly #pairs = new Map<string, LinePair>();
  readonly #sums = new Map<string, Sum>();

  constructor(day: string) {
    this.#day = day;
  }

  add(side: Side, lines: readonly BookLine[]): void {
    for (const line of lines) {
      const key = `${line.tenant}/${line.kind}/${line.reference}`;
      const isOfDay = dayOf(line.at.getTime()) === this.#day;
      if (isOfDay) this.#count(side, line);
      const pair = isOfDay ? getOrMake(this.#pairs, key, emptyPair) : this.#pairs.get(key);
      pair?.[side].push(line);
    }
  }

  #count(side: Side, { kind, money: { amount, currency } }: BookLine): void {
    const none = { lines: 0, amount: 0n };
    const make = () => ({ kind, currency, ledger: none, processor: none });
    const sum = getOrMake(this.#sums, `${kind}/${currency}`, make);
    sum[side] = { lines: sum[side].lines + 1, amount: sum[side].amount + BigInt(amount) };
  }

  result(): Reconciled {
    const sums = [...this.#sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
    const result: Reconciled = { differences: [], matched: 0, matchedOnAnotherDay: 0, sums };
    for (const { matched, matchedOnAnotherDay } of this.matches().values()) {
      result.matched += matched;
      result.matchedOnAnotherDay += matchedOnAnotherDay;
    }
    for (const pair of this.#pairs.values()) {
      const [ours, theirs] = counterparts(pair);
      const what = differenceOf(ours, theirs);
      if (what !== undefined) result.differences.push({ what, ledger: ours, processor: theirs });
      for (const line of pair.ledger)
        if (line !== ours) result.differences.push({ what: 'doubled_in_ledger', ledger: line, processor: theirs });
      for (const line of pair.processor)
        if (line !== theirs) result.differences.push({ what: 'doubled_at_processor', ledger: ours, processor: line });
    }
    return result;
  }

  /** What is the same on both sides, for each tenant. */
  matches(): Map<Tenant, Matched> {
    const found = new Map<Tenant, Matched>();
    for (const pair of this.#pairs.values()) {
      const [ours, theirs] = counterparts(pair);
      if (differenceOf(ours, theirs) !== undefined) continue;
      const ofTenant = getOrMake(found, ours!.tenant, () => ({ matched: 0, matchedOnAnotherDay: 0 }));
      ofTenant.matched += 1;
      if (dayOf(ours!.at.getTime()) !== dayOf(theirs!.at.getTime())) ofTenant.matchedOnAnotherDay += 1;
    }
    return found;
  }
}

/** The two lines to compare. Where a side has several, lines with the same money match. */
function counterparts({ ledger, processor }: LinePair): [BookLine | undefined, BookLine | undefined] {
  for (const ours of ledger)
    for (const theirs of processor) if (differenceOf(ours, theirs) === undefined) return [ours, theirs];
  return [ledger[0], processor[0]];
}

function differenceOf(ours: BookLine | undefined, theirs: BookLine | undefined): DifferenceKind | undefined {
  if (ours === undefined) return 'missing_in_ledger';
  if (theirs === undefined) return 'missing_at_processor';
  if (ours.money.currency !== theirs.money.currency) return 'currency_differs';
  return ours.money.amount === theirs.money.amount ? undefined : 'amount_differs';
}
