import { remove, save, type Table, table, type Write } from '../../base/commit/index.ts';
import type { Id } from '../../base/id.ts';
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

/** When the earliest invoice of a clock is due, up to a moment. */
export async function earliestDue(reads: Reads, tenant: Tenant, clock: Id<'clock'>, upTo: Date) {
  const [row] = await reads.rows<{ due: Date }>(
    `select clock_due_at as due from invoices
      where tenant = $1 and test_clock = $2 and clock_due_at <= $3 order by clock_due_at limit 1`,
    [tenant, clock, upTo],
  );
  return row?.due;
}

/** The invoices of a clock that are due at a moment. */
export function findDueBy(reads: Reads, tenant: Tenant, clock: Id<'clock'>, at: Date, max: number) {
  return reads.rows<{ id: Invoice['id'] }>(
    `select id from invoices where tenant = $1 and test_clock = $2 and clock_due_at <= $3 order by id limit $4`,
    [tenant, clock, at, max],
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

export const removeInvoice = (invoice: Invoice): Write => remove(invoicesTable, invoice);

/** Invoices of a deleted clock that nothing happens to any more. */
export function findOverIn(reads: Reads, tenant: Tenant, clock: Id<'clock'>, max: number): Promise<Invoice[]> {
  return reads.rows(
    `select ${columns} from invoices
      where tenant = $1 and test_clock = $2 and status in ('paid', 'void', 'uncollectible') and closing is null limit $3`,
    [tenant, clock, max],
  );
}

export async function hasAnyIn(reads: Reads, tenant: Tenant, clock: Id<'clock'>): Promise<boolean> {
  const rows = await reads.rows('select 1 from invoices where tenant = $1 and test_clock = $2 limit 1', [
    tenant,
    clock,
  ]);
  return rows.length > 0;
}
