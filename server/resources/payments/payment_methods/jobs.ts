import type { Reads, Tenant } from '../../../base/reads.ts';
import { dueRows, type Job } from '../../../operations/job.ts';
import { extensionPoint } from '../../../operations/resource.ts';
import type { Services } from '../../../operations/services.ts';
import { kindOf } from './by_kind.ts';
import { forgetAtProcessors } from './forget.ts';
import { isTyped, type PaymentMethod } from './payment_method.ts';
import { paymentMethodsTable, replacePaymentMethod } from './store.ts';

const lookAgainMs = 600_000;

/** Tells whether an unfinished object still needs the secret, or the token, of a payment method. */
export type MethodUse = (reads: Reads, tenant: Tenant, paymentMethod: string) => Promise<boolean>;

export const usesOfMethods = extensionPoint<MethodUse>('payment_methods');

/**
 * Destroys the secrets and tokens of detached methods once no unfinished object uses them, and has processors delete the customers that were
 * made for them.
 */
export function destroyDetached(services: Services, uses: readonly MethodUse[]): Job {
  const { reads, committer, vault, clock } = services;
  const isUsed = async (tenant: Tenant, id: string) =>
    (await Promise.all(uses.map((use) => use(reads, tenant, id)))).includes(true);
  return dueRows(services, 'payment methods', paymentMethodsTable, async (before: PaymentMethod) => {
    const { tenant, id, version } = before;
    const used = await isUsed(tenant, id);
    const due = used ? new Date(clock.now() + lookAgainMs) : null;
    const looked = { ...before, version: version + 1, due_at: due, lease_until: null };
    // The session has what its customer has typed, for as long as it may.
    const after = isTyped(before) && !used ? { ...looked, billing: {} } : looked;
    if (used) return void (await committer.commit({ tenant, writes: [replacePaymentMethod(after)] }));
    const { forgotten, writes } = await forgetAtProcessors(services, before);
    const isToken = before.processor_account !== null;
    const destroyed = isToken ? [vault.destroySecret(tenant, id)] : kindOf(before).destroy(vault, tenant, id);
    await committer.commit({
      tenant,
      writes: [replacePaymentMethod({ ...after, ...forgotten }), ...writes, ...destroyed],
    });
  });
}
