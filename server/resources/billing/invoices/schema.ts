import type { Static } from 'typebox';
import { Type } from '../../../base/schema.ts';
import { MaybeReference, Reference } from '../../../operations/references.ts';
import {
  Currency,
  CurrencyParameter,
  Flag,
  IdParameter,
  MaybeMoment,
  MaybeText,
  MaybeWhole,
  MetadataParameter,
  MetadataShape,
  Moment,
  ObjectKind,
  OneOf,
  OptionalId,
  Parameters,
  Personal,
  Shown,
  Text,
  Whole,
} from '../../../operations/schemas.ts';
import { from, type Sources, serializer } from '../../../operations/serializer.ts';
import { eventsAbout } from '../../../outbox/event.ts';
import { billingReasons, type Invoice, type invoiceEvents, invoiceStatuses, numberText, totalOf } from './invoice.ts';
import type { Line } from './line.ts';

const newItemsMax = 50;

const NewItem = Type.Object(
  {
    amount: Type.Optional(
      Type.Integer({
        description: 'In the smallest unit of the currency. Not 0; below 0 it is a deduction. Excludes `price`.',
      }),
    ),
    price: OptionalId('The id of an active price. Its amount, times `quantity`, is charged once.'),
    quantity: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'How many of the price; 1 when not given.' }),
    ),
    description: Type.Optional(
      Personal({
        maxLength: 1_000,
        description:
          'What it is for, up to 1,000 characters. Required with `amount`; by default the product of the price.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type NewItemInput = Static<typeof NewItem>;

export const NewInvoiceInput = Parameters({
  customer: IdParameter('The id of the customer whose waiting items become the lines, up to 250, oldest first.'),
  currency: Type.Optional({
    ...CurrencyParameter,
    description:
      'Only items in this currency, in either case. Required if items wait in several, or for an amount in `items` if none waits.',
  }),
  items: Type.Optional(
    Type.Array(NewItem, {
      minItems: 1,
      maxItems: newItemsMax,
      description: `Further items, up to ${newItemsMax}, which are created with the invoice. They become the last lines.`,
    }),
  ),
});

export const InvoiceInput = Parameters({ metadata: Type.Optional(MetadataParameter) });

export const PayInput = Parameters({
  payment_method: OptionalId(
    'The id of the payment method to charge. By default that of the subscription, or else the default of the customer.',
  ),
  return_url: Type.Optional(
    Type.String({
      maxLength: 2_048,
      description:
        'Says that the cardholder is present and can authenticate, and where the browser returns to: an https address of up to 2,048 characters. Without it the payment is initiated by the merchant.',
    }),
  ),
});

const LineOutput = Type.Object(
  {
    id: MaybeText('An opaque text that begins with `il_`; absent in a preview.'),
    amount: Whole('In the smallest unit of the currency, before the discount. Below 0 it is a credit.'),
    discount: Whole('What a coupon takes off the amount.'),
    description: Text('What it is for.'),
    period: Type.Object(
      { start: Moment('When it begins.'), end: Moment('When it ends.') },
      { title: 'Period', description: 'The time that it bills.' },
    ),
    proration: Flag('Whether it is for a part of a period.'),
    price: MaybeText('The id of the price; absent for an invoice item.'),
    quantity: MaybeWhole('How many of the price; absent for an invoice item.'),
    invoice_item: MaybeText('The id of the invoice item that it comes from.'),
  },
  { title: 'InvoiceLine', description: 'An amount of an invoice. It never changes.' },
);

const members = {
  customer: Reference('customers', 'The id of the customer who owes it.'),
  status: OneOf(
    invoiceStatuses,
    '`draft`: it has no number yet. `open`: it is to be paid. `paid`: it is settled. `void`: it is not owed. `uncollectible`: the money is no longer expected, but it can still be paid.',
  ),
  billing_reason: OneOf(
    billingReasons,
    '`subscription_create`: the first invoice of a subscription. `subscription_cycle`: a new period. `subscription_update`: a change, a pause, a resumption or the end. `manual`: made by request.',
  ),
  currency: Currency,
  lines: Type.Array(LineOutput, { description: 'What it is made of.' }),
  subtotal: Whole('The sum of the amounts of its lines.'),
  discount: Whole('The sum of the discounts of its lines.'),
  total: Whole('`subtotal` minus `discount`; may be below 0.'),
  credit_applied: Whole("How much of the customer's credit is used for it."),
  amount_due: Whole('`total` minus `credit_applied`, or 0 if that is below 0.'),
  amount_paid: Whole('The part of `amount_due` that is paid.'),
  amount_remaining: Whole('The part of `amount_due` that is not paid.'),
  attempt_count: Whole('How many payments were made for it.'),
  period_start: Moment('When the period begins that it bills. For `manual`, the same as `created`.'),
  period_end: Moment('When the period ends that it bills. For `manual`, the same as `created`.'),
  created: Moment('When it was created, by the test clock of the customer if it has one.'),
  subscription: MaybeReference('subscriptions', 'The id of the subscription that it is of.'),
};

const Failure = Type.Object(
  {
    code: Text('For programs: the code of an error, such as `card_declined`.'),
    decline_code: MaybeText("The bank's reason, if it gave one."),
    message: Text('For people.'),
  },
  { title: 'InvoiceFailure', description: 'Why the latest charge failed.' },
);

export const InvoiceOutput = Shown('Invoice', 'invoice', 'What a customer owes, and how it was paid.', {
  ...members,
  number: MaybeText('`INV-000001` and so on, in the order in which invoices are finalized; present from then on.'),
  hosted_url: MaybeText(
    'The page on which the customer sees the invoice, downloads it as PDF and pays it; present from when it is finalized. Everybody who has the address can do so: send it to the customer alone.',
  ),
  payment: MaybeReference('payments', 'The id of the latest payment that was made for it.'),
  next_payment_attempt: MaybeMoment('When the charge is tried again; present while that is planned.'),
  last_failure: Type.Optional(Failure),
  paid_at: MaybeMoment('When it was paid.'),
  voided_at: MaybeMoment('When it became void.'),
  metadata: Type.Optional(MetadataShape),
});

export const UpcomingInvoiceOutput = Type.Object(
  { object: ObjectKind('invoice'), ...members },
  { title: 'UpcomingInvoice', description: 'What the next invoice would be. It has no id and no number.' },
);

type ShownLine = Omit<Line, 'id'> & Partial<Pick<Line, 'id'>>;
const serializeLine = serializer<ShownLine, typeof LineOutput>(LineOutput, {});

const sources: Sources<Invoice, typeof UpcomingInvoiceOutput> = {
  lines: from(['lines'], ({ lines }) => lines.map(({ id: _, ...line }) => serializeLine(line))),
  total: from(['subtotal', 'discount'], totalOf),
  amount_remaining: from(['amount_due', 'amount_paid'], ({ amount_due, amount_paid }) => amount_due - amount_paid),
};

/** An invoice that is not going to exist has no id, and its lines have none. */
export const serializeUpcoming = serializer<Invoice, typeof UpcomingInvoiceOutput>(UpcomingInvoiceOutput, sources);

export const serializeInvoice = serializer<Invoice, typeof InvoiceOutput>(
  InvoiceOutput,
  {
    ...sources,
    lines: from(['lines'], ({ lines }) => lines.map(serializeLine)),
    number: from(['number'], ({ number }) => (number === null ? null : numberText(number))),
  },
  { number: 'subscription' },
);

export const invoiceEvent = eventsAbout<keyof typeof invoiceEvents, Invoice>(serializeInvoice);
