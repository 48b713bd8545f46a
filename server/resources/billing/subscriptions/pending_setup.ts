import type { Part } from '../../../operations/operation.ts';
import { isOver } from '../../payments/setups/setup.ts';
import type { SetupHook } from '../../payments/setups/topic.ts';
import { findSubscription, noChange, saveChange } from '../subscription_state/change.ts';

const nothing: Part = { writes: [], events: [] };

/** A subscription no longer shows the setup of its method once that has ended. */
export const endPendingSetup: SetupHook = async ({ reads }, { setup }) => {
  const { tenant, id, subscription } = setup;
  if (subscription === null || !isOver(setup.status)) return nothing;
  const stored = await findSubscription({ reads, tenant }, subscription);
  if (stored?.pending_setup !== id) return nothing;
  const { writes, events } = saveChange({ ...noChange(stored), after: { ...stored, pending_setup: null } });
  return { writes, events };
};
