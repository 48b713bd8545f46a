// Written by `npm run generate` from the declarations of the server. Change those, not this file.

/** The kinds of mails to customers, by the names of their switches, and when each is sent. */
export const mailKinds = {
  receipt: 'A payment has succeeded.',
  refund: 'A refund has succeeded.',
  invoice: 'An invoice is finalized.',
  payment_failed: 'A charge of an invoice without the customer has failed. It says when the invoice is charged again.',
  action_required: 'A charge of an invoice needs the customer, who can confirm it on a page.',
  card_expiring: 'A saved card expires in two weeks or less.',
  trial_ending: 'A trial ends in three days, or in less if it is shorter.',
  subscription_canceled: 'A subscription has ended, unless it never began because its first invoice was not paid.',
} as const;

/** The languages of mails. */
export const mailLocales = [
  'bg',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'en-GB',
  'es',
  'et',
  'fi',
  'fr',
  'hr',
  'hu',
  'it',
  'ja',
  'lt',
  'lv',
  'nb',
  'nl',
  'pl',
  'pt',
  'pt-BR',
  'ro',
  'sk',
  'sl',
  'sv',
  'zh',
  'ar',
  'he',
] as const;
