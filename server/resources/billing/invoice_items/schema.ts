import { Type } from '../../../base/schema.ts';
import { MaybeReference, Reference } from '../../../operations/references.ts';
import {
  Currency,
  CurrencyParameter,
  createdOf,
  IdParameter,
  Moment,
  OptionalId,
  Parameters,
  Personal,
  Shown,
  ShownDeleted,
  Text,
  Whole,
} from '../../../operations/schemas.ts';
import { from, serializer } from '../../../operations/serializer.ts';
import { eventsAbout } from '../../../outbox/event.ts';
import type { InvoiceItem, invoiceItemEvents } from './invoice_item.ts';

export const NewInvoiceItemInput = Parameters({
  customer: IdParameter('The id of the customer whose next invoice gets the item.'),
  amount: Type.Integer({
    description:
      'In the smallest unit of the currency: 2000 is 20.00 euros. From -999,999,999,999 to 999,999,999,999, and not 0. Below 0 it is a deduction.',
  }),
  currency: CurrencyParameter,
  description: Personal({ maxLength: 1_000, description: 'What it is for, up to 1,000 characters.' }),
  subscription: OptionalId(
    'The id of a subscription of the customer, in this currency and not canceled. Its next invoice gets the item.',
  ),
});

export const InvoiceItemOutput = Shown(
  'InvoiceItem',
  'invoice_item',
  'An amount that waits for an invoice, or is part of one.',
  {
    customer: Reference('customers', 'The id of the customer who is billed.'),
    amount: Whole('In the smallest unit of the currency. Below 0 it is a deduction.'),
    currency: Currency,
    description: Text('What it is for.'),
    created: Moment('When it was created, by the test clock of the customer if it has one.'),
    subscription: MaybeReference(
      'subscriptions',
      'The id of the subscription whose next invoice gets it; present when supplied.',
    ),
    invoice: MaybeReference('invoices', 'The id of the invoice that has it; absent while it waits.'),
  },
);

export const DeletedInvoiceItemOutput = ShownDeleted('DeletedInvoiceItem', 'invoice_item');

export const serializeInvoiceItem = serializer<InvoiceItem, typeof InvoiceItemOutput>(InvoiceItemOutput, {
  created: from(['id', 'created'], ({ id, created }) => createdOf({ id, created_at: created })),
});

export const invoiceItemEvent = eventsAbout<keyof typeof invoiceItemEvents, InvoiceItem>(serializeInvoiceItem);
