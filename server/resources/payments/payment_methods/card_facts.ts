import type { PaymentMethod } from './payment_method.ts';

/** What a payment keeps of its method, also when the method is detached and the holder's data is erased. */
export function cardFacts({ last4, brand, billing }: PaymentMethod) {
  return { last4, brand, country: billing.address?.country ?? null };
}

/** SQL: the same, for a payment by this alias that was made without them. A method that is gone has the brand `unknown`. */
export function cardFactsSql(payment: string): { brand: string; country: string } {
  const method = `from payment_methods m where m.tenant = ${payment}.tenant and m.id = ${payment}.payment_method`;
  return {
    brand: `coalesce((select m.brand ${method}), 'unknown')`,
    country: `(select m.billing->'address'->>'country' ${method})`,
  };
}
