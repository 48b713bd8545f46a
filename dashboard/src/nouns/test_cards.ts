import { testCards } from '../generated/catalog.ts';
import { brandName } from './payment_method_words.ts';

type CardNumber = keyof typeof testCards;

export type TestCard = {
  id: CardNumber;
  brand: string;
  /** What becomes of a payment. */
  words: string;
  result: string;
  code?: string;
  declineCode?: string;
  scenario?: string;
};

type CardGroup = { title: string; text: string; cards: readonly TestCard[] };

function cardGroup(title: string, text: string, words: Readonly<Partial<Record<CardNumber, string>>>): CardGroup {
  const numbers = Object.keys(words) as CardNumber[];
  return { title, text, cards: numbers.map((id) => ({ id, words: words[id]!, ...testCards[id] })) };
}

/** Every card of the simulator. */
export const cardGroups: readonly CardGroup[] = [
  cardGroup('Approved', 'The payment succeeds immediately.', {
    '4242424242424242': 'Approved',
    '5555555555554444': 'Approved',
    '378282246310005': 'Approved',
    '6011111111111117': 'Approved',
    '3056930009020004': 'Approved',
    '3566002020360505': 'Approved',
    '6200000000000005': 'Approved',
  }),
  cardGroup('Declined', 'The API responds with 402 and the payment fails.', {
    '4000000000000002': 'Declined without a reason',
    '4000000000009995': 'Insufficient funds',
    '4000000000009987': 'Reported lost',
    '4000000000009979': 'Reported stolen',
    '4000000000006975': 'Card used too often',
    '4000000000000069': 'Expired',
    '4000000000000127': 'Wrong security code',
    '4000000000000119': 'The processor failed',
    '4000000000000341': 'Can be attached; every charge is declined',
  }),
  cardGroup('Authentication', 'The payment requires action: a page asks the cardholder to approve or to refuse.', {
    '4000000000003220': 'Succeeds if the cardholder approves',
    '4000008400001629': 'Fails even if the cardholder approves',
    '4000002500003155': 'Asks once for each card, then succeeds',
  }),
  cardGroup('Disputes', 'The payment succeeds, and is disputed within a second of its capture.', {
    '4000000000000259': 'Disputed as fraudulent',
    '4000000000002685': 'Disputed as product not received',
  }),
  cardGroup('Refunds', 'The payment succeeds. Its refunds behave differently.', {
    '4000000000007726': 'A refund is pending, and succeeds two seconds later',
    '4000000000005126': 'A refund succeeds, and fails within a second',
  }),
  cardGroup('Unknown outcome', 'The payment is processing until an inquiry finds the outcome after 5 seconds.', {
    '4000000000000408': 'The response is lost; the charge was approved',
    '4000000000000416': 'The request is lost; the payment fails',
  }),
];

/** What sets a card apart. Plainly approved cards differ by their brand alone. */
export function cardWords({ brand, words, scenario, result }: TestCard): string {
  return result === 'approved' && scenario === undefined ? brandName(brand) : words;
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
