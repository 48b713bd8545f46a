import type { Secret } from '../base/secret.ts';

/** What may be shown of a payment method. */
export type ShownMethod = { brand: string; last4: string; expMonth: number; expYear: number };

/** A payment method as the processor that keeps it describes it. */
export type TokenizedMethod = ShownMethod & {
  /** The processor's own name for the customer that it is attached to. Without one it can be charged once. */
  customer: string | undefined;
};

/** A method that the processor keeps for later charges, under a customer that it has made for it. */
export type KeptMethod = { token: Secret; customer: string; card: ShownMethod };

/** What the cardholder has chosen on a page or in the fields of the processor, as far as the processor tells it. */
export type UsedMethod = Partial<Omit<ShownMethod, 'brand'>> & { type: string; brand?: string; wallet?: string };

/** What a confirmation token carries. The fingerprint is equal for equal cards at one processor account. */
export type ConfirmedMethod = ShownMethod & { fingerprint?: string };
