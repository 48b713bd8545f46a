import { randomText } from '../books.ts';
import { checkAmount } from './amounts.ts';
import { checkoutPath } from './checkout_page.ts';
import { invalid, unfit } from './errors.ts';
import {
  addIntent,
  captureMethods,
  checkMethodTypes,
  customerOf,
  futureUsages,
  methodTypesParams,
  suffixOf,
  threeDSecureOf,
} from './intent.ts';
import { listOf, listParams } from './lists.ts';
import { cancel } from './outcomes.ts';
import { FakeParams } from './reading.ts';
import { type FakeCall, type FakeEndpoint, inPath, retrieval } from './route.ts';
import { newSetupIntent } from './setup_intents.ts';
import { cancelSetup } from './setup_outcomes.ts';
import type { FakeCheckoutSession, FakeIntent, FakeSetupIntent } from './shapes.ts';
import type { FakeCheckout, FakeWorld } from './world.ts';

const path = '/v1/checkout/sessions';
// biome-ignore format: a list of words
const facts = [
  'mode', 'ui_mode', 'line_items', 'currency', 'customer', 'customer_email', 'customer_creation', 'client_reference_id',
  'payment_method_options', 'payment_intent_data', 'setup_intent_data', 'locale', 'metadata',
  'success_url', 'cancel_url', 'expires_at', 'expand',
];
// biome-ignore format: a list of words
const locales = [
  'auto', 'bg', 'cs', 'da', 'de', 'el', 'en', 'en-GB', 'es', 'es-419', 'et', 'fi', 'fil', 'fr', 'fr-CA', 'hi-IN', 'hr', 'hu',
  'id', 'it', 'ja', 'ko', 'lt', 'lv', 'ms', 'mt', 'nb', 'nl', 'pl', 'pt', 'pt-BR', 'ro', 'ru', 'sk', 'sl', 'sv', 'th', 'tr',
  'vi', 'zh', 'zh-HK', 'zh-TW',
] as const;
const lifeSecondsMin = 30 * 60;
const lifeSecondsMax = 24 * 3_600;
/** A client computes the time before its request arrives. */
const graceSeconds = 60;

/** A page of Stripe's where a shopper pays, or saves a card. */
export const checkoutSessionEndpoints: readonly FakeEndpoint[] = [
  { method: 'POST', path, run: create },
  { method: 'GET', path, run: list },
  retrieval<FakeCheckoutSession>('checkout.session', path),
  {
    method: 'POST',
    path: `${path}/:id/expire`,
    run: (call) => {
      call.params.only('expand');
      const session = inPath<FakeCheckoutSession>(call, 'checkout.session');
      if (session.status !== 'open')
        throw unfit(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
        );
      expire(call.world, session);
      return session;
    },
  },
];

function create({ world, params }: FakeCall): object {
  params.only(...facts, ...methodTypesParams);
  const mode = params.oneOf('mode', ['payment', 'setup']);
  if (mode === undefined) throw invalid('Missing required param: mode.', { code: 'parameter_missing', param: 'mode' });
  const sale = mode === 'payment' ? saleOf(params) : undefined;
  const session = newSession(world, params, { mode, ...(sale && { amount: sale.amount, currency: sale.currency }) });
  const checkout = { lines: sale?.lines ?? [], intent: intentOf(params, mode) };
  world.add(session);
  world.checkouts.set(session.id, checkout);
  if (mode === 'setup') addSetup(world, session, checkout);
  world.later((session.expires_at - world.seconds()) * 1_000, () => {
    if (session.status === 'open') expire(world, session);
  });
  return session;
}

/** A SetupIntent is there from the beginning; a PaymentIntent only once the shopper pays. */
function addSetup(world: FakeWorld, session: FakeCheckoutSession, { intent }: FakeCheckout): void {
  const customer = session.customer === null ? {} : { customer: session.customer as string };
  const params = new FakeParams({ ...intent, ...customer });
  const { id } = addIntent(world, newSetupIntent(world, params), params);
  session.setup_intent = id;
  world.checkoutOf.set(id, session.id);
}

type FakeSale = { lines: FakeCheckout['lines']; amount: number; currency: string };

function saleOf(params: FakeParams): FakeSale {
  const given = params.groups('line_items');
  if (given.length === 0)
    throw invalid('You must provide line_items in payment mode.', { code: 'parameter_missing', param: 'line_items' });
  if (given.length > 100) throw invalid('A Checkout Session has at most 100 line items.', { param: 'line_items' });
  const lines = given.map(lineOf);
  const [currency = ''] = lines.map((line) => line.currency);
  if (lines.some((line) => line.currency !== currency))
    throw invalid('All prices on a Checkout Session must have the same currency.', { param: 'line_items' });
  const amount = lines.reduce((all, line) => all + line.amount, 0);
  checkAmount(amount, currency);
  return { lines, amount, currency };
}

function lineOf(given: FakeParams) {
  const price = given
    .only('price_data', 'quantity')
    .group('price_data')
    .only('currency', 'unit_amount', 'product_data');
  const product = price.group('product_data').only('name', 'description');
  const quantity = Number(given.needed('quantity'));
  price.needed('unit_amount');
  const unit = price.integer('unit_amount')!;
  if (unit < 0 || !(quantity >= 1)) throw invalid('Quantities and amounts are not negative.', { param: 'line_items' });
  return { name: product.needed('name'), quantity, amount: unit * quantity, currency: price.currency('currency') };
}

/** The parameters of the intent, which are checked now, because the shopper could not correct them. */
function intentOf(params: FakeParams, mode: 'payment' | 'setup'): FakeCheckout['intent'] {
  const other = mode === 'payment' ? 'setup_intent_data' : 'payment_intent_data';
  if (params.has(other)) throw invalid(`You can not pass \`${other}\` in \`${mode}\` mode.`, { param: other });
  const data = params.group(mode === 'payment' ? 'payment_intent_data' : 'setup_intent_data');
  const texts = ['description', ...(mode === 'payment' ? paymentTexts : [])];
  data.only('metadata', ...texts);
  suffixOf(data);
  data.oneOf('capture_method', captureMethods);
  data.oneOf('setup_future_usage', futureUsages);
  const given = texts.flatMap((name) => {
    const text = data.text(name);
    return text === undefined ? [] : [[name, text] as const];
  });
  const requested = threeDSecureOf(params);
  return {
    ...Object.fromEntries(given),
    metadata: data.metadata(),
    payment_method_options: { card: { request_three_d_secure: requested } },
  };
}

// biome-ignore format: a list of words
const paymentTexts = [
  'capture_method', 'setup_future_usage', 'receipt_email', 'statement_descriptor', 'statement_descriptor_suffix',
];

type SessionKind = { mode: 'payment' | 'setup'; amount?: number; currency?: string };

function newSession(world: FakeWorld, params: FakeParams, { mode, amount, currency }: SessionKind) {
  checkMethodTypes(world, params);
  const id = `cs_${world.settings.livemode ? 'live' : 'test'}_${randomText(58)}`;
  const reference = params.text('client_reference_id') ?? null;
  if (reference !== null && !/^[\w-]{1,200}$/.test(reference))
    throw invalid('Invalid client_reference_id.', { param: 'client_reference_id' });
  const session: FakeCheckoutSession = {
    id,
    object: 'checkout.session',
    after_expiration: null,
    allow_promotion_codes: null,
    amount_subtotal: amount ?? null,
    amount_total: amount ?? null,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: addressOf(params, 'cancel_url') ?? null,
    client_reference_id: reference,
    consent: null,
    consent_collection: null,
    created: world.seconds(),
    currency: currency ?? (params.has('currency') ? params.currency('currency') : null),
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: customerOf(world, params),
    customer_creation: creationOf(params),
    customer_details: null,
    customer_email: params.text('customer_email') ?? null,
    expires_at: expiryOf(world, params),
    invoice: null,
    invoice_creation: null,
    livemode: world.settings.livemode,
    locale: params.oneOf('locale', locales) ?? null,
    metadata: params.metadata(),
    mode,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: null,
    payment_method_options: { card: { request_three_d_secure: threeDSecureOf(params) } },
    payment_method_types: ['card'],
    payment_status: mode === 'payment' ? 'unpaid' : 'no_payment_required',
    phone_number_collection: { enabled: false },
    recovered_from: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: addressOf(params, 'success_url') ?? missing('success_url'),
    total_details: amount === undefined ? null : { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: params.oneOf('ui_mode', ['hosted_page']) ?? 'hosted_page',
    url: `${world.url}${checkoutPath}${id}`,
  };
  return session;
}

function missing(param: string): never {
  throw invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
}

function addressOf(params: FakeParams, name: string): string | undefined {
  const address = params.text(name);
  if (address === undefined || (URL.canParse(address) && /^https?:/.test(address))) return address;
  throw invalid('Not a valid URL', { code: 'url_invalid', param: name });
}

function creationOf(params: FakeParams): 'always' | 'if_required' | null {
  const creation = params.oneOf('customer_creation', ['always', 'if_required']);
  if (creation !== undefined && params.has('customer'))
    throw invalid('You may only specify one of these parameters: customer, customer_creation.', {
      param: 'customer_creation',
    });
  return creation ?? (params.has('customer') ? null : 'if_required');
}

function expiryOf(world: FakeWorld, params: FakeParams): number {
  const now = world.seconds();
  const at = params.integer('expires_at') ?? now + lifeSecondsMax;
  if (at < now + lifeSecondsMin - graceSeconds || at > now + lifeSecondsMax + graceSeconds)
    throw invalid(
      'The `expires_at` timestamp must be at least 30 minutes and less than 24 hours from Checkout Session creation.',
      { param: 'expires_at' },
    );
  return at;
}

/** Nobody can pay there any more: an intent that was not paid is given up. */
function expire(world: FakeWorld, session: FakeCheckoutSession): void {
  Object.assign(session, { status: 'expired', url: null });
  const [payment, setup] = [session.payment_intent, session.setup_intent] as (string | null)[];
  if (payment) cancel(world, world.get<FakeIntent>(payment), 'expired');
  if (setup) cancelSetup(world, world.get<FakeSetupIntent>(setup), 'abandoned');
  world.report('checkout.session.expired', session);
}

function list({ world, params }: FakeCall): object {
  params.only(...listParams, 'payment_intent', 'customer', 'status');
  const [intent, customer] = [params.text('payment_intent'), params.text('customer')];
  const status = params.oneOf('status', ['open', 'complete', 'expired']);
  const fits = (one: FakeCheckoutSession) =>
    (intent === undefined || one.payment_intent === intent) &&
    (customer === undefined || one.customer === customer) &&
    (status === undefined || one.status === status);
  return listOf(path, params, world.all<FakeCheckoutSession>('checkout.session'), fits);
}
