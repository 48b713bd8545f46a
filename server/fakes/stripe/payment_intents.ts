import { checkAmount } from './amounts.ts';
import { refuseOfCheckout } from './checkout.ts';
import { confirm, confirmParams } from './confirm.ts';
import { cardError, invalid, unfit } from './errors.ts';
import {
  addIntent,
  customerOf,
  futureUsages,
  isConfirmedNow,
  methodTypesParams,
  newIntent,
  requireStatus,
  suffixOf,
} from './intent.ts';
import { limitOf, listOf, listParams } from './lists.ts';
import { cancel, take } from './outcomes.ts';
import { paymentMethodOf } from './payment_methods.ts';
import { type FakeCall, type FakeEndpoint, inPath, retrieval } from './route.ts';
import type { FakeCharge, FakeIntent } from './shapes.ts';

const path = '/v1/payment_intents';
// biome-ignore format: a list of words
const facts = [
  'amount', 'currency', 'customer', 'description', 'metadata', 'capture_method',
  'statement_descriptor', 'statement_descriptor_suffix',
];
const cancelReasons = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'] as const;

export const paymentIntentEndpoints: readonly FakeEndpoint[] = [
  { method: 'POST', path, run: create },
  { method: 'GET', path: `${path}/search`, run: search },
  {
    method: 'GET',
    path,
    run: ({ world, params }) => {
      params.only(...listParams, 'customer');
      const customer = params.text('customer');
      const fits = (intent: FakeIntent) => customer === undefined || intent.customer === customer;
      return listOf(path, params, world.all<FakeIntent>('payment_intent'), fits);
    },
  },
  retrieval<FakeIntent>('payment_intent', path),
  { method: 'POST', path: `${path}/:id`, run: update },
  {
    method: 'POST',
    path: `${path}/:id/confirm`,
    run: (call) => {
      call.params.only(...confirmParams, 'expand');
      const intent = inPath<FakeIntent>(call, 'payment_intent');
      refuseOfCheckout(call.world, intent);
      return confirm(call.world, intent, call.params);
    },
  },
  { method: 'POST', path: `${path}/:id/capture`, run: capture },
  {
    method: 'POST',
    path: `${path}/:id/cancel`,
    run: (call) => {
      call.params.only('cancellation_reason', 'expand');
      const reason = call.params.oneOf('cancellation_reason', cancelReasons) ?? null;
      const intent = inPath<FakeIntent>(call, 'payment_intent');
      refuseOfCheckout(call.world, intent);
      requireStatus(intent, 'canceled', [
        ...(['requires_payment_method', 'requires_capture', 'requires_confirmation', 'requires_action'] as const),
      ]);
      cancel(call.world, intent, reason);
      return intent;
    },
  },
];

function create({ world, params }: FakeCall): object {
  params.only(...facts, ...methodTypesParams, ...confirmParams, 'confirm', 'expand');
  const isConfirmed = isConfirmedNow(
    params,
    ...['return_url', 'off_session', 'error_on_requires_action', 'confirmation_token'],
  );
  const intent = addIntent(world, newIntent(world, params), params);
  return isConfirmed ? confirm(world, intent, params) : intent;
}

function update(call: FakeCall): object {
  const { world, params } = call;
  // biome-ignore format: a list of words
  params.only(
    'amount', 'customer', 'description', 'metadata', 'payment_method', 'setup_future_usage', 'statement_descriptor_suffix', 'expand',
  );
  const intent = inPath<FakeIntent>(call, 'payment_intent');
  const isLater = params.names().some((name) => !['description', 'metadata', 'expand'].includes(name));
  if (isLater) refuseOfCheckout(world, intent);
  if (isLater)
    requireStatus(intent, 'updated', ['requires_payment_method', 'requires_confirmation', 'requires_action']);
  const amount = params.integer('amount') ?? intent.amount;
  checkAmount(amount, intent.currency);
  const token = params.text('payment_method');
  const method = token === undefined ? undefined : paymentMethodOf(world, token, 'payment_method');
  Object.assign(intent, { amount, customer: customerOf(world, params) ?? intent.customer });
  intent.description = params.text('description') ?? intent.description;
  intent.statement_descriptor_suffix = suffixOf(params) ?? intent.statement_descriptor_suffix;
  intent.metadata = params.metadata(intent.metadata);
  intent.setup_future_usage = params.oneOf('setup_future_usage', futureUsages) ?? intent.setup_future_usage;
  if (method !== undefined) Object.assign(intent, { payment_method: method.id, status: 'requires_confirmation' });
  return intent;
}

function capture(call: FakeCall): object {
  const { world, params } = call;
  params.only('amount_to_capture', 'metadata', 'statement_descriptor', 'statement_descriptor_suffix', 'expand');
  const intent = inPath<FakeIntent>(call, 'payment_intent');
  requireStatus(intent, 'captured', ['requires_capture']);
  const amount = params.integer('amount_to_capture') ?? intent.amount_capturable;
  const metadata = params.metadata(intent.metadata);
  if (amount < 1 || amount > intent.amount_capturable)
    throw unfit(
      `The requested capture amount is greater than the amount you can capture for this charge: ${intent.amount_capturable}.`,
      { code: 'amount_too_large', param: 'amount_to_capture' },
    );
  const charge = world.get<FakeCharge>(intent.latest_charge!);
  const { declineCapture } = world.behaviours.get(charge.payment_method) ?? {};
  if (declineCapture !== undefined)
    throw cardError({ ...declineCapture, charge: charge.id, payment_intent: structuredClone(intent) });
  intent.metadata = metadata;
  take(world, intent, charge, amount);
  const { id, currency } = charge;
  world.record({ kind: 'capture', id, payment_intent: intent.id, amount, currency, metadata });
  world.report('charge.captured', charge);
  world.report('payment_intent.succeeded', intent);
  return intent;
}

const clause = /^\s*(?:metadata\[(["'])(.+?)\1\]|(status|currency|customer)):(["'])(.*?)\4\s*$/;

/** Search by `metadata['key']:'value'`, status, currency and customer, joined by AND. What was made a moment ago is not found yet. */
function search({ world, params }: FakeCall): object {
  params.only('query', 'limit', 'page', 'expand');
  const clauses = params.needed('query').split(/ AND /i).map(clauseOf);
  const visible = world.now() - world.settings.searchLagMs;
  const found = world
    .all<FakeIntent>('payment_intent')
    .filter((intent) => intent.created * 1_000 <= visible && clauses.every((matches) => matches(intent)))
    .reverse();
  const start = params.has('page') ? Number(params.needed('page')) : 0;
  const end = start + limitOf(params);
  const has_more = found.length > end;
  const next_page = has_more ? String(end) : null;
  return { object: 'search_result', data: found.slice(start, end), has_more, next_page, url: `${path}/search` };
}

function clauseOf(text: string): (intent: FakeIntent) => boolean {
  const match = clause.exec(text);
  if (match === null) throw invalid(`We were unable to parse your search query: ${text}`, { param: 'query' });
  const [, , key, field, , value] = match;
  if (key !== undefined) return ({ metadata }) => metadata[key] === value;
  return (intent) => intent[field as 'status' | 'currency' | 'customer'] === value;
}
