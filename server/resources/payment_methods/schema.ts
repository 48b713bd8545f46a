import { Type } from '../../base/schema.ts';
import { withoutSeparators } from '../../vault/index.ts';
import {
  Confidential,
  IdParameter,
  MetadataParameter,
  MetadataShape,
  OptionalId,
  Parameters,
  Personal,
  Shown,
  Timestamp,
} from '../shapes.ts';

const part = (description: string) => Type.Optional(Personal({ maxLength: 256, description }));

const BillingDetails = Parameters({
  name: part("The cardholder's name"),
  email: Type.Optional(Personal({ maxLength: 254, format: 'email', description: "The cardholder's email address" })),
  address: Type.Optional(
    Parameters({
      line1: part('Street and number'),
      line2: part('Further line of the address'),
      city: part('City'),
      state: part('State, county or province'),
      postal_code: part('Postal code'),
      country: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z]{2}$',
          personal: true,
          normalize: (code: string) => code.toUpperCase(),
          description: 'Two-letter country code',
        }),
      ),
    }),
  ),
});

const expMonth = Type.Integer({ description: 'From 1 to 12' });
const expYear = Type.Integer({ description: 'Four digits' });
const textCharsMax = 200; // longer than any card number: the vault decides whether it is one

export const NewPaymentMethodInput = Parameters({
  type: Type.String({ enum: ['card'], description: 'The kind of instrument; card is the only one' }),
  card: Type.Optional(
    Parameters({
      number: Confidential({
        maxLength: textCharsMax,
        compared: true,
        normalize: withoutSeparators,
        description: '12 to 19 digits; spaces and dashes are ignored',
      }),
      exp_month: expMonth,
      exp_year: expYear,
      cvc: Type.Optional(
        Confidential({
          maxLength: textCharsMax,
          compared: false,
          description: 'The security code, three or four digits',
        }),
      ),
    }),
  ),
  processor_token: Type.Optional(
    Parameters({
      processor_account: IdParameter('The processor account that keeps the card'),
      token: Confidential({
        maxLength: textCharsMax,
        compared: true,
        description: 'The name that the processor has given to the card',
      }),
    }),
  ),
  billing_details: Type.Optional(BillingDetails),
  customer: OptionalId('A customer to attach it to'),
  metadata: Type.Optional(MetadataParameter),
});

export const PaymentMethodInput = Parameters({
  card: Type.Optional(Parameters({ exp_month: Type.Optional(expMonth), exp_year: Type.Optional(expYear) })),
  billing_details: Type.Optional(BillingDetails),
  metadata: Type.Optional(MetadataParameter),
});

export const AttachInput = Parameters({ customer: IdParameter('The customer to attach it to') });

export const PaymentMethodOutput = Shown('PaymentMethod', 'payment_method', {
  type: Type.Literal('card'),
  card: Type.Object({
    brand: Type.String(),
    last4: Type.String(),
    exp_month: Type.Integer(),
    exp_year: Type.Integer(),
  }),
  billing_details: Type.Object({ name: Type.Optional(Type.String()), email: Type.Optional(Type.String()) }),
  created: Timestamp,
  customer: Type.Optional(Type.String()),
  metadata: Type.Optional(MetadataShape),
  processor_token: Type.Optional(Type.Object({ processor_account: Type.String() })),
});
