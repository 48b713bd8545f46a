import type { AuthorizeRequest, DeclineCode, Instrument } from '../contract.ts';
import { behaviourOf } from './cards.ts';
import type { Entry, Standing } from './ledger.ts';
import { cardUnder } from './tokens.ts';

/** The facts of an entry whose cardholder decides on a page. The card is not known before, nor are its results. */
export function pageOf(
  { kind: _, holder: __, email: ___, ...terms }: Instrument<'page'>,
  { authentication }: Pick<AuthorizeRequest, 'authentication'>,
): Pick<Entry, 'result' | 'checks' | 'page'> {
  const page = { ...terms, ...(authentication && { authentication }) };
  return { result: 'challenged', checks: 'UM', page };
}

/** The test cards that a page offers, by their names, and what happens to each. */
export const payCards = {
  visa: 'Visa •••• 4242: paid',
  mastercard: 'Mastercard •••• 4444: paid',
  amex: 'American Express •••• 0005: paid',
  authenticationRequired: 'Visa •••• 3220: the bank asks first',
  authenticationRequiredChargeDeclined: 'Visa •••• 1629: the bank asks first, then declines',
  chargeDeclined: 'Visa •••• 0002: declined',
  chargeDeclinedInsufficientFunds: 'Visa •••• 9995: declined, insufficient funds',
  chargeDeclinedExpiredCard: 'Visa •••• 0069: declined, expired',
  chargeDeclinedIncorrectCvc: 'Visa •••• 0127: declined, wrong security code',
} as const;
export type PayCard = keyof typeof payCards;

export const isPayCard = (name: string): name is PayCard => Object.hasOwn(payCards, name);

/** What the cardholder answers to the bank; undefined: the bank has not asked. */
export type BankAnswer = 'approve' | 'refuse' | undefined;

export type PayState = 'open' | 'paid' | 'declined' | 'canceled' | 'expired';

/** Whether a page can still be paid on. */
export function payStateOf({ state, opening }: Standing, now: number): PayState {
  if (state === 'authorized') return 'paid';
  if (state !== 'challenged') return state === 'canceled' ? 'canceled' : 'declined';
  return opening!.page!.expiresAt > now ? 'open' : 'expired';
}

/** The cardholder's payment by a card; `asks`: the bank wants an answer first. Undefined when the page is over. */
export function payment(
  standing: Standing,
  card: PayCard,
  answer: BankAnswer,
  now: number,
): Entry | 'asks' | undefined {
  if (payStateOf(standing, now) !== 'open') return undefined;
  const opening = standing.opening!;
  const { number, kept } = cardUnder(`card_${card}`)!;
  const behaviour = behaviourOf(number);
  const isAsked = behaviour.result === 'challenged' || opening.page!.authentication === 'always';
  if (isAsked && behaviour.result !== 'declined' && answer === undefined) return 'asks';
  const decline = declineOf(behaviour, answer);
  return {
    ...opening,
    attempt: `${opening.attempt}/decision`,
    verb: 'decide',
    sequence: standing.next,
    result: decline === undefined ? 'approved' : 'declined',
    code: decline?.code ?? null,
    decline_code: decline?.declineCode ?? null,
    last4: kept.last4,
    page: null,
    paid_with: card,
    at: new Date(now),
  };
}

function declineOf(
  behaviour: ReturnType<typeof behaviourOf>,
  answer: BankAnswer,
): { code: DeclineCode; declineCode?: string } | undefined {
  if (behaviour.result === 'declined') return behaviour;
  if (answer === 'refuse') return { code: 'card_declined', declineCode: 'authentication_failed' };
  const isDeclined = behaviour.result === 'challenged' && behaviour.scenario === 'challenge_then_declined';
  return isDeclined ? { code: 'card_declined', declineCode: 'generic_decline' } : undefined;
}
