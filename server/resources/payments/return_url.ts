import type { Mode } from '../../base/reads.ts';
import { refusal } from './errors.ts';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** A URL that a cardholder can be redirected to: https, and in test mode also http to this machine. */
export function checkReturnUrl(text: string, mode: Mode): void {
  // The parser silently drops line breaks and outer spaces, which would end up in a header. It also accepts https:host, which a browser
  // takes for a relative path.
  const url = /^https?:\/\/[^\x00-\x20\x7f\\]+$/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const secure = url?.protocol === 'https:';
  const local = mode === 'test' && url?.protocol === 'http:' && loopback.test(url.hostname);
  if (url !== undefined && (secure || local) && url.username === '' && url.password === '') return;
  const exception = mode === 'test' ? ' (or http to localhost)' : '';
  throw refusal('return_url_invalid', { param: 'return_url', exception });
}
