import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hintOf, looksLikeKey, makeKey } from './api_key.ts';

const kinds = fc.constantFrom('secret' as const, 'restricted' as const);
const modes = fc.constantFrom('test' as const, 'live' as const);
const anyKey = fc.tuple(kinds, modes).map(([kind, mode]) => makeKey(kind, mode).open());
const base62 = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');

describe('an API key', () => {
  const forms = [
    ['secret', 'live', 'sk_live_tg_'],
    ['secret', 'test', 'sk_test_tg_'],
    ['restricted', 'live', 'rk_live_tg_'],
    ['restricted', 'test', 'rk_test_tg_'],
  ] as const;
  test.each(forms)(
    'that is %s and %s begins with %s, followed by 32 random characters and 6 of checksum',
    (kind, mode, start) => {
      const key = makeKey(kind, mode).open();
      expect(key).toMatch(new RegExp(`^${start}[0-9A-Za-z]{38}$`));
      expect(looksLikeKey(key)).toBe(true);
    },
  );

  test('is unique, and is never printed', () => {
    const keys = Array.from({ length: 1_000 }, () => makeKey('secret', 'test'));
    expect(new Set(keys.map((key) => key.open())).size).toBe(1_000);
    expect(`${keys[0]} ${inspect(keys[0])} ${JSON.stringify(keys[0])}`).toBe('[secret] [secret] "[secret]"');
  });

  test('is recognised by its last four characters', () => {
    const key = makeKey('secret', 'test');
    expect(key.open().endsWith(hintOf(key))).toBe(true);
    expect(hintOf(key)).toHaveLength(4);
  });
});

describe('without a database read', () => {
  test('a key with any one character mistyped is refused', () => {
    fc.assert(
      fc.property(anyKey, fc.nat(), base62, (key, nat, char) => {
        const at = nat % key.length;
        fc.pre(key[at] !== char);
        expect(looksLikeKey(key.slice(0, at) + char + key.slice(at + 1))).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a key with two neighbouring characters swapped is refused', () => {
    fc.assert(
      fc.property(anyKey, fc.nat(), (key, nat) => {
        const at = nat % (key.length - 1);
        fc.pre(key[at] !== key[at + 1]);
        expect(looksLikeKey(key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2))).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  const made = makeKey('secret', 'live').open();
  const refused: [string, string][] = [
    ['nothing', ''],
    ['cut short', made.slice(0, -1)],
    ['a character longer', `${made}0`],
    ['with a space before it', ` ${made}`],
    ['with a line break after it', `${made}\n`],
    ['in capitals', made.toUpperCase()],
    ['of the other mode', made.replace('_live_', '_test_')],
    ['of the other kind', made.replace('sk_', 'rk_')],
    ['of a kind that does not exist', made.replace('sk_', 'pk_')],
    ['of another service', made.replace('_tg_', '_xx_')],
    ['without ours in it', made.replace('_tg_', '_')],
    ['made up', `sk_live_tg_${'a'.repeat(38)}`],
    ['a hundred thousand characters long', `sk_live_tg_${'a'.repeat(100_000)}`],
  ];
  test.each(refused)('a key %s is refused', (_, text) => {
    expect(looksLikeKey(text)).toBe(false);
  });
});
