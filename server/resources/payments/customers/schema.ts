import { Type } from '../../../base/schema.ts';
import { localeTags } from '../../../locales/index.ts';
import { ExternalIdParameter, MaybeExternalId } from '../../../operations/external_id.ts';
import { MaybeReference } from '../../../operations/references.ts';
import {
  Currency,
  createdOf,
  MaybeText,
  MetadataParameter,
  MetadataShape,
  Moment,
  OneOf,
  OptionalChoice,
  OptionalId,
  ParameterObject,
  Parameters,
  Personal,
  Shown,
  ShownDeleted,
  Text,
  Whole,
} from '../../../operations/schemas.ts';
import { from, serializer, timeByClock } from '../../../operations/serializer.ts';
import { eventsAbout } from '../../../outbox/event.ts';
import { addressMembers } from './address.ts';
import type { CreditTransaction } from './credit_transaction.ts';
import { addressParts, type Customer, type customerEvents } from './customer.ts';

const Address = ParameterObject(
  'The postal address, for invoices and receipts. An update replaces it as a whole.',
  addressMembers,
);

const details = {
  email: Type.Optional(
    Personal({ maxLength: 254, format: 'email', description: 'An email address of up to 254 characters.' }),
  ),
  name: Type.Optional(Personal({ maxLength: 256, description: 'The full name, up to 256 characters.' })),
  phone: Type.Optional(
    Personal({ maxLength: 40, description: 'A phone number in any notation, up to 40 characters.' }),
  ),
  address: Type.Optional(Address),
  tax_id: Type.Optional(
    Personal({ maxLength: 64, description: 'The tax id, for invoices and receipts, up to 64 characters.' }),
  ),
  locale: OptionalChoice(
    localeTags,
    'The language of documents for the customer. Without it, they are in English. The country of the address decides how dates and amounts are written.',
  ),
  external_id: ExternalIdParameter,
  metadata: Type.Optional(MetadataParameter),
};

export const NewCustomerInput = Parameters({
  ...details,
  test_clock: OptionalId(
    'The test clock that the customer lives by, for good. The clock must be `ready`. In test mode only.',
  ),
});

export const CustomerInput = Parameters({
  ...details,
  default_payment_method: OptionalId(
    'A payment method that is attached to this customer. It pays for subscriptions, and is tried immediately for open invoices that have failed.',
  ),
});

export const CustomerOutput = Shown('Customer', 'customer', 'Somebody who pays you.', {
  email: MaybeText('The email address; present when supplied.'),
  name: MaybeText('The full name; present when supplied.'),
  phone: MaybeText('The phone number as it was supplied; present when supplied.'),
  address: Type.Optional(
    Type.Object(Object.fromEntries(addressParts.map((name) => [name, MaybeText('Present when supplied.')])), {
      title: 'CustomerAddress',
      description: 'The postal address; present when supplied.',
    }),
  ),
  tax_id: MaybeText('The tax id; present when supplied.'),
  locale: Type.Optional(OneOf(localeTags, 'The language of documents; present when supplied.')),
  metadata: MetadataShape,
  created: Moment('When the customer was created, by its test clock if it has one.'),
  default_payment_method: MaybeReference(
    'payment_methods',
    'The id of the payment method that pays for subscriptions; present when set.',
  ),
  credit_balance: Type.Optional(
    Type.Record(Type.String(), Type.Integer(), {
      description:
        'Credit by currency, in the smallest unit of each: invoices use it before anything is charged. Present when there is some.',
    }),
  ),
  test_clock: MaybeReference(
    'test_clocks',
    'The id of the test clock that the customer lives by; present when supplied.',
  ),
  external_id: MaybeExternalId,
});

export const CreditTransactionOutput = Shown(
  'CreditTransaction',
  'credit_transaction',
  "One change of a customer's credit. It is never changed itself.",
  {
    customer: Text('The id of the customer whose credit has changed.'),
    amount: Whole('In the smallest unit of the currency. Above 0 it was added to the credit, below 0 taken away.'),
    currency: Currency,
    invoice: MaybeReference('invoices', 'The id of the invoice that has added, used or given back the credit.'),
    created: Moment('When the credit has changed, by the test clock of the customer if it has one.'),
  },
);

export const DeletedCustomerOutput = ShownDeleted('DeletedCustomer', 'customer');

export const serializeCustomer = serializer<Customer, typeof CustomerOutput>(CustomerOutput, { created: timeByClock });

export const customerEvent = eventsAbout<keyof typeof customerEvents, Customer>(serializeCustomer);

export const serializeCreditTransaction = serializer<CreditTransaction, typeof CreditTransactionOutput>(
  CreditTransactionOutput,
  { created: from(['id', 'created'], ({ id, created }) => createdOf({ id, created_at: created })) },
);
