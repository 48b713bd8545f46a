import { hash } from 'node:crypto';
import { Secret } from '../../base/secret.ts';
import type { ProcessorOutcome, Traces } from '../contract.ts';
import { adviceOn } from './advice.ts';
import { type Entry, type Objection, objections } from './ledger.ts';
import { cardUnder } from './tokens.ts';

/** The cardholder has to decide. It becomes `requires_action` once it has a page, which needs a random token and a row. */
export type Undecided = { kind: 'undecided'; opening: Entry };

/** The answer to the attempt itself. For some test cards it differs from the final result. */
export function firstOutcome(entry: Entry): ProcessorOutcome | Undecided {
  if (entry.result === 'challenged') return { kind: 'undecided', opening: entry };
  const reference = entry.reference;
  if (isOpening(entry) && entry.scenario === 'reply_lost')
    return { kind: 'unknown', reason: 'the reply was lost on its way' };
  if (entry.verb === 'refund' && entry.scenario === 'refund_pending') return { kind: 'pending', reference };
  if (entry.verb === 'refund' && entry.scenario === 'refund_bounces') return { kind: 'approved', reference };
  return finalOutcome(entry);
}

/** The answer to an inquiry: the final result, as far as it is decided. */
export function found(entry: Entry, known: readonly Entry[]): ProcessorOutcome | Undecided {
  if (entry.result !== 'challenged') return finalOutcome(entry);
  const about = known.filter((one) => one.authorization_attempt === entry.attempt);
  const decided = about.find((one) => one.verb === 'decide');
  if (decided !== undefined) return finalOutcome({ ...entry, ...decisionOf(decided) });
  if (about.some((one) => one.verb === 'cancel' && one.result === 'approved'))
    return finalOutcome({ ...entry, ...undoneByCancel });
  return { kind: 'undecided', opening: entry };
}

const decisionOf = ({ result, code, decline_code, paid_with }: Entry) => ({ result, code, decline_code, paid_with });

/** How an authorization ends that was canceled before it took effect. */
export const undoneByCancel = {
  result: 'declined',
  code: 'processing_error',
  decline_code: 'authorization_canceled',
} as const;

export function finalOutcome(entry: Entry): ProcessorOutcome {
  if (entry.result === 'approved') return { kind: 'approved', ...tracesOf(entry) };
  if (entry.decline_code === 'already_captured')
    return {
      kind: 'already_captured',
      money: { amount: entry.amount, currency: entry.currency! },
      ...tracesOf(entry),
    };
  if (entry.decline_code === 'already_paid') return { kind: 'already_paid', ...tracesOf(entry) };
  const declineCode = entry.decline_code ?? undefined;
  const message = declineCode && messages[declineCode];
  return {
    kind: 'declined',
    code: entry.code!,
    ...(declineCode === undefined ? {} : { declineCode }),
    ...(message === undefined ? {} : { message }),
    advice: adviceOn(declineCode ?? entry.code!),
    ...tracesOf(entry),
  };
}

/** The answer to a request that the books do not allow, where there is no entry. */
export function objected(objection: Objection): ProcessorOutcome {
  const message = objections[objection];
  return { kind: 'declined', code: 'processing_error', declineCode: objection, message, advice: adviceOn(objection) };
}

const messages: Readonly<Record<string, string>> = {
  ...objections,
  refund_bounced: "The cardholder's bank sent the refund back.",
  authentication_required: 'The cardholder has to authenticate, and is not there.',
  processor_busy: 'The processor is busy.',
  token_unknown: 'The processor keeps no card under this token.',
};

/** Whether later entries are about this one. */
function isOpening({ verb }: Entry): boolean {
  return verb === 'authorize' || verb === 'setup';
}

export function tracesOf(entry: Entry): Traces {
  const { reference, checks, result } = entry;
  if (!isOpening(entry) || checks === null) return { reference };
  const seen = { reference, avsResult: checks[0]!, cvcResult: checks[1]!, ...chosenOn(entry) };
  return result === 'approved' ? { ...seen, ...networkTraces(entry.attempt) } : seen;
}

/** What the cardholder has chosen on a page. An account keeps it, if it was asked to. */
function chosenOn({ page, paid_with, result, account, attempt }: Entry): Pick<Traces, 'kept' | 'method'> {
  const chosen = page === null || paid_with === null ? undefined : cardUnder(`card_${paid_with}`);
  if (chosen === undefined) return {};
  const { customer: _, ...card } = chosen.kept;
  const method = { type: 'card', ...card };
  if (result !== 'approved' || !page!.save || account === null) return { method };
  return { method, kept: { token: new Secret(`card_${paid_with}`), customer: customerOfPage(attempt), card } };
}

/** The customer that the simulator makes for a method which it keeps. */
const customerOfPage = (attempt: string) => `${pageCustomers}${attempt.slice(attempt.indexOf('_') + 1)}`;
export const pageCustomers = 'sim_cus_page_';

const networkIdDigits = 15;
const codeChars = 6;
const codeAlphabet = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** The traces that a card network would add. Derived from the attempt, so that every answer about it has the same. */
export function networkTraces(attempt: string): { networkTransactionId: string; authorizationCode: string } {
  const bytes = hash('sha256', attempt, 'buffer');
  let networkTransactionId = '';
  for (const byte of bytes.subarray(0, networkIdDigits)) networkTransactionId += byte % 10;
  let authorizationCode = '';
  for (const byte of bytes.subarray(networkIdDigits, networkIdDigits + codeChars))
    authorizationCode += codeAlphabet[byte % codeAlphabet.length];
  return { networkTransactionId, authorizationCode };
}
