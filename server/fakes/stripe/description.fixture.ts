import { readFileSync } from 'node:fs';
import { parseForm } from './form.ts';

/** Judges requests and answers by the description that Stripe publishes of its API. README.md says where the extract comes from. */

type StripeSchema = {
  $ref?: string;
  type?: string;
  nullable?: boolean;
  enum?: unknown[];
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  anyOf?: StripeSchema[];
  items?: StripeSchema;
  required?: string[];
  properties?: Record<string, StripeSchema>;
  additionalProperties?: true | StripeSchema;
};
type StripeDescription = {
  endpoints: Record<string, { parameters: StripeSchema; answer: StripeSchema }>;
  schemas: Record<string, StripeSchema>;
};

const file = 'stripe_description.fixture.json';
const { endpoints, schemas } = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as StripeDescription;

/** What is wrong with a request. */
export function problemsOfRequest(method: string, path: string, query: string, body: string): string[] {
  const endpoint = endpointOf(method, path);
  if (endpoint === undefined) return [`${method} ${path} is not in ${file}`];
  const [parameters, unused] = method === 'GET' ? [query, body] : [body, query];
  if (unused !== '') return [`${method} ${path} has parameters in the wrong place`];
  const judge = new Judge(isOfTypeInForm);
  return judge.problems(endpoint.parameters, parseForm(parameters), `${method} ${path}: `);
}

/** What is wrong with an answer. */
export function problemsOfAnswer(method: string, path: string, status: number, body: unknown): string[] {
  const endpoint = endpointOf(method, path);
  if (endpoint === undefined) return [`${method} ${path} is not in ${file}`];
  const schema = status === 200 ? endpoint.answer : schemas.error!;
  return new Judge(isOfTypeInJson).problems(schema, body, `${method} ${path} ${status}: `);
}

/** Words win over blanks: `/v1/payment_intents/search` is no `/v1/payment_intents/{intent}`. */
function endpointOf(method: string, path: string): StripeDescription['endpoints'][string] | undefined {
  const given = `${method} ${path}`.split('/');
  const fits = (words: string[]) =>
    words.length === given.length && words.every((word, at) => word.startsWith('{') || word === given[at]);
  const route = Object.keys(endpoints).find((one) => fits(one.split('/')));
  return endpoints[`${method} ${path}`] ?? (route === undefined ? undefined : endpoints[route]);
}

class Judge {
  readonly #isOfType: (type: string, value: unknown) => boolean;

  constructor(isOfType: (type: string, value: unknown) => boolean) {
    this.#isOfType = isOfType;
  }

  problems(schema: StripeSchema, value: unknown, at: string): string[] {
    const { $ref, nullable, anyOf, type, items = {} } = schema;
    if ($ref !== undefined) {
      const named = schemas[$ref];
      return named === undefined ? [`${at} is of ${$ref}, which is not in ${file}`] : this.problems(named, value, at);
    }
    if (value === null) return nullable ? [] : [`${at} is null`];
    if (anyOf !== undefined) return this.#fewest(anyOf, value, at);
    if (type !== undefined && !this.#isOfType(type, value)) return [`${at} is no ${type}: ${JSON.stringify(value)}`];
    if (Array.isArray(value)) return value.flatMap((one, index) => this.problems(items, one, `${at}[${index}]`));
    if (typeof value === 'object') return this.#problemsOfMembers(schema, value as Record<string, unknown>, at);
    return limitsBroken(schema, value).map((limit) => `${at} is ${JSON.stringify(value)}, not ${limit}`);
  }

  /** By the alternative that fits best. */
  #fewest(alternatives: readonly StripeSchema[], value: unknown, at: string): string[] {
    const each = alternatives.map((one) => this.problems(one, value, at));
    return each.reduce((best, one) => (one.length < best.length ? one : best));
  }

  #problemsOfMembers(schema: StripeSchema, value: Record<string, unknown>, at: string): string[] {
    const { properties, required = [], additionalProperties } = schema;
    const missing = required.filter((name) => value[name] === undefined).map((name) => `${at}.${name} is missing`);
    // An object without any description of its members may have all of them.
    const others = properties === undefined ? (additionalProperties ?? true) : additionalProperties;
    const wrong = Object.entries(value).flatMap(([name, member]) => {
      const known = properties?.[name] ?? others;
      if (known === undefined) return [`${at}.${name} does not exist at Stripe`];
      return known === true ? [] : this.problems(known, member, `${at}.${name}`);
    });
    return [...missing, ...wrong];
  }
}

function isOfTypeInJson(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && !Array.isArray(value);
  return typeof value === type;
}

const formPatterns: Record<string, RegExp> = {
  integer: /^-?\d+$/,
  number: /^-?\d+(\.\d+)?$/,
  boolean: /^(true|false)$/,
};

/** A form has texts alone, which may stand for something else. */
function isOfTypeInForm(type: string, value: unknown): boolean {
  const pattern = formPatterns[type];
  return pattern === undefined ? isOfTypeInJson(type, value) : typeof value === 'string' && pattern.test(value);
}

/** What a single value should be, and is not. */
function limitsBroken(schema: StripeSchema, value: unknown): string[] {
  const { enum: values, maxLength = Infinity, minimum = -Infinity, maximum = Infinity, pattern = '' } = schema;
  const text = String(value);
  return [
    ...(values === undefined || values.includes(value) ? [] : [`one of ${values.join(', ')}`]),
    ...(text.length <= maxLength ? [] : [`of at most ${maxLength} characters`]),
    ...(new RegExp(pattern).test(text) ? [] : [`like ${pattern}`]),
    ...(Number(value) < minimum || Number(value) > maximum ? [`from ${minimum} to ${maximum}`] : []),
  ];
}
