import type { Mode } from '../../base/reads.ts';
import type { StripeAnswer, StripeConversation } from './conversation.ts';
import { textOf } from './shapes.ts';

type Verified = { ok: boolean; message: string; identity?: string };

/** Asks whose key it is and to which mode it belongs. The balance tells the mode, and whether statements can be read. */
export async function verify(talk: StripeConversation, mode: Mode): Promise<Verified> {
  const account = await talk.get(['account']);
  if (account.kind !== 'done') return { ok: false, message: problem(account, 'the account') };
  const identity = textOf(account.object.id);
  if (identity === undefined) return { ok: false, message: 'Stripe has answered with no account. Check api_base.' };
  const balance = await talk.get(['balance']);
  if (balance.kind !== 'done') return { ok: false, message: problem(balance, 'the balance'), identity };
  if (balance.object.livemode !== (mode === 'live'))
    return { ok: false, message: `This key does not belong to ${mode} mode.`, identity };
  if (account.object.charges_enabled === false)
    return {
      ok: false,
      message: 'Stripe has not enabled charges for this account. Complete its activation.',
      identity,
    };
  return { ok: true, message: `Stripe accepts the key of ${identity}.`, identity };
}

function problem(answer: Exclude<StripeAnswer, { kind: 'done' }>, what: string): string {
  switch (answer.kind) {
    case 'not_sent':
      return `No connection to Stripe could be made (${answer.reason}).`;
    case 'turned_away':
      return turnedAway(answer.reason, what);
    case 'refused':
      return `Stripe does not show ${what} (${answer.error.code ?? answer.error.type}). Check the secret key.`;
    default:
      return `Stripe did not answer in time, or not as expected (${answer.reason}). Try again.`;
  }
}

function turnedAway(reason: string, what: string): string {
  if (/^rate_limit/.test(reason)) return 'Stripe is receiving too many requests. Try again in a minute.';
  if (/permission|forbidden/.test(reason))
    return `The key may not read ${what}. Give the restricted key that permission.`;
  return 'Stripe does not accept the secret key. Create a new key and enter it.';
}
