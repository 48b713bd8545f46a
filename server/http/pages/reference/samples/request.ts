import type { Document } from '../../openapi/document.ts';
import { type OperationModel, resolved, type SchemaModel } from '../model.ts';
import type { SampleCall, SampleValue, SampleValues } from './sample.ts';

/** The call that the reference shows of an operation: recorded where the document has an example, otherwise with the required parameters. */
export function sampleCall(document: Document, operation: OperationModel): SampleCall {
  const { path, method, parameters, body, answer } = operation;
  const own = parameters.find(({ in: place }) => place === 'path');
  const queries = parameters.filter(({ in: place }) => place === 'query');
  const query = queries.flatMap(({ name, required, schema, example }) => {
    if (example !== undefined) return [[name, example as SampleValue]];
    return required ? [[name, allowedBy(document, name, schema)]] : [];
  });
  // A recorded call without a body was sent without one.
  const sent = body?.example ?? (answer.example === undefined && body ? allowedBy(document, '', body.schema) : {});
  return {
    operation,
    id: path.includes('{') ? String(own?.example ?? 'ID') : undefined,
    parameters: method === 'GET' ? Object.fromEntries(query) : (sent as SampleValues),
  };
}

/** A value that the schema allows: a constant, the first choice, or the least that is required. */
function allowedBy(document: Document, name: string, unresolved: SchemaModel): SampleValue {
  const schema = resolved(document, unresolved);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const fixed = schema.const ?? schema.default ?? schema.enum?.[0];
  if (fixed !== undefined) return fixed as SampleValue;
  if (schema.anyOf !== undefined) return allowedBy(document, name, schema.anyOf[0]!);
  if (type === 'object') {
    const { properties = {}, required = [] } = schema;
    return Object.fromEntries(required.map((one) => [one, allowedBy(document, one, properties[one] ?? {})]));
  }
  if (type === 'array') return schema.minItems ? [allowedBy(document, name, schema.items ?? {})] : [];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  return type === 'boolean' ? true : name;
}
