import type { Mode } from '../../base/reads.ts';
import type { StripeConversation, StripeUndone } from './conversation.ts';
import { pageOf, textOf } from './shapes.ts';

type Verified = { ok: boolean; message: string; identity?: string };

/** The objects that the gateway reads besides payments. A restricted key may lack the permission. */
const reads = [
  ['events', 'events'],
  ['balance_transactions', 'balance transactions'],
  ['payouts', 'payouts'],
] as const;

/** Whose key it is. */
export async function identify(talk: StripeConversation): Promise<string | undefined> {
  const account = await talk.get(['account']);
  return account.kind === 'done' ? textOf(account.object.id) : undefined;
}

/** Asks whose key it is, and whether it may read what the gateway needs. The key itself tells its mode; events confirm it. */
export async function verify(talk: StripeConversation, mode: Mode): Promise<Verified> {
  const account = await talk.get(['account']);
  if (account.kind !== 'done') return { ok: false, message: problem(account, 'the account') };
  const identity = textOf(account.object.id);
  if (identity === undefined) return { ok: false, message: 'Stripe has answered with no account. Check api_base.' };
  if (account.object.charges_enabled === false)
    return {
      ok: false,
      message: 'Stripe has not enabled charges for this account. Complete its activation.',
      identity,
    };
  for (const [path, what] of reads) {
    const answer = await talk.get([path], { limit: 1 });
    if (answer.kind !== 'done') return { ok: false, message: problem(answer, what), identity };
    const isLive = pageOf(answer.object)?.data[0]?.livemode;
    if (isLive === (mode === 'test'))
      return { ok: false, message: `This key does not belong to ${mode} mode.`, identity };
  }
  return { ok: true, message: `Stripe accepts the key of ${identity}.`, identity };
}

function problem(answer: StripeUndone, what: string): string {
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
