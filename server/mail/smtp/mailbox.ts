import { domainToASCII } from 'node:url';

const addressBytesMax = 254; // RFC 5321: a path of 256 bytes, with its brackets
const localBytesMax = 64;

/** A text without the characters that end or begin something in a command of SMTP, and those that nobody can see. */
const mailboxForm = /^[^\s@<>"(),:;\\[\]\p{Cc}\p{Cf}]+@[^\s@<>"(),:;\\[\]\p{Cc}\p{Cf}]+$/u;

/** Whether a mail server can be asked to send to an address. An address that looks like one need not be one. */
export function isSendable(address: string): boolean {
  return envelopeAddress(address) !== undefined;
}

/** An address as the mail server gets it, with the domain in ASCII. Undefined: none could be written to it. */
export function envelopeAddress(address: string): string | undefined {
  if (!mailboxForm.test(address)) return undefined;
  const [local, domain] = address.split('@') as [string, string];
  const ascii = domainToASCII(domain);
  const written = `${local}@${ascii}`;
  const isShort = Buffer.byteLength(local) <= localBytesMax && Buffer.byteLength(written) <= addressBytesMax;
  return ascii !== '' && isShort && !/^\.|\.\.|\.$/.test(local) ? written : undefined;
}

/** Whether the mail server needs SMTPUTF8 for it: the part before the @ cannot be written in ASCII. */
export const needsUtf8 = (address: string): boolean => /[^\x00-\x7f]/.test(address);

export const domainOf = (address: string): string => address.slice(address.indexOf('@') + 1);
