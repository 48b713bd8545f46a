import type { TSchema } from 'typebox';
import { Type } from '../../../base/schema.ts';
import { MaybeReference } from '../../../operations/references.ts';
import {
  Confidential,
  Created,
  IdParameter,
  MetadataParameter,
  MetadataShape,
  OneOf,
  OptionalId,
  ParameterObject,
  Parameters,
  Shown,
  Text,
} from '../../../operations/schemas.ts';
import { BillingDetails, ShownBillingDetails } from './billing.ts';
import type { MethodKind } from './kind.ts';
import { kinds } from './kinds.ts';

const tokenCharsMax = 200;
const typeDescription = 'The kind of payment method.';
const types = kinds.map(({ type }) => type);

/** A member for each kind that has the schema, by the name of the kind. Their types are those of the kinds, which read them. */
function membersOf(schemaOf: (kind: MethodKind) => TSchema | undefined): Record<never, never> {
  return Object.fromEntries(kinds.map((kind) => [kind.type, schemaOf(kind)]).filter(([, schema]) => schema));
}

export const NewPaymentMethodInput = Parameters({
  type: OneOf(types, typeDescription),
  ...membersOf(({ input }) => Type.Optional(input)),
  processor_token: Type.Optional(
    ParameterObject('A payment method that a processor keeps. Send it in place of the parameters of the type.', {
      processor_account: IdParameter('The id of the processor account that keeps it.'),
      token: Confidential({
        maxLength: tokenCharsMax,
        compared: true,
        description: 'The name that the processor has given to it, up to 200 characters.',
      }),
    }),
  ),
  billing_details: Type.Optional(BillingDetails),
  customer: OptionalId('The id of a customer to attach it to. A customer can have 100 payment methods.'),
  metadata: Type.Optional(MetadataParameter),
});

export const PaymentMethodInput = Parameters({
  ...membersOf(({ change }) => change && Type.Optional(change.input)),
  billing_details: Type.Optional(BillingDetails),
  metadata: Type.Optional(MetadataParameter),
});

export const AttachInput = Parameters({
  customer: IdParameter('The id of the customer to attach it to. A customer can have 100 payment methods.'),
});

const ProcessorToken = Type.Object(
  { processor_account: Text('The id of the processor account that keeps the payment method.') },
  { title: 'ProcessorToken', description: 'Present if a processor keeps the payment method. The token is not shown.' },
);

/** The only kind is always there. */
const isOnly = kinds.length === 1;

export const PaymentMethodOutput = Shown('PaymentMethod', 'payment_method', 'A stored payment method.', {
  type: isOnly ? Type.Literal(kinds[0].type, { description: typeDescription }) : OneOf(types, typeDescription),
  ...membersOf(({ output }) => (isOnly ? output : Type.Optional(output))),
  billing_details: ShownBillingDetails,
  created: Created,
  customer: MaybeReference('customers', 'The id of the customer that it is attached to; present while it is.'),
  metadata: Type.Optional(MetadataShape),
  processor_token: Type.Optional(ProcessorToken),
});
