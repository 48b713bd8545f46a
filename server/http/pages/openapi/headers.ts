import { type Json, sized } from './components.ts';

const header = (description: string, schema: Json): Json => ({ description, schema });
const integer = sized({ type: 'integer' });
const text = { type: 'string' };

/** Headers of answers, by their names. */
export const responseHeaders: Record<string, Json> = {
  'Request-Id': header('The id of this request. The logs have it too.', text),
  'X-RateLimit-Limit': header('How many requests a minute are permitted.', integer),
  'X-RateLimit-Remaining': header('How many requests are left in this minute.', integer),
  'X-RateLimit-Reset': header('When the next minute begins, in UTC epoch seconds.', integer),
  'RateLimit-Policy': header('The limit that applies, its requests and its seconds.', text),
  RateLimit: header('The requests that are left, and the seconds until the limit is reset.', text),
  'X-Service-Version': header('The version of the API that has answered.', text),
  'Idempotent-Replayed': header('`true` when this is the stored answer of an earlier request with the same key.', {
    type: 'string',
    const: 'true',
  }),
  'Retry-After': header('Seconds to wait before another try.', integer),
  'WWW-Authenticate': header('How to authenticate.', { type: 'string', const: 'Bearer' }),
  Allow: header('With `url_unrecognized`: the methods that the path has.', text),
  'Set-Cookie': header('The session begins, or has ended.', text),
  'X-Accel-Buffering': header('Asks proxies not to hold messages back.', { type: 'string', const: 'no' }),
  Link: header('The explanation of the error code, with `rel="help"`.', text),
};

const always = [
  'Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'X-Service-Version',
];

for (const name of always) responseHeaders[name]!.required = true;

/** References to the headers that every answer has, and to further ones. */
export function headersOf(...further: (keyof typeof responseHeaders)[]): Json {
  return Object.fromEntries([...always, ...further].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
