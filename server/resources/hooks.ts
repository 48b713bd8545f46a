import type { ExecutorHooks } from '../operations/executor.ts';
import { heldClock } from './payments/test_clocks/time.ts';
import { auditWrites } from './people/audit_log/audit.ts';

/** What resources contribute to every change. */
export const executorHooks: ExecutorHooks = {
  auditWrites,
  heldClock,
  // Calls on payments change their subscription, customer and clock; those on members the row of their account.
  sharedPrefixes: ['sub', 'cus', 'clock', 'acct'],
};
