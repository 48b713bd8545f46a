import type { Money } from '../base/money.ts';
import type { Tenant } from '../base/reads.ts';
import { dayOf } from './posting.ts';

/** One movement, in our books or in the processor's: both know it by its tenant, its kind and its reference. */
export type BookLine = {
  tenant: Tenant;
  kind: string;
  reference: string;
  money: Money;
  at: Date;
  /** Our own books know which payment it belongs to. */
  payment?: string;
};

export type Side = 'ledger' | 'processor';

export type DifferenceKind =
  | 'missing_in_ledger'
  | 'missing_at_processor'
  | 'amount_differs'
  | 'currency_differs'
  | 'doubled_in_ledger'
  | 'doubled_at_processor';

/** The sides that have the line. A doubled one is the line that is too much. */
export type Difference = { what: DifferenceKind } & Partial<Record<Side, BookLine>>;

export type Sum = { kind: string; currency: string } & Record<Side, { lines: number; amount: bigint }>;

export type Reconciled = {
  differences: Difference[];
  /** How many are the same on both sides. */
  matched: number;
  /** How many of these are on another day there than here: the processor was quicker than its answer. */
  matchedOnAnotherDay: number;
  /** Of the lines of the day, each side for itself. */
  sums: Sum[];
};

type Pair = Record<Side, BookLine[]>;

/**
 * Compares two books for one day of UTC. All lines of that day are added first, of both sides. After that lines of other days can be
 * added: of those, only what belongs to a line of the day is kept, so that the memory needed is that of one day.
 */
export class Reconciliation {
  readonly #day: string;
  readonly #pairs = new Map<string, Pair>();
  readonly #sums = new Map<string, Sum>();

  constructor(day: string) {
    this.#day = day;
  }

  add(side: Side, lines: readonly BookLine[]): void {
    for (const line of lines) {
      const key = `${line.tenant}/${line.kind}/${line.reference}`;
      let pair = this.#pairs.get(key);
      if (dayOf(line.at.getTime()) === this.#day) {
        this.#count(side, line);
        if (pair === undefined) {
          pair = { ledger: [], processor: [] };
          this.#pairs.set(key, pair);
        }
      }
      pair?.[side].push(line);
    }
  }

  #count(side: Side, { kind, money: { amount, currency } }: BookLine): void {
    const key = `${kind}/${currency}`;
    let sum = this.#sums.get(key);
    if (sum === undefined) {
      const nothing = { lines: 0, amount: 0n };
      sum = { kind, currency, ledger: nothing, processor: nothing };
      this.#sums.set(key, sum);
    }
    sum[side] = { lines: sum[side].lines + 1, amount: sum[side].amount + BigInt(amount) };
  }

  result(): Reconciled {
    const result: Reconciled = { differences: [], matched: 0, matchedOnAnotherDay: 0, sums: this.#sortedSums() };
    for (const pair of this.#pairs.values()) {
      const [ours, theirs] = counterparts(pair);
      const what = differenceOf(ours, theirs);
      if (what !== undefined) result.differences.push(withSides(what, ours, theirs));
      else {
        result.matched += 1;
        if (dayOf(ours!.at.getTime()) !== dayOf(theirs!.at.getTime())) result.matchedOnAnotherDay += 1;
      }
      result.differences.push(...surplus(pair, ours, theirs));
    }
    return result;
  }

  #sortedSums(): Sum[] {
    const byName = (a: Sum, b: Sum) => (`${a.kind}/${a.currency}` < `${b.kind}/${b.currency}` ? -1 : 1);
    return [...this.#sums.values()].sort(byName);
  }
}

/** The two that are compared. Where a side has several, those with the same money are meant for each other. */
function counterparts({ ledger, processor }: Pair): [BookLine | undefined, BookLine | undefined] {
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

/** The same thing more than once. */
function surplus({ ledger, processor }: Pair, ours: BookLine | undefined, theirs: BookLine | undefined): Difference[] {
  return [
    ...ledger.filter((line) => line !== ours).map((line) => withSides('doubled_in_ledger', line, theirs)),
    ...processor.filter((line) => line !== theirs).map((line) => withSides('doubled_at_processor', ours, line)),
  ];
}

function withSides(what: DifferenceKind, ours: BookLine | undefined, theirs: BookLine | undefined): Difference {
  return {
    what,
    ...(ours === undefined ? {} : { ledger: ours }),
    ...(theirs === undefined ? {} : { processor: theirs }),
  };
}
