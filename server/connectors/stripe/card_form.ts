import type { AttemptId, Holder, Instrument, KeptCard, ProcessorOutcome } from '../contract.ts';
import { absent, agreedMethod } from './agreed_method.ts';
import type { StripeConversation, StripeUndone } from './conversation.ts';
import { outcomeBefore, refused } from './reply.ts';
import { textOf } from './shapes.ts';
import { makeCustomer } from './tokens.ts';
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

/** The card of a confirmation. `isAlone`: the cardholder is not there, so that nothing new is kept. */
type ConfirmedCard = {
  attempt: AttemptId;
  instrument: Instrument;
  isAlone: boolean;
  /** What a method that the cardholder has chosen at Stripe is to be kept as; undefined: it is not. */
  keptAs?: string | undefined;
};

/** The parameters of a confirmation, and whether the card belongs to the customer of the intent, or will when it succeeds. */
type CardForm = { form: StripeForm; isKept: boolean };

/** The card in the parameters of a confirmation. A number becomes a payment method of Stripe's first; no money moves by that. */
export async function cardForm(
  talk: StripeConversation,
  card: ConfirmedCard,
  intent: UnconfirmedIntent,
): Promise<CardForm | ProcessorOutcome> {
  const { attempt, instrument } = card;
  if (instrument.kind === 'token') {
    const { token, customer } = instrument;
    if (customer === undefined) return { form: { payment_method: token }, isKept: false };
    const answer = await nameCustomer(talk, attempt, intent, customer);
    return answer.kind === 'done' ? { form: { payment_method: token }, isKept: true } : beforeConfirm(intent, answer);
  }
  if (instrument.kind === 'confirmation') return chosenForm(talk, { ...card, instrument }, intent);
  if (instrument.kind !== 'card') return { kind: 'not_sent', reason: 'Stripe is asked for cards and tokens alone' };
  const { kept } = instrument;
  return kept === undefined
    ? newMethod(talk, attempt, instrument, false)
    : keptForm(talk, { ...card, instrument }, kept, intent);
}

/**
 * The card that Stripe's fields have made a token of. A challenge gets a page of Stripe's, because the script of the fields is not asked to
 * show it. A card that is to be kept belongs to a customer of its own, with the mark of its payment method.
 */
async function chosenForm(
  talk: StripeConversation,
  { attempt, instrument, keptAs }: ConfirmedCard & { instrument: Instrument<'confirmation'> },
  intent: UnconfirmedIntent,
): Promise<CardForm | ProcessorOutcome> {
  const form = { confirmation_token: instrument.token, use_stripe_sdk: false };
  if (keptAs === undefined) return { form, isKept: false };
  const made = await makeCustomer(talk, { id: keptAs, holder: instrument.holder }).catch(() => undefined);
  if (made === undefined || 'refused' in made) return { kind: 'not_sent', reason: 'Stripe made no customer' };
  const named = await nameCustomer(talk, attempt, intent, made.customer);
  return named.kind === 'done' ? { form, isKept: true } : beforeConfirm(intent, named);
}

/** A card that belongs to a customer is used for that customer alone, and a confirmation cannot name the customer. */
function nameCustomer(talk: StripeConversation, attempt: AttemptId, intent: UnconfirmedIntent, customer: string) {
  return talk.postRepeatedly([intent.path, intent.id], { customer }, `${attempt}/customer`);
}

/**
 * A card number that Stripe keeps: the payment method by which the cardholder has agreed, and without one a new method, which Stripe attaches to the
 * customer when the intent succeeds. Each new one stays with the customer, whose number of them is limited, so that none is made without need.
 */
async function keptForm(
  talk: StripeConversation,
  { attempt, instrument, isAlone }: ConfirmedCard & { instrument: Instrument<'card'> },
  kept: KeptCard,
  intent: UnconfirmedIntent,
): Promise<CardForm | ProcessorOutcome> {
  // A security code is checked with the number that it came with.
  const agreed = instrument.cvc === undefined ? await agreedMethod(talk, kept, instrument) : absent;
  if (agreed.kind !== 'method' && agreed.kind !== 'absent') return outcomeBefore(agreed);
  if (isAlone && agreed.kind === 'absent') return newMethod(talk, attempt, instrument, false);
  const named = await nameCustomer(talk, attempt, intent, kept.customer);
  // Somebody has deleted the customer at Stripe: the number is charged as if it had never been kept.
  const isMissing = named.kind === 'refused' && named.error.param === 'customer';
  if (isMissing) return newMethod(talk, attempt, instrument, false);
  if (named.kind !== 'done') return beforeConfirm(intent, named);
  return agreed.kind === 'method'
    ? { form: { payment_method: agreed.id }, isKept: true }
    : newMethod(talk, attempt, instrument, true);
}

async function newMethod(
  talk: StripeConversation,
  attempt: AttemptId,
  card: Instrument<'card'>,
  isKept: boolean,
): Promise<CardForm | ProcessorOutcome> {
  const answer = await talk.postRepeatedly(['payment_methods'], numberForm(card), `${attempt}/method`);
  if (answer.kind !== 'done') return outcomeBefore(answer);
  const id = textOf(answer.object.id);
  return id === undefined
    ? { kind: 'not_sent', reason: 'the payment method has no id' }
    : { form: { payment_method: id }, isKept };
}

/** An intent that was canceled meanwhile no longer takes a customer. */
async function beforeConfirm(intent: UnconfirmedIntent, answer: StripeUndone): Promise<ProcessorOutcome> {
  if (answer.kind !== 'refused' || (await intent.statusNow()) !== 'canceled') return outcomeBefore(answer);
  return { ...refused('authorization_canceled', intent.undone), advice: 'later', reference: intent.id };
}

function numberForm({ number, cvc, expMonth, expYear, holder }: Instrument<'card'>): StripeForm {
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
