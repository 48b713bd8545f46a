/** Facts about Stripe's API that the types of the package `stripe` have, and the description, which is older, has not. */

export type PublishedSchema = {
  $ref?: string;
  type?: string;
  nullable?: boolean;
  enum?: unknown[];
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  anyOf?: PublishedSchema[];
  items?: PublishedSchema;
  required?: string[];
  properties?: Record<string, PublishedSchema>;
  additionalProperties?: boolean | PublishedSchema;
  'x-stripeBypassValidation'?: boolean;
};

const idOr = (name: string): PublishedSchema => ({ anyOf: [{ type: 'string' }, { $ref: name }] });
const [couponOrId, discountOrId] = [idOr('coupon'), idOr('discount')];

// biome-ignore format: a list of words
const cancellationReasons = [
  'abandoned', 'automatic', 'duplicate', 'expired', 'failed_invoice', 'fraudulent', 'requested_by_customer', 'void_invoice',
];

export const newerMembers: Record<string, Record<string, PublishedSchema>> = {
  'checkout.session': { ui_mode: { type: 'string', nullable: true } },
  checkout_card_payment_method_options: { request_three_d_secure: { type: 'string' } },
  payment_pages_checkout_session_automatic_tax: {
    liability: { type: 'object', nullable: true },
    provider: { type: 'string', nullable: true },
  },
  payment_pages_checkout_session_custom_text: {
    after_submit: { type: 'object', nullable: true },
    terms_of_service_acceptance: { type: 'object', nullable: true },
  },
  payment_method_details_card: {
    authorization_code: { type: 'string', nullable: true },
    network_transaction_id: { type: 'string', nullable: true },
  },
  payment_intent: { cancellation_reason: { type: 'string', nullable: true, enum: cancellationReasons } },
  discount: {
    source: { type: 'object', properties: { coupon: couponOrId, type: { type: 'string' } } },
  },
  subscription: { discounts: { type: 'array', items: discountOrId } },
  subscription_item: {
    current_period_end: { type: 'integer' },
    current_period_start: { type: 'integer' },
    discounts: { type: 'array', items: discountOrId },
  },
};

const text: PublishedSchema = { type: 'string', maxLength: 5_000 };
const optionalText: PublishedSchema = { ...text, nullable: true };
const expand: PublishedSchema = { type: 'array', items: text };
const futureUsage: PublishedSchema = { type: 'string', enum: ['off_session', 'on_session'] };
const types: PublishedSchema = { type: 'array', items: text };
const confirmation = { confirmation_token: text, allowed_payment_method_types: types };

/** A parameter of a group has the names of the groups before its own. */
export const newerParameters: Record<string, Record<string, PublishedSchema>> = {
  'GET /v1/checkout/sessions': {
    created: { type: 'object', additionalProperties: { type: 'integer' } },
    status: { type: 'string', enum: ['complete', 'expired', 'open'] },
  },
  'POST /v1/checkout/sessions': {
    allowed_payment_method_types: types,
    ui_mode: { type: 'string', enum: ['elements', 'embedded_page', 'form', 'hosted_page'] },
    'payment_method_options.card.request_three_d_secure': { type: 'string', enum: ['any', 'automatic', 'challenge'] },
  },
  'POST /v1/payment_intents': confirmation,
  'POST /v1/payment_intents/{intent}/confirm': confirmation,
  'POST /v1/setup_intents': { ...confirmation, use_stripe_sdk: { type: 'boolean' } },
  'POST /v1/setup_intents/{intent}/confirm': { ...confirmation, use_stripe_sdk: { type: 'boolean' } },
};

const form = (properties: Record<string, PublishedSchema>, required: string[] = []): PublishedSchema => ({
  ...{ type: 'object', required, properties: { ...properties, expand } },
});
const listOf = (name: string, url: string): PublishedSchema => ({
  type: 'object',
  required: ['data', 'has_more', 'object', 'url'],
  properties: {
    data: { type: 'array', items: { $ref: name } },
    has_more: { type: 'boolean' },
    object: { type: 'string', enum: ['list'] },
    url: { type: 'string', pattern: `^${url}` },
  },
});
const page = { ending_before: text, limit: { type: 'integer' }, starting_after: text };
const domains = '/v1/payment_method_domains';

/** As far as the fake and the connector use them. */
export const newerEndpoints: Record<string, { parameters: PublishedSchema; answer: PublishedSchema }> = {
  'GET /v1/confirmation_tokens/{confirmation_token}': { parameters: form({}), answer: { $ref: 'confirmation_token' } },
  'POST /v1/test_helpers/confirmation_tokens': {
    parameters: form({ payment_method: text, return_url: text, setup_future_usage: futureUsage }),
    answer: { $ref: 'confirmation_token' },
  },
  [`GET ${domains}`]: {
    parameters: form({ ...page, domain_name: text, enabled: { type: 'boolean' } }),
    answer: listOf('payment_method_domain', domains),
  },
  [`POST ${domains}`]: {
    parameters: form({ domain_name: text, enabled: { type: 'boolean' } }, ['domain_name']),
    answer: { $ref: 'payment_method_domain' },
  },
  [`GET ${domains}/{payment_method_domain}`]: { parameters: form({}), answer: { $ref: 'payment_method_domain' } },
};

const wallet: PublishedSchema = {
  type: 'object',
  required: ['status'],
  properties: { status: text, status_details: { type: 'object' } },
};
const wallets = ['amazon_pay', 'apple_pay', 'google_pay', 'klarna', 'link', 'paypal'];

/** An object all of whose members are there. */
const whole = (properties: Record<string, PublishedSchema>): PublishedSchema => ({
  ...{ type: 'object', required: Object.keys(properties), properties },
});

export const newerObjects: Record<string, PublishedSchema> = {
  confirmation_token: whole({
    id: text,
    object: { type: 'string', enum: ['confirmation_token'] },
    created: { type: 'integer' },
    expires_at: { type: 'integer', nullable: true },
    livemode: { type: 'boolean' },
    payment_intent: optionalText,
    payment_method_options: { type: 'object', nullable: true },
    payment_method_preview: whole({
      billing_details: { $ref: 'billing_details' },
      card: { $ref: 'payment_method_card' },
      customer: optionalText,
      type: text,
    }),
    return_url: optionalText,
    setup_future_usage: { ...futureUsage, nullable: true },
    setup_intent: optionalText,
    shipping: { type: 'object', nullable: true },
    use_stripe_sdk: { type: 'boolean' },
  }),
  payment_method_domain: whole({
    id: text,
    object: { type: 'string', enum: ['payment_method_domain'] },
    created: { type: 'integer' },
    domain_name: text,
    enabled: { type: 'boolean' },
    livemode: { type: 'boolean' },
    ...Object.fromEntries(wallets.map((name) => [name, wallet])),
  }),
};

/** Members that newer versions of the API do not have, or that can be missing there. */
export const olderMembers: Record<string, readonly string[]> = {
  discount: ['coupon'],
  subscription: ['current_period_end', 'current_period_start'],
};

/** Parameters that newer versions of the API do not take any more. */
export const olderParameters: Record<string, readonly string[]> = Object.fromEntries(
  [
    'POST /v1/checkout/sessions',
    'POST /v1/payment_intents',
    'POST /v1/payment_intents/{intent}',
    'POST /v1/payment_intents/{intent}/confirm',
    'POST /v1/setup_intents',
    'POST /v1/setup_intents/{intent}',
  ].map((endpoint) => [endpoint, ['payment_method_types']]),
);
