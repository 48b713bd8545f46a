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
  test_clock: Type.Optional(Type.String()),
});

export const DeletedCustomerOutput = Shown('DeletedCustomer', 'customer', { deleted: Type.Literal(true) });
