import { expect, test } from 'vitest';
import { hideKeys } from './hidden_keys.ts';

test.each([
  ['no key sk_live_tg_0aB here', 'no key [key] here'],
  ["unknown option '--rk_test_51abc'", "unknown option '--[key]'"],
  ['SK_LIVE_TG_X, whsec_a+/b=.', '[key], [key].'],
  ['a secret key, such as sk_test_…', 'a secret key, such as sk_test_…'],
  ['Authorization: Bearer sk_test_tg_…', 'Authorization: Bearer sk_test_tg_…'],
  ['a signing secret, such as whsec_…', 'a signing secret, such as whsec_…'],
  ['acct_1 has no key key_2', 'acct_1 has no key key_2'],
])('%s', (text, shown) => expect(hideKeys(text)).toBe(shown));
