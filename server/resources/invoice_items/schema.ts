import { Type } from '../../base/schema.ts';
import { CurrencyParameter, IdParameter, OptionalId, Parameters, Personal, Shown, Timestamp } from '../shapes.ts';

export const NewInvoiceItemInput = Parameters({
  customer: IdParameter('The customer whose next invoice gets the item'),
  amount: Type.Integer({
    description: 'In the smallest unit of the currency: 2000 is 20.00 euros. Below 0 it is a deduction.',
  }),
  currency: CurrencyParameter,
  description: Personal({ maxLength: 1_000, description: 'What it is for, up to 1,000 characters' }),
  subscription: OptionalId('A subscription of the customer, whose next invoice gets the item'),
});

export const InvoiceItemOutput = Shown('InvoiceItem', 'invoice_item', {
  customer: Type.String(),
  amount: Type.Integer(),
  currency: Type.String(),
  description: Type.String(),
  created: Timestamp,
  subscription: Type.Optional(Type.String()),
  invoice: Type.Optional(Type.String()),
});

export const DeletedInvoiceItemOutput = Shown('DeletedInvoiceItem', 'invoice_item', { deleted: Type.Literal(true) });
