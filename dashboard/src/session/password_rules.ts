import { passwordCharsMin } from '../generated/catalog.ts';

/** How many characters a password lacks. Characters are counted as the API counts them. */
export function missingChars(password: string): number {
  return Math.max(0, passwordCharsMin - [...password.normalize('NFC')].length);
}
