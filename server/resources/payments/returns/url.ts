import type { Mode } from '../../../base/reads.ts';
import { apiError } from './errors.ts';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** A URL that a cardholder can be redirected to: https, and in test mode also http to this machine. */
export function checkReturnUrl(text: string, mode: Mode): void {
  const form = formOf(text, mode);
  const exception = mode === 'test' ? ' (or http to localhost)' : '';
  if (form !== undefined) throw apiError('return_url_invalid', { param: 'return_url', exception, form });
}

/** How the URL would have to be written; undefined when it is right. */
function formOf(text: string, mode: Mode): string | undefined {
  // The parser takes a backslash for a slash, and silently drops line breaks and outer spaces, which would end up in a header.
  if (text.includes('\\')) return ', without backslashes';
  if (/[\x00-\x20\x7f]/.test(text)) return ', without spaces, line breaks and control characters';
  // It also accepts https:host, which a browser takes for a relative path.
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const local = mode === 'test' && url?.protocol === 'http:' && loopback.test(url.hostname);
  if (url?.protocol !== 'https:' && !local) return ', such as https://shop.example/return';
  return url?.username === '' && url.password === '' ? undefined : ', without user name or password';
}

/** A header holds ASCII only: an address with other characters is percent-encoded first. */
function isAscii(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}

/** The address as it was given, with one parameter added to its query and nothing else changed. */
export function withParameter(url: string, name: string, value: string): string {
  const [address = '', ...fragment] = (isAscii(url) ? url : new URL(url).href).split('#');
  const joined = `${address}${address.includes('?') ? '&' : '?'}${name}=${value}`;
  return fragment.length === 0 ? joined : `${joined}#${fragment.join('#')}`;
}
