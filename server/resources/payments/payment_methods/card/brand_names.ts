import type { Brand } from '../../../../vault/index.ts';

/** As their owners write them. */
export const brandNames: Readonly<Record<Brand, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  unknown: 'Unknown',
};

/** `Visa •••• 4242`, as far as it is known. */
export function cardText({ brand, last4 }: { brand?: string | null; last4?: string | null }): string {
  const name = !brand || brand === 'unknown' ? '' : (brandNames[brand as Brand] ?? brand);
  return [name, last4 ? `•••• ${last4}` : ''].filter(Boolean).join(' ');
}
