/** The rules of the API, so that whoever chooses a password knows them before it is sent. A test compares them. */
export const passwordCharsMin = 12;

/** How many characters a password lacks. Characters are counted as the API counts them. */
export function missingChars(password: string): number {
  return Math.max(0, passwordCharsMin - [...password.normalize('NFC')].length);
}
