import type { Write } from '../../../base/commit/index.ts';
import { newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { AttemptId, MarkedPayment, ProcessorAccountId } from '../../../connectors/contract.ts';
import type { Services } from '../../../operations/services.ts';
import { notAToken, type PaymentMethod, type PaymentMethodId } from './payment_method.ts';
import { addPaymentMethod, findMethodsLike, paymentMethodsTable } from './store.ts';
import { brandOf, canBe, useToken } from './tokens.ts';

export type MethodServices = Pick<Services, 'reads' | 'vault' | 'clock'>;
type MarkedCard = MarkedPayment['card'];
type ChargedCard = { tenant: Tenant; account: ProcessorAccountId | null; card: MarkedCard; attempt: AttemptId };

/** The method of a payment that is recorded again, and what is committed with it. Undefined where the processor does not show the card. */
export async function methodOfLost(
  services: MethodServices,
  charged: ChargedCard,
): Promise<{ method: PaymentMethod; writes: Write[] } | undefined> {
  const known = await findMethodByToken(services, charged);
  if (known !== undefined) return { method: known, writes: useToken(known, charged.attempt) };
  const method = methodOfRecord(charged.tenant, newId('pm', services.clock.now()), charged.card);
  return method && { method, writes: [addPaymentMethod(method)] };
}

/** The method that stands for a card which a processor keeps, by its name there. */
async function findMethodByToken(
  { reads, vault }: MethodServices,
  { tenant, account, card }: ChargedCard,
): Promise<PaymentMethod | undefined> {
  if (account === null || card?.token === undefined) return undefined;
  for (const id of await findMethodsLike(reads, tenant, account, card.last4))
    if (await vault.isSecret(reads, tenant, id, card.token)) return reads.one(paymentMethodsTable, tenant, id);
  return undefined;
}

/**
 * A method for a payment whose own method is lost: what the processor shows of the card, and nothing that could be charged. It is detached
 * from the start, like one whose number was destroyed. Undefined where the processor does not show enough.
 */
function methodOfRecord(tenant: Tenant, id: PaymentMethodId, card: MarkedCard): PaymentMethod | undefined {
  if (card === undefined || !canBe(card)) return undefined;
  return {
    ...{ tenant, id, version: 1, customer: null, detached: true, detached_from: null, test_clock: null },
    ...{ brand: brandOf(card.brand), last4: card.last4, exp_month: card.expMonth, exp_year: card.expYear },
    ...{ billing: {}, metadata: null, ...notAToken },
    ...{ forget_since: null, left_since: null, due_at: null, lease_until: null },
  };
}
