import { Secret } from '../../base/secret.ts';
import type { Instrument, KeptCard } from '../contract.ts';
import type { StripeConversation, StripeUndone } from './conversation.ts';
import { isStripeId } from './intents.ts';
import { numberOf, objectOf, textOf } from './shapes.ts';

/** absent: Stripe does not have it any more, or never kept it. */
type AgreedMethod = { kind: 'method'; id: Secret } | { kind: 'absent' } | StripeUndone;

export const absent = { kind: 'absent' } as const;

/**
 * The payment method that was made of a card number when its cardholder agreed to later charges: that of the intent by which they did. One
 * that does not belong to the customer of the card cannot be used again.
 */
export async function agreedMethod(
  talk: StripeConversation,
  { agreement, customer }: KeptCard,
  card: Instrument<'card'>,
): Promise<AgreedMethod> {
  if (agreement === undefined || !isStripeId(agreement)) return absent;
  const path = agreement.startsWith('seti_') ? 'setup_intents' : 'payment_intents';
  const answer = await talk.get([path, agreement], { expand: ['payment_method'] });
  if (answer.kind === 'refused') return absent;
  if (answer.kind !== 'done') return answer;
  if (answer.object.id !== agreement) return { kind: 'lost', reason: 'the answer is about another intent' };
  const method = objectOf(answer.object.payment_method);
  const id = textOf(method?.id);
  if (id === undefined || !isStripeId(id)) return absent;
  const owner = textOf(method?.customer) ?? textOf(objectOf(method?.customer)?.id);
  return owner === customer ? renewed(talk, new Secret(id), objectOf(method?.card), card) : absent;
}

/** With the expiry that was changed here. Stripe may have learnt a later one from the card network, which stays. */
async function renewed(
  talk: StripeConversation,
  id: Secret,
  shown: ReturnType<typeof objectOf>,
  { expMonth, expYear }: Instrument<'card'>,
): Promise<AgreedMethod> {
  const month = (numberOf(shown?.exp_year) ?? 0) * 12 + (numberOf(shown?.exp_month) ?? 0);
  if (expYear * 12 + expMonth <= month) return { kind: 'method', id };
  const answer = await talk.postRepeatedly(['payment_methods', id], {
    card: { exp_month: expMonth, exp_year: expYear },
  });
  return answer.kind === 'done' || answer.kind === 'refused' ? { kind: 'method', id } : answer;
}
