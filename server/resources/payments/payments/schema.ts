import { Type } from '../../../base/schema.ts';
import { advices, declineCodes } from '../../../connectors/contract.ts';
import { MaybeReference } from '../../../operations/references.ts';
import {
  Currency,
  CurrencyParameter,
  IdParameter,
  MaybeMoment,
  MaybeText,
  MaybeWhole,
  MetadataParameter,
  MetadataShape,
  Moment,
  OneOf,
  OptionalChoice,
  OptionalId,
  Parameters,
  Personal,
  Shown,
  Text,
  Whole,
} from '../../../operations/schemas.ts';
import { from, type Sources, serializer, timeByClock } from '../../../operations/serializer.ts';
import { eventsAbout } from '../../../outbox/event.ts';
import { NextAction, nextActionOf, ReturnUrlParameter } from '../returns/schema.ts';
import { captureMethods, type Payment, type paymentEvents, paymentStatuses } from './payment.ts';

const descriptionCharsMax = 1_000;
const description = Type.Optional(
  Personal({ maxLength: descriptionCharsMax, description: 'What the payment is for, up to 1,000 characters.' }),
);
const amount = (text: string) => Type.Integer({ description: text });

export const NewPaymentInput = Parameters({
  amount: amount(
    'From 1 to 999,999,999,999, in the smallest unit of the currency: 2000 is 20.00 euros, or 2000 yen. A processor may have its own minimum.',
  ),
  currency: CurrencyParameter,
  payment_method: IdParameter('The id of the payment method to charge. It must not be detached.'),
  customer: OptionalId(
    'The id of the customer that the payment belongs to. A payment method that is attached to another customer is refused.',
  ),
  description,
  metadata: Type.Optional(MetadataParameter),
  capture_method: OptionalChoice(
    captureMethods,
    '`automatic` captures immediately, and is the default. `manual` only authorizes: capture within 7 days.',
  ),
  return_url: ReturnUrlParameter,
  off_session: Type.Optional(
    Type.Boolean({
      description:
        '`true`: you charge a saved payment method while the cardholder is not there. If the bank requires authentication, the payment is declined with `authentication_required`. Not together with `return_url`.',
    }),
  ),
});

export const PaymentInput = Parameters({ description, metadata: Type.Optional(MetadataParameter) });

export const CaptureInput = Parameters({
  amount: Type.Optional(
    amount(
      'How much to capture, in the smallest unit of the currency: at most the authorized amount, which is also the default. The rest is released.',
    ),
  ),
});

const cancelReasons = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'] as const;

export const CancelInput = Parameters({
  reason: OptionalChoice(cancelReasons, 'Why it is canceled. The payment shows it as `cancellation_reason`.'),
});

const PaymentProcessor = Type.Object(
  {
    account: Text('The id of the processor account.'),
    connector: Text('The name of its connector.'),
    reference: MaybeText("The processor's own name for the payment; present once it is known."),
  },
  { title: 'PaymentProcessor', description: 'The processor account that has taken the payment, or was asked last.' },
);

const adviceText = [
  'What to do after the decline; present when the processor has said so.',
  '`never`: do not try this payment method again.',
  '`later`: the same charge may succeed another day.',
  '`another_method`: this one can never pay it.',
  '`another_processor`: another processor may approve it.',
  '`authenticate`: the cardholder must be there to authenticate.',
  '`update_card`: the details of the card are wrong or old.',
].join(' ');

const shown = {
  amount: Whole('The requested amount, in the smallest unit of the currency.'),
  amount_received: Whole('What was captured, in the smallest unit of the currency; 0 until then.'),
  currency: Currency,
  customer: MaybeReference('customers', 'The id of the customer that it belongs to; present when supplied.'),
  description: MaybeText('What it is for; present when supplied.'),
  payment_method: MaybeReference(
    'payment_methods',
    'The id of the payment method that is charged. Absent while a customer has yet to choose it on a page of the processor; a payment that has succeeded has one.',
  ),
  status: OneOf(
    paymentStatuses,
    [
      '`requires_action`: the cardholder must authenticate, within an hour, or pay on a page of the processor.',
      '`requires_capture`: it is authorized, and waits for a capture.',
      '`processing`: the outcome is unknown, and the processor is asked until it is known.',
      '`succeeded`: it is captured.',
      '`failed`: it was declined, or never reached the processor.',
      '`canceled`: it was canceled or has expired, and the authorization is released.',
    ].join(' '),
  ),
  invoice: MaybeReference('invoices', 'The id of the invoice that it was made for.'),
  checkout_session: MaybeText('The id of the checkout session that it is a try of.'),
  setup: MaybeReference(
    'setups',
    'Of a charge without the cardholder: the id of the setup by which the cardholder has agreed to it, where one did.',
  ),
  metadata: Type.Optional(MetadataShape),
  capture_method: Type.Optional(
    OneOf(captureMethods, '`automatic`: captured immediately. `manual`: captured by request. Present when supplied.'),
  ),
  amount_capturable: MaybeWhole(
    'With `capture_method` `manual`: what can be captured, in the smallest unit of the currency. 0 in every status but `requires_capture`.',
  ),
  off_session: Type.Optional(
    Type.Literal(true, { description: 'Present if the merchant has charged it without the cardholder.' }),
  ),
  next_action: Type.Optional(NextAction),
  failure_code: Type.Optional(OneOf(declineCodes, 'Why it failed, for programs: the code of an error.')),
  failure_decline_code: MaybeText("The processor's own reason for the decline, such as `insufficient_funds`."),
  failure_message: MaybeText('Why it failed, for people.'),
  advice: Type.Optional(OneOf(advices, adviceText)),
  canceled_at: MaybeMoment('When it was canceled.'),
  cancellation_reason: Type.Optional(
    OneOf(
      [...cancelReasons, 'expired', 'made_at_processor'],
      'The reason that was given for the cancel. `expired`: nobody acted in time. `made_at_processor`: it was canceled at the processor, and not here.',
    ),
  ),
  captured_elsewhere: Type.Optional(
    Type.Literal(true, { description: 'Present if it was captured at the processor, and not here.' }),
  ),
  amount_refunded: MaybeWhole('The sum of its pending and succeeded refunds; present after the first refund.'),
  dispute: MaybeReference('disputes', 'The id of its latest dispute.'),
  processor: Type.Optional(PaymentProcessor),
};

export const PaymentOutput = Shown('Payment', 'payment', 'A charge of a payment method.', {
  ...shown,
  created: Moment('When it was created, by the test clock of the customer if it has one.'),
});

/** Without `created`: the event has its own. */
export const PaymentInEvent = Shown(
  'PaymentInEvent',
  'payment',
  'A payment as events have it: without `created`.',
  shown,
);

const sources: Sources<Payment, typeof PaymentInEvent> = {
  amount_capturable: from(['capture_method', 'status', 'amount'], ({ capture_method, status, amount }) => {
    if (capture_method !== 'manual') return null;
    return status === 'requires_capture' ? amount : 0;
  }),
  captured_elsewhere: from(['captured_elsewhere'], ({ captured_elsewhere }) => captured_elsewhere || null),
  next_action: from(['status', 'next_action'], nextActionOf),
  cancellation_reason: from(['status', 'cancellation_reason'], ({ status, cancellation_reason }) =>
    status === 'canceled' ? cancellation_reason : null,
  ),
};

const earlier = {
  captured_elsewhere: 'next_action',
  amount_refunded: 'next_action',
  dispute: 'next_action',
  processor: 'next_action',
  checkout_session: 'next_action',
} as const;

export const serializePayment = serializer<Payment, typeof PaymentOutput>(
  PaymentOutput,
  { ...sources, created: timeByClock },
  { ...earlier, created: 'invoice' },
);

export const paymentEvent = eventsAbout<keyof typeof paymentEvents, Payment>(
  serializer<Payment, typeof PaymentInEvent>(PaymentInEvent, sources, earlier),
);
