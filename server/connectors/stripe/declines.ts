import type { Advice, DeclineCode, Declined } from '../contract.ts';
import type { StripeError } from './shapes.ts';

/**
 * What to do about each decline code of Stripe ("Stripe decline codes" in its documentation: all codes for cards), and about the error codes
 * that take the place of one. Only what may succeed elsewhere immediately is `another_processor`, and only what this card can never pay is
 * `another_method`. What tries again by itself must not try a card that was reported lost or that its bank has blocked.
 */
const advice = {
  never: `do_not_try_again fraudulent lost_card merchant_blacklist pickup_card restricted_card revocation_of_all_authorizations
    revocation_of_authorization security_violation stolen_card stop_payment_order`,
  later: `approve_with_id call_issuer card_velocity_exceeded do_not_honor duplicate_transaction generic_decline insufficient_funds
    no_action_taken withdrawal_count_limit_exceeded card_decline_rate_limit_exceeded`,
  another_method: `card_not_supported currency_not_supported invalid_amount not_permitted service_not_allowed testmode_decline
    transaction_not_allowed offline_pin_required online_or_offline_pin_required incorrect_pin invalid_pin
    pin_try_exceeded`,
  another_processor: 'issuer_not_available try_again_later processing_error reenter_transaction',
  authenticate: `authentication_required authentication_not_handled mobile_device_authentication_required
    payment_intent_authentication_failure setup_intent_authentication_failure`,
  update_card: `expired_card incorrect_address incorrect_cvc incorrect_number incorrect_zip invalid_account invalid_cvc
    invalid_expiry_month invalid_expiry_year invalid_number new_account_information_available resource_missing`,
} as const satisfies Record<Advice, string>;

const adviceByCode: ReadonlyMap<string, Advice> = new Map(
  Object.entries(advice).flatMap(([kind, codes]) => codes.split(/\s+/).map((code) => [code, kind as Advice] as const)),
);

export const knownDeclineCodes: readonly string[] = [...adviceByCode.keys()];

/** The gateway's own codes for what it can name; everything else from a bank is `card_declined`. */
const codes: Readonly<Record<string, DeclineCode>> = {
  expired_card: 'expired_card',
  incorrect_cvc: 'incorrect_cvc',
  invalid_cvc: 'incorrect_cvc',
  processing_error: 'processing_error',
};

/** A code that is new may pass as well as not, and a few attempts do less harm than a customer who is lost. */
const unknownCode: Advice = 'later';

/** Stripe's advice beside the decline code, where it has one from the card network. */
const networkAdvice: Readonly<Record<string, Advice>> = { do_not_try_again: 'never' };
/** Codes without a reason: for them the advice of the network counts, and for others the code. */
const vague = new Set(['call_issuer', 'do_not_honor', 'generic_decline', 'no_action_taken']);
const networkAdviceOtherwise: Readonly<Record<string, Advice>> = {
  confirm_card_data: 'update_card',
  try_again_later: 'later',
};

/** A card that was declined. */
export function declinedCard({
  code = 'card_declined',
  declineCode = code,
  adviceCode = '',
  message,
}: StripeError): Declined {
  const told =
    networkAdvice[adviceCode] ??
    (vague.has(declineCode) ? networkAdviceOtherwise[adviceCode] : undefined) ??
    adviceByCode.get(declineCode) ??
    networkAdviceOtherwise[adviceCode] ??
    unknownCode;
  return {
    kind: 'declined',
    code: codes[declineCode] ?? codes[code] ?? 'card_declined',
    declineCode,
    ...(message === undefined ? {} : { message }),
    advice: told,
  };
}

/** A request that Stripe has refused: no bank was asked. Another processor is not, because the fault may be in the request. */
export function refusedRequest({ code = 'invalid_request', message }: StripeError): Declined {
  const told = adviceByCode.get(code) ?? unknownCode;
  return {
    kind: 'declined',
    code: 'processing_error',
    declineCode: code,
    ...(message === undefined ? {} : { message }),
    advice: told === 'another_processor' ? unknownCode : told,
  };
}
