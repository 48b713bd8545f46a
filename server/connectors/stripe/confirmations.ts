import type { Secret } from '../../base/secret.ts';
import type { ConfirmedMethod, ProcessorFields, ProcessorOutcome } from '../contract.ts';
import { apiVersion, type StripeConversation, stripeBase } from './conversation.ts';
import { outcomeBefore, refused } from './reply.ts';
import { cardOf, numberOf, objectOf, type StripeObject, textOf } from './shapes.ts';
import { unanswered } from './tokens.ts';
import { isConfirmationToken } from './wire.ts';

/** The card that a confirmation token carries; undefined when Stripe does not know the token, or when it can no longer be used. */
export async function retrieveConfirmation(
  talk: StripeConversation,
  token: Secret,
  now: number,
): Promise<ConfirmedMethod | undefined> {
  const looked = await lookAt(talk, token, now);
  if (looked.kind === 'card') return looked.card;
  if (looked.kind === 'declined') return undefined;
  throw unanswered('confirmation token', { kind: 'lost', reason: looked.kind });
}

/** What is wrong with a confirmation token, before anything is made by it; undefined: it can be used. */
export async function objectionToToken(
  talk: StripeConversation,
  token: Secret,
  now: number,
): Promise<ProcessorOutcome | undefined> {
  const looked = await lookAt(talk, token, now);
  return looked.kind === 'card' ? undefined : looked;
}

const unusable = (code: string, message: string): ProcessorOutcome => ({
  ...refused(code, message),
  advice: 'another_method',
});

async function lookAt(
  talk: StripeConversation,
  token: Secret,
  now: number,
): Promise<{ kind: 'card'; card: ConfirmedMethod } | ProcessorOutcome> {
  const unknownToken = unusable('confirmation_token_unknown', 'Stripe does not know this confirmation token.');
  if (!isConfirmationToken(token)) return unknownToken;
  const answer = await talk.get(['confirmation_tokens', token]);
  if (answer.kind === 'refused' && answer.status === 404) return unknownToken;
  if (answer.kind !== 'done') return outcomeBefore(answer);
  if (isUsed(answer.object)) return unusable('confirmation_token_used', 'The confirmation token was used before.');
  const expiresAt = numberOf(answer.object.expires_at);
  if (expiresAt !== undefined && expiresAt * 1_000 <= now)
    return unusable('confirmation_token_expired', 'The confirmation token has expired.');
  const preview = objectOf(objectOf(answer.object.payment_method_preview)?.card);
  const card = cardOf(preview);
  if (card === undefined) return unusable('confirmation_token_no_card', 'The confirmation token carries no card.');
  const fingerprint = textOf(preview?.fingerprint);
  return { kind: 'card', card: { ...card, ...(fingerprint === undefined ? {} : { fingerprint }) } };
}

function isUsed({ payment_intent, setup_intent }: StripeObject): boolean {
  return textOf(payment_intent) !== undefined || textOf(setup_intent) !== undefined;
}

const scriptOrigin = 'https://js.stripe.com';
/** The names change: Stripe's guide to a content security policy asks for all of them. */
const partsOrigin = 'https://*.js.stripe.com';
const release = apiVersion.slice(apiVersion.indexOf('.') + 1);

/** The Payment Element, which makes a confirmation token of a card. At another address of the API, that serves the script too. */
export function fieldsOf(base: string, publishable_key: string): ProcessorFields {
  const isStripe = base === stripeBase;
  const origin = isStripe ? scriptOrigin : base;
  const hosts: ProcessorFields['hosts'] = [
    { origin, use: 'script', reason: "Stripe.js, which draws Stripe's own card fields" },
    {
      origin,
      use: 'frame',
      reason: 'the frame that the card is typed into, so that its number does not reach this page',
    },
  ];
  const others: ProcessorFields['hosts'] = [
    { origin: partsOrigin, use: 'script', reason: 'parts of Stripe.js, which it loads from hosts below its own' },
    { origin: partsOrigin, use: 'frame', reason: 'frames of Stripe.js, which have hosts of their own' },
    { origin: 'https://hooks.stripe.com', use: 'frame', reason: 'authentication by the bank, in a frame of Stripe.js' },
    {
      origin: stripeBase,
      use: 'connect',
      reason: 'what Stripe.js asks Stripe for, such as which wallets can be shown',
    },
  ];
  return {
    script: `${origin}/${release}/stripe.js`,
    hosts: isStripe ? [...hosts, ...others] : hosts,
    publicConfig: { publishable_key, paymentMethodTypes: 'card' },
  };
}
