import { randomText } from '../books.ts';
import { checkAmount } from './amounts.ts';
import { invalid, unfit } from './errors.ts';
import { paymentMethodOf } from './payment_methods.ts';
import type { FakeParams } from './reading.ts';
import { namedCustomer } from './route.ts';
import type { FakeIntent, FakeSetupIntent } from './shapes.ts';
import type { FakeWorld } from './world.ts';

export const captureMethods = ['automatic', 'automatic_async', 'manual'] as const;
export const futureUsages = ['on_session', 'off_session'] as const;

/** The facts of a payment. It moves nothing until it is confirmed. */
export function newIntent(world: FakeWorld, params: FakeParams): FakeIntent {
  params.needed('amount');
  const amount = params.integer('amount')!;
  const currency = params.currency('currency');
  checkAmount(amount, currency);
  checkMethodTypes(world, params);
  const id = world.newId('pi');
  return {
    id,
    object: 'payment_intent',
    amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: params.oneOf('capture_method', captureMethods) ?? 'automatic',
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: 'automatic',
    created: world.seconds(),
    currency,
    customer: customerOf(world, params),
    description: params.text('description') ?? null,
    last_payment_error: null,
    latest_charge: null,
    livemode: world.settings.livemode,
    metadata: params.metadata(),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_options: { card: { request_three_d_secure: threeDSecureOf(params) } },
    payment_method_types: ['card'],
    processing: null,
    receipt_email: params.text('receipt_email') ?? null,
    review: null,
    setup_future_usage: params.oneOf('setup_future_usage', futureUsages) ?? null,
    shipping: null,
    statement_descriptor: params.text('statement_descriptor') ?? null,
    statement_descriptor_suffix: suffixOf(params) ?? null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  };
}

/** What a list of payment method types is called, before and since. */
const [typesBefore, typesNow] = ['payment_method_types', 'allowed_payment_method_types'];
export const methodTypesParams: readonly string[] = [typesBefore, typesNow];
const typesRenamed = '2026-09-30';

/** Each version of the API takes one of the two names. */
export function checkMethodTypes(world: FakeWorld, params: FakeParams): void {
  const isRenamed = world.requestVersion >= typesRenamed;
  const [name, unknown] = isRenamed ? [typesNow, typesBefore] : [typesBefore, typesNow];
  if (params.has(unknown))
    throw invalid(`Received unknown parameter: ${unknown}`, { code: 'parameter_unknown', param: unknown });
  if (params.list(name).some((type) => type !== 'card'))
    throw invalid('This fake knows the payment method type card alone.', { param: name });
}

export function customerOf(world: FakeWorld, params: FakeParams): string | null {
  const id = params.text('customer');
  return id === undefined ? null : namedCustomer(world, id).id;
}

export function threeDSecureOf(params: FakeParams): string {
  const card = params.group('payment_method_options').only('card').group('card').only('request_three_d_secure');
  return card.oneOf('request_three_d_secure', ['automatic', 'any']) ?? 'automatic';
}

/** The name of the account, two characters and this have at most 22 characters. */
const suffixMax = 22 - 'FAKE'.length - '* '.length;

export function suffixOf(params: FakeParams): string | undefined {
  const param = 'statement_descriptor_suffix';
  const suffix = params.text(param);
  if (suffix !== undefined && (suffix.length > suffixMax || !/[a-z]/i.test(suffix) || /[<>\\'"*]/.test(suffix)))
    throw invalid('The statement descriptor suffix is too long, or has characters that are not allowed.', { param });
  return suffix;
}

export const intentNames = { payment_intent: 'PaymentIntent', setup_intent: 'SetupIntent' } as const;

/** Refuses a verb that the status does not allow. */
export function requireStatus<Intent extends FakeIntent | FakeSetupIntent>(
  intent: Intent,
  verb: string,
  allowed: readonly Intent['status'][],
): void {
  if (allowed.includes(intent.status)) return;
  const name = intentNames[intent.object];
  throw unfit(
    `This ${name} could not be ${verb} because it has a status of ${intent.status}. Only a ${name} with one of the following statuses may be ${verb}: ${allowed.join(', ')}.`,
    { code: `${intent.object}_unexpected_state`, [intent.object]: structuredClone(intent) },
  );
}

/** Whether a new intent is to be confirmed by the same request. Refuses parameters that only a confirmation has. */
export function isConfirmedNow(params: FakeParams, ...onlyThen: string[]): boolean {
  if (params.flag('confirm')) return true;
  const early = onlyThen.find((name) => params.has(name));
  if (early === undefined) return false;
  throw invalid(`The parameter ${early} cannot be used without also setting confirm to true.`, { param: early });
}

/** Stores a new intent, with the payment method if one is given already. */
export function addIntent<Intent extends FakeIntent | FakeSetupIntent>(
  world: FakeWorld,
  intent: Intent,
  params: FakeParams,
): Intent {
  const token = params.text('payment_method');
  if (token !== undefined) {
    intent.payment_method = paymentMethodOf(world, token, 'payment_method').id;
    intent.status = 'requires_confirmation';
  }
  world.report(`${intent.object}.created`, world.add(intent));
  return intent;
}
