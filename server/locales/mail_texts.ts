/** What only mails to customers say, in English. The rules are those of `texts.ts`, which they use as well, and the documents' texts. */
export const mailEnglish = {
  refund: 'Refund',
  refund_time: 'It may take a few days to appear on your statement.',
  statement: 'On your card statement',
  view_invoice: 'View invoice',
  automatic: 'The payment will be taken automatically.',
  payment_failed: 'Payment failed',
  not_completed: 'The payment could not be completed.',
  next_attempt: 'Next attempt',
  no_more_attempts: 'There will be no further automatic attempt.',
  update_method: 'Update payment method',
  confirm_payment: 'Confirm payment',
  bank_asks: 'Your bank asks you to confirm this payment.',
  card_expires: 'Your card expires soon',
  add_card: 'Please add another card so that your payments can continue.',
  trial_ends: 'Your trial ends soon',
  trial_end: 'End of trial',
  subscription: 'Subscription',
  canceled: 'Subscription canceled',
  access_end: 'End of access',
  ended_on: 'End date',
  no_more_payments: 'No further payments will be taken.',
  sign_in_code: 'Your sign-in code',
  code_valid: 'The code is valid for 15 minutes.',
  code_ignored: 'If you did not ask for it, you can ignore this email.',
} as const;

export type MailTextKey = keyof typeof mailEnglish;

/** The texts of one locale. One that is missing is shown in English. */
export type MailTexts = Readonly<Partial<Record<MailTextKey, string>>>;

export const mailTextKeys = Object.keys(mailEnglish) as MailTextKey[];
