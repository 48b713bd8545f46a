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

/** The kinds of mails to people who work with the gateway, and when each is sent. */
export const personMailKinds = {
  key_created: 'An API key is created, or replaces another one.',
  new_sign_in: 'Somebody signs in as a user from a network that this user never signed in from.',
  password_reset:
    'Somebody has forgotten their password, or the operator has made a link by which a user chooses a new one.',
  email_code: 'A user verifies their email.',
  invitation: 'Somebody is invited to an account.',
  needs_attention: 'Something new waits for a person who has chosen mails about that.',
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
