import type { Advice } from '../contract.ts';
import { objections } from './ledger.ts';

/**
 * What to do about a decline, by its decline code, or by its code where it has none. A processing error counts as trouble of this
 * processor alone, as with Stripe: another one may approve.
 */
const byCode: Readonly<Record<string, Advice>> = {
  generic_decline: 'later',
  insufficient_funds: 'later',
  lost_card: 'never',
  stolen_card: 'never',
  card_velocity_exceeded: 'later',
  expired_card: 'update_card',
  incorrect_cvc: 'update_card',
  processing_error: 'another_processor',
  processor_busy: 'another_processor',
  authentication_required: 'authenticate',
  authentication_failed: 'authenticate',
  token_unknown: 'another_method',
};

/** Repeating a request that the books do not allow is of no use. A code that is not known here may pass, as with every connector. */
export function adviceOn(code: string): Advice {
  return byCode[code] ?? (Object.hasOwn(objections, code) ? 'never' : 'later');
}
