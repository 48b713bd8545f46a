import { apiError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';

/** Refuses requests that Node accepts although two implementations could read them differently. */
export function refuseAmbiguous({ request, target }: Exchange): void {
  refuseRepeatedHeaders(request.rawHeaders);
  // The parser turns raw bytes above ASCII into other characters than the client sent.
  if (!/^[\x21-\x7e]*$/.test(target))
    throw apiError('request_malformed', { reason: 'the request target has characters that must be percent-encoded' });
}

const singleHeaders = [
  'Host',
  'Authorization',
  'Idempotency-Key',
  'Content-Length',
  'Content-Type',
  'X-Service-Version',
  'X-Service-Signature',
  'X-Service-Timestamp',
];
const singleByLowerCase = new Map(singleHeaders.map((name) => [name.toLowerCase(), name]));

/** Node keeps the first of some repeated headers and joins others with a comma. Either way a value would be misread. */
function refuseRepeatedHeaders(rawHeaders: readonly string[]): void {
  const seen: string[] = [];
  // Names and values in turn.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = singleByLowerCase.get(String(rawHeaders[at]).toLowerCase());
    if (name === undefined) continue;
    if (seen.includes(name)) throw apiError('header_repeated', { param: name });
    seen.push(name);
  }
}
