import type { Mode } from '../../../base/reads.ts';
import { formOfAddress, inAscii } from '../../../base/web_address.ts';
import { apiError } from './errors.ts';

/** A URL that a cardholder can be redirected to: https, and in test mode also http to this machine. */
export function checkReturnUrl(text: string, mode: Mode): void {
  const form = formOfAddress(text, { isLocal: mode === 'test' });
  const exception = mode === 'test' ? ' (or http to localhost)' : '';
  if (form !== undefined) throw apiError('return_url_invalid', { param: 'return_url', exception, form });
}

/** Why a customer cannot be sent to an address; undefined when that is right. */
export function placeProblem(text: string, mode: Mode): string | undefined {
  const form = formOfAddress(text, { isLocal: mode === 'test' });
  return form && `it must be an https address${mode === 'test' ? ' (or http to localhost)' : ''}${form}`;
}

/** The address as it was given, with one parameter added to its query and nothing else changed. */
export function withParameter(url: string, name: string, value: string): string {
  const [address = '', ...fragment] = inAscii(url).split('#');
  const joined = `${address}${address.includes('?') ? '&' : '?'}${name}=${value}`;
  return fragment.length === 0 ? joined : `${joined}#${fragment.join('#')}`;
}
