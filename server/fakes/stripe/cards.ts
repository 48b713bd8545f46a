import { declineOf, type FakeDecline } from './declines.ts';
import { invalid } from './errors.ts';

/** What a card does. Without anything, every charge is approved. */
export type FakeBehaviour = {
  /** Every charge is declined, and attaching the card to a customer or setting it up as well. */
  decline?: FakeDecline;
  /** It can be attached and set up all the same. */
  isAttachable?: boolean;
  /**
   * Whether the cardholder has to authenticate. `unless_set_up`: not once the card is set up for payments without the cardholder.
   * `on_session`: it is set up already.
   */
  challenge?: 'always' | 'unless_set_up' | 'on_session';
  /** After an approved challenge. */
  declineAfterChallenge?: FakeDecline;
  declineCapture?: FakeDecline;
  /** The payment stays in `processing` for a while, and then ends so. */
  processing?: 'succeeds' | 'fails';
  /** A dispute follows the charge, for this reason. */
  dispute?: string;
  /** The dispute is an inquiry: no money is withdrawn. */
  isInquiry?: boolean;
  refund?: 'pending' | 'fails';
  /** The money is available immediately. */
  bypassesPending?: boolean;
};

export type FakeTestCard = { number: string; token?: string; behaviour: FakeBehaviour };

const card = (number: string, token?: string, behaviour: FakeBehaviour = {}): FakeTestCard => ({
  number,
  ...(token === undefined ? {} : { token }),
  behaviour,
});
const declines = (code: string): FakeBehaviour => ({ decline: declineOf(code) });

/** Test cards and test tokens as Stripe documents them. A payment method has the prefix `pm_`, a token `tok_`. */
const testCards: readonly FakeTestCard[] = [
  card('4242424242424242', 'card_visa'),
  card('4000056655665556', 'card_visa_debit'),
  card('5555555555554444', 'card_mastercard'),
  card('5200828282828210', 'card_mastercard_debit'),
  card('5105105105105100', 'card_mastercard_prepaid'),
  card('378282246310005', 'card_amex'),
  card('6011111111111117', 'card_discover'),
  card('3056930009020004', 'card_diners'),
  card('3566002020360505', 'card_jcb'),
  card('6200000000000005', 'card_unionpay'),
  card('4000000000000002', 'card_visa_chargeDeclined', declines('generic_decline')),
  card('4000000000009995', 'card_visa_chargeDeclinedInsufficientFunds', declines('insufficient_funds')),
  card('4000000000009987', 'card_visa_chargeDeclinedLostCard', declines('lost_card')),
  card('4000000000009979', 'card_visa_chargeDeclinedStolenCard', declines('stolen_card')),
  card('4000000000006975', 'card_visa_chargeDeclinedVelocityLimitExceeded', declines('card_velocity_exceeded')),
  card('4000000000000069', 'card_chargeDeclinedExpiredCard', declines('expired_card')),
  card('4000000000000127', 'card_chargeDeclinedIncorrectCvc', declines('incorrect_cvc')),
  card('4000000000000119', 'card_chargeDeclinedProcessingError', declines('processing_error')),
  card('4100000000000019', 'card_radarBlock', declines('fraudulent')),
  card('4000000000000341', 'card_chargeCustomerFail', { ...declines('generic_decline'), isAttachable: true }),
  card('4000002500003155', 'card_authenticationRequiredOnSetup', { challenge: 'unless_set_up' }),
  card('4000002760003184', 'card_authenticationRequired', { challenge: 'always' }),
  card('4000003800000446', 'card_authenticationRequiredSetupForOffSession', { challenge: 'on_session' }),
  card('4000008260003178', 'card_authenticationRequiredChargeDeclinedInsufficientFunds', {
    challenge: 'always',
    declineAfterChallenge: declineOf('insufficient_funds'),
    isAttachable: true,
  }),
  card('4000000000003220', 'card_threeDSecure2Required', { challenge: 'always' }),
  card('4000008400001629', 'card_threeDSecureRequiredChargeDeclined', {
    challenge: 'always',
    declineAfterChallenge: declineOf('generic_decline'),
  }),
  card('4000000000000259', 'card_createDispute', { dispute: 'fraudulent' }),
  card('4000000000002685', 'card_createDisputeProductNotReceived', { dispute: 'product_not_received' }),
  card('4000000000001976', 'card_createDisputeInquiry', { dispute: 'fraudulent', isInquiry: true }),
  card('4000000000007726', 'card_pendingRefund', { refund: 'pending' }),
  card('4000000000005126', 'card_refundFail', { refund: 'fails' }),
  card('4000000000000077', 'card_bypassPending', { bypassesPending: true }),
];

const byNumber = new Map(testCards.map((one) => [one.number, one]));
const byToken = new Map(testCards.flatMap((one) => (one.token === undefined ? [] : [[one.token, one] as const])));

/** `pm_card_visa`, `tok_visa` and the others: each use makes a new payment method. */
export function testCardOf(token: string): FakeTestCard | undefined {
  if (token.startsWith('pm_')) return byToken.get(token.slice(3));
  return token.startsWith('tok_') ? byToken.get(`card_${token.slice(4)}`) : undefined;
}

/** A number that is not in the table is approved. A wrong check digit is refused, as Stripe does. */
export function cardOfNumber(text: string): FakeTestCard {
  const number = text.replaceAll(/[ -]/g, '');
  if (!/^\d{12,19}$/.test(number) || !hasCheckDigit(number))
    throw invalid('Your card number is incorrect.', { code: 'incorrect_number', param: 'number' });
  return byNumber.get(number) ?? card(number);
}

function hasCheckDigit(number: string): boolean {
  const digits = [...number].reverse().map(Number);
  const sum = digits.reduce((all, digit, at) => all + (at % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)), 0);
  return sum % 10 === 0;
}

const brands: readonly [RegExp, string][] = [
  [/^4/, 'visa'],
  [/^(5[1-5]|2[2-7])/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^6(011|4[4-9]|5)/, 'discover'],
  [/^3(0[0-5]|[689])/, 'diners'],
  [/^35/, 'jcb'],
  [/^62/, 'unionpay'],
];

export function brandOfNumber(number: string): string {
  return brands.find(([range]) => range.test(number))?.[1] ?? 'unknown';
}
