import type { Payment, Setup } from '@tollgate/node';
import { formatMoney } from '../../kit/money.ts';
import { declineReason } from '../../nouns/decline_words.ts';

/** A try of a session: a payment, or a setup where nothing is due. */
export type Try = Payment | Setup;

/** Ids begin with their time, after the prefix of their kind. */
const madeAt = ({ id }: Try) => id.slice(id.indexOf('_'));

export function newestFirst(tries: readonly Try[]): Try[] {
  return tries.toSorted((a, b) => (madeAt(a) < madeAt(b) ? 1 : -1));
}

export function amountTried(one: Try): string {
  return one.object === 'payment' ? formatMoney(one.amount, one.currency) : 'No charge';
}

export function whyFailed({ failure_decline_code, failure_code }: Try): string | undefined {
  const code = failure_decline_code ?? failure_code;
  return code && declineReason(code);
}
