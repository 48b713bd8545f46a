import { randomBytes } from 'node:crypto';
import type { Keyring } from '../../../base/keyring.ts';
import type { Secret } from '../../../base/secret.ts';
import { base32, otpauthUri, secretBytes, stepOfCode } from './totp.ts';
import type { User, UserId } from './user.ts';

const recoveryCodeCount = 10;
const recoveryBytes = 10; // 80 random bits: 16 characters
const enrolmentMinutes = 15;
const minuteMs = 60_000;

type At = { keyring: Keyring; now: number };

/** The user after a code was used: each works once. Undefined for a wrong one, and for one that was used before. */
export function spendCode(user: User, code: Secret, { keyring, now }: At): User | undefined {
  const sent = code.open().replaceAll(/[\s-]/g, '');
  return /^\d{6}$/.test(sent) ? spendTotp(user, sent, { keyring, now }) : spendRecovery(user, sent, keyring);
}

function spendTotp(user: User, code: string, { keyring, now }: At): User | undefined {
  if (user.totp_secret === null) return undefined;
  const secret = keyring.unseal('totp', user.id, user.totp_secret);
  const step = stepOfCode(secret, code, now, user.totp_step);
  return step === undefined ? undefined : { ...user, totp_step: step };
}

function spendRecovery(user: User, code: string, keyring: Keyring): User | undefined {
  const hash = recoveryHash(keyring, user.id, code);
  if (!user.recovery_codes.includes(hash)) return undefined;
  const recovery_codes = user.recovery_codes.filter((left) => left !== hash);
  return { ...user, recovery_codes };
}

/** Equal codes of two users have different hashes. */
function recoveryHash(keyring: Keyring, user: UserId, code: string): string {
  return keyring.hmac('recovery', `${user}\n${code.toUpperCase()}`).toString('base64');
}

/** The codes, to be shown once, and what is stored of them. */
export function newRecoveryCodes(keyring: Keyring, user: UserId): { codes: string[]; hashes: string[] } {
  const bare = Array.from({ length: recoveryCodeCount }, () => base32(randomBytes(recoveryBytes)));
  return {
    codes: bare.map((code) => code.toLowerCase().replace(/(.{4})(?=.)/g, '$1-')),
    hashes: bare.map((code) => recoveryHash(keyring, user, code)),
  };
}

/** A secret that nobody uses yet. The token holds it sealed, for the user alone: nothing is stored before the user confirms it. */
export function newEnrolment({ id, email }: Pick<User, 'id' | 'email'>, issuer: string, { keyring, now }: At) {
  const secret = randomBytes(secretBytes);
  const expiresAt = now + enrolmentMinutes * minuteMs;
  const content = Buffer.concat([secret, Buffer.from(String(expiresAt))]);
  const token = keyring.seal('totp', enrolmentOf(id), content).toString('base64url');
  return { secret: base32(secret), uri: otpauthUri(secret, email, issuer), token, expiresAt };
}

const enrolmentOf = (user: UserId) => `enrolment ${user}`;

/** The secret in a token. Undefined for one of somebody else, for a changed one, and for an old one. */
export function openEnrolment(user: UserId, token: Secret, { keyring, now }: At): Buffer | undefined {
  try {
    const content = keyring.unseal('totp', enrolmentOf(user), Buffer.from(token.open(), 'base64url'));
    const expiresAt = Number(content.subarray(secretBytes).toString());
    return now < expiresAt ? content.subarray(0, secretBytes) : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined when the code is not one of the new secret. The code cannot be used again to sign in. */
export function withAuthenticator(user: User, secret: Buffer, code: Secret, { keyring, now }: At) {
  const step = stepOfCode(secret, code.open().replaceAll(/\s/g, ''), now, null);
  if (step === undefined) return undefined;
  const { codes, hashes } = newRecoveryCodes(keyring, user.id);
  const totp_secret = keyring.seal('totp', user.id, secret);
  const after: User = { ...user, totp_secret, totp_step: step, recovery_codes: hashes };
  return { after, codes };
}

export function withoutAuthenticator(user: User): User {
  return { ...user, totp_secret: null, totp_step: null, recovery_codes: [] };
}

export function withNewRecoveryCodes(user: User, keyring: Keyring): { after: User; codes: string[] } {
  const { codes, hashes } = newRecoveryCodes(keyring, user.id);
  return { after: { ...user, recovery_codes: hashes }, codes };
}
