/** Whether the method of a payment is kept, as sessions and links take it. */
export type Saving = 'none' | 'offer' | 'require';

/** What becomes of the card, in a word or two. */
export const savingWords = { none: 'Used once', offer: 'The customer can save it', require: 'Saved' } as const;

export const trialMax = 730;

/** Undefined: there is no trial. false: not a number of days. */
export function trialOf(text: string): number | undefined | false {
  if (text.trim() === '') return undefined;
  const days = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return days >= 1 && days <= trialMax && days;
}

/** The parameter of a sale by which the method is kept. */
export const savingParams = (saving: Saving) => (saving === 'none' ? {} : { save_payment_method: saving });

/** The parameters of a subscription that is sold. */
export const trialParams = (days: number | undefined) =>
  days === undefined ? {} : { subscription_data: { trial_days: days } };
