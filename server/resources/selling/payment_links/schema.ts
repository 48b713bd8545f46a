import type { Static } from 'typebox';
import { Type } from '../../../base/schema.ts';
import {
  Created,
  Flag,
  MaybeFlag,
  MaybeText,
  MaybeWhole,
  MetadataShape,
  OneOf,
  ParameterObject,
  Parameters,
  Shown,
  Text,
  Whole,
} from '../../../operations/schemas.ts';
import { from, serializer, timeInId } from '../../../operations/serializer.ts';
import { eventsAbout } from '../../../outbox/event.ts';
import { captureMethods } from '../../payments/payments/payment.ts';
import { checkoutModes, savingChoices } from '../checkout_sessions/checkout_session.ts';
import { ShownCollect, soldBy } from '../checkout_sessions/schema.ts';
import type { PaymentLink, paymentLinkEvents } from '../payment_link_state/payment_link.ts';

const quantityMax = 999;
const messageMax = 500;
const suggestedMax = 10;
const salesMax = 1_000_000;

const Amount = (description: string) =>
  Type.Integer({ description: `${description} In the smallest unit of the currency.` });
const Quantity = (description: string) => Type.Integer({ minimum: 1, maximum: quantityMax, description });

const QuantityBoundsInput = ParameterObject('The customer chooses how many of the one line, from `min` to `max`.', {
  min: Quantity('The fewest.'),
  max: Quantity('The most.'),
});

const AmountChoiceInput = ParameterObject('The customer chooses the amount, as for donations. It needs `currency`.', {
  min: Amount('The smallest amount.'),
  max: Amount('The largest amount.'),
  suggested: Type.Optional(
    Type.Array(Amount('An amount to choose.'), {
      minItems: 1,
      maxItems: suggestedMax,
      description: 'Up to 10 amounts to choose.',
    }),
  ),
});

const { mode, ...changeable } = soldBy;

const terms = {
  ...changeable,
  adjustable_quantity: Type.Optional(QuantityBoundsInput),
  amount_choice: Type.Optional(AmountChoiceInput),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: salesMax,
      description:
        'How many sessions can be completed. A place is held from the press of the button to the outcome, and a session lives for 30 minutes.',
    }),
  ),
  inactive_message: Type.Optional(
    Type.String({
      maxLength: messageMax,
      description: 'What the page says when the link is inactive or sold out, up to 500 characters.',
    }),
  ),
};

export const NewPaymentLinkInput = Parameters({ mode, ...terms });
export type NewPaymentLink = Static<typeof NewPaymentLinkInput>;

export const PaymentLinkInput = Parameters({
  active: Type.Optional(Type.Boolean({ description: 'Whether it sells.' })),
  ...terms,
});

const ShownLine = Type.Object(
  {
    price: MaybeText('The id of the price.'),
    name: MaybeText('What is sold.'),
    unit_amount: MaybeWhole('What one costs, in the smallest unit of the currency.'),
    currency: MaybeText('A three-letter ISO currency code in lower case.'),
    quantity: MaybeWhole('How many; 1 when not given.'),
  },
  { title: 'PaymentLinkLine', description: 'Something that is sold, as it was supplied.' },
);

const ShownBounds = Type.Object(
  { min: Whole('The fewest.'), max: Whole('The most.') },
  { title: 'QuantityBounds', description: 'The customer chooses how many of the one line.' },
);

const ShownChoice = Type.Object(
  {
    min: Whole('The smallest amount.'),
    max: Whole('The largest amount.'),
    suggested: Type.Optional(Type.Array(Type.Integer(), { description: 'Amounts to choose.' })),
  },
  { title: 'AmountChoice', description: 'The customer chooses the amount.' },
);

const ShownSubscriptionData = Type.Object(
  {
    trial_days: MaybeWhole('How many days are free.'),
    metadata: Type.Optional(MetadataShape),
    coupon: MaybeText('The id of a coupon for its items.'),
  },
  { title: 'LinkSubscriptionData', description: 'What each subscription gets that is sold.' },
);

const about = 'An address that sells the same thing to anybody.';

export const PaymentLinkOutput = Shown('PaymentLink', 'payment_link', about, {
  active: Flag('Whether it sells.'),
  url: Text('The address of the page.'),
  mode: OneOf(checkoutModes, 'What a session of it does.'),
  completed: Whole('How many sessions were completed.'),
  created: Created,
  amount: MaybeWhole('What is paid, in the smallest unit of the currency.'),
  currency: MaybeText('A three-letter ISO currency code in lower case.'),
  description: MaybeText('What the amount is for.'),
  line_items: Type.Optional(Type.Array(ShownLine, { description: 'What is sold.' })),
  adjustable_quantity: Type.Optional(ShownBounds),
  amount_choice: Type.Optional(ShownChoice),
  limit: MaybeWhole('How many sessions can be completed.'),
  inactive_message: MaybeText('What the page says when the link is inactive or sold out.'),
  save_payment_method: Type.Optional(OneOf(savingChoices, 'Whether the payment method is kept for later charges.')),
  capture_method: Type.Optional(OneOf(captureMethods, 'Whether payments are captured immediately.')),
  allow_coupons: MaybeFlag('Whether the page takes the code of a coupon.'),
  subscription_data: Type.Optional(ShownSubscriptionData),
  collect: Type.Optional(ShownCollect),
  success_url: MaybeText('Where the customer goes after the payment.'),
  cancel_url: MaybeText('Where the customer goes without paying.'),
  locale: MaybeText('The language of the page.'),
  metadata: Type.Optional(MetadataShape),
});

export type ShownPaymentLink = Static<typeof PaymentLinkOutput>;

export const serializePaymentLink = serializer<PaymentLink, typeof PaymentLinkOutput>(PaymentLinkOutput, {
  limit: from(['sales_limit'], ({ sales_limit }) => sales_limit),
  created: timeInId,
});

export const paymentLinkEvent = eventsAbout<keyof typeof paymentLinkEvents, PaymentLink>(serializePaymentLink);
