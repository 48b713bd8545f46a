import { Refusal } from '../../base/errors.ts';
import { paramOf, withheld } from '../../base/param_name.ts';
import type { Mode } from '../../base/reads.ts';
import type { AnyOperation } from '../../resources/operation.ts';
import { refusal } from '../errors.ts';
import { type Exchange, queryOf } from '../exchange.ts';
import { readContent } from './body/content.ts';
import { BodyError, ContentError } from './body/error.ts';
import { readForm } from './body/form.ts';
import { checkParameters, isPlainObject, mayBeEmpty, type ObjectSchema, type Values } from './parameters.ts';

/** From the bytes of a request to the parameters that its operation is given: query for GET, body for the others. */
export function readParameters(
  operation: AnyOperation,
  exchange: Exchange,
  body: Buffer,
  facts: { now: number; mode: Mode },
): Values {
  const values = readable(() => readValues(operation, exchange, body));
  return checkParameters(operation, values, facts);
}

function readValues(operation: AnyOperation, exchange: Exchange, body: Buffer): Values {
  const query = queryOf(exchange);
  if (operation.method === 'GET') return readForm(query, operation.input);
  if (query !== '') refuseQuery(query);
  const { 'content-type': type, 'content-encoding': encoding } = exchange.request.headers;
  const { value, form } = readContent(body, type, encoding, operation.input);
  if (form && operation.nulls === 'absent') refuseEmpty(value as Values, operation.input as ObjectSchema, []);
  return value as Values;
}

/**
 * A form clears by an empty value, and where nothing can be cleared that is a variable which was not set: without its amount, a refund
 * would be of everything. A text may be empty, what is required is missing, and JSON says null when it means it.
 */
function refuseEmpty(values: Values, { properties = {}, required }: ObjectSchema, path: readonly string[]): void {
  for (const [name, property] of Object.entries(properties)) {
    const value = values[name];
    if (value === null && !mayBeEmpty(property) && !required?.includes(name))
      throw refusal('parameter_invalid', { param: [...path, name].join('.'), reason: 'it must not be empty' });
    if (property.properties !== undefined && isPlainObject(value)) refuseEmpty(value, property, [...path, name]);
  }
}

function refuseQuery(query: string): never {
  const [name] = Object.keys(readForm(query, { type: 'object', properties: {} }));
  throw refusal('parameter_unknown', {
    param: paramOf([name ?? 'query']) ?? withheld,
    hint: ' This operation takes its parameters in the body, not in the query.',
  });
}

/** The readers know nothing of the error table; their sentences become its rows here. */
function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof BodyError || error instanceof ContentError)
      throw new Refusal(error.code, { status: 400, type: 'invalid_request_error' }, error.message, error);
    throw error;
  }
}
