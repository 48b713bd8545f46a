/** What the simulator does with a card, in its own words. */
export type Does = { result: string; code?: string; declineCode?: string; scenario?: string };

export type TestCard = { id: string; brand: string; words: string } & Does;

const declined = (id: string, words: string, code: string, declineCode?: string): TestCard => ({
  ...{ id, brand: 'visa', words, result: 'declined', code },
  ...(declineCode !== undefined && { declineCode }),
});

const special = (id: string, words: string, result: string, scenario?: string): TestCard => ({
  ...{ id, brand: 'visa', words, result },
  ...(scenario !== undefined && { scenario }),
});

const approved = (id: string, brand: string): TestCard => ({ id, brand, words: 'Approved', result: 'approved' });

export type CardGroup = { title: string; text: string; cards: readonly TestCard[] };

/** The cards of the simulator. A test compares them with what it does. */
export const cardGroups: readonly CardGroup[] = [
  {
    title: 'Approved',
    text: 'The payment succeeds at once.',
    cards: [
      approved('4242424242424242', 'visa'),
      approved('5555555555554444', 'mastercard'),
      approved('378282246310005', 'amex'),
      approved('6011111111111117', 'discover'),
      approved('3056930009020004', 'diners'),
      approved('3566002020360505', 'jcb'),
      approved('6200000000000005', 'unionpay'),
    ],
  },
  {
    title: 'Declined',
    text: 'The API answers 402, and the payment is failed.',
    cards: [
      declined('4000000000000002', 'Declined without a reason', 'card_declined', 'generic_decline'),
      declined('4000000000009995', 'Not enough money', 'card_declined', 'insufficient_funds'),
      declined('4000000000009987', 'Reported lost', 'card_declined', 'lost_card'),
      declined('4000000000009979', 'Reported stolen', 'card_declined', 'stolen_card'),
      declined('4000000000006975', 'Used too often', 'card_declined', 'card_velocity_exceeded'),
      declined('4000000000000069', 'Expired', 'expired_card'),
      declined('4000000000000127', 'Wrong security code', 'incorrect_cvc'),
      declined('4000000000000119', 'The processor failed', 'processing_error'),
      declined('4000000000000341', 'Can be attached; every charge is declined', 'card_declined', 'generic_decline'),
    ],
  },
  {
    title: 'Authentication',
    text: 'The payment requires action: a page asks the cardholder to approve or to refuse.',
    cards: [
      special('4000000000003220', 'Succeeds if the cardholder approves', 'challenged', 'challenge_then_approved'),
      special('4000008400001629', 'Fails even if the cardholder approves', 'challenged', 'challenge_then_declined'),
      special('4000002500003155', 'Asks once for each card, then succeeds', 'challenged', 'challenge_once'),
    ],
  },
  {
    title: 'Disputes',
    text: 'The payment succeeds, and is disputed within a second of its capture.',
    cards: [
      special('4000000000000259', 'Disputed as fraudulent', 'approved', 'dispute_fraudulent'),
      special('4000000000002685', 'Disputed as product not received', 'approved', 'dispute_product_not_received'),
    ],
  },
  {
    title: 'Refunds',
    text: 'The payment succeeds. Refunds of it are special.',
    cards: [
      special('4000000000007726', 'A refund is pending, and succeeds two seconds later', 'approved', 'refund_pending'),
      special('4000000000005126', 'A refund succeeds, and fails within a second', 'approved', 'refund_bounces'),
    ],
  },
  {
    title: 'Unknown outcome',
    text: 'The payment is processing, until an inquiry finds after 5 seconds what became of it.',
    cards: [
      special('4000000000000408', 'The answer is lost; the charge is found approved', 'approved', 'reply_lost'),
      special('4000000000000416', 'The request is lost; the payment fails', 'never_received'),
    ],
  },
];

export const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** What sets a card apart. Plainly approved cards differ by their brand alone. */
export function cardWords({ brand, words, scenario, result }: TestCard): string {
  return result === 'approved' && scenario === undefined ? brands[brand]! : words;
}

/** As it is printed on a card: `4242 4242 4242 4242`, `3782 822463 10005`. */
export function grouped(number: string): string {
  return number.length === 15
    ? number.replace(/^(.{4})(.{6})(.{5})$/, '$1 $2 $3')
    : number.replace(/(.{4})(?=.)/g, '$1 ');
}

/** The details to send: far from expiring, with a security code of the right length. */
export function detailsOf({ id, brand }: TestCard, year: number) {
  return { number: id, exp_month: 12, exp_year: year + 5, cvc: brand === 'amex' ? '1234' : '123' };
}
