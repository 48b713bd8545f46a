import { remove, save, type Table, table, type Write } from '../../base/commit/index.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
import type { Invoice, SubscriptionId } from './invoice.ts';

export const invoicesTable: Table<Invoice> = table('invoices', {
  int4: 'tenant version attempt_count',
  text: 'id customer subscription status billing_reason currency payment closing test_clock',
  int8: `number subtotal discount credit_applied amount_due amount_paid period_start period_end failed_at
    next_payment_attempt paid_at voided_at created`,
  bool: 'is_charging',
  json: 'lines last_failure metadata',
  timestamptz: 'due_at lease_until clock_due_at',
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

export const removeInvoice = (invoice: Invoice): Write => remove(invoicesTable, invoice);
