/** The kinds of mails to customers. An owner switches each on. */
export const customerMailKinds = [
  'receipt',
  'refund',
  'invoice',
  'payment_failed',
  'action_required',
  'card_expiring',
  'trial_ending',
  'subscription_canceled',
] as const;

export type CustomerMailKind = (typeof customerMailKinds)[number];

/** Whether mails of each kind are sent. */
export type MailSwitches = Readonly<Record<CustomerMailKind, boolean>>;

const allOff = Object.fromEntries(customerMailKinds.map((kind) => [kind, false])) as MailSwitches;

/** What an account has switched is stored; all others are off. */
export function switchesWith(changed: Partial<MailSwitches>): MailSwitches {
  return { ...allOff, ...changed };
}
