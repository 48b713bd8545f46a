import { Type } from '../../../../base/schema.ts';
import { Confidential, OneOf, ParameterObject, Text, Whole } from '../../../../operations/schemas.ts';
import { brands, withoutSeparators } from '../../../../vault/index.ts';

const expMonth = Type.Integer({ description: 'The month in which the card expires, from 1 to 12; not in the past.' });
const expYear = Type.Integer({
  description: 'The year in which the card expires, four digits; not in the past, and at most 50 years ahead.',
});
const textCharsMax = 200; // longer than any card number: the vault decides whether it is one

export const CardParameters = ParameterObject('The card as a number. Send it, or `processor_token`.', {
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
});

export const ExpiryParameters = ParameterObject(
  'Another expiry. It cannot be removed, and that of a card that a processor keeps cannot be changed.',
  { exp_month: Type.Optional(expMonth), exp_year: Type.Optional(expYear) },
);

export const ShownCard = Type.Object(
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
