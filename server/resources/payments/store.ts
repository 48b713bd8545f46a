import { insert, save, table, update, type Write } from '../../base/commit/index.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
import type { Sql } from '../../base/sql.ts';
import { tenantsTable } from '../accounts/tenants.ts';
import type { Payment, PaymentId } from './payment.ts';

export const paymentsTable = table<Payment>(
  'payments',
  {
    tenant: 'int4',
    id: 'text',
    version: 'int4',
    amount: 'int8',
    amount_received: 'int8',
    currency: 'text',
    customer: 'text',
    description: 'text',
    payment_method: 'text',
    status: 'text',
    capture_method: 'text',
    return_url: 'text',
    metadata: 'json',
    next_action: 'text',
    failure_code: 'text',
    failure_decline_code: 'text',
    failure_message: 'text',
    canceled_at: 'timestamptz',
    cancellation_reason: 'text',
    amount_refunded: 'int8',
    dispute: 'text',
    authorization_attempt: 'text',
    open_attempt: 'text',
    inquiries: 'int4',
    flagged_at: 'timestamptz',
    expires_at: 'timestamptz',
    due_at: 'timestamptz',
    lease_until: 'timestamptz',
  },
  { key: ['tenant', 'id'] },
);

export function findPayment(reads: Reads, tenant: Tenant, id: PaymentId): Promise<Payment | undefined> {
  return reads.one(paymentsTable, tenant, id);
}

/** A payment that another row names: it is there. */
export async function requireStoredPayment(reads: Reads, tenant: Tenant, id: PaymentId): Promise<Payment> {
  const payment = await findPayment(reads, tenant, id);
  if (payment === undefined) throw new Error(`there is no payment ${id}`);
  return payment;
}

export const addPayment = (payment: Payment): Write => insert(paymentsTable, payment);
export const replacePayment = (payment: Payment): Write => update(paymentsTable, payment);
export const savePayment = (payment: Payment): Write => save(paymentsTable, payment);

/** For a person at the command line, who has an id and no tenant. */
export async function findPaymentById(sql: Sql, id: string): Promise<Payment | undefined> {
  const columns = paymentsTable.columns.join(', ');
  const result = await sql.query<Payment>(
    `select ${columns} from payments where tenant in (select tenant from ${tenantsTable}) and id = $1`,
    [id],
  );
  return result.rows[0];
}

/** Payments that nobody but a person can settle any more. */
export async function listFlagged(sql: Sql): Promise<Payment[]> {
  const columns = paymentsTable.columns.join(', ');
  const result = await sql.query<Payment>(
    `select ${columns} from payments
      where tenant in (select tenant from ${tenantsTable}) and flagged_at is not null
      order by flagged_at limit 1000`,
  );
  return result.rows;
}

/** Whether a payment that is not finished uses this payment method. */
export async function hasUnfinished(reads: Reads, tenant: Tenant, paymentMethod: string): Promise<boolean> {
  const rows = await reads.rows(
    `select 1 from payments where tenant = $1 and payment_method = $2
        and status in ('requires_action', 'requires_capture', 'processing') limit 1`,
    [tenant, paymentMethod],
  );
  return rows.length > 0;
}
