import { insert, save, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { type Pool, query } from '../../../base/sql.ts';
import { isPostedSql } from '../../../ledger/missing.ts';
import type { TenantsThere } from '../../../operations/job.ts';
import { inSteps, rowsPerStep } from '../../../operations/purge.ts';
import type { Retention } from '../../../operations/retention.ts';
import { findEveryTenant } from '../../../operations/tenants.ts';
import { cardFactsSql } from '../payment_methods/card_facts.ts';
import type { Payment } from './payment.ts';

export const paymentsTable: Table<Payment> = table('payments', {
  int4: 'tenant version inquiries',
  text: `id currency customer description payment_method status capture_method return_url next_action failure_code
    failure_decline_code failure_message cancellation_reason dispute authorization_attempt open_attempt invoice setup test_clock
    last4 brand country advice processor_account checkout_session`,
  int8: 'amount amount_received amount_refunded',
  bool: 'captured_elsewhere off_session',
  json: 'metadata processor on_approval',
  timestamptz: 'created_at canceled_at flagged_at expires_at due_at lease_until',
});

export const addPayment = (payment: Payment): Write => insert(paymentsTable, payment);
export const replacePayment = (payment: Payment): Write => update(paymentsTable, payment);
export const savePayment = (payment: Payment): Write => save(paymentsTable, payment);

/** The oldest payments that have received money which is not posted. */
export function findUnposted(reads: Reads, tenant: Tenant, max: number): Promise<(Payment & { hasFee: boolean })[]> {
  return reads.rows(
    `select ${paymentsTable.columns.join(', ')}, ${isPostedSql('p', 'fee')} as "hasFee"
       from payments p where tenant = $1 and amount_received > 0 and not ${isPostedSql('p', 'payment')} order by id limit $2`,
    [tenant, max],
  );
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

/** The newest payments of an amount with a method that has these last four digits. */
export function findPaymentsByDigits(
  reads: Reads,
  tenant: Tenant,
  { last4, amount, currencies }: { last4: string; amount: number; currencies?: readonly string[] },
  limit: number,
): Promise<Payment[]> {
  return reads.rows<Payment>(
    `select ${paymentsTable.columns.join(', ')} from payments
      where tenant = $1 and amount = $2 and last4 = $3 and ($4::text[] is null or currency = any($4))
      order by amount desc, last4 desc, id desc limit $5`,
    [tenant, amount, last4, currencies ?? null, limit],
  );
}

/** The tenants that have a payment of this id: a processor shows its marks to every tenant that shares an account there. */
export async function findTenantsWith(reads: Reads, id: string): Promise<Tenant[]> {
  const text = 'select tenant from payments where tenant = any($2::int4[]) and id = $1';
  const rows = await reads.everywhere.rows<{ tenant: Tenant }>(text, [id, await findEveryTenant(reads)]);
  return rows.map(({ tenant }) => tenant);
}

/** Fills in what payments keep of their methods, where they were made by a version that did not store it. */
export function fillCardFacts(pool: Pool, _: Retention, tenants: TenantsThere): Promise<void> {
  const { brand, country } = cardFactsSql('p');
  return fill(pool, tenants, { isUnfilled: 'brand is null', changes: `brand = ${brand}, country = ${country}` });
}

/** The same of their processor accounts. A version that does not store it can also leave an earlier one behind. */
export function fillProcessorAccounts(pool: Pool, _: Retention, tenants: TenantsThere): Promise<void> {
  const account = `processor->>'account'`;
  const isUnfilled = `${account} is distinct from processor_account`;
  return fill(pool, tenants, { isUnfilled, changes: `processor_account = ${account}` });
}

/** Sets columns of the payments that lack them, which an index on (tenant, id) has, in steps. */
async function fill(
  pool: Pool,
  tenants: TenantsThere,
  { isUnfilled, changes }: { isUnfilled: string; changes: string },
): Promise<void> {
  const unfilled = await query<{ tenant: Tenant }>(
    pool,
    `select t.tenant from unnest($1::int4[]) as t (tenant)
      cross join lateral (select from payments p where p.tenant = t.tenant and ${isUnfilled} order by p.id limit 1) old`,
    [await tenants()],
  );
  for (const { tenant } of unfilled)
    await inSteps(
      pool,
      `update payments p set ${changes} where p.tenant = $1 and p.ctid = any (array(
         select ctid from payments where tenant = $1 and ${isUnfilled} order by id limit ${rowsPerStep} for update skip locked))`,
      [tenant],
    );
}
