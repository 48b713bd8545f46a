import { createdSeconds } from '../base/id.ts';
import type { ConnectionsAt } from '../base/places/connections.ts';
import type { Tenant } from '../base/reads.ts';
import { createdOf, timestampOf } from '../operations/schemas.ts';
import { type AccountInMode, accountOf } from '../operations/tenants.ts';
import { helpFor } from '../resources/billing/invoices/attention.ts';
import { invoicesTable, needsPersonToClose } from '../resources/billing/invoices/store.ts';
import { findAnywhere, findFlagged } from '../resources/payments/attempts/subject.ts';
import { reviewWords } from '../resources/payments/disputes/attention.ts';
import type { Dispute } from '../resources/payments/disputes/dispute.ts';
import { disputesTable, findAllToReview } from '../resources/payments/disputes/store.ts';
import { findFlaggedNotices } from '../resources/payments/notices/store.ts';
import { kindOf } from '../resources/payments/notices/stored_notice.ts';
import type { Payment } from '../resources/payments/payments/payment.ts';
import { paymentsTable } from '../resources/payments/payments/store.ts';
import type { Refund } from '../resources/payments/refunds/refund.ts';
import { refundsTable } from '../resources/payments/refunds/store.ts';
import type { Setup } from '../resources/payments/setups/setup.ts';
import { setupsTable } from '../resources/payments/setups/store.ts';
import { withConnection } from './context.ts';
import { accountsByTenant, ownerShown } from './notices.ts';
import { withOperator } from './operator.ts';
import { isoTime, print } from './print.ts';
import { MissingError, UsageError } from './usage.ts';

/** Something that a person has to see to. A setup and a notice have no amount, and a notice may be for an account that does not exist. */
type Unsettled = Partial<Pick<AccountInMode, 'account' | 'mode'>> & {
  id: string;
  object: 'payment' | 'setup' | 'refund' | 'dispute' | 'invoice' | 'failed_notice';
  amount?: number;
  currency?: string;
  /** UTC epoch seconds. */
  since: number;
  action: string;
};
type UnsettledFacts = Pick<Unsettled, 'amount' | 'currency' | 'since' | 'action'>;

/** Lists everything without a final answer of its processor for days, and notices that could not be recorded, longest first. */
export async function unsettled(options: { json?: boolean }): Promise<void> {
  const found = await withConnection(({ at }) => findUnsettled(at), { isReadOnly: true });
  const lines = found.map(
    ({ id, object, amount, currency, since, action }) =>
      `${id}  ${amount === undefined ? object.replace('failed_', '') : `${amount} ${currency}`}  since ${isoTime(since)}  ${action}`,
  );
  print(options.json, found, () => (lines.length === 0 ? 'There are none.' : lines.join('\n')));
}

async function findUnsettled(at: ConnectionsAt): Promise<Unsettled[]> {
  const owners = await accountsByTenant(at.directory);
  const shown = (
    object: Unsettled['object'],
    row: { tenant: Tenant; id: string },
    facts: UnsettledFacts,
  ): Unsettled => {
    return { id: row.id, object, ...ownerShown(owners.get(row.tenant)), ...facts };
  };
  const flagged = (object: Unsettled['object'], row: Payment | Setup | Refund | Dispute): Unsettled => {
    const money = 'amount' in row ? { amount: row.amount, currency: row.currency } : {};
    return shown(object, row, { ...money, since: timestampOf(row.flagged_at!), action: actionOn(row) });
  };
  return [
    ...(await findFlagged(at, paymentsTable)).map((row) => flagged('payment', row)),
    ...(await findFlagged(at, setupsTable)).map((row) => flagged('setup', row)),
    ...(await findFlagged(at, refundsTable)).map((row) => flagged('refund', row)),
    ...(await findFlagged(at, disputesTable)).map((row) => flagged('dispute', row)),
    ...(await findFlagged(at, invoicesTable, needsPersonToClose)).map((row) => {
      const { amount_due: amount, currency, flagged_at } = row;
      return shown('invoice', row, {
        amount,
        currency,
        since: timestampOf(flagged_at!),
        action: inWords(helpFor(row)),
      });
    }),
    ...(await findAllToReview(at)).map((row) => {
      const { amount, currency } = row;
      return shown('dispute', row, { amount, currency, since: createdOf(row), action: inWords(reviewWords(row)) });
    }),
    ...(await findFlaggedNotices(at)).map((row) => {
      const action = `${kindOf(row)} of ${row.connector} could not be recorded: see "tollgate notices list"`;
      return shown('failed_notice', row, { since: createdSeconds(row.id), action });
    }),
  ].sort((one, other) => one.since - other.since);
}

const inWords = ({ reason, action }: { reason: string; action: string }) => `${reason} ${action}`;

function actionOn(row: Payment | Setup | Refund | Dispute): string {
  // An expired payment whose cancel the processor refuses, or whose challenge it does not report on, has no open attempt.
  if (row.status === 'requires_action' || row.status === 'requires_capture')
    return 'ask the processor to release it, or have the merchant cancel it';
  return `ask the processor for the outcome, and record it: tollgate payments settle ${row.id} --as <status>`;
}

const tables = {
  py: paymentsTable,
  set: setupsTable,
  re: refundsTable,
  dp: disputesTable,
  in: invoicesTable,
} as const;
const nouns = { py: 'payment', set: 'setup', re: 'refund', dp: 'dispute', in: 'invoice' } as const;

/** Records the outcome of a payment, a setup, a refund or a submission in a dispute that the operator has learned from the processor in person. */
export async function settle(id: string, options: { as: string; correct?: boolean; json?: boolean }): Promise<void> {
  const prefix = id.split('_')[0] as keyof typeof tables;
  const noun = nouns[prefix] ?? 'payment';
  const settled = await withOperator(async (operator, { at, client }) => {
    const found = await findAnywhere(at, (tables[prefix] ?? paymentsTable) as typeof paymentsTable, id);
    if (found === undefined) throw new MissingError(`There is no ${noun} ${id}.`);
    const { account, mode } = await accountOf(client, found.tenant);
    const parameters = { as: options.as, ...(options.correct ? { correct: true } : {}) };
    return operator.run<{ status: string }>(`${noun}s.settle`, { account, mode, id, parameters });
  });
  print(options.json, settled, () => `${id} is ${settled.status}.`);
}

/** Whether it is too small or too large the operation says. */
function parseAmount(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(`--amount takes a whole number in the smallest unit of the currency, not "${text}"`);
  return Number(text);
}

/** Ends the review of a dispute whose money does not fit its payment. */
export async function review(id: string, options: { amount?: string; json?: boolean }): Promise<void> {
  const parameters = options.amount === undefined ? {} : { amount: parseAmount(options.amount) };
  const reviewed = await withOperator(async (operator, { at, client }) => {
    const found = await findAnywhere(at, disputesTable, id);
    if (found === undefined) throw new MissingError(`There is no dispute ${id}.`);
    const { account, mode } = await accountOf(client, found.tenant);
    return operator.run<{ amount: number; currency: string }>('disputes.review', { account, mode, id, parameters });
  });
  print(options.json, reviewed, () => `${id} is reviewed: ${reviewed.amount} ${reviewed.currency} are posted.`);
}
