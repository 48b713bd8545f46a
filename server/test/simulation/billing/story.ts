import type { BillingAction } from './actions.ts';
import { couponsOffered, priceGroups } from './catalogue.ts';
import { at } from './days.ts';
import type { CardModel } from './state.ts';
import type { Moment, Walk } from './walk.ts';

/** The lives of eight customers in which every defect of the list makes a difference. */
export const wayOfStory: Walk = {
  seed: 0,
  start: at(2024, 1, 31, 10),
  days: 152, // until the 1st of July
  customers: ['anna', 'bert', 'cora', 'dora', 'emil', 'fred', 'gina', 'hugo'],
  dunning: { days: [1, 3, 5, 7], end: 'past_due' },
};

const [cheap, dear, , tiny] = priceGroups[0]!; // 999, 2501 and 333 a month
const coupon = (key: string) => couponsOffered.find((one) => one.key === key)!;
const card = (customer: string, kind: CardModel): BillingAction => ({
  kind: 'card_of_customer',
  customer,
  card: kind,
});

const subscribed: BillingAction[] = wayOfStory.customers.flatMap((customer): BillingAction[] => [
  card(customer, 'pays'),
  {
    kind: 'subscribe',
    customer,
    subscription: `${customer} 1`,
    items: (customer === 'bert' ? [cheap!, dear!, tiny!] : [cheap!]).map((price) => ({ price, quantity: 1 })),
    ...(customer === 'anna' && { coupon: coupon('33.33% once') }),
    ...(customer === 'bert' && { coupon: coupon('50% for 3 months') }),
    ...(customer === 'cora' && { coupon: coupon('1.51 off'), anchor: at(2024, 2, 20, 12) }),
  },
]);

const extra = (customer: string): BillingAction => ({ kind: 'item', customer, amount: -1_400, currency: 'eur' });
const cancel = (customer: string, isCredited: boolean): BillingAction => ({
  kind: 'cancel',
  subscription: `${customer} 1`,
  isCredited,
});

const february: BillingAction[] = [
  extra('fred'),
  extra('gina'),
  cancel('bert', true),
  { kind: 'refund', invoice: 'hugo/1', amount: 600 },
  cancel('hugo', true),
  card('dora', 'short_of_funds'),
  card('emil', 'lost'),
];
const march = [cancel('dora', false), cancel('emil', true), card('fred', 'lost'), card('gina', 'lost')];
const april: BillingAction[] = [
  { kind: 'void', invoice: 'fred/3' },
  { kind: 'mark_uncollectible', invoice: 'gina/3' },
];

export const story: Moment[] = [
  [wayOfStory.start, subscribed],
  [at(2024, 2, 10, 9), february],
  [at(2024, 3, 4, 12), march],
  [at(2024, 4, 1, 8), april],
];
