import type { Write } from '../../../base/commit/index.ts';
import { newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { AttemptId, MarkedPayment, ProcessorAccountId } from '../../../connectors/contract.ts';
import type { Services } from '../../../operations/services.ts';
import { kinds } from './kinds.ts';
import { notAToken, nothingToForget, type PaymentMethod, type PaymentMethodId } from './payment_method.ts';
import { addPaymentMethod, findMethodsLike, paymentMethodsTable } from './store.ts';
import { useToken } from './tokens.ts';

export type MethodServices = Pick<Services, 'reads' | 'vault' | 'clock'>;
type MarkedMethod = MarkedPayment['method'];
type ChargedMethod = { tenant: Tenant; account: ProcessorAccountId | null; shown: MarkedMethod; attempt: AttemptId };

/** The method of a payment that is recorded again, and what is committed with it. Undefined where the processor does not show it. */
export async function methodOfLost(
  services: MethodServices,
  charged: ChargedMethod,
): Promise<{ method: PaymentMethod; writes: Write[] } | undefined> {
  const known = await findMethodByToken(services, charged);
  if (known !== undefined) return { method: known, writes: useToken(known, charged.attempt) };
  const method = methodOfRecord(charged.tenant, newId('pm', services.clock.now()), charged.shown);
  return method && { method, writes: [addPaymentMethod(method)] };
}

/** The method that a processor keeps, by its name there. */
async function findMethodByToken(
  { reads, vault }: MethodServices,
  { tenant, account, shown }: ChargedMethod,
): Promise<PaymentMethod | undefined> {
  if (account === null || shown?.token === undefined) return undefined;
  for (const id of await findMethodsLike(reads, tenant, account, shown.last4))
    if (await vault.isSecret(reads, tenant, id, shown.token)) return reads.one(paymentMethodsTable, tenant, id);
  return undefined;
}

/**
 * A method for a payment whose own method is lost: what the processor shows of it, and nothing that could be charged. It is detached
 * from the start, like one whose secret was destroyed. Undefined where the processor does not show enough.
 */
function methodOfRecord(tenant: Tenant, id: PaymentMethodId, shown: MarkedMethod): PaymentMethod | undefined {
  const facts = shown && kinds.map((kind) => kind.tokenized?.(shown)).find((found) => found !== undefined);
  if (facts === undefined) return undefined;
  return {
    tenant,
    id,
    version: 1,
    customer: null,
    detached: true,
    detached_from: null,
    test_clock: null,
    ...facts,
    billing: {},
    metadata: null,
    ...notAToken,
    ...nothingToForget,
  };
}
