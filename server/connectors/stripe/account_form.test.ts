import { describe, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { Secret } from '../../base/secret.ts';
import { type BaseRules, objectionToBase } from '../api_base.ts';
import { createHttp } from '../http.ts';
import type { SettingsReader } from '../registration.ts';
import { accountForm, stripe } from './index.ts';

const production: BaseRules = { allowedHosts: ['stripe.internal.example', 'other.example:8443'], isDevelopment: false };
const development: BaseRules = { allowedHosts: [], isDevelopment: true };

describe('where requests may go', () => {
  test.each([
    ['https://api.stripe.com', undefined, undefined],
    ['https://stripe.internal.example', undefined, 'not allowed'],
    ['https://other.example:8443', undefined, 'not allowed'],
    ['https://other.example', 'not allowed', 'not allowed'],
    ['https://stripe.internal.example:444', 'not allowed', 'not allowed'],
    ['https://api.stripe.com.example', 'not allowed', 'not allowed'],
    ['http://api.stripe.com', 'https', 'https'],
    ['http://stripe.internal.example', 'https', 'https'],
    ['https://api.stripe.com/', 'alone', 'alone'],
    ['https://api.stripe.com/v1', 'alone', 'alone'],
    ['https://api.stripe.com?a', 'alone', 'alone'],
    ['https://user@api.stripe.com', 'alone', 'alone'],
    ['HTTPS://API.STRIPE.COM', 'alone', 'alone'],
    ['ftp://api.stripe.com', 'alone|https', 'alone|https'],
    ['api.stripe.com', 'an address', 'an address'],
    ['', 'an address', 'an address'],
    ['http://127.0.0.1:4010', 'https', undefined],
    ['https://localhost:4010', 'not allowed', undefined],
    ['http://[::1]:4010', 'https', undefined],
    ['http://127.0.0.1.example:4010', 'https', 'https'],
    ['http://169.254.169.254', 'https', 'https'],
    ['http://10.0.0.1', 'https', 'https'],
  ])('%s (in production: %s, in development: %s)', (base, strict, lax) => {
    for (const [rules, objection] of [
      [production, strict],
      [development, lax],
    ] as const)
      if (objection === undefined)
        expect(objectionToBase({ base, official: 'https://api.stripe.com' }, rules)).toBeUndefined();
      else expect(objectionToBase({ base, official: 'https://api.stripe.com' }, rules)).toMatch(new RegExp(objection));
  });
});

describe('the values of an account', () => {
  const form = accountForm({ send: createHttp(), clock: systemClock, rules: production });
  const objection = (mode: 'test' | 'live', credentials: Record<string, string>, settings = {}) =>
    form.objection({
      mode,
      credentials: Object.fromEntries(Object.entries(credentials).map(([name, text]) => [name, new Secret(text)])),
      settings,
    });

  test.each([
    ['test', { secret_key: 'sk_test_12345678' }, undefined],
    ['live', { secret_key: 'rk_live_12345678', webhook_secret: 'whsec_12345678' }, undefined],
    ['live', { secret_key: 'sk_test_12345678' }, 'credentials.secret_key'],
    ['test', { secret_key: 'rk_live_12345678' }, 'credentials.secret_key'],
    ['test', { secret_key: 'pk_test_12345678' }, 'credentials.secret_key'],
    ['test', { secret_key: 'sk_test_12345678\r\nX: y' }, 'credentials.secret_key'],
    ['test', { secret_key: 'sk_test_' }, 'credentials.secret_key'],
    ['test', { secret_key: 'sk_test_12345678', webhook_secret: 'secret' }, 'credentials.webhook_secret'],
    ['test', { secret_key: 'sk_test_12345678', webhook_secret_previous: 'x' }, 'credentials.webhook_secret_previous'],
  ] as const)('%s mode, %o: %s', (mode, credentials, param) => {
    expect(objection(mode, credentials)?.param).toBe(param);
  });

  test.each([
    ['test', 'pk_test_12345678', undefined],
    ['live', 'pk_live_12345678', undefined],
    ['live', 'pk_test_12345678', 'settings.publishable_key'],
    ['test', 'sk_test_12345678', 'settings.publishable_key'],
    ['test', 'pk_test_', 'settings.publishable_key'],
    ['test', 'pk_test_1234<script>', 'settings.publishable_key'],
  ] as const)('%s mode, the publishable key %s: %s', (mode, publishable_key, param) => {
    expect(objection(mode, { secret_key: `sk_${mode}_12345678` }, { publishable_key })?.param).toBe(param);
  });

  test('an address that is not allowed is named, and no value of a secret is', () => {
    const found = objection('test', { secret_key: 'sk_test_12345678' }, { api_base: 'https://evil.example' });
    expect(found?.param).toBe('settings.api_base');
    expect(JSON.stringify(objection('live', { secret_key: 'sk_test_12345678' }))).not.toContain('12345678');
  });

  test('the settings are read before anything starts, and a malformed host is a problem', () => {
    const problems: string[] = [];
    const reader = (list: string[]) =>
      ({
        isDevelopment: false,
        list: () => list,
        problem: (text: string) => problems.push(text),
      }) as unknown as SettingsReader;
    expect(stripe.settings(reader(['a.example', 'b.example:8443']))).toEqual({
      allowedHosts: ['a.example', 'b.example:8443'],
      isDevelopment: false,
    });
    expect(problems).toEqual([]);
    for (const host of ['https://a.example', 'a.example/path', 'A.example', 'a@b', '*.example '])
      stripe.settings(reader([host]));
    expect(problems).toHaveLength(5);
  });
});
