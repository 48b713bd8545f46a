import { describe, expect, test } from 'vitest';
import { keptAnswer, keptParameters, showsConfidential } from './kept_copy.ts';

const schema = {
  properties: {
    name: { personal: true },
    amount: {},
    metadata: { personal: true },
    list: { items: {} },
    items: { items: { properties: { price: {}, secret: { confidential: 'ignored' as const } } } },
    card: { properties: { number: { confidential: 'compared' as const }, exp_year: {} } },
    either: { anyOf: [{ properties: { code: { confidential: 'ignored' as const } } }, {}] },
    credentials: { confidential: 'compared' as const },
  },
};
const kept = (values: Record<string, unknown>) => keptParameters(values, schema);

describe('the copy of parameters', () => {
  test('has personal data, and everything else that is not confidential', () => {
    const sent = {
      name: 'Ada Lovelace',
      amount: 999_999_999_999, // the largest
      metadata: { order: '1029', phone: '+44 20 7946 0815' },
      list: ['a', 7],
    };
    expect(kept(sent)).toEqual(sent);
    expect(kept({ name: null, amount: null })).toEqual({ name: null, amount: null });
  });

  test('has nothing of what is marked, whatever form it was sent in', () => {
    const secret = 'hunter2';
    expect(
      kept({ credentials: { key: secret }, card: { number: 4_242, exp_year: 2040 }, items: [{ price: 'p', secret }] }),
    ).toEqual({
      credentials: '[redacted]',
      card: { number: '[redacted]', exp_year: 2040 },
      items: [{ price: 'p', secret: '[redacted]' }],
    });
    for (const wrong of [secret, [secret], { code: secret }])
      expect(kept({ either: wrong })).toEqual({ either: '[redacted]' });
    expect(kept({ card: secret, items: secret })).toEqual({ card: '[redacted]', items: '[redacted]' });
  });

  const secrets = [
    '4242424242424242',
    '4242 4242-4242.4242',
    'card 4242 4242 4242 4242!',
    'sk_test_tg_abc',
    'whsec_abc',
  ];
  test.each([...secrets, 4_242_424_242_424_242])('has no card number and no key in the wrong place: %s', (secret) => {
    const wrong = {
      name: secret,
      metadata: { note: secret, deep: [{ note: secret }] },
      amount: secret,
      list: [secret],
    };
    const note = '[redacted]';
    expect(kept(wrong)).toEqual({ name: note, metadata: { note, deep: [{ note }] }, amount: note, list: [note] });
  });

  test('has no long number but where a person may have one', () => {
    const token = 'tok_123456789012345678901234';
    expect(kept({ amount: token, list: [token] })).toEqual({ amount: '[redacted]', list: ['[redacted]'] });
    expect(kept({ name: '+44 20 7946 0815' })).toEqual({ name: '+44 20 7946 0815' });
    expect(kept({ 4242424242424242: 1 })).toEqual({ '(name withheld)': '[redacted]' });
  });

  test('has the names of parameters that do not exist, and nothing of their values', () => {
    expect(kept({ pasword: 'hunter2', metadata: { cvc: '123', api_key: 'x' } })).toEqual({
      pasword: '[redacted]',
      metadata: { cvc: '[redacted]', api_key: '[redacted]' },
    });
  });
});

describe('the copy of an answer', () => {
  const output = {
    properties: {
      id: {},
      key: { confidential: 'shown' as const },
      data: { items: { properties: { key: { confidential: 'shown' as const } } } },
    },
  };

  test('is its body, less what is shown once', () => {
    const body = '{"id":"key_1","key":"sk","data":[{"key":"sk"},{"id":1}]}';
    expect(keptAnswer(body, output)).toBe('{"id":"key_1","key":"[redacted]","data":[{"key":"[redacted]"},{"id":1}]}');
    expect(keptAnswer(body, { properties: { id: {} } })).toBe(body);
  });

  test('has nothing of a value that may have such a member, in one of its forms', () => {
    const either = { properties: { id: {}, made: { anyOf: [{ properties: { id: {} } }, output] } } };
    expect(keptAnswer('{"id":1,"made":{"id":"key_1","key":"sk"}}', either)).toBe('{"id":1,"made":"[redacted]"}');
    expect(showsConfidential({ id: 1, made: { id: 'key_1', key: 'sk' } }, either)).toBe(true);
    expect(showsConfidential({ id: 1 }, either)).toBe(false);
  });

  test('an answer is sealed if it shows such a member, and only then', () => {
    expect(showsConfidential({ id: 'key_1', key: 'sk' }, output)).toBe(true);
    expect(showsConfidential({ id: 'key_1', data: [{ key: 'sk' }] }, output)).toBe(true);
    expect(showsConfidential({ id: 'key_1', key: null, data: [{}] }, output)).toBe(false);
    expect(showsConfidential({ id: 'key_1' }, { properties: { id: {} } })).toBe(false);
  });
});
