import type { TokenizedMethod } from '../contract.ts';

type StoredCard = { number: string; brand: string };

const visa = (number: string): StoredCard => ({ number, brand: 'visa' });

/** The cards that the simulator keeps. Each name exists twice: see `cardUnder`. */
export const tokenizedCards: Readonly<Record<string, StoredCard>> = {
  visa: visa('4242424242424242'),
  mastercard: { number: '5555555555554444', brand: 'mastercard' },
  amex: { number: '378282246310005', brand: 'amex' },
  discover: { number: '6011111111111117', brand: 'discover' },
  diners: { number: '3056930009020004', brand: 'diners' },
  jcb: { number: '3566002020360505', brand: 'jcb' },
  unionpay: { number: '6200000000000005', brand: 'unionpay' },
  chargeDeclined: visa('4000000000000002'),
  chargeDeclinedInsufficientFunds: visa('4000000000009995'),
  chargeDeclinedLostCard: visa('4000000000009987'),
  chargeDeclinedStolenCard: visa('4000000000009979'),
  chargeDeclinedVelocityLimitExceeded: visa('4000000000006975'),
  chargeDeclinedExpiredCard: visa('4000000000000069'),
  chargeDeclinedIncorrectCvc: visa('4000000000000127'),
  chargeDeclinedProcessingError: visa('4000000000000119'),
  chargeCustomerFail: visa('4000000000000341'),
  authenticationRequired: visa('4000000000003220'),
  authenticationRequiredChargeDeclined: visa('4000008400001629'),
  authenticationRequiredOnce: visa('4000002500003155'),
  createDispute: visa('4000000000000259'),
  createDisputeProductNotReceived: visa('4000000000002685'),
  refundPending: visa('4000000000007726'),
  refundFail: visa('4000000000005126'),
  replyLost: visa('4000000000000408'),
  neverReceived: visa('4000000000000416'),
};

const expiry = { expMonth: 12, expYear: 2060 };

/** `tok_visa` can be charged once. `card_visa` is attached to a customer of the simulator, and can be charged again and again. */
export function cardUnder(token: string): { number: string; kept: TokenizedMethod } | undefined {
  const [, prefix, name] = /^(tok|card)_(\w+)$/.exec(token) ?? [];
  if (name === undefined || !Object.hasOwn(tokenizedCards, name)) return undefined;
  const { number, brand } = tokenizedCards[name]!;
  const customer = prefix === 'card' ? `sim_cus_${name}` : undefined;
  return { number, kept: { brand, last4: number.slice(-4), ...expiry, customer } };
}
