import { renderUnicodeCompact } from 'uqr';
import { coloured } from '../colour.ts';

/** Objects whose `url` is a page for a customer, who may have a phone. */
const withPages = ['checkout_session', 'payment_link'];

/** The QR code of an object's page, for a terminal; undefined if the object has none. */
export function pageCodeOf({ object, url }: { object?: unknown; url?: unknown }): string | undefined {
  if (!withPages.includes(String(object)) || typeof url !== 'string') return undefined;
  const lines = renderUnicodeCompact(url, { ecc: 'L', border: 2 }).split('\n');
  // On a terminal with a light background, light and dark would change places: not every camera reads that.
  return lines.map((line) => coloured(['whiteBright', 'bgBlack'], line, process.stderr)).join('\n');
}
