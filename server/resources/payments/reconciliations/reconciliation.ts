import type { Id } from '../../../base/id.ts';
import type { Money } from '../../../base/money.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { Booked, DifferenceKind } from '../../../ledger/reconcile.ts';

/** A day of the ledger that was compared with the statement of a processor, for one tenant. */
export type ComparedDay = {
  tenant: Tenant;
  id: Id<'recon'>;
  version: number;
  /** A day of UTC, such as 2027-01-31. */
  day: string;
  connector: string;
  processor_account: string | null;
  matched: number;
  matched_on_another_day: number;
  /** How many were found. */
  differences: number;
  /** How many of them nobody has accepted. */
  open_differences: number;
  totals: StatementTotals[];
  compared_at: Date;
};

/** What the statement says of a currency. Sums are texts, because they can exceed a double. */
export type StatementTotals = { currency: string; fees: string; net: string; paid_out: string };

export const differenceStatuses = ['open', 'following_up', 'accepted'] as const;
export type DifferenceStatus = (typeof differenceStatuses)[number];

/** Who has decided something about a difference: a person, a key, or the operator, who has only a name. */
export type DecidedBy = { user?: string; api_key?: string; name: string };

/** A line that differs between the ledger and the statement. */
export type ReconciliationDifference = {
  tenant: Tenant;
  id: Id<'diff'>;
  version: number;
  /** Null where the comparison was recorded by a version that kept differences alone. */
  reconciliation: ComparedDay['id'] | null;
  day: string;
  connector: string;
  processor_account: string | null;
  what: DifferenceKind;
  kind: string;
  reference: string;
  payment: string | null;
  ledger: Money | null;
  processor: Money | null;
  booked: Booked | null;
  status: DifferenceStatus;
  note: string | null;
  changed_by: DecidedBy | null;
  changed_at: Date | null;
};

export const differenceWords: Record<DifferenceKind, string> = {
  missing_in_ledger: 'missing in our ledger',
  missing_at_processor: 'missing at the processor',
  amount_differs: 'the amount differs',
  currency_differs: 'the currency differs',
  doubled_in_ledger: 'once more in our ledger',
  doubled_at_processor: 'once more at the processor',
  gross_differs: 'booked with another amount or in the wrong direction',
  net_differs: 'booked with a net that is not the gross less the fee',
};

export const reconciliationStatuses = ['matched', 'open', 'accepted'] as const;
type ReconciliationStatus = (typeof reconciliationStatuses)[number];

/** What has become of a day. */
export function statusOf(day: Pick<ComparedDay, 'differences' | 'open_differences'>): ReconciliationStatus {
  if (day.differences === 0) return 'matched';
  return day.open_differences === 0 ? 'accepted' : 'open';
}

/** The difference with another status, or none if nothing changes. */
export function withDecision(
  difference: ReconciliationDifference,
  { status, note, by, now }: { status: DifferenceStatus; note: string | null; by: DecidedBy; now: number },
): ReconciliationDifference | undefined {
  if (difference.status === status && difference.note === note) return undefined;
  return { ...difference, status, note, changed_by: by, changed_at: new Date(now), version: difference.version + 1 };
}
