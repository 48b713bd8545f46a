import type { Static } from 'typebox';
import type { Write } from '../../../../base/commit/index.ts';
import type { Tenant } from '../../../../base/reads.ts';
import type { Vault } from '../../../../vault/index.ts';
import type { MethodFacts, OpenedMethod, VaultReader } from '../kind.ts';
import type { PaymentMethod } from '../payment_method.ts';
import { requireCardNumber } from './card.ts';
import type { CardParameters } from './schema.ts';

/** The number is sealed with a fingerprint, and the security code apart from it, for 15 minutes at most. */
export async function sealCard(
  vault: Vault,
  tenant: Tenant,
  id: string,
  card: Static<typeof CardParameters>,
): Promise<{ facts: MethodFacts; writes: Write[] }> {
  const { number, brand, last4 } = requireCardNumber(card.number);
  const sealed = [vault.seal(tenant, id, number)];
  if (card.cvc !== undefined) sealed.push(vault.sealCvc(tenant, id, card.cvc));
  const { exp_month, exp_year } = card;
  return { facts: { brand, last4, exp_month, exp_year }, writes: await Promise.all(sealed) };
}

/** The security code serves one payment, whatever its outcome. */
export async function openCard(
  { vault, reads, tenant }: VaultReader,
  id: string,
): Promise<((method: PaymentMethod) => OpenedMethod) | undefined> {
  const card = await vault.open(reads, tenant, id);
  if (card === undefined) return undefined;
  const uses = card.cvc === undefined ? [] : [vault.useCvc(tenant, id)];
  return ({ billing: holder, exp_month: expMonth, exp_year: expYear }) => {
    return { instrument: { kind: 'card', ...card, expMonth, expYear, holder }, uses };
  };
}
