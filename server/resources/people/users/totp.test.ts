import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Keyring } from '../../../base/keyring.ts';
import { Secret } from '../../../base/secret.ts';
import { fromBase32 } from '../../../test/person.ts';
import { newEnrolment, openEnrolment, spendCode, withAuthenticator } from './second_factor.ts';
import { base32, codeAt, stepAt, stepOfCode } from './totp.ts';
import type { User } from './user.ts';

const secrets = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => Buffer.from(bytes));
const stepMs = 30_000;

/** RFC 6238, appendix B: SHA-1, of whose eight digits the last six are shown. */
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %s s the authenticator of the RFC shows %s', (seconds, code) => {
  expect(codeAt(Buffer.from('12345678901234567890'), stepAt(seconds * 1_000))).toBe(code);
});

test('base32 is that of RFC 4648', () => {
  expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  fc.assert(fc.property(secrets, (secret) => fromBase32(base32(secret)).equals(secret)));
});

test('a code works within a step of its time, and after no later code', () => {
  const cases = fc.record({
    secret: secrets,
    now: fc.integer({ min: 5 * stepMs, max: 4e12 }),
    shift: fc.integer({ min: -4, max: 4 }),
    last: fc.option(fc.integer({ min: -4, max: 4 })),
  });
  fc.assert(
    fc.property(cases, ({ secret, now, shift, last }) => {
      const step = stepAt(now);
      const used = last === null ? null : step + last;
      const codes = [-1, 0, 1].map((near) => codeAt(secret, step + near));
      const code = codeAt(secret, step + shift);
      // Two steps may show the same code by chance: then the first that is not used counts.
      const open = [-1, 0, 1].filter((near, at) => codes[at] === code && (last === null || near > last));
      expect(stepOfCode(secret, code, now, used)).toBe(open.length === 0 ? undefined : step + open[0]!);
    }),
  );
});

describe('a person with an authenticator', () => {
  const keyring = new Keyring(new Secret(Buffer.alloc(32, 7)));
  const plain: User = {
    ...{ id: 'usr_1', version: 1, email: 'ada@example.com', password: '', home_account: null, generation: 0 },
    ...{ totp_secret: null, totp_step: null, recovery_codes: [] },
  };
  const start = Date.UTC(2027, 0, 4);

  test('can use each code and each recovery code once, in whatever order', () => {
    const secret = Buffer.alloc(20, 9);
    const { after, codes } = withAuthenticator(plain, secret, new Secret(codeAt(secret, stepAt(start))), {
      keyring,
      now: start,
    })!;
    const tries = fc.array(
      fc.record({
        wait: fc.integer({ min: 0, max: 2 * stepMs }),
        what: fc.oneof(
          fc.integer({ min: -1, max: 1 }).map((shift) => ({ shift })),
          fc.integer({ min: 0, max: 9 }).map((recovery) => ({ recovery })),
        ),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(tries, (list) => {
        const used = new Set<string>();
        let [user, now] = [after, start];
        for (const { wait, what } of list) {
          now += wait;
          const code = 'shift' in what ? codeAt(secret, stepAt(now) + what.shift) : codes[what.recovery]!;
          const spent = spendCode(user, new Secret(code), { keyring, now });
          if (spent === undefined) continue;
          const name = 'shift' in what ? `${spent.totp_step}` : code;
          expect(used).not.toContain(name);
          used.add(name);
          user = spent;
        }
        const recovered = [...used].filter((name) => name.includes('-')).length;
        expect(user.recovery_codes).toHaveLength(10 - recovered);
      }),
    );
  });

  test('confirms a secret that was made for them, and no other bytes', () => {
    const { token, secret } = newEnrolment(plain, 'Tollgate', { keyring, now: start });
    const at = { keyring, now: start + 1 };
    expect(openEnrolment('usr_1', new Secret(token), at)).toEqual(fromBase32(secret));
    expect(openEnrolment('usr_2', new Secret(token), at)).toBeUndefined();
    expect(openEnrolment('usr_1', new Secret(token), { keyring, now: start + 900_000 })).toBeUndefined();
    fc.assert(fc.property(fc.base64String(), (text) => openEnrolment('usr_1', new Secret(text), at) === undefined));
  });
});
