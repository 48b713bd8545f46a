import { insert, save, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import { firstIdAt } from '../../../base/id.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { Context } from '../../../operations/operation.ts';
import { type Setup, setupStatuses } from './setup.ts';

export const setupsTable: Table<Setup> = table('setups', {
  int4: 'tenant version inquiries',
  text: `id payment_method customer subscription status return_url next_action failure_code failure_decline_code failure_message
    setup_attempt open_attempt test_clock checkout_session new_customer cancellation_reason`,
  bool: 'declines_challenge',
  json: 'metadata',
  timestamptz: 'created_at flagged_at expires_at due_at lease_until',
});

export const addSetup = (setup: Setup): Write => insert(setupsTable, setup);
export const replaceSetup = (setup: Setup): Write => update(setupsTable, setup);
export const saveSetup = (setup: Setup): Write => save(setupsTable, setup);

/** Whether a setup that is not finished uses this payment method. */
export async function hasUnfinishedSetup(reads: Reads, tenant: Tenant, paymentMethod: string): Promise<boolean> {
  const rows = await reads.rows(
    `select 1 from setups where tenant = $1 and payment_method = $2 and status in ('requires_action', 'processing') limit 1`,
    [tenant, paymentMethod],
  );
  return rows.length > 0;
}

/** The setups of a payment method that were made before a moment, newest first. */
export async function findSetupIdsOf(
  { reads, tenant }: Pick<Context, 'reads' | 'tenant'>,
  { id, before, limit }: { id: string; before: number; limit: number },
): Promise<string[]> {
  const rows = await reads.rows<{ id: string }>(
    `select found.id from unnest($2::text[]) as wanted (status)
      cross join lateral (
        select s.id from setups s
         where s.tenant = $1 and s.payment_method = $3 and s.status = wanted.status and s.id < $4
         order by s.id desc limit $5) found
      order by found.id desc limit $5`,
    [tenant, setupStatuses, id, firstIdAt('set', before), limit],
  );
  return rows.map((row) => row.id);
}
