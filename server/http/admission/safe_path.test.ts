import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newId } from '../../base/id.ts';
import { makeKey } from '../../resources/people/api_keys/api_key.ts';
import { safePath } from './safe_path.ts';

describe('a path as the log shows it', () => {
  const key = makeKey('secret', 'live').open();
  const restricted = makeKey('restricted', 'test').open();
  const webhookSecret = `whsec_${'a1B2'.repeat(8)}`;
  const id = newId('cus', 1_700_000_000_000);
  const card = '4242424242424242';

  const cases: [string, string, string][] = [
    ['a list', '/v1/customers', '/v1/customers'],
    ['an object', `/v1/customers/${id}`, `/v1/customers/${id}`],
    ['without the query', `/v1/customers?email=ada@example.com`, '/v1/customers'],
    ['without all of an odd query', `/v1/customers?a?b=${key}`, '/v1/customers'],
    ['a key', `/v1/customers/${key}`, '/v1/customers/[key]'],
    ['a restricted key', `/v1/${restricted}`, '/v1/[key]'],
    ['a webhook secret', `/v1/${webhookSecret}`, '/v1/[key]'],
    ['a key behind a scheme', `/v1/Bearer%20${key}`, '/v1/Bearer%20[key]'],
    ['a key attached to a word', `/v1/customers_${key}`, '/v1/customers_[key]'],
    ['a key after an extra letter', `/v1/s${key}`, '/v1/s[key]'],
    ['a card number', `/v1/payment_methods/${card}`, '/v1/payment_methods/[digits]'],
    ['a card number in groups', '/v1/cards/4242-4242-4242-4242/x', '/v1/cards/[digits]/x'],
    ['a card number with spaces', '/v1/cards/4242%204242%204242%204242', '/v1/cards/[digits]'],
    ['the token of a page', `/pay/7-${newId('cs', 1_700_000_000_000)}-${'aB-_'.repeat(5)}xy/`, '/pay/[token]/'],
    ['half of a token', `/l/7-${newId('plink', 1_700_000_000_000)}-${'aB-_'.repeat(3)}`, '/l/[token]'],
    ['a short number', '/v1/customers/12345678901', '/v1/customers/12345678901'],
    ['a long path, cut', `/v1/${'x'.repeat(500)}`, `/v1/${'x'.repeat(196)}`],
    ['nothing', '', ''],
  ];
  test.each(cases)('%s', (_, target, shown) => {
    expect(safePath(target)).toBe(shown);
  });

  const long: [string, string][] = [
    ['letters', '/v1/'.padEnd(16_000, 'x')],
    ['dashes', '/v1/1'.padEnd(16_000, '-')],
    ['percent signs', '/v1/'.padEnd(16_000, '%11')],
    ['short numbers', '/v1/'.padEnd(16_000, '1-2-3-4-5x')],
    ['beginnings of keys', '/v1/'.padEnd(16_000, 'sk_live_')],
  ];
  test.each(long)('is made in linear time from 16 kB of %s, which every client can send', (_, target) => {
    // The best of several attempts, because the machine may be busy. Anything worse than linear takes hundreds of milliseconds.
    const tries = Array.from({ length: 3 }, () => {
      const started = performance.now();
      safePath(target);
      return performance.now() - started;
    });
    expect(Math.min(...tries)).toBeLessThan(50);
  });

  test('never shows more of a key or a card number than a person may see, wherever it is in the path', () => {
    const around = fc.nat({ max: 260 }).map((length) => '/x'.repeat(length / 2));
    fc.assert(
      fc.property(around, fc.constantFrom(key, restricted, webhookSecret, card), (before, secret) => {
        const shown = safePath(`${before}/${secret}`);
        expect(shown).not.toContain(secret.slice(0, secret === card ? 9 : 16));
      }),
      { numRuns: 1_000 },
    );
  });
});
