import type { Static } from 'typebox';
import { escapeHtml } from '../../../base/page.ts';
import { cardText } from '../../payments/payment_methods/card/brand_names.ts';
import type { PaymentMethodOutput } from '../../payments/payment_methods/schema.ts';
import type { PortalVisit } from './visit.ts';

export type OwnMethod = Static<typeof PaymentMethodOutput> & {
  card?: { brand: string; last4: string; exp_month?: number; exp_year?: number };
};

const methodsMax = 100; // as many as a customer can have

export async function listMethods({ calls, who }: PortalVisit): Promise<OwnMethod[]> {
  const parameters = { customer: who.customer.id, limit: methodsMax };
  const found = await calls.read<{ data: OwnMethod[] }>(who, 'payment_methods.list', '', parameters);
  return found?.data ?? [];
}

/** `Visa •••• 4242`. */
export function nameOf({ card, type }: OwnMethod): string {
  return `<bdi>${escapeHtml((card && cardText(card)) || type)}</bdi>`;
}
