import { Type } from 'typebox';
import { MetadataParameter, MetadataShape, Parameters, Personal, Timestamp } from '../shapes.ts';

export const CustomerInput = Parameters({
  email: Type.Optional(Personal({ maxLength: 254, format: 'email', description: "The customer's email address" })),
  name: Type.Optional(Personal({ maxLength: 256, description: "The customer's full name" })),
  phone: Type.Optional(Personal({ maxLength: 40, description: "The customer's phone number" })),
  metadata: Type.Optional(MetadataParameter),
});

export const CustomerOutput = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('customer'),
    email: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    phone: Type.Optional(Type.String()),
    metadata: MetadataShape,
    created: Timestamp,
  },
  { title: 'Customer' },
);

export const DeletedCustomerOutput = Type.Object(
  { id: Type.String(), object: Type.Literal('customer'), deleted: Type.Literal(true) },
  { title: 'DeletedCustomer' },
);
