import type { CheckoutSessionsCreateParameters } from '@tollgate/node';
import { type MoneyText, moneyOf } from '../../kit/money.ts';
import { type Saving, savingParams, trialOf, trialParams } from '../../nouns/sold_params.ts';

/** What a session asks of its customer, as it stands in the form. */
export type SessionFields = {
  mode: 'payment' | 'subscription' | 'setup';
  description: string;
  amount: MoneyText;
  price: string | null;
  trial: string;
  save: Saving;
  customer_email: string;
  reference: string;
};

/** Undefined while something is missing. */
export function sessionParams(fields: SessionFields): CheckoutSessionsCreateParameters | undefined {
  const asked = askedFor(fields);
  const [customer_email, reference] = [fields.customer_email.trim(), fields.reference.trim()];
  return asked && { ...asked, ...(customer_email && { customer_email }), ...(reference && { reference }) };
}

function askedFor(fields: SessionFields): CheckoutSessionsCreateParameters | undefined {
  const { mode, amount: money, price, trial, save } = fields;
  const description = fields.description.trim();
  const named = description === '' ? {} : { description };
  if (mode === 'setup') return { mode, ...named };
  if (mode === 'subscription') {
    const days = trialOf(trial);
    return price === null || days === false ? undefined : { mode, line_items: [{ price }], ...trialParams(days) };
  }
  const amount = moneyOf(money);
  return amount ? { amount, currency: money.currency, ...named, ...savingParams(save) } : undefined;
}
