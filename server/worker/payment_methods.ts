import type { Clock } from '../base/clock.ts';
import type { Committer } from '../base/commit/index.ts';
import type { Reads } from '../base/reads.ts';
import type { Pool } from '../base/sql.ts';
import { type Duty, dueRows } from '../resources/duty.ts';
import type { PaymentMethod } from '../resources/payment_methods/payment_method.ts';
import { paymentMethodsTable, replacePaymentMethod } from '../resources/payment_methods/store.ts';
import { hasUnfinished } from '../resources/payments/store.ts';
import type { Vault } from '../vault/index.ts';

const lookAgainMs = 600_000;

/** Destroys the numbers of detached methods once no unfinished payment uses them. */
export function destroyDetached(parts: {
  reads: Reads;
  durable: Pool;
  committer: Committer;
  vault: Vault;
  clock: Clock;
}): Duty {
  const { reads, committer, vault, clock } = parts;
  const destroy = async (before: PaymentMethod) => {
    const { tenant, id, version } = before;
    const used = await hasUnfinished(reads, tenant, id);
    const due = used ? new Date(clock.now() + lookAgainMs) : null;
    const after = replacePaymentMethod({ ...before, version: version + 1, due_at: due, lease_until: null });
    await committer.commit({ writes: [after, ...(used ? [] : vault.destroy(tenant, id))] });
  };
  return dueRows(parts, 'payment methods', paymentMethodsTable, destroy);
}
