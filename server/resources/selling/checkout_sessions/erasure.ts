import type { Reads, Tenant } from '../../../base/reads.ts';
import { copies } from '../../../operations/extension_points/erasure.ts';
import type { Declared, JobServices } from '../../../operations/resource.ts';
import type { Dependents } from '../../payments/customers/operations.ts';
import { eraseTypedFor } from '../../payments/payment_methods/of_checkout.ts';
import { paymentDescriptor } from '../../payments/payments/operations.ts';
import { setupDescriptor } from '../../payments/setups/operations.ts';
import type { CheckoutSession } from './checkout_session.ts';
import { replaceSession, sessionsTable } from './store.ts';

const releasedMax = 100; // in one commit

export const isOver = ({ status }: Pick<CheckoutSession, 'status'>) => status === 'complete' || status === 'expired';

/** Without what the customer has typed. There is no event for it, so that the session becomes due: its job renews the index of the search. */
export function erased(session: CheckoutSession, now: number): CheckoutSession {
  const due_at = session.status === 'processing' ? session.due_at : new Date(now);
  return { ...session, version: session.version + 1, customer_details: null, due_at };
}

/**
 * A session that is over and due: its details were erased, and what the search and the payment methods of guests know of them goes too.
 * What cannot go at this moment keeps the session due.
 */
export async function renewCopies(services: JobServices, declared: Declared, session: CheckoutSession): Promise<void> {
  const { tenant, id, version } = session;
  const kept = declared.extensionsOf(copies);
  await Promise.all(kept.map((one) => one.renew(services, declared, tenant, [id])));
  for (const { table } of [paymentDescriptor, setupDescriptor])
    if (!(await eraseTypedFor(services, tenant, { table, session: id }))) return;
  const done = { ...session, version: version + 1, due_at: null, lease_until: null };
  await services.committer.commit({ tenant: done.tenant, writes: [replaceSession(done)] });
}

/** The sessions of a deleted customer lose what was typed. Those that are open expire: nobody can pay them for that customer any more. */
export const sessionsOfCustomers: Dependents = {
  async checkDefault() {}, // a session has no say in payment methods
  async release({ reads, tenant, now }, customer) {
    const found = await findReleased(reads, tenant, { customer, now });
    return {
      writes: found.map((one) => replaceSession(erased(one, now))),
      events: [],
      isLast: found.length < releasedMax,
    };
  },
};

/** Those that were released before are due. */
function findReleased(
  reads: Pick<Reads, 'rows'>,
  tenant: Tenant,
  { customer, now }: { customer: string; now: number },
): Promise<CheckoutSession[]> {
  const text = `select ${sessionsTable.columns.join(', ')} from checkout_sessions
    where tenant = $1 and customer = $2 and (customer_details is not null or (status = 'open' and due_at > $3))
    order by id limit ${releasedMax}`;
  return reads.rows<CheckoutSession>(text, [tenant, customer, new Date(now)]);
}
