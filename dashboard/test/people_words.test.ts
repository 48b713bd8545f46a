import { describe, expect, test } from 'vitest';
import { Secret } from '../../server/base/secret.ts';
import { checkChosenPassword } from '../../server/resources/people/users/password.ts';
import { actionWords, detailWords } from '../src/pages/audit_log/words.ts';
import { browserWords } from '../src/pages/profile/browser_words.ts';
import { ownPath } from '../src/session/own_path.ts';
import { missingChars } from '../src/session/password_rules.ts';
import { markup } from './fixture.ts';

test.each([
  ['/payments?status=failed', '/payments?status=failed'],
  ['/', '/'],
  [undefined, '/'],
  ['', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['payments', '/'],
])('after signing in, %o leads to %o', (to, path) => expect(ownPath(to)).toBe(path));

describe('a chosen password', () => {
  test.each([
    ['', 12],
    ['eleven char', 1],
    ['twelve chars', 0],
    ['e\u0301'.repeat(11), 1], // two code points that are one character
    ['🔑'.repeat(12), 0],
  ])('%o lacks %i', (password, missing) => {
    expect(missingChars(password)).toBe(missing);
    const check = () => checkChosenPassword(new Secret(password), 'password');
    if (missing === 0) check();
    else expect(check).toThrow('12 characters or more');
  });
});

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox on Windows'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    'Chrome on Linux',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0 Safari/537.36',
    'Chrome on Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['curl/8.5.0', 'curl/8.5.0'],
  [markup, markup],
  [undefined, 'Unknown browser'],
])('the browser %o is %o', (userAgent, words) => expect(browserWords(userAgent)).toBe(words));

test('actions and their details in words', () => {
  expect(actionWords({ action: 'user.role_changed' })).toBe('User: role changed');
  expect(actionWords({ action: 'payment_methods.attach' })).toBe('Payment methods: attach');
  expect(actionWords({ action: 'sign_in_failed' })).toBe('Sign in failed');
  expect(detailWords({ from: 'viewer', to: 'support' })).toBe('viewer → support');
  expect(detailWords({ email: 'ada@example.com', count: 2, scopes: ['a'] })).toBe(
    'email: ada@example.com · count: 2 · scopes: ["a"]',
  );
  expect(detailWords({ from: { name: 'A' }, to: { name: 'B' } })).toBe('name: A → name: B');
  expect(detailWords({})).toBe('');
});
