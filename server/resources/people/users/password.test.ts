import { describe, expect, test } from 'vitest';
import { Secret } from '../../../base/secret.ts';
import { atFullCost } from '../../../test/cheap_passwords.ts';
import { commonPasswords } from './common_passwords.ts';
import { checkChosenPassword, hashPassword, isPassword } from './password.ts';

describe('a password that somebody chooses', () => {
  const check = (text: string) => () => checkChosenPassword(new Secret(text), 'password');

  test.each([
    ['11 characters', 'elevenchars', '12 characters or more'],
    ['11 characters that take 22 units', '🐘'.repeat(11), '12 characters or more'],
    ['one of the commonest', 'passwordpassword', 'one of the commonest'],
    ['one of the commonest in capitals', 'QWERTYUIOP12', 'one of the commonest'],
  ])('is refused with %s', (_, text, words) => expect(check(text)).toThrow(words));

  test.each([
    ['12 characters', 'twelve chars'],
    ['12 characters of any script', '🐘'.repeat(12)],
    ['a sentence', 'correct horse battery staple'],
  ])('may have %s', (_, text) => expect(check(text)).not.toThrow());

  test('is compared with passwords that are long enough to be chosen, in lower case', () => {
    expect(commonPasswords.size).toBeGreaterThan(300);
    for (const one of commonPasswords) {
      expect(one.length).toBeGreaterThanOrEqual(12);
      expect(one).toBe(one.toLowerCase());
    }
  });
});

test('a password is the same in both spellings of a letter, and no other is; nobody has the password of nobody', async () => {
  const stored = await hashPassword(new Secret('caf\u00e9 au lait, please'));
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await isPassword(new Secret('cafe\u0301 au lait, please'), stored)).toBe(true);
  expect(await isPassword(new Secret('cafe au lait, please'), stored)).toBe(false);
  expect(await isPassword(new Secret(''), undefined)).toBe(false);
});

test('a stored password is an argon2id hash as other programs make it', () =>
  atFullCost(async () => {
    // By the reference implementation: argon2 'tollgate tests 1' -id -t 2 -k 19456 -p 1 -l 32 -e
    const stored = '$argon2id$v=19$m=19456,t=2,p=1$dG9sbGdhdGUgdGVzdHMgMQ$tZdcR1nd+0AHqusI6FqfjGlu6+9G3AasCTjIzVRYsvY';
    expect(await isPassword(new Secret('correct horse battery staple'), stored)).toBe(true);
    expect(await isPassword(new Secret('correct horse battery staples'), stored)).toBe(false);
    const own = await hashPassword(new Secret('correct horse battery staple'));
    expect(await isPassword(new Secret('correct horse battery staple'), own)).toBe(true);
  }));
