import type { Id } from '../../../base/id.ts';
import type { Keyring } from '../../../base/keyring.ts';
import type { Leasable } from '../../../base/lease.ts';
import { fewRandomBytes } from '../../../base/random.ts';

export type PortalCodeId = Id<'pc'>;

/** A code that was asked for with an email. `tries`: how often a code was entered for it. */
export type PortalCode = Leasable & {
  id: PortalCodeId;
  /** The email, and the code while its mail is not written; in development without a mail server also after that. */
  sealed: Buffer;
  email_hash: Buffer;
  hash: Buffer;
  tries: number;
  expires_at: Date;
  /** When it was entered; null: not yet. */
  proved_at: Date | null;
  /** When it has signed somebody in. */
  used_at: Date | null;
};

export const codeMs = 15 * 60_000;
export const triesMax = 5;

/** Without letters and digits that are taken for others. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeChars = 6;

/** 32 characters, so that each byte has as many for each of them. */
export function newCode(): string {
  return Array.from(fewRandomBytes(codeChars), (byte) => alphabet[byte % alphabet.length]).join('');
}

/** A code as somebody types it: in either case, with blanks or hyphens. Undefined for what cannot be one. */
export function readCode(text: string): string | undefined {
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase();
  return code.length === codeChars && [...code].every((char) => alphabet.includes(char)) ? code : undefined;
}

/** Two spellings of an address that differ in case are one. */
export const sameAddress = (email: string) => email.trim().toLowerCase();

export const codeHash = (keyring: Keyring, id: PortalCodeId, code: string) => keyring.hmac('portal', `${id}/${code}`);
export const emailHash = (keyring: Keyring, tenant: number, email: string) =>
  keyring.hmac('portal', `${tenant}/${sameAddress(email)}`);

type Sealed = { email: string; code?: string | undefined; language: string };

const contextOf = ({ tenant, id }: Pick<PortalCode, 'tenant' | 'id'>) => `portal code ${tenant}/${id}`;

export function sealCode(keyring: Keyring, row: Pick<PortalCode, 'tenant' | 'id'>, facts: Sealed): Buffer {
  return keyring.seal('portal', contextOf(row), Buffer.from(JSON.stringify(facts)));
}

export function openCode(keyring: Keyring, row: PortalCode): Sealed {
  return JSON.parse(keyring.unseal('portal', contextOf(row), row.sealed).toString());
}

/** Whether a code can still be entered for it. */
export function isWaiting({ tries, proved_at, expires_at }: PortalCode, now: number): boolean {
  return proved_at === null && tries < triesMax && expires_at.getTime() > now;
}

/** Whether who has entered it may choose, and sign in. */
export function isProved({ proved_at, used_at, expires_at }: PortalCode, now: number): boolean {
  return proved_at !== null && used_at === null && expires_at.getTime() > now;
}
