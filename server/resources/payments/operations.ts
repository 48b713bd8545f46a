import { Type } from 'typebox';
import { currencyOf } from '../../base/currency.ts';
import { isId, newId } from '../../base/id.ts';
import type { AuthorizeRequest, CaptureRequest, CardDetails } from '../../connectors/contract.ts';
import type { OpenCard } from '../../vault/index.ts';
import { attemptFor, perform, resumes } from '../attempts/perform.ts';
import { requireAttempt } from '../attempts/store.ts';
import { requireCustomer } from '../customers/operations.ts';
import { listPage } from '../list.ts';
import { changeMetadata, mergeMetadata } from '../metadata.ts';
import { type AnyOperation, type Context, operation } from '../operation.ts';
import { refuseDetached, requirePaymentMethod } from '../payment_methods/operations.ts';
import { hasExpired, type PaymentMethod } from '../payment_methods/payment_method.ts';
import { previousAttributes } from '../previous.ts';
import { ListOf, listParameters, Parameters } from '../shapes.ts';
import { cancelCall, slotTaken } from './calls.ts';
import { refusal } from './errors.ts';
import { type Payment, paymentEvent, paymentStatuses, presentPayment } from './payment.ts';
import { checkReturnUrl } from './return_url.ts';
import { CancelInput, CaptureInput, NewPaymentInput, PaymentInput, PaymentOutput } from './schema.ts';
import { failure } from './settle.ts';
import { addPayment, findPayment, paymentsTable, replacePayment } from './store.ts';
import { answerOf, type PaymentTopic, waitForSlot } from './topic.ts';

const amountMax = 999_999_999_999;

/** The payment with this id, for other resources too; `param` names the parameter that it came in. */
export async function requirePayment(context: Context, id = context.id, param = 'id'): Promise<Payment> {
  const payment = isId('py', id) ? await findPayment(context.reads, context.tenant, id) : undefined;
  if (payment === undefined) throw refusal('resource_missing', { param, resource: 'payment' });
  return payment;
}

export function checkAmount(amount: number): void {
  if (amount < 1) throw refusal('amount_too_small', { param: 'amount' });
  if (amount > amountMax) throw refusal('amount_too_large', { param: 'amount' });
}

const create = (topic: PaymentTopic) =>
  operation({
    name: 'payments.create',
    summary: 'Create a payment',
    method: 'POST',
    route: '/payments',
    scope: 'payments:write',
    callers: ['key', 'duty'],
    input: NewPaymentInput,
    nulls: 'absent',
    output: PaymentOutput,
    check({ amount, currency, return_url }, { mode }) {
      checkAmount(amount);
      if (currencyOf(currency) === undefined) throw refusal('currency_unknown', { param: 'currency' });
      if (return_url !== undefined) checkReturnUrl(return_url, mode);
    },
    async run(context, input) {
      const [method, customer, card] = await Promise.all([
        requirePaymentMethod(context, input.payment_method, 'payment_method'),
        input.customer === undefined ? undefined : requireCustomer(context, input.customer, 'customer'),
        openCard(context, input.payment_method),
      ]);
      refuseDetached(method, 'payment_method');
      if (customer !== undefined && method.customer !== null && method.customer !== customer.id)
        throw refusal('customer_mismatch', { param: 'customer' });
      if (card === undefined) throw refusal('payment_method_not_usable', destroyed);
      const payment = newPayment(context, input, method);
      if (hasExpired(method, context.now)) return expired(payment);
      const connector = context.connectors.forMode(context.mode);
      const attempt = attemptFor(context, connector, {
        payment: payment.id,
        verb: 'authorize',
        amount: payment.amount,
      });
      const request: AuthorizeRequest = {
        tenant: context.tenant,
        attempt: attempt.id,
        now: context.now,
        payment: payment.id,
        money: { amount: payment.amount, currency: payment.currency },
        capture: payment.capture_method !== 'manual',
        card: cardDetails(method, card),
        returnUrl: payment.return_url ?? undefined,
      };
      const known = { payment, attempt, isNew: true };
      return perform(context, topic, {
        known,
        connector,
        call: () => connector.authorize(request),
        begin: slotTaken(known),
        // The code is for one authorization, whatever becomes of it.
        writes: card.cvc === undefined ? [] : [context.vault.useCvc(context.tenant, method.id)],
      });
    },
    resume: resumes(topic),
  });

const destroyed = { param: 'payment_method', reason: 'its number was destroyed' };

async function openCard({ vault, reads, tenant }: Context, id: string): Promise<OpenCard | undefined> {
  return isId('pm', id) ? vault.open(reads, tenant, id) : undefined;
}

function cardDetails(method: PaymentMethod, card: OpenCard): CardDetails {
  return { ...card, expMonth: method.exp_month, expYear: method.exp_year, holder: method.billing };
}

function newPayment(
  context: Context,
  input: {
    amount: number;
    currency: string;
    customer?: string;
    description?: string;
    metadata?: Parameters<typeof mergeMetadata>[1];
    capture_method?: string;
    return_url?: string;
  },
  method: PaymentMethod,
): Payment {
  return {
    tenant: context.tenant,
    id: newId('py', context.now),
    version: 0, // not stored yet
    amount: input.amount,
    amount_received: 0,
    currency: currencyOf(input.currency)!,
    customer: (input.customer as Payment['customer'] | undefined) ?? null,
    description: input.description ?? null,
    payment_method: method.id,
    status: 'processing',
    capture_method: (input.capture_method as Payment['capture_method'] | undefined) ?? null,
    return_url: input.return_url ?? null,
    metadata: input.metadata === undefined ? null : mergeMetadata({}, input.metadata),
    next_action: null,
    failure_code: null,
    failure_decline_code: null,
    failure_message: null,
    canceled_at: null,
    cancellation_reason: null,
    amount_refunded: null,
    dispute: null,
    authorization_attempt: null,
    open_attempt: null,
    inquiries: 0,
    flagged_at: null,
    expires_at: null,
    due_at: null,
    lease_until: null,
  };
}

/** A card that has expired since it was kept: no processor needs to be asked. */
function expired(payment: Payment) {
  const cause = failure(payment, 'expired_card', null, undefined);
  const failed: Payment = { ...payment, ...cause, version: 1, status: 'failed' };
  return { ...answerOf(failed), writes: [addPayment(failed)], events: [paymentEvent('payment.failed', failed)] };
}

const retrieve = operation({
  name: 'payments.retrieve',
  summary: 'Retrieve a payment',
  method: 'GET',
  route: '/payments/:id',
  scope: 'payments:read',
  input: Parameters({}),
  nulls: 'absent',
  output: PaymentOutput,
  async run(context) {
    const payment = await requirePayment(context);
    return { result: presentPayment(payment), objectId: payment.id };
  },
});

const update = operation({
  name: 'payments.update',
  summary: 'Update a payment',
  method: 'POST',
  route: '/payments/:id',
  scope: 'payments:write',
  input: PaymentInput,
  nulls: 'clear',
  output: PaymentOutput,
  async run(context, { description, metadata }) {
    const before = await requirePayment(context);
    const after: Payment = {
      ...before,
      version: before.version + 1,
      description: description === undefined ? before.description : description,
      metadata: changeMetadata(before.metadata, metadata),
    };
    const result = presentPayment(after);
    const previous = previousAttributes(presentPayment(before), result);
    if (previous === undefined) return { result, objectId: before.id };
    const events = [paymentEvent('payment.updated', after, previous)];
    return { result, objectId: after.id, writes: [replacePayment(after)], events };
  },
});

const capture = (topic: PaymentTopic) =>
  operation({
    name: 'payments.capture',
    summary: 'Capture an authorized payment',
    method: 'POST',
    route: '/payments/:id/capture',
    scope: 'payments:write',
    input: CaptureInput,
    nulls: 'absent',
    output: PaymentOutput,
    check({ amount }) {
      if (amount !== undefined) checkAmount(amount);
    },
    async run(context, input) {
      const payment = await requirePayment(context);
      waitForSlot(payment);
      if (payment.status !== 'requires_capture')
        throw refusal('payment_not_capturable', { param: 'id', status: payment.status });
      const amount = input.amount ?? payment.amount;
      if (amount > payment.amount)
        throw refusal('capture_exceeds_authorized', { param: 'amount', authorized: payment.amount });
      const authorization = await requireAttempt(context.reads, context.tenant, payment.authorization_attempt!);
      const connector = context.connectors.byName(authorization.connector);
      const attempt = attemptFor(context, connector, { payment: payment.id, verb: 'capture', amount });
      const request: CaptureRequest = {
        tenant: context.tenant,
        attempt: attempt.id,
        now: context.now,
        authorization: { attempt: authorization.id, reference: authorization.reference ?? undefined },
        money: { amount, currency: payment.currency },
      };
      if (connector.capture === undefined) throw new Error(`${connector.name} authorized what it cannot capture`);
      const known = { payment, attempt, authorization };
      const call = () => connector.capture!(request);
      return perform(context, topic, { known, connector, call, begin: slotTaken(known) });
    },
    resume: resumes(topic),
  });

const cancel = (topic: PaymentTopic) =>
  operation({
    name: 'payments.cancel',
    summary: 'Cancel a payment that is not finished',
    method: 'POST',
    route: '/payments/:id/cancel',
    scope: 'payments:write',
    input: CancelInput,
    nulls: 'absent',
    output: PaymentOutput,
    async run(context, { reason }) {
      const payment = await requirePayment(context);
      waitForSlot(payment);
      if (payment.status !== 'requires_action' && payment.status !== 'requires_capture')
        throw refusal('payment_not_cancelable', { param: 'id', status: payment.status });
      const authorization = await requireAttempt(context.reads, context.tenant, payment.authorization_attempt!);
      const connector = context.connectors.byName(authorization.connector);
      const attempt = attemptFor(context, connector, { payment: payment.id, verb: 'cancel', amount: null });
      const known = { payment: { ...payment, cancellation_reason: reason ?? null }, attempt, authorization };
      const call = cancelCall(connector, attempt, authorization, context.now);
      return perform(context, topic, { known, connector, call, begin: slotTaken(known) });
    },
    resume: resumes(topic),
  });

const list = operation({
  name: 'payments.list',
  summary: 'List payments',
  method: 'GET',
  route: '/payments',
  scope: 'payments:read',
  input: Parameters({
    ...listParameters,
    customer: Type.Optional(Type.String({ maxLength: 64, description: 'Only those of this customer.' })),
    status: Type.Optional(Type.String({ enum: [...paymentStatuses], description: 'Only those in this status.' })),
  }),
  nulls: 'absent',
  output: ListOf(PaymentOutput),
  async run(context, input) {
    const filters = { customer: input.customer, status: input.status };
    const source = { table: paymentsTable, prefix: 'py', url: '/v1/payments', filters, present: presentPayment };
    return { result: await listPage(context, input, source) };
  },
});

export function paymentOperations(topic: PaymentTopic): AnyOperation[] {
  return [create(topic), retrieve, update, capture(topic), cancel(topic), list];
}
