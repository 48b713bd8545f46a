import { Type } from '../../base/schema.ts';
import { MetadataParameter, MetadataShape, OptionalId, Parameters, Personal, Shown, Timestamp } from '../shapes.ts';

const details = {
  email: Type.Optional(Personal({ maxLength: 254, format: 'email', description: "The customer's email address" })),
  name: Type.Optional(Personal({ maxLength: 256, description: "The customer's full name" })),
  phone: Type.Optional(Personal({ maxLength: 40, description: "The customer's phone number" })),
  metadata: Type.Optional(MetadataParameter),
};

export const NewCustomerInput = Parameters({
  ...details,
  test_clock: OptionalId('The test clock that the customer lives by; in test mode only'),
});

export const CustomerInput = Parameters({
  ...details,
  default_payment_method: OptionalId('A payment method that is attached to this customer'),
});

export const CustomerOutput = Shown('Customer', 'customer', {
  email: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  phone: Type.Optional(Type.String()),
  metadata: MetadataShape,
  created: Timestamp,
  default_payment_method: Type.Optional(Type.String()),
  credit_balance: Type.Optional(
    Type.Record(Type.String(), Type.Integer(), {
      description: 'What the next invoices use before anything is charged, by currency',
    }),
  ),
  test_clock: Type.Optional(Type.String()),
});

export const CreditTransactionOutput = Shown('CreditTransaction', 'credit_transaction', {
  customer: Type.String(),
  amount: Type.Integer({ description: 'Above 0 was added to the credit, below 0 was taken away' }),
  currency: Type.String(),
  invoice: Type.Optional(Type.String()),
  created: Timestamp,
});

export const DeletedCustomerOutput = Shown('DeletedCustomer', 'customer', { deleted: Type.Literal(true) });
