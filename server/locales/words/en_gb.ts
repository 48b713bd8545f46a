import { english, type LocaleTexts } from '../texts.ts';

/** British English differs in words here and there; dates and amounts come from `Intl`. */
export const enGb: LocaleTexts = {
  ...english,
  postal_code: 'Postcode',
  authorized: 'Payment authorised',
  canceled: 'Payment cancelled',
};
