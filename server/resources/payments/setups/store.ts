import { insert, save, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import type { Setup } from './setup.ts';

export const setupsTable: Table<Setup> = table('setups', {
  int4: 'tenant version inquiries',
  text: `id payment_method customer subscription status return_url next_action failure_code failure_decline_code failure_message
    setup_attempt open_attempt test_clock`,
  bool: 'declines_challenge',
  json: 'metadata',
  timestamptz: 'created_at flagged_at expires_at due_at lease_until',
});

export const addSetup = (setup: Setup): Write => insert(setupsTable, setup);
export const replaceSetup = (setup: Setup): Write => update(setupsTable, setup);
export const saveSetup = (setup: Setup): Write => save(setupsTable, setup);
