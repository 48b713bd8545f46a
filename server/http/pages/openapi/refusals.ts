import { isDeepStrictEqual } from 'node:util';
import { assert, type ErrorRows } from '../../../base/errors.ts';
import type { AnyOperation } from '../../../operations/operation.ts';
import { Parameters } from '../../../operations/schemas.ts';
import type { Json } from './components.ts';
import { headersOf } from './headers.ts';

const everyRequest = [
  ...['https_required', 'request_malformed', 'headers_too_large', 'request_timeout', 'header_repeated'],
  ...['version_conflict', 'version_unknown', 'rate_limited'],
  ...['body_invalid', 'parameter_unknown', 'parameter_invalid'],
  ...['internal_error', 'unavailable'],
];

const everyChange = [
  ...['idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_key_in_use', 'lock_timeout'],
  ...['body_too_large', 'content_type_unsupported', 'content_encoding_unsupported'],
];

const withKey = [
  ...['api_key_missing', 'api_key_invalid', 'api_key_expired', 'api_key_revoked'],
  ...['signature_missing', 'signature_invalid', 'signature_expired'],
  ...['account_suspended', 'ip_not_allowed', 'scope_missing'],
];

/** Those that depend on who calls. */
function callerCodes({ callers, method, isPersonal }: Refusable): string[] {
  const isChange = method !== 'GET';
  const isOpen = callers.includes('visitor');
  return [
    ...(callers.includes('key') && isChange ? ['signature_replayed'] : []),
    ...withKey,
    // A key does not find what only people may do.
    ...(callers.includes('key') ? [] : ['url_unrecognized']),
    ...(callers.includes('person') ? ['session_invalid'] : []),
    ...(callers.includes('person') && !isPersonal ? ['role_missing', 'account_suspended', 'parameter_missing'] : []),
    ...((callers.includes('person') || isOpen) && isChange ? ['csrf_invalid'] : []),
  ];
}

const metadataCodes = [
  ...['metadata_too_many_keys', 'metadata_key_too_long', 'metadata_value_too_long', 'metadata_value_invalid'],
];

type Refusable = Pick<
  AnyOperation,
  'method' | 'route' | 'input' | 'offers' | 'isLive' | 'callers' | 'isPersonal' | 'errors'
>;

/** Every code that an operation may be refused with, in the order of the error table. */
export function codesOf(operation: Refusable, errors: ErrorRows): string[] {
  const { method, route, input, offers = [], isLive = false, errors: own = [] } = operation;
  const isList = 'ending_before' in input.properties;
  const codes = new Set<string>([
    ...everyRequest,
    ...callerCodes(operation),
    ...(method === 'GET' ? [] : everyChange),
    ...('metadata' in input.properties ? metadataCodes : []),
    ...(method !== 'GET' && 'external_id' in input.properties ? ['external_id_in_use'] : []),
    ...(hasRequired(input) ? ['parameter_missing'] : []),
    ...(isList ? ['parameters_exclusive'] : []),
    // An id that is too long, or cannot be decoded, is no part of any route.
    ...(route.includes(':') ? ['resource_missing', 'url_unrecognized'] : []),
    ...(offers.length > 0 || isLive ? ['too_many_exports'] : []),
    ...own,
  ]);
  for (const code of codes) assert(code in errors, `the error ${code} is not declared`);
  return Object.keys(errors).filter((code) => codes.has(code));
}

/** Whether a member is required, in the object or in one within it. */
function hasRequired(schema: object): boolean {
  const {
    required = [],
    properties = {},
    items,
  } = schema as {
    required?: string[];
    properties?: Record<string, object>;
    items?: object;
  };
  return (
    required.length > 0 || Object.values(properties).some(hasRequired) || (items !== undefined && hasRequired(items))
  );
}

const titles: Record<number, string> = {
  400: 'The request is not acceptable',
  401: 'There is no valid API key or session, or the signature is not valid',
  402: 'The parameters are valid, but the payment method was not charged',
  403: 'The API key or the person lacks the permission',
  404: 'There is no such object',
  429: 'Too many requests, or the object is being changed',
  500: 'A fault of the service',
};

/** Answers that are alike for most operations are written once, under these names. */
const sharedNames: Record<number, string> = {
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  429: 'TooManyRequests',
  500: 'Fault',
};
const noInput = Parameters({});
const usual = { callers: ['key', 'person'], isPersonal: false, route: '/:id', input: noInput } as const;
const plainOperations = [
  { ...usual, method: 'GET', suffix: '' },
  { ...usual, method: 'POST', suffix: 'Change' },
] as const;

/** The answers to a read and to a change that have no special refusals, by name. */
export function sharedResponses(errors: ErrorRows): Record<string, Json> {
  const named = plainOperations.flatMap(({ suffix, ...operation }) =>
    [...codesByStatus(operation, errors)]
      .filter(([status]) => status in sharedNames)
      .map(
        ([status, codes]) => [`${sharedNames[status]}${suffix}`, response(operation.method, status, codes)] as const,
      ),
  );
  return Object.fromEntries(named);
}

export function refusalResponses(operation: Refusable, errors: ErrorRows): Json {
  const [read, change] = plainOperations;
  const { suffix, ...plain } = operation.method === 'GET' ? read : change;
  const plainCodes = codesByStatus(plain, errors);
  const responses = [...codesByStatus(operation, errors)].map(([status, codes]) => {
    const isUsual = status in sharedNames && isDeepStrictEqual(plainCodes.get(status), codes);
    const name = `${sharedNames[status]}${suffix}`;
    return [status, isUsual ? { $ref: `#/components/responses/${name}` } : response(operation.method, status, codes)];
  });
  return Object.fromEntries(responses);
}

function codesByStatus(operation: Refusable, errors: ErrorRows): Map<number, string[]> {
  const grouped = Map.groupBy(codesOf(operation, errors), (code) => errors[code]!.status);
  return new Map([...grouped].sort(([one], [other]) => one - other));
}

function response(method: Refusable['method'], status: number, codes: readonly string[]): Json {
  const replayed = method !== 'GET' && isSaved(status) ? ['Idempotent-Replayed'] : [];
  const further = [...(furtherHeaders[status] ?? []), ...replayed];
  const code = { type: 'string', enum: codes };
  const narrowed = { type: 'object', properties: { error: { type: 'object', properties: { code } } } };
  return {
    description: `${titles[status]}: ${codes.map((one) => `\`${one}\``).join(', ')}.`,
    headers: headersOf('Link', ...further),
    content: { 'application/json': { schema: { allOf: [{ $ref: '#/components/schemas/Error' }, narrowed] } } },
  };
}

/** Whether an idempotency key saves answers of this status: those that an operation has decided. */
const isSaved = (status: number) => status === 400 || status === 402 || status === 404;

const furtherHeaders: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  404: ['Allow'],
  429: ['Retry-After'],
  500: ['Retry-After'],
};

export function errorSchema(errors: ErrorRows): Json {
  const text = (description: string) => ({ type: 'string', description });
  const types = [...new Set(Object.values(errors).map(({ type }) => type))];
  const error = {
    type: 'object',
    description: 'Why the request was refused.',
    required: ['code', 'message', 'type'],
    properties: {
      code: { type: 'string', enum: Object.keys(errors), description: 'For programs. `/docs/errors` explains each.' },
      message: text('For people: what is wrong, and what to do.'),
      param: text('The parameter, header or part of the path at fault, such as `card.number`.'),
      type: { type: 'string', enum: types, description: 'The kind of error.' },
      decline_code: text('With status 402: the reason that the bank gives.'),
      payment: text('With status 402: the id of the payment that has failed.'),
      setup: text('With status 402: the id of the setup that has failed.'),
    },
  };
  return { type: 'object', required: ['error'], properties: { error } };
}
