import { describe, expect, test } from 'vitest';
import { type Advice, advices } from '../contract.ts';
import { declinedCard, knownDeclineCodes, refusedRequest } from './declines.ts';

const card = (declineCode: string, more = {}) =>
  declinedCard({ type: 'card_error', code: 'card_declined', declineCode, ...more });

describe('the advice on a decline', () => {
  /** Every decline code for cards that Stripe publishes. */
  const published: [string, Advice][] = [
    ['approve_with_id', 'later'],
    ['authentication_not_handled', 'authenticate'],
    ['authentication_required', 'authenticate'],
    ['call_issuer', 'later'],
    ['card_not_supported', 'another_method'],
    ['card_velocity_exceeded', 'later'],
    ['currency_not_supported', 'another_method'],
    ['do_not_honor', 'later'],
    ['do_not_try_again', 'never'],
    ['duplicate_transaction', 'later'],
    ['expired_card', 'update_card'],
    ['fraudulent', 'never'],
    ['generic_decline', 'later'],
    ['incorrect_address', 'update_card'],
    ['incorrect_cvc', 'update_card'],
    ['incorrect_number', 'update_card'],
    ['incorrect_pin', 'another_method'],
    ['incorrect_zip', 'update_card'],
    ['insufficient_funds', 'later'],
    ['invalid_account', 'update_card'],
    ['invalid_amount', 'another_method'],
    ['invalid_cvc', 'update_card'],
    ['invalid_expiry_month', 'update_card'],
    ['invalid_expiry_year', 'update_card'],
    ['invalid_number', 'update_card'],
    ['invalid_pin', 'another_method'],
    ['issuer_not_available', 'another_processor'],
    ['lost_card', 'never'],
    ['merchant_blacklist', 'never'],
    ['mobile_device_authentication_required', 'authenticate'],
    ['new_account_information_available', 'update_card'],
    ['no_action_taken', 'later'],
    ['not_permitted', 'another_method'],
    ['offline_pin_required', 'another_method'],
    ['online_or_offline_pin_required', 'another_method'],
    ['pickup_card', 'never'],
    ['pin_try_exceeded', 'another_method'],
    ['processing_error', 'another_processor'],
    ['reenter_transaction', 'another_processor'],
    ['restricted_card', 'never'],
    ['revocation_of_all_authorizations', 'never'],
    ['revocation_of_authorization', 'never'],
    ['security_violation', 'never'],
    ['service_not_allowed', 'another_method'],
    ['stolen_card', 'never'],
    ['stop_payment_order', 'never'],
    ['testmode_decline', 'another_method'],
    ['transaction_not_allowed', 'another_method'],
    ['try_again_later', 'another_processor'],
    ['withdrawal_count_limit_exceeded', 'later'],
  ];
  test.each(published)('%s: %s', (code, advice) => expect(card(code)).toMatchObject({ declineCode: code, advice }));

  test('nothing else is known but error codes that take the place of a decline code', () => {
    const others = knownDeclineCodes.filter((code) => !published.some(([known]) => known === code));
    expect(others.map((code) => [code, card(code).advice]).sort()).toEqual([
      ['card_decline_rate_limit_exceeded', 'later'],
      ['payment_intent_authentication_failure', 'authenticate'],
      ['resource_missing', 'update_card'],
      ['setup_intent_authentication_failure', 'authenticate'],
    ]);
    expect(card('a_code_of_next_year').advice).toBe('later');
  });

  test('only four codes pass a payment on to another processor', () => {
    const passing = knownDeclineCodes.filter((code) => card(code).advice === 'another_processor');
    expect(passing.sort()).toEqual([
      'issuer_not_available',
      'processing_error',
      'reenter_transaction',
      'try_again_later',
    ]);
    expect(new Set(knownDeclineCodes).size).toBe(knownDeclineCodes.length);
    expect(new Set(knownDeclineCodes.map((code) => card(code).advice))).toEqual(new Set(advices));
  });

  test.each([
    ['insufficient_funds', 'do_not_try_again', 'never'],
    ['insufficient_funds', 'confirm_card_data', 'later'],
    ['generic_decline', 'confirm_card_data', 'update_card'],
    ['do_not_honor', 'confirm_card_data', 'update_card'],
    ['do_not_honor', 'try_again_later', 'later'],
    ['lost_card', 'try_again_later', 'never'],
    ['a_code_of_next_year', 'confirm_card_data', 'update_card'],
    ['a_code_of_next_year', 'try_again_later', 'later'],
  ])('%s, and the network says %s: %s', (code, adviceCode, advice) =>
    expect(card(code, { adviceCode }).advice).toBe(advice),
  );

  test('a refused request never passes on, whatever it is called', () =>
    expect(refusedRequest({ type: 'invalid_request_error', code: 'processing_error' }).advice).toBe('later'));

  test.each([
    ['currency_not_supported', 'another_method'],
    ['expired_card', 'update_card'],
    ['a_code_of_next_year', 'later'],
  ])('a request that is refused with %s: %s', (code, advice) =>
    expect(refusedRequest({ type: 'invalid_request_error', code }).advice).toBe(advice),
  );
});

test.each([
  ['expired_card', 'expired_card'],
  ['incorrect_cvc', 'incorrect_cvc'],
  ['invalid_cvc', 'incorrect_cvc'],
  ['processing_error', 'processing_error'],
  ['stolen_card', 'card_declined'],
])('the decline code %s is %s here', (declineCode, code) => expect(card(declineCode).code).toBe(code));

test('a decline without a decline code has the error code', () =>
  expect(declinedCard({ type: 'card_error', code: 'expired_card' })).toMatchObject({
    code: 'expired_card',
    declineCode: 'expired_card',
    advice: 'update_card',
  }));
