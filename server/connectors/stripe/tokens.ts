import type { Secret } from '../../base/secret.ts';
import type { Holder, TokenizedMethod } from '../contract.ts';
import type { StripeAnswer, StripeConversation } from './conversation.ts';
import { isStripeId } from './intents.ts';
import { cardOf, idOf, metadataOf, objectOf, textOf } from './shapes.ts';
import { isToken } from './wire.ts';

/** The card that a payment method of Stripe's stands for; undefined when Stripe does not know it or it is no card. */
export async function retrieveToken(talk: StripeConversation, token: Secret): Promise<TokenizedMethod | undefined> {
  if (!isToken(token)) return undefined;
  const answer = await talk.get(['payment_methods', token]);
  if (answer.kind === 'refused' && answer.status === 404) return undefined;
  if (answer.kind !== 'done') throw unanswered('payment method', answer);
  const card = cardOf(objectOf(answer.object.card));
  const { customer } = answer.object;
  return card && { ...card, customer: idOf(customer) };
}

/** The gateway names a method that was chosen at Stripe after its payment or its setup. */
export function methodNamedAfter(about: string): string {
  return `pm${about.slice(about.indexOf('_'))}`;
}

type NewCustomer = { id: string; holder: Holder };

/** The customer of a payment method, with our mark. The request has a key, so that a repetition makes no second one. */
export async function makeCustomer(
  talk: StripeConversation,
  { id, holder }: NewCustomer,
): Promise<{ customer: string } | { refused: string }> {
  const form = {
    ...(holder.name ? { name: holder.name } : {}),
    ...(holder.email ? { email: holder.email } : {}),
    metadata: { tollgate_payment_method: id },
  };
  const made = await talk.postRepeatedly(['customers'], form, `${id}/customer`);
  if (made.kind === 'refused') return { refused: made.error.message ?? 'Stripe refuses to make a customer.' };
  const isOurs = made.kind === 'done' && metadataOf(made.object).tollgate_payment_method === id;
  const customer = isOurs ? textOf(made.object.id) : undefined;
  if (customer === undefined) throw unanswered('customer', made);
  return { customer };
}

/**
 * The customer under which Stripe keeps a card number. Without the holder's name and email the request is the same whenever it is
 * repeated, and one that is made and then not used has nothing about a person.
 */
export async function keepCard(talk: StripeConversation, id: string): Promise<string> {
  const made = await makeCustomer(talk, { id, holder: {} });
  if ('refused' in made) throw new Error('Stripe refuses to make a customer');
  return made.customer;
}

/** Attaches a payment method to a customer made for it. Both requests have keys. */
export async function attachToken(
  talk: StripeConversation,
  { token, holder, id }: { token: Secret; holder: Holder; id: string },
): Promise<{ customer: string } | { refused: string }> {
  if (!isToken(token)) return { refused: 'Stripe does not know this token.' };
  const made = await makeCustomer(talk, { id, holder });
  if ('refused' in made) return made;
  const { customer } = made;
  const attached = await talk.postRepeatedly(['payment_methods', token, 'attach'], { customer }, `${id}/attach`);
  if (attached.kind === 'refused') return { refused: attached.error.message ?? 'Stripe refuses to keep this card.' };
  if (attached.kind !== 'done') throw unanswered('attachment', attached);
  return { customer };
}

/** Deletes a customer that carries our mark for this very card. Deleting the merchant's own would end its subscriptions at Stripe. */
export async function forget(
  talk: StripeConversation,
  { customer, id }: { customer: string; id: string },
): Promise<'forgotten' | 'not_ours'> {
  if (!isStripeId(customer)) return 'not_ours';
  const found = await talk.get(['customers', customer]);
  if (isGone(found)) return 'forgotten';
  if (found.kind !== 'done') throw unanswered('customer', found);
  if (metadataOf(found.object).tollgate_payment_method !== id) return 'not_ours';
  const deleted = await talk.delete(['customers', customer]);
  if (!isGone(deleted)) throw unanswered('deletion of a customer', deleted);
  return 'forgotten';
}

function isGone(answer: StripeAnswer): boolean {
  if (answer.kind === 'refused') return answer.status === 404;
  return answer.kind === 'done' && answer.object.deleted === true;
}

/** Stripe did not answer, or not in a way that can be understood. */
export function unanswered(what: string, answer: StripeAnswer): Error {
  return new Error(`Stripe did not answer about a ${what}: ${'reason' in answer ? answer.reason : answer.kind}`);
}
