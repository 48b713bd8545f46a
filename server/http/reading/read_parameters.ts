import type { Keyring } from '../../base/keyring.ts';
import { paramOf, withheld } from '../../base/param_name.ts';
import type { Mode } from '../../base/reads.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { apiError } from '../errors.ts';
import { type Exchange, queryOf } from '../exchange.ts';
import { readContent } from './body/content.ts';
import { readForm } from './body/form.ts';
import { checkParameters, mayBeEmpty } from './parameters.ts';
import { redactParameters } from './redact.ts';
import { isPlainObject, type ParameterSchema, type Values } from './schema.ts';

/** So much of parameters that were refused is logged. Those that were not are as small as their operation says. */
const refusedMax = 16_384;

/** Reads and checks the parameters of a request. The log gets a redacted copy, of refused ones too. */
export function readParameters(
  operation: AnyOperation,
  exchange: Exchange,
  body: Buffer,
  { id, now, mode, keyring }: { id: string; now: number; mode: Mode; keyring: Keyring },
): Values {
  const sent = readValues(operation, exchange, body);
  const redacted = (values: Values) => JSON.stringify(redactParameters({ keyring, mode }, values, operation.input));
  try {
    const parameters = checkParameters(operation, sent, { now, mode });
    exchange.parameters = redacted(parameters);
    if (mode === 'test') exchange.sent = { id, values: sent };
    return parameters;
  } catch (error) {
    // Every value costs a digest, and nothing has bounded their number but the size.
    if (body.length <= refusedMax) {
      const copy = redacted(sent);
      if (copy.length <= refusedMax) exchange.parameters = copy;
      if (mode === 'test') exchange.sent = { id, values: sent };
    }
    throw error;
  }
}

/** Reads a form that comes without a request: the flags of a command that is run without the API. */
export function readFormValues(operation: AnyOperation, form: string): Values {
  const values = readForm(form, operation.input);
  if (operation.nulls === 'absent') refuseEmpty(values, operation.input, []);
  return values;
}

/** Of GET from the query, of other methods from the body. */
function readValues(operation: AnyOperation, exchange: Exchange, body: Buffer): Values {
  const query = queryOf(exchange);
  if (operation.method === 'GET') return readForm(query, operation.input);
  if (query !== '') refuseQuery(query);
  const { 'content-type': type, 'content-encoding': encoding } = exchange.request.headers;
  const { value, form } = readContent(body, type, encoding, operation.input);
  if (form && operation.nulls === 'absent') refuseEmpty(value, operation.input, []);
  return value;
}

/**
 * In a form an empty value clears a parameter. Where an operation clears nothing, an empty value is a variable that the client forgot to
 * set: with an empty amount, a refund would return the whole payment. Texts may be empty, and empty required parameters are reported as
 * missing. JSON needs no such check, because it can say null.
 */
function refuseEmpty(values: Values, { properties = {}, required }: ParameterSchema, path: readonly string[]): void {
  for (const [name, property] of Object.entries(properties)) {
    const value = values[name];
    if (value === null && !mayBeEmpty(property) && !required?.includes(name))
      throw apiError('parameter_invalid', { param: [...path, name].join('.'), reason: 'it must not be empty' });
    if (property.properties !== undefined && isPlainObject(value)) refuseEmpty(value, property, [...path, name]);
  }
}

function refuseQuery(query: string): never {
  const [name] = Object.keys(readForm(query, { type: 'object', properties: {} }));
  throw apiError('parameter_unknown', {
    param: paramOf([name ?? 'query']) ?? withheld,
    hint: ' This operation takes its parameters in the body, not in the query.',
  });
}
