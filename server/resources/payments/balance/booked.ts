import type { StatementLine } from '../../../connectors/contract.ts';
import type { Booked, BookingFault, Difference } from '../../../ledger/reconcile.ts';

/**
 * What must hold within a line of a processor's statement. Fees and nets are in no other books: a processor that books a refund in the
 * wrong direction, or keeps more than it says, shows here alone.
 */
export function bookingDifferences(line: StatementLine): Difference[] {
  const { gross, fee, net } = line;
  if (gross === undefined || fee === undefined || net === undefined) return [];
  const booked = { gross, fee, net };
  return faultsOf(line, booked).map((what) => ({ what, booked, ledger: undefined, processor: line }));
}

function faultsOf({ kind, money }: StatementLine, { gross, fee, net }: Booked): BookingFault[] {
  const faults: BookingFault[] = [];
  if (!grossOf[kind](gross, money.amount)) faults.push('gross_differs');
  if (gross - fee !== net) faults.push('net_differs');
  return faults;
}

/** The gross that a line can have, by what it is about. A payment that was captured in part is booked in full; a payout can come back. */
const grossOf: Readonly<Record<StatementLine['kind'], (gross: number, amount: number) => boolean>> = {
  payment: (gross, amount) => gross >= amount,
  dispute_reversal: (gross, amount) => gross === amount,
  refund: (gross, amount) => gross === -amount,
  dispute: (gross, amount) => gross === -amount,
  release: (gross, amount) => gross === -amount,
  payout: (gross, amount) => Math.abs(gross) === amount,
};
