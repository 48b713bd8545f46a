import type { AttemptId, Holder, Instrument, ProcessorOutcome } from '../contract.ts';
import type { StripeConversation, StripeUndone } from './conversation.ts';
import { outcomeBefore, refused } from './reply.ts';
import { textOf } from './shapes.ts';
import type { StripeForm } from './wire.ts';

/** The intent that is about to be confirmed. */
export type UnconfirmedIntent = {
  path: 'payment_intents' | 'setup_intents';
  id: string;
  /** What is said about one that was canceled. */
  undone: string;
  /** Its status at Stripe; undefined when Stripe does not say. */
  statusNow(): Promise<string | undefined>;
};

/** The card in the parameters of a confirmation. A number becomes a payment method of Stripe's first; no money moves by that. */
export async function cardForm(
  talk: StripeConversation,
  { attempt, instrument }: { attempt: AttemptId; instrument: Instrument },
  intent: UnconfirmedIntent,
): Promise<{ form: StripeForm } | ProcessorOutcome> {
  if (instrument.kind === 'token') {
    if (instrument.customer === undefined) return { form: { payment_method: instrument.token } };
    // A card that belongs to a customer is used for that customer alone, and a confirmation cannot name the customer.
    const form = { customer: instrument.customer };
    const answer = await talk.postRepeatedly([intent.path, intent.id], form, `${attempt}/customer`);
    return answer.kind === 'done' ? { form: { payment_method: instrument.token } } : beforeConfirm(intent, answer);
  }
  if (instrument.kind !== 'card') return { kind: 'not_sent', reason: 'Stripe is asked for cards and tokens alone' };
  const answer = await talk.postRepeatedly(['payment_methods'], numberForm(instrument), `${attempt}/method`);
  if (answer.kind !== 'done') return outcomeBefore(answer);
  const id = textOf(answer.object.id);
  return id === undefined
    ? { kind: 'not_sent', reason: 'the payment method has no id' }
    : { form: { payment_method: id } };
}

/** An intent that was canceled meanwhile no longer takes a customer. */
async function beforeConfirm(intent: UnconfirmedIntent, answer: StripeUndone): Promise<ProcessorOutcome> {
  if (answer.kind !== 'refused' || (await intent.statusNow()) !== 'canceled') return outcomeBefore(answer);
  return { ...refused('authorization_canceled', intent.undone), advice: 'later', reference: intent.id };
}

function numberForm({ number, cvc, expMonth, expYear, holder }: Extract<Instrument, { kind: 'card' }>): StripeForm {
  return {
    type: 'card',
    card: { number, exp_month: expMonth, exp_year: expYear, ...(cvc === undefined ? {} : { cvc }) },
    ...billingDetails(holder),
  };
}

const addressFields = ['line1', 'line2', 'city', 'state', 'postal_code', 'country'] as const;

function billingDetails({ name, email, address = {} }: Holder): StripeForm {
  const known = addressFields.flatMap((field) => (address[field] ? [[field, address[field]] as const] : []));
  const details = {
    ...(name ? { name } : {}),
    ...(email ? { email } : {}),
    ...(known.length > 0 ? { address: Object.fromEntries(known) } : {}),
  };
  return Object.keys(details).length === 0 ? {} : { billing_details: details };
}
