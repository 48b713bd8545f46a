import type { Document } from '../openapi/document.ts';
import { nameOf, type OperationModel, resolved, type SchemaModel } from './model.ts';

/** Stands for the address at which the server was asked, until a page is served. */
export const sampleBase = 'https://gateway.invalid';

/** Of which runs a sample is for: `tollgate dev` has a self-made certificate. */
export type SampleOptions = { hasLocalCertificate: boolean };

type SampleValue = null | boolean | number | string | SampleValue[] | { [name: string]: SampleValue };

/** A request as the samples show it: recorded where the document has an example, otherwise with the required parameters. */
export type SampleRequest = {
  id: string | undefined;
  query: Record<string, SampleValue>;
  body: { [name: string]: SampleValue };
};

export function sampleRequest(document: Document, operation: OperationModel): SampleRequest {
  const { path, parameters, body, answer } = operation;
  const own = parameters.find(({ in: place }) => place === 'path');
  const queries = parameters.filter(({ in: place }) => place === 'query');
  const query = queries.flatMap(({ name, required, schema, example }) => {
    if (example !== undefined) return [[name, example as SampleValue]];
    return required ? [[name, allowedBy(document, name, schema)]] : [];
  });
  return {
    id: path.includes('{') ? String(own?.example ?? 'ID') : undefined,
    query: Object.fromEntries(query),
    // A recorded call without a body was sent without one.
    body: (body?.example ?? (answer.example === undefined && body ? allowedBy(document, '', body.schema) : {})) as {
      [name: string]: SampleValue;
    },
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

export function curlSample(operation: OperationModel, request: SampleRequest, options: SampleOptions): string {
  const { method, path } = operation;
  const query = new URLSearchParams(flatten(request.query)).toString();
  const address = `${sampleBase}${path.replace(/\{\w+\}/, request.id ?? '')}${query && `?${query}`}`;
  const hasBody = Object.keys(request.body).length > 0;
  const flags = [
    ...(options.hasLocalCertificate ? ['--cacert .tollgate/tls/ca.pem'] : []),
    '-H "Authorization: Bearer $TOLLGATE_API_KEY"',
    ...(method === 'GET' ? [] : ['-H "Idempotency-Key: $(openssl rand -hex 16)"']),
    // A body makes it a POST.
    ...(hasBody ? [`--json ${quoted(JSON.stringify(request.body, null, 2))}`] : []),
  ];
  const verb = method === 'GET' || (method === 'POST' && hasBody) ? '' : `-X ${method} `;
  return [`curl ${verb}${query ? `"${address}"` : address}`, ...flags].join(' \\\n  ');
}

/** For a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function flatten(query: Record<string, SampleValue>): [name: string, value: string][] {
  return Object.entries(query).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([key, one]): [string, string] => [`${name}[${key}]`, String(one)])
      : [[name, String(value)]],
  );
}

export function typescriptSample(operation: OperationModel, request: SampleRequest): string {
  const { path, method, id, answer } = operation;
  const [resource = '', verb = ''] = id.split('.');
  const parameters = method === 'GET' ? request.query : request.body;
  const args = [
    ...(path.includes('{') ? [literal(request.id ?? '')] : []),
    ...(Object.keys(parameters).length > 0 ? [literal(parameters)] : []),
  ];
  const call = `tollgate.${camelCase(resource)}.${camelCase(verb)}(${args.join(', ')})`;
  const isList = nameOf(answer.schema)?.endsWith('List') === true;
  const noun = variableFor(operation);
  const statement = isList
    ? `for await (const ${noun} of ${call}) {\n  console.log(${noun});\n}`
    : `const ${noun} = await ${call};\nconsole.log(${noun});`;
  return `import { Tollgate } from '@tollgate/node';

const tollgate = new Tollgate({
  baseUrl: '${sampleBase}',
  apiKey: process.env.TOLLGATE_API_KEY!,
});
${statement}`;
}

/** The name of the shape, or of what a list has, with a small letter; `result` where it has none. */
function variableFor({ answer }: OperationModel): string {
  const name = nameOf(answer.schema)?.replace(/List$/, '');
  return name === undefined ? 'result' : name[0]!.toLowerCase() + name.slice(1);
}

export function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** A value as TypeScript, in the style of the samples in the guides. */
function literal(value: SampleValue, indent = ''): string {
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((one) => `${inner}${literal(one, inner)},\n`).join('')}${indent}]`;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  const key = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : literal(name));
  return `{\n${entries.map(([name, one]) => `${inner}${key(name)}: ${literal(one, inner)},\n`).join('')}${indent}}`;
}
