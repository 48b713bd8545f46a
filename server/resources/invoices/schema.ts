import { Type } from '../../base/schema.ts';
import {
  CurrencyParameter,
  IdParameter,
  MetadataParameter,
  MetadataShape,
  OptionalId,
  Parameters,
  Shown,
  Timestamp,
} from '../shapes.ts';
import { billingReasons, invoiceStatuses } from './invoice.ts';

export const NewInvoiceInput = Parameters({
  customer: IdParameter('Whose waiting items are invoiced'),
  currency: Type.Optional(CurrencyParameter),
});

export const InvoiceInput = Parameters({ metadata: Type.Optional(MetadataParameter) });

export const PayInput = Parameters({
  payment_method: OptionalId(
    "The method to charge; that of the subscription, or the customer's default, when not given",
  ),
  return_url: Type.Optional(
    Type.String({
      maxLength: 2_048,
      description: 'The cardholder is there to authenticate the payment, and comes back to this address',
    }),
  ),
});

const Line = Type.Object({
  id: Type.Optional(Type.String()),
  amount: Type.Integer(),
  discount: Type.Integer(),
  description: Type.String(),
  period: Type.Object({ start: Timestamp, end: Timestamp }),
  proration: Type.Boolean(),
  price: Type.Optional(Type.String()),
  quantity: Type.Optional(Type.Integer()),
  invoice_item: Type.Optional(Type.String()),
});

const members = {
  customer: Type.String(),
  status: Type.String({ enum: [...invoiceStatuses] }),
  billing_reason: Type.String({ enum: [...billingReasons] }),
  currency: Type.String(),
  lines: Type.Array(Line),
  subtotal: Type.Integer(),
  discount: Type.Integer(),
  total: Type.Integer(),
  credit_applied: Type.Integer(),
  amount_due: Type.Integer(),
  amount_paid: Type.Integer(),
  amount_remaining: Type.Integer(),
  attempt_count: Type.Integer(),
  period_start: Timestamp,
  period_end: Timestamp,
  created: Timestamp,
  subscription: Type.Optional(Type.String()),
};

export const InvoiceOutput = Shown('Invoice', 'invoice', {
  ...members,
  number: Type.Optional(Type.String()),
  payment: Type.Optional(Type.String()),
  next_payment_attempt: Type.Optional(Timestamp),
  last_failure: Type.Optional(
    Type.Object({ code: Type.String(), decline_code: Type.Optional(Type.String()), message: Type.String() }),
  ),
  paid_at: Type.Optional(Timestamp),
  voided_at: Type.Optional(Timestamp),
  metadata: Type.Optional(MetadataShape),
});

/** What the next invoice would be. It has no id. */
export const UpcomingInvoiceOutput = Type.Object(
  { object: Type.Literal('invoice'), ...members },
  { title: 'UpcomingInvoice' },
);
