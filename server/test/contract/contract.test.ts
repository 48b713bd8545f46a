import { expect, test } from 'vitest';
import { contractOf, type Exchanged } from './contract.ts';

const contract = contractOf();

const headers = {
  'content-type': 'application/json',
  'request-id': 'req_1',
  'x-ratelimit-limit': '100',
  'x-ratelimit-remaining': '99',
  'x-ratelimit-reset': '1700000000',
  'ratelimit-policy': '"account";q=100;w=60',
  ratelimit: '"account";r=99;t=3',
  'x-service-version': '1',
};
const customer = { id: 'cus_1', object: 'customer', metadata: { order: 7 }, created: 1_700_000_000 };
const retrieved = {
  method: 'GET',
  path: '/v1/customers/cus_1?',
  status: 200,
  headers,
  text: JSON.stringify(customer),
};
const refused = (status: number, code: string, type = 'invalid_request_error') => ({
  ...retrieved,
  status,
  headers: { ...headers, link: '</docs/errors>; rel="help"', ...(status === 401 && { 'www-authenticate': 'Bearer' }) },
  text: JSON.stringify({ error: { code, message: 'No.', type } }),
});
const showing = (further: object): Exchanged => ({
  ...retrieved,
  text: JSON.stringify({ ...customer, ...further }),
});
const { ratelimit: _, ...fewer } = headers;

test.each<[string, Exchanged]>([
  ['a customer', retrieved],
  ['a refusal of the route', refused(404, 'resource_missing')],
  ['a refusal of every request', refused(401, 'api_key_missing', 'authentication_error')],
  ['a page', { ...retrieved, path: '/docs', status: 302, text: '' }],
  ['a path that is no route', { ...retrieved, path: '/v1/customs', status: 404, text: '{}' }],
])('the contract allows %s', (_name, exchanged) => {
  expect(contract.differences(exchanged)).toEqual([]);
});

test.each<[string, Exchanged, string]>([
  ['an unknown member', showing({ credit: 7 }), 'must NOT have additional properties credit'],
  ['an unknown member of a member', showing({ metadata: { a: { b: 1 } } }), '/metadata/a must be'],
  ['a member of another type', showing({ created: '2026' }), '/created must be integer'],
  ['a missing member', { ...retrieved, text: '{}' }, "must have required property 'id'"],
  ['another status', { ...retrieved, status: 402 }, 'does not document the status 402'],
  ['a code of another status', refused(400, 'resource_missing'), '/error/code must be equal to one of'],
  ['a code of another operation', refused(400, 'payment_not_capturable'), '/error/code must be equal to one of'],
  ['an unknown type of error', refused(404, 'resource_missing', 'other_error'), '/error/type must be equal to one of'],
  ['a missing header', { ...retrieved, headers: fewer }, 'the header ratelimit is missing'],
  [
    'an unknown header',
    { ...retrieved, headers: { ...headers, 'x-more': '1' } },
    'the header x-more is not documented',
  ],
  ['a header of another type', { ...retrieved, headers: { ...headers, 'x-ratelimit-limit': 'all' } }, 'is all'],
  ['a replayed read', { ...retrieved, headers: { ...headers, 'idempotent-replayed': 'true' } }, 'is not documented'],
  ['another media type', { ...retrieved, headers: { ...headers, 'content-type': 'text/html' } }, 'text/html'],
])('the contract does not allow %s', (_name, exchanged, difference) => {
  expect(contract.differences(exchanged).join('\n')).toContain(difference);
  expect(() => contract.check(exchanged)).toThrow(difference);
});

test('a route without parameters comes before one with them', () => {
  expect(contract.operationOf('POST', '/v1/invoices/preview')).toBe('invoices.preview');
  expect(contract.operationOf('POST', '/v1/invoices/in_1')).toBe('invoices.update');
});
