import type { TProperties } from 'typebox';
import { Type } from '../../../base/schema.ts';
import {
  Confidential,
  Created,
  IdParameter,
  MaybeText,
  MetadataParameter,
  MetadataShape,
  OneOf,
  OptionalId,
  Parameters,
  Personal,
  Shown,
  Text,
  Whole,
} from '../../../operations/schemas.ts';
import { brands, withoutSeparators } from '../../../vault/index.ts';

const described = <Properties extends TProperties>(description: string, properties: Properties) =>
  Type.Object(properties, { additionalProperties: false, description });
const part = (description: string) => Type.Optional(Personal({ maxLength: 256, description }));

const Address = described('Stored for the processor, and never shown.', {
  line1: part('Street and number, up to 256 characters.'),
  line2: part('A further line, up to 256 characters.'),
  city: part('The city, up to 256 characters.'),
  state: part('The state, county or province, up to 256 characters.'),
  postal_code: part('The postal code, up to 256 characters.'),
  country: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2}$',
      personal: true,
      normalize: (code: string) => code.toUpperCase(),
      description: 'Two-letter country code',
    }),
  ),
});

const BillingDetails = described('Who holds the card. An update is merged field by field.', {
  name: part("The cardholder's name, up to 256 characters."),
  email: Type.Optional(
    Personal({ maxLength: 254, format: 'email', description: 'An email address of up to 254 characters.' }),
  ),
  address: Type.Optional(Address),
});

const expMonth = Type.Integer({ description: 'The month in which the card expires, from 1 to 12; not in the past.' });
const expYear = Type.Integer({
  description: 'The year in which the card expires, four digits; not in the past, and at most 50 years ahead.',
});
const textCharsMax = 200; // longer than any card number: the vault decides whether it is one

export const NewPaymentMethodInput = Parameters({
  type: Type.String({ enum: ['card'], description: 'The kind of instrument. There are only cards.' }),
  card: Type.Optional(
    described('The card as a number. Send it, or `processor_token`.', {
      number: Confidential({
        maxLength: textCharsMax,
        compared: true,
        normalize: withoutSeparators,
        description:
          'The card number as a string: 12 to 19 digits with a valid check digit. Spaces and dashes are ignored.',
      }),
      exp_month: expMonth,
      exp_year: expYear,
      cvc: Type.Optional(
        Confidential({
          maxLength: textCharsMax,
          compared: false,
          description:
            'The security code: 4 digits for American Express, 3 for other brands, 3 or 4 for an unknown one. It is used for one authorization, and kept for 15 minutes at most.',
        }),
      ),
    }),
  ),
  processor_token: Type.Optional(
    described('A card that a processor keeps. Send it, or `card`.', {
      processor_account: IdParameter('The id of the processor account that keeps the card.'),
      token: Confidential({
        maxLength: textCharsMax,
        compared: true,
        description: 'The name that the processor has given to the card, up to 200 characters.',
      }),
    }),
  ),
  billing_details: Type.Optional(BillingDetails),
  customer: OptionalId('The id of a customer to attach it to. A customer can have 100 payment methods.'),
  metadata: Type.Optional(MetadataParameter),
});

export const PaymentMethodInput = Parameters({
  card: Type.Optional(
    described('Another expiry. It cannot be removed, and that of a card that a processor keeps cannot be changed.', {
      exp_month: Type.Optional(expMonth),
      exp_year: Type.Optional(expYear),
    }),
  ),
  billing_details: Type.Optional(BillingDetails),
  metadata: Type.Optional(MetadataParameter),
});

export const AttachInput = Parameters({
  customer: IdParameter('The id of the customer to attach it to. A customer can have 100 payment methods.'),
});

const Card = Type.Object(
  {
    brand: OneOf(
      brands,
      'By the first digits of the number; for a card that a processor keeps, what the processor says.',
    ),
    last4: Text('The last four digits of the number.'),
    exp_month: Whole('The month in which the card expires, from 1 to 12.'),
    exp_year: Whole('The year in which the card expires, four digits.'),
  },
  { title: 'Card', description: 'What may be shown of a card.' },
);

const ShownBillingDetails = Type.Object(
  {
    name: MaybeText("The cardholder's name; present when supplied."),
    email: MaybeText("The cardholder's email address; present when supplied."),
  },
  { title: 'BillingDetails', description: 'What is shown about the cardholder. The address is not.' },
);

const ProcessorToken = Type.Object(
  { processor_account: Text('The id of the processor account that keeps the card.') },
  { title: 'ProcessorToken', description: 'Present if a processor keeps the card. The token is not shown.' },
);

export const PaymentMethodOutput = Shown('PaymentMethod', 'payment_method', 'A stored card.', {
  type: Type.Literal('card', { description: 'The kind of instrument. There are only cards.' }),
  card: Card,
  billing_details: ShownBillingDetails,
  created: Created,
  customer: MaybeText('The id of the customer that it is attached to; present while it is.'),
  metadata: Type.Optional(MetadataShape),
  processor_token: Type.Optional(ProcessorToken),
});
