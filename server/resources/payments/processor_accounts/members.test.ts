import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../base/errors.ts';
import type { AccountField } from '../../../connectors/registration.ts';
import { mergeMembers, readMembers, requireMembers } from './members.ts';

const text = (name: string, isRequired = false): AccountField => {
  return { name, kind: 'text', isRequired, description: name };
};
const fields: readonly AccountField[] = [
  text('secret_key', true),
  text('webhook_secret'),
  { ...text('raw_cards'), kind: 'flag' },
];

function refused(
  given: Record<string, unknown>,
  known = fields,
): [code: string, param: string | undefined, message: string] {
  try {
    readMembers('credentials', known, given);
  } catch (error) {
    if (error instanceof ApiError) return [error.code, error.param, error.message];
    throw error;
  }
  throw new Error('it was not refused');
}

describe('the members that a request gives', () => {
  const good: [given: Record<string, unknown>, read: object][] = [
    [{}, {}],
    [{ secret_key: 'sk_1' }, { secret_key: 'sk_1' }],
    [{ secret_key: null }, { secret_key: null }],
    [{ secret_key: '' }, { secret_key: null }],
    [{ secret_key: 'a\nb' }, { secret_key: 'a\nb' }],
    [{ raw_cards: true }, { raw_cards: true }],
    [{ raw_cards: 'false' }, { raw_cards: false }],
    [{ raw_cards: '' }, { raw_cards: null }],
  ];
  test.each(good)('%j is read as %j', (given, read) => {
    expect(readMembers('credentials', fields, given)).toEqual(read);
  });

  const wrong: [given: Record<string, unknown>, code: string, param: string, message: RegExp][] = [
    [{ secret_kye: 'x' }, 'parameter_unknown', 'credentials.secret_kye', /Did you mean credentials\.secret_key\?/],
    [{ other: 'x' }, 'parameter_unknown', 'credentials.other', /are secret_key, webhook_secret, raw_cards/],
    [{ constructor: 'x' }, 'parameter_unknown', 'credentials.constructor', /^Unknown/],
    [{ '4242424242424242': 'x' }, 'parameter_unknown', 'credentials.(name withheld)', /^(?!.*4242)/],
    [{ secret_key: 7 }, 'parameter_invalid', 'credentials.secret_key', /must be a string/],
    [{ secret_key: ['sk'] }, 'parameter_invalid', 'credentials.secret_key', /must be a string/],
    [{ secret_key: { a: 1 } }, 'parameter_invalid', 'credentials.secret_key', /must be a string/],
    [{ secret_key: 'sk_canary\n' }, 'parameter_invalid', 'credentials.secret_key', /^(?!.*canary).*line break/],
    [{ secret_key: 'x'.repeat(4_097) }, 'parameter_invalid', 'credentials.secret_key', /at most 4096 characters/],
    [{ raw_cards: 'yes' }, 'parameter_invalid', 'credentials.raw_cards', /true or false/],
    [{ raw_cards: 1 }, 'parameter_invalid', 'credentials.raw_cards', /true or false/],
  ];
  test.each(wrong)('%j is refused', (given, code, param, message) => {
    expect(refused(given)).toEqual([code, param, expect.stringMatching(message)]);
  });

  test('of a connector without any are refused', () => {
    expect(refused({ key: 'x' }, [])[2]).toMatch(/This connector has no credentials/);
  });
});

test('a change replaces, adds and removes single members', () => {
  const before = { one: 'a', two: 'b', three: 'c' };
  expect(mergeMembers(before, { one: 'A', two: null, four: 'd' })).toEqual({ one: 'A', three: 'c', four: 'd' });
  expect(mergeMembers(before, {})).toEqual(before);
});

test('a required member that is missing after the change is named', () => {
  expect(() => requireMembers('credentials', fields, { webhook_secret: 'x' })).toThrow(/credentials\.secret_key/);
  expect(() => requireMembers('credentials', fields, { secret_key: 'x' })).not.toThrow();
});
