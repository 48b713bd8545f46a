import type { ExecutorHooks } from '../operations/executor.ts';
import { Expansions } from '../operations/expand.ts';
import { expandables } from '../operations/extension_points/expand.ts';
import type { Declared } from '../operations/resource.ts';
import { heldClock } from './payments/test_clocks/time.ts';
import { auditWrites } from './people/audit_log/audit.ts';

/** What resources contribute to every change. */
export const executorHooks = (declared: Pick<Declared, 'extensionsOf'>): ExecutorHooks => ({
  auditWrites,
  heldClock,
  expansions: new Expansions(declared.extensionsOf(expandables)),
  // Calls on payments change their subscription, customer and clock; those on members the row of their account.
  sharedPrefixes: ['sub', 'cus', 'clock', 'acct'],
});
