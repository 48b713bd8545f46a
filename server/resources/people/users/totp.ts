import { createHmac, timingSafeEqual } from 'node:crypto';

/** Codes of an authenticator, by RFC 6238: SHA-1, 6 digits, 30 seconds. Every authenticator knows this form, many know no other. */
const stepMs = 30_000;
const digits = 6;
/** How far the clock of a telephone may be wrong, in steps. */
const tolerance = 1;

export const secretBytes = 20;

export function stepAt(now: number): number {
  return Math.floor(now / stepMs);
}

export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const start = mac.at(-1)! & 15;
  const number = mac.readUInt32BE(start) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The step that a code belongs to, if it is near enough and later than the step of the code that was used last. */
export function stepOfCode(secret: Buffer, code: string, now: number, last: number | null): number | undefined {
  const current = stepAt(now);
  const sent = Buffer.from(code);
  for (let step = Math.max(0, current - tolerance); step <= current + tolerance; step++) {
    const expected = Buffer.from(codeAt(secret, step));
    if (step > (last ?? -1) && sent.length === expected.length && timingSafeEqual(sent, expected)) return step;
  }
  return undefined;
}

const base32Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648, without padding: for 20 bytes there is none. */
export function base32(bytes: Buffer): string {
  let [text, bits, value] = ['', 0, 0];
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += base32Digits[(value >> (bits - 5)) & 31];
  }
  return bits === 0 ? text : text + base32Digits[(value << (5 - bits)) & 31];
}

/** What an authenticator reads from a QR code. `issuer` tells several gateways apart. */
export function otpauthUri(secret: Buffer, email: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  const parameters = `secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=30`;
  return `otpauth://totp/${label}?${parameters}`;
}
