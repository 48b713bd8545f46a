import { remove, save, type Table, table, type Write } from '../../../base/commit/index.ts';
import { firstIdAt } from '../../../base/id.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { Reader } from '../../payments/attempts/topic.ts';
import type { SubscriptionId } from '../subscription_state/subscription.ts';
import type { Invoice } from './invoice.ts';

export const invoicesTable: Table<Invoice> = table('invoices', {
  int4: 'tenant version attempt_count closing_tries',
  text: 'id customer subscription status billing_reason currency payment closing test_clock hosted_url',
  int8: `number subtotal discount credit_applied amount_due amount_paid period_start period_end failed_at
    next_payment_attempt paid_at voided_at finalized_at created`,
  bool: 'is_charging was_given_up',
  json: 'lines last_failure seller buyer metadata',
  timestamptz: 'due_at lease_until clock_due_at closing_since flagged_at dunning_ended_at',
});

export const saveInvoice = (invoice: Invoice): Write => save(invoicesTable, invoice);

const columns = invoicesTable.columns.join(', ');

/** The open invoices of a subscription, oldest first. */
export function findOpenInvoices(
  reads: Reads,
  tenant: Tenant,
  subscription: SubscriptionId,
  max: number,
): Promise<Invoice[]> {
  return reads.rows(
    `select ${columns} from invoices where tenant = $1 and subscription = $2 and status = 'open' order by id limit $3`,
    [tenant, subscription, max],
  );
}

/** The invoices of a customer that a deletion ends: drafts and open ones. */
export function findUnsettled(reads: Reads, tenant: Tenant, customer: string, max: number): Promise<Invoice[]> {
  return reads.rows(
    `select ${columns} from invoices
      where tenant = $1 and customer = $2 and status in ('draft', 'open') and closing is null order by id limit $3`,
    [tenant, customer, max],
  );
}

/** The open invoices of a customer's subscriptions, oldest first. */
export function findOpenOfCustomer(reads: Reads, tenant: Tenant, customer: string, max: number): Promise<Invoice[]> {
  return reads.rows(
    `select ${columns} from invoices
      where tenant = $1 and customer = $2 and status = 'open' and subscription is not null order by id limit $3`,
    [tenant, customer, max],
  );
}

/** Open invoices whose charge has failed, the longest first. */
export function findInDunning(reads: Reads, tenant: Tenant, limit: number): Promise<Invoice[]> {
  return reads.rows(
    `select ${columns} from invoices
      where tenant = $1 and status = 'open' and failed_at is not null order by failed_at, id limit $2`,
    [tenant, limit],
  );
}

/** SQL: whether only a person can close an invoice. There is an index on those. */
export const needsPersonToClose = 'flagged_at is not null and closing is not null';

/** Invoices that only a person can close, the longest first. */
export function findUnclosed(reads: Reads, tenant: Tenant, limit: number): Promise<Invoice[]> {
  return reads.rows(
    `select ${columns} from invoices
      where tenant = $1 and ${needsPersonToClose} order by flagged_at, id limit $2`,
    [tenant, limit],
  );
}

/** Void invoices whose payment has succeeded after all, and is not refunded yet: they are due until it is. */
export async function countToRefund(reads: Reads, tenant: Tenant): Promise<number> {
  const [row] = await reads.rows<{ count: number }>(
    `select count(*) as count from invoices where tenant = $1 and due_at is not null and closing = 'refund'`,
    [tenant],
  );
  return row!.count;
}

export const removeInvoice = (invoice: Invoice): Write => remove(invoicesTable, invoice);

export async function findByNumber({ reads, tenant }: Reader, { number }: { number?: number | undefined }) {
  if (number === undefined) return [];
  return reads.rows<Invoice>(`select ${columns} from invoices where tenant = $1 and number = $2`, [tenant, number]);
}

/** The payment of an invoice, as the only one of a list. */
export async function findPaymentOf({ reads, tenant }: Reader, { id }: { id: string }): Promise<string[]> {
  const payment = (await reads.one(invoicesTable, tenant, id))?.payment;
  return payment == null ? [] : [payment];
}

/** The newest invoices of a subscription before a moment. */
export async function findInvoiceIdsOf(
  { reads, tenant }: Reader,
  { id, before, limit }: { id: string; before: number; limit: number },
): Promise<string[]> {
  const rows = await reads.rows<{ id: string }>(
    'select id from invoices where tenant = $1 and subscription = $2 and id < $3 order by id desc limit $4',
    [tenant, id, firstIdAt('in', before), limit],
  );
  return rows.map((row) => row.id);
}
