import type { Static } from 'typebox';
import { Type } from '../../../base/schema.ts';
import { localeTags } from '../../../locales/index.ts';
import { MaybeReference } from '../../../operations/references.ts';
import {
  CurrencyParameter,
  MaybeFlag,
  MaybeMoment,
  MaybeText,
  MaybeWhole,
  MetadataParameter,
  MetadataShape,
  Moment,
  OneOf,
  OptionalChoice,
  OptionalId,
  ParameterObject,
  Parameters,
  Personal,
  Shown,
  Text,
  Whole,
} from '../../../operations/schemas.ts';
import { from, type Sources, serializer, timeByClock } from '../../../operations/serializer.ts';
import { eventsAbout } from '../../../outbox/event.ts';
import { priceIntervals } from '../../billing/prices/price.ts';
import { captureMethods } from '../../payments/payments/payment.ts';
import {
  addressesCollected,
  type CheckoutSession,
  checkoutModes,
  type checkoutSessionEvents,
  checkoutStatuses,
  expiredReasons,
  paymentStatuses,
  savingChoices,
} from './checkout_session.ts';

export const linesMax = 100;
const trialDaysMax = 730;
export const expiresInRange = [1_800, 86_400] as const;

const LineItem = ParameterObject('A price, or a name with an amount of its own.', {
  price: OptionalId(
    'The id of an active price; in the mode `payment` one that is paid once. Not together with `name`, `unit_amount` and `currency`.',
  ),
  name: Type.Optional(Type.String({ maxLength: 256, description: 'What is sold, up to 256 characters.' })),
  unit_amount: Type.Optional(
    Type.Integer({ minimum: 0, description: 'What one costs, in the smallest unit of the currency.' }),
  ),
  currency: Type.Optional(CurrencyParameter),
  quantity: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 999, description: 'How many, from 1 to 999; 1 when not given.' }),
  ),
});

export const LineItems = Type.Array(LineItem, {
  minItems: 1,
  maxItems: linesMax,
  description: 'What is sold: 1 to 100 lines in one currency. Not together with `amount`.',
});

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

export const CollectInput = ParameterObject('What the page asks the customer for, beside the email address.', {
  name: flag('Whether the name is required.'),
  phone: flag('Whether a phone number is required.'),
  billing_address: OptionalChoice(
    addressesCollected,
    '`none` when not given; `country`: the country and what the bank compares; `full`: the whole address.',
  ),
  terms: flag('Whether the customer must agree to your terms. The branding must have the link to them.'),
});

const place = (when: string) =>
  Type.Optional(
    Type.String({
      maxLength: 2_048,
      description: `Where the customer goes ${when}: an https address of up to 2,048 characters, without user name and password. In test mode also http on this machine. \`{CHECKOUT_SESSION}\` is replaced by the id. Without one, our own page says how it went.`,
    }),
  );

const SubscriptionData = ParameterObject('What the subscription gets, in the mode `subscription`.', {
  trial_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: trialDaysMax,
      description:
        'How many days are free, from 1 to 730. The payment method is set up, and nothing is charged but lines that are paid once.',
    }),
  ),
  metadata: Type.Optional(MetadataParameter),
  coupon: OptionalId(
    'The id of a coupon for its items. Without a trial it must leave something to pay when the subscription begins.',
  ),
});

/** What sessions and payment links have in common. */
export const soldBy = {
  mode: OptionalChoice(
    checkoutModes,
    '`payment`: the customer pays once. It is the default. `setup`: nothing is paid, and a payment method is kept for later charges. `subscription`: prices that recur start a subscription, and lines that are paid once join its first invoice.',
  ),
  subscription_data: Type.Optional(SubscriptionData),
  amount: Type.Optional(
    Type.Integer({
      description:
        'What is to be paid, with `currency`: 1 to 999,999,999,999 in the smallest unit of the currency. Not together with `line_items`.',
    }),
  ),
  currency: Type.Optional(CurrencyParameter),
  description: Type.Optional(
    Personal({ maxLength: 1_000, description: 'What `amount` is for, up to 1,000 characters. The customer sees it.' }),
  ),
  line_items: Type.Optional(LineItems),
  save_payment_method: OptionalChoice(
    savingChoices,
    'Whether the payment method is kept for later charges without the customer, in the mode `payment`. `none` is the default. `offer`: the customer chooses. `require`: it is kept. A session without a customer then makes one with the payment.',
  ),
  capture_method: OptionalChoice(
    captureMethods,
    '`automatic` captures immediately, and is the default. `manual` only authorizes: capture the payment within 7 days.',
  ),
  allow_coupons: flag('Whether the customer can enter the `code` of a coupon.'),
  collect: Type.Optional(CollectInput),
  success_url: place('after the payment, as a hint: retrieve the session, or wait for `checkout_session.completed`'),
  cancel_url: place('to leave the page without paying'),
  locale: OptionalChoice(
    ['auto', ...localeTags],
    'The language of the page; `auto`, the default: that of the browser.',
  ),
  metadata: Type.Optional(MetadataParameter),
};

export const NewSessionInput = Parameters({
  ...soldBy,
  customer: OptionalId(
    'The id of the customer who pays. The page offers the saved payment methods of this customer. Not together with `customer_email`.',
  ),
  customer_email: Type.Optional(
    Personal({
      maxLength: 254,
      format: 'email',
      description: 'The email address of the customer. The page shows it, and asks for none.',
    }),
  ),
  expires_in: Type.Optional(
    Type.Integer({
      minimum: expiresInRange[0],
      maximum: expiresInRange[1],
      description: 'After how many seconds it can no longer be paid: 1,800 to 86,400, which is the default.',
    }),
  ),
  reference: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'The number of your order, up to 200 characters. It need not be unique.',
    }),
  ),
});
export type NewSession = Static<typeof NewSessionInput>;

export const SessionInput = Parameters({ metadata: Type.Optional(MetadataParameter) });

const LineRecurring = Type.Object(
  {
    interval: OneOf(priceIntervals, 'The unit of the period.'),
    interval_count: Whole('How many of them a period has.'),
  },
  { title: 'CheckoutRecurring', description: 'How often it is paid; present for a price that recurs.' },
);

const ShownLine = Type.Object(
  {
    name: Text('What is sold.'),
    quantity: Whole('How many.'),
    unit_amount: Whole('What one costs, in the smallest unit of the currency.'),
    amount: Whole('What all of them cost, before the discount.'),
    discount: MaybeWhole('What a coupon takes off; present when it is not 0.'),
    price: MaybeText('The id of the price.'),
    recurring: Type.Optional(LineRecurring),
  },
  { title: 'CheckoutLineItem', description: 'A line of a checkout session.' },
);

export const ShownDetails = Type.Object(
  {
    email: MaybeText('The email address.'),
    name: MaybeText('The name.'),
    phone: MaybeText('The phone number.'),
    address: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'The billing address, as far as it was asked for.' }),
    ),
  },
  {
    title: 'CustomerDetails',
    description: 'What the customer has typed. It is erased with the events of the session, or by a redaction.',
  },
);

export const ShownCollect = Type.Object(
  {
    name: MaybeFlag('Whether the name is required.'),
    phone: MaybeFlag('Whether a phone number is required.'),
    billing_address: Type.Optional(OneOf(addressesCollected, 'How much of the address is required.')),
    terms: MaybeFlag('Whether the customer must agree to the terms.'),
  },
  { title: 'CheckoutCollect', description: 'What the page asks for; present when supplied.' },
);

const ShownSubscriptionData = Type.Object(
  {
    trial_days: MaybeWhole('How many days are free.'),
    metadata: Type.Optional(MetadataShape),
  },
  { title: 'CheckoutSubscriptionData', description: 'What the subscription gets; present when supplied.' },
);

const shownAtFirst = {
  mode: OneOf(
    checkoutModes,
    [
      '`payment`: the customer pays once.',
      '`setup`: a payment method is kept, and nothing is paid.',
      '`subscription`: the customer subscribes.',
    ].join(' '),
  ),
  status: OneOf(
    checkoutStatuses,
    [
      '`open`: it can be paid.',
      '`processing`: a try is under way, or its outcome is unknown. It becomes `complete`, or `open` again after a decline.',
      '`complete`: it is paid or authorized, or the payment method is kept; see `payment_status`.',
      '`expired`: it can no longer be paid.',
    ].join(' '),
  ),
  payment_status: OneOf(
    paymentStatuses,
    '`unpaid`, `paid`, or `authorized` until the payment is captured. `no_payment_required`: nothing is due. Refunds change nothing.',
  ),
  amount_total: Whole(
    'What the customer pays, in the smallest unit of the currency; of a subscription, what is paid when it begins.',
  ),
  currency: MaybeText('A three-letter ISO currency code in lower case.'),
};

const shownLater = {
  expires_at: Moment('When it can no longer be paid, in real time.'),
  created: Moment('When it was created, by the test clock of the customer if it has one.'),
  line_items: Type.Optional(Type.Array(ShownLine, { description: 'What is sold; present when supplied.' })),
  amount_subtotal: MaybeWhole('The sum of the lines before the discount; present with `line_items`.'),
  amount_discount: MaybeWhole('What a coupon takes off; present when there is one.'),
  description: MaybeText('What the amount is for; present when supplied.'),
  customer: MaybeReference('customers', 'The id of the customer.'),
  customer_details: Type.Optional(ShownDetails),
  payment: MaybeReference('payments', 'The id of the payment of the latest try.'),
  setup: MaybeReference('setups', 'The id of the setup of the latest try, where nothing is due.'),
  subscription: MaybeReference('subscriptions', 'The id of the subscription that it has started.'),
  invoice: MaybeReference('invoices', 'The id of the first invoice of that subscription.'),
  payment_method: MaybeReference('payment_methods', 'The id of the payment method that has paid it, or is kept by it.'),
  save_payment_method: Type.Optional(
    OneOf(savingChoices, 'Whether the payment method is kept; present when supplied.'),
  ),
  capture_method: Type.Optional(OneOf(captureMethods, 'Present when supplied.')),
  allow_coupons: MaybeFlag('Whether the customer can enter the code of a coupon; present when supplied.'),
  subscription_data: Type.Optional(ShownSubscriptionData),
  coupon: MaybeText(
    'The id of the coupon that is applied: that of `subscription_data`, or the one that the customer has entered.',
  ),
  collect: Type.Optional(ShownCollect),
  success_url: MaybeText('Where the customer goes after the payment; present when supplied.'),
  cancel_url: MaybeText('Where the customer goes without paying; present when supplied.'),
  locale: MaybeText('The language of the page; present when supplied.'),
  reference: MaybeText('The number of your order; present when supplied.'),
  payment_link: MaybeText('The id of the payment link that it was made by.'),
  completed_at: MaybeMoment('When it was completed.'),
  expired_reason: Type.Optional(
    OneOf(
      expiredReasons,
      '`time`, `requested`, `too_many_attempts`: too many tries were declined, or `invoice_paid`: its invoice was paid elsewhere. Present once it has expired.',
    ),
  ),
  late: MaybeFlag(
    '`true`: the payment succeeded after the session had expired. Deliver, or refund the payment, and review the session.',
  ),
  reviewed_at: MaybeMoment('When somebody has dealt with the late payment; present once it was reviewed.'),
  metadata: Type.Optional(MetadataShape),
  test_clock: MaybeReference('test_clocks', 'The id of the test clock of the customer.'),
};

const about = 'What a customer is to pay for on a page of the gateway.';

export const SessionOutput = Shown('CheckoutSession', 'checkout_session', about, {
  ...shownAtFirst,
  url: MaybeText(
    'The address of the page that the customer pays on; present while it is open. The address is the permission: everybody who has it sees the order and what the customer has typed, and can pay, with the saved cards of `customer` too. Give it to nobody else.',
  ),
  ...shownLater,
});

/** Without `url`: the receivers of events need not be able to pay. */
export const SessionInEvent = Shown('CheckoutSessionInEvent', 'checkout_session', `${about} Without \`url\`.`, {
  ...shownAtFirst,
  ...shownLater,
});

const sources = {
  line_items: from(['line_items'], ({ line_items }: Pick<CheckoutSession, 'line_items'>) =>
    line_items?.map(({ discount, price, ...line }) => ({
      ...line,
      ...(discount === 0 ? {} : { discount }),
      ...(price === undefined ? {} : { price }),
    })),
  ),
  created: timeByClock,
} as unknown as Sources<CheckoutSession, typeof SessionInEvent>;

export const serializeSession = serializer<CheckoutSession, typeof SessionOutput>(SessionOutput, {
  ...sources,
  url: from(['status', 'url'], ({ status, url }) => (status === 'open' ? url : null)),
} as Sources<CheckoutSession, typeof SessionOutput>);

const serializeInEvent = serializer<CheckoutSession, typeof SessionInEvent>(SessionInEvent, sources);

export const sessionEvent = eventsAbout<keyof typeof checkoutSessionEvents, CheckoutSession>(serializeInEvent);
