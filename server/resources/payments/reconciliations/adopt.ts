import type { Write } from '../../../base/commit/index.ts';
import type { Money } from '../../../base/money.ts';
import type { StatementLine } from '../../../connectors/contract.ts';
import type { NoticeSource } from '../../../connectors/index.ts';
import type { Caller } from '../../../operations/caller.ts';
import { auditWrites } from '../../people/audit_log/audit.ts';
import { conflictsMax } from '../attempts/inquire.ts';
import { type AdoptResult, type AdoptServices, adoptPayment } from '../payments/adopt.ts';
import type { ProcessorAccounts } from '../processor_accounts/processors.ts';
import { adoptRefundLine, type RefundAdoptServices } from '../refunds/adopt_lost.ts';
import type { NamedDifference } from './reconcile.ts';

type AdoptionServices = AdoptServices &
  RefundAdoptServices & { processorAccounts: Pick<ProcessorAccounts, 'sharedWith'> };

/** Whose books are completed, by which statement, and who does it. */
export type AdoptionOf = {
  source: NoticeSource;
  /** A day of UTC, such as 2027-01-31. */
  date: string;
  caller: Extract<Caller, { kind: 'operator' }>;
};

type ConsideredLine = { kind: string; reference: string; money: Money; payment: string | null };
export type AdoptedLine = ConsideredLine & { object: string };
export type LeftLine = ConsideredLine & { obstacle: string };
export type Adoption = { adopted: AdoptedLine[]; left: LeftLine[] };

/**
 * Records the payments and refunds that a processor has and the ledger lacks, each in a separate commit with an entry in the audit log.
 * Repeating it is harmless: the marks are the ids of what is recorded.
 */
export async function adoptDifferences(
  services: AdoptionServices,
  about: AdoptionOf,
  differences: readonly NamedDifference[],
): Promise<Adoption> {
  const lines = differences
    .filter(({ what, line }) => what === 'missing_in_ledger' && (line.kind === 'payment' || line.kind === 'refund'))
    .map(({ processor, payment }) => ({ line: processor as StatementLine, payment }));
  const { source, caller } = about;
  const id = source.processor_account;
  const shared = id === null ? undefined : await services.processorAccounts.sharedWith(caller.tenant, caller.mode, id);
  const adoption: Adoption = { adopted: [], left: [] };
  // A refund needs its payment.
  for (const wanted of ['payment', 'refund'])
    for (const { line, payment } of lines.filter(({ line: { kind } }) => kind === wanted)) {
      const { kind, reference, money, origin } = line;
      const considered = { kind, reference, money, payment: payment ?? origin?.payment ?? null };
      const result = await adoptLine(services, about, line, shared);
      if ('object' in result) adoption.adopted.push({ ...considered, ...result });
      else adoption.left.push({ ...considered, ...result });
    }
  return adoption;
}

async function adoptLine(
  services: AdoptionServices,
  about: AdoptionOf,
  line: StatementLine,
  shared: string | undefined,
): Promise<NonNullable<AdoptResult>> {
  const { tenant } = about.caller;
  if (line.origin === undefined) return { obstacle: 'it has no marks of Tollgate: other software has made it' };
  if (line.tenant !== tenant) return { obstacle: 'it belongs to another account' };
  for (let tries = 0; tries < conflictsMax; tries++) {
    const result = await (line.kind === 'payment'
      ? adoptPayment(
          services,
          { ...line, ...about, origin: line.origin, sharedWith: shared },
          auditOf(services, about, line),
        )
      : adoptRefundLine(services, about.source, line, auditOf(services, about, line)));
    if (result !== undefined) return result;
  }
  return { obstacle: 'it is being changed at this moment: try again' };
}

/** The entry of the audit log that is committed with what it tells of. */
function auditOf(
  { clock }: AdoptionServices,
  { source, date, caller }: AdoptionOf,
  { kind, reference, money }: StatementLine,
) {
  return (subject: string): Write[] => {
    const entry = {
      action: 'reconciliation.adopted',
      subject,
      details: { ...source, mode: caller.mode, date, kind, reference, ...money },
    };
    return auditWrites(
      { operation: { name: 'reconcile', home: 'tenant' }, caller, requestId: null },
      { audit: [entry] },
      clock.now(),
    );
  };
}
