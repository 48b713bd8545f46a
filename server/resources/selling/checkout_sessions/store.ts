import { insert, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import { firstIdAt } from '../../../base/id.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { type Pool, query } from '../../../base/sql.ts';
import type { TenantsThere } from '../../../operations/job.ts';
import { inSteps, rowsPerStep } from '../../../operations/purge.ts';
import type { Retention } from '../../../operations/retention.ts';
import type { CheckoutSession } from './checkout_session.ts';

export const sessionsTable: Table<CheckoutSession> = table('checkout_sessions', {
  int4: 'tenant version coupon_tries declines',
  int8: 'amount_total amount_subtotal amount_discount',
  text: `id mode status payment_status currency description customer capture_method save_payment_method coupon coupon_code success_url cancel_url
    locale url reference payment_link payment setup subscription invoice payment_method last_failure expired_reason test_clock`,
  bool: 'allow_coupons saves awaits_customer late',
  json: 'line_items customer_details subscription_data collect metadata',
  timestamptz: 'completed_at reviewed_at expires_at created_at due_at lease_until',
});

export const addSession = (session: CheckoutSession): Write => insert(sessionsTable, session);
export const replaceSession = (session: CheckoutSession): Write => update(sessionsTable, session);

export type PaidInvoice = { tenant: Tenant; customer: string; id: string };

/** The open sessions of an invoice, of which several can begin at one moment; the newest first. */
export function findSessionsPaying(
  reads: Reads,
  { tenant, customer, id }: PaidInvoice,
  limit: number,
): Promise<CheckoutSession[]> {
  const text = `select ${sessionsTable.columns.join(', ')} from checkout_sessions
    where tenant = $1 and customer = $2 and status = 'open' and invoice = $3 and mode = 'payment' order by id desc limit $4`;
  return reads.rows<CheckoutSession>(text, [tenant, customer, id, limit]);
}

/** Those that were paid after their expiry, and that nobody has dealt with, the oldest first. */
export function findLateSessions(reads: Reads, tenant: Tenant, limit: number): Promise<CheckoutSession[]> {
  const text = `select ${sessionsTable.columns.join(', ')} from checkout_sessions
    where tenant = $1 and late and reviewed_at is null order by completed_at, id limit $2`;
  return reads.rows<CheckoutSession>(text, [tenant, limit]);
}

/**
 * Erases what customers have typed when the events about it are erased. There is no event for it; the sessions become due, so
 * that their job renews the index of the search.
 */
export async function eraseDetails(
  pool: Pool,
  { eventDays }: Pick<Retention, 'eventDays'>,
  tenantsThere: TenantsThere,
): Promise<void> {
  const [clock] = await query<{ ms: number }>(pool, 'select extract(epoch from now())::int8 * 1000 as ms', []);
  const oldestKept = firstIdAt('cs', clock!.ms - eventDays * 86_400_000);
  const tenants = await query<{ tenant: number }>(
    pool,
    `select t.tenant from unnest($2::int4[]) as t (tenant)
      where exists (select from checkout_sessions s where s.tenant = t.tenant and s.id < $1 and s.customer_details is not null)`,
    [oldestKept, await tenantsThere()],
  );
  for (const { tenant } of tenants)
    await inSteps(
      pool,
      `update checkout_sessions set customer_details = null, version = version + 1, due_at = now() where tenant = $1 and id = any (array(
         select id from checkout_sessions
          where tenant = $1 and id < $2 and customer_details is not null and status in ('complete', 'expired')
          order by id limit ${rowsPerStep} for update skip locked))`,
      [tenant, oldestKept],
    );
}
