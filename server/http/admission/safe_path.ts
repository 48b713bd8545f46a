import { hideKeys } from '../../base/hidden_keys.ts';

const shownCharsMax = 200;
// Enough to find the end of a key that begins within the shown part. Limited, because every client can send a long path.
const readCharsMax = 400;

const separator = '(?:%[0-9a-f]{2}|[^0-9a-z/%])*';
const numbers = new RegExp(`\\d(?:${separator}\\d){11,}`, 'gi');
/** Of pages: tenant, id, and a keyed hash (`/return/`, `/pay/`, `/l/`). A token is the permission to see its page. */
const tokens = /\b[1-9]\d*-[a-z]+_\w+-[\w-]{8,}/g;
const emails = /[^/]+(?:@|%40)[^/]+/gi;

/**
 * A path that is safe in a log or a message: without its query, and without anything that looks like a card number, a key, the
 * token of a page or an email address. It is cut last: half of a card number would not be recognized.
 */
export function safePath(target: string): string {
  const [path = ''] = target.slice(0, readCharsMax).split('?', 1);
  const safe = hideKeys(path).replace(tokens, '[token]').replace(emails, '[email]').replace(numbers, '[digits]');
  return safe.slice(0, shownCharsMax);
}
