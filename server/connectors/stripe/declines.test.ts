import { describe, expect, test } from 'vitest';
import { advices } from '../contract.ts';
import { declinedCard, knownDeclineCodes, refusedRequest } from './declines.ts';

const card = (declineCode: string, more = {}) =>
  declinedCard({ type: 'card_error', code: 'card_declined', declineCode, ...more });

describe('the advice on a decline', () => {
  test.each([
    ['issuer_not_available', 'another_processor'],
    ['try_again_later', 'another_processor'],
    ['processing_error', 'another_processor'],
    ['reenter_transaction', 'another_processor'],
    ['lost_card', 'never'],
    ['stolen_card', 'never'],
    ['pickup_card', 'never'],
    ['fraudulent', 'never'],
    ['do_not_try_again', 'never'],
    ['insufficient_funds', 'later'],
    ['generic_decline', 'later'],
    ['do_not_honor', 'later'],
    ['expired_card', 'update_card'],
    ['incorrect_cvc', 'update_card'],
    ['authentication_required', 'authenticate'],
    ['card_not_supported', 'another_method'],
    ['a_code_of_next_year', 'another_method'],
  ])('%s: %s', (code, advice) => expect(card(code)).toMatchObject({ declineCode: code, advice }));

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
    ['a_code_of_next_year', 'confirm_card_data', 'update_card'],
    ['a_code_of_next_year', 'try_again_later', 'later'],
  ])('%s, and the network says %s: %s', (code, adviceCode, advice) =>
    expect(card(code, { adviceCode }).advice).toBe(advice),
  );

  test('a refused request never passes on, whatever it is called', () =>
    expect(refusedRequest({ type: 'invalid_request_error', code: 'processing_error' }).advice).toBe('another_method'));
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
