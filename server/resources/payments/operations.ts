import type { Static } from 'typebox';
import type { Write } from '../../base/commit/index.ts';
import { currencyOf } from '../../base/currency.ts';
import { isId, newId } from '../../base/id.ts';
import { Type } from '../../base/schema.ts';
import type { CaptureRequest, Instrument } from '../../connectors/contract.ts';
import type { OpenCard } from '../../vault/index.ts';
import type { Attempt } from '../attempts/attempt.ts';
import { settleOperation } from '../attempts/by_hand.ts';
import { attemptFor, perform, resumes } from '../attempts/perform.ts';
import { AttemptOutput, presentAttempt } from '../attempts/present.ts';
import { attemptsTable, findAttemptsOf, findLatestAttempt, requireAttempt } from '../attempts/store.ts';
import { idle } from '../attempts/subject.ts';
import { requireCustomer } from '../customers/operations.ts';
import { changeMetadata, mergeMetadata } from '../metadata.ts';
import { type AnyOperation, type Context, operation } from '../operation.ts';
import { refuseDetached, requirePaymentMethod } from '../payment_methods/operations.ts';
import { hasExpired, type PaymentMethod } from '../payment_methods/payment_method.ts';
import { usedBy, useToken } from '../payment_methods/tokens.ts';
import { ListOf, listParameters, OptionalChoice, OptionalId, Parameters } from '../shapes.ts';
import { type Kind, listOperation, requireRow, retrieveOperation, updateOperation } from '../standard.ts';
import { clockedFor, createdBy } from '../test_clocks/time.ts';
import { authorizeStep, chargeOf } from './authorize.ts';
import { authorizationOf, cancelCall, slotTaken } from './calls.ts';
import { paymentCorrection } from './correct.ts';
import { refusal } from './errors.ts';
import { type Payment, paymentEvent, paymentStatuses, presentPayment } from './payment.ts';
import { checkReturnUrl } from './return_url.ts';
import { candidatesFor } from './route.ts';
import { CancelInput, CaptureInput, NewPaymentInput, PaymentInput, PaymentOutput } from './schema.ts';
import { failure } from './settle.ts';
import { addPayment, paymentsTable } from './store.ts';
import { answerOf, type PaymentTopic, waitForSlot } from './topic.ts';

const amountMax = 999_999_999_999;

const paymentKind: Kind<Payment> = {
  resource: 'payments',
  noun: 'payment',
  prefix: 'py',
  table: paymentsTable,
  present: presentPayment,
  output: PaymentOutput,
  event: paymentEvent,
  clockOf: ({ test_clock }) => test_clock,
};
export const requirePayment = requireRow(paymentKind);

export function checkAmount(amount: number): void {
  if (amount < 1) throw refusal('amount_too_small', { param: 'amount' });
  if (amount > amountMax) throw refusal('amount_too_large', { param: 'amount' });
}

const create = (topic: PaymentTopic) =>
  operation({
    name: 'payments.create',
    summary: 'Create a payment',
    route: 'POST /payments',
    callers: ['key', 'duty'],
    input: NewPaymentInput,
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
      await refuseUsed(context, method);
      const instrument = await instrumentOf(context, method, card);
      const test_clock = method.test_clock ?? customer?.test_clock ?? null;
      const clocked = await clockedFor(context, test_clock, customer === undefined ? 'payment_method' : 'customer');
      const payment = { ...newPayment(context, input, method), ...createdBy(test_clock, clocked.now) };
      // The processor knows the expiry of a card that it keeps, and may have renewed it.
      if (instrument.kind === 'card' && hasExpired(method, clocked.now)) return expired(payment, clocked.writes);
      const candidates = await candidatesFor(context, payment, method, instrument);
      const charge = await chargeOf(context, payment, method, instrument);
      const step = authorizeStep(context, { payment, isNew: true }, charge, candidates);
      // The code, and a token that is not kept for a customer, serve one payment, whatever its outcome.
      const writes = [...useToken(method, step.known.attempt.id), ...clocked.writes];
      if (card?.cvc !== undefined) writes.push(context.vault.useCvc(context.tenant, method.id));
      return perform(context, topic, { ...step, writes });
    },
    resume: resumes(topic),
  });

async function openCard({ vault, reads, tenant }: Context, id: string): Promise<OpenCard | undefined> {
  return isId('pm', id) ? vault.open(reads, tenant, id) : undefined;
}

/** Refuses a token that serves one payment, and has served it. An attempt that was not sent has not used it. */
async function refuseUsed({ reads, tenant }: Context, method: PaymentMethod): Promise<void> {
  const attempt = usedBy(method);
  if (attempt === undefined || (await reads.one(attemptsTable, tenant, attempt))?.state === 'not_sent') return;
  const reason =
    'a payment has used it, and a token that is not attached to a customer at its processor serves one payment only';
  throw refusal('payment_method_not_usable', { param: 'payment_method', reason });
}

async function instrumentOf(
  { vault, reads, tenant }: Context,
  method: PaymentMethod,
  card: OpenCard | undefined,
): Promise<Instrument> {
  const { billing: holder, exp_month: expMonth, exp_year: expYear } = method;
  if (card !== undefined) return { kind: 'card', ...card, expMonth, expYear, holder };
  const isKept = method.processor_account !== null;
  const token = isKept ? await vault.openSecret(reads, tenant, method.id) : undefined;
  if (token === undefined) {
    const reason = `its ${isKept ? 'token' : 'number'} was destroyed`;
    throw refusal('payment_method_not_usable', { param: 'payment_method', reason });
  }
  return { kind: 'token', token, customer: method.processor_customer ?? undefined, holder };
}

function newPayment(context: Context, input: Static<typeof NewPaymentInput>, method: PaymentMethod): Payment {
  return {
    tenant: context.tenant,
    id: newId('py', context.now),
    version: 0, // not stored yet
    amount: input.amount,
    amount_received: 0,
    currency: input.currency,
    customer: (input.customer as Payment['customer'] | undefined) ?? null,
    description: input.description ?? null,
    payment_method: method.id,
    status: 'processing',
    capture_method: input.capture_method ?? null,
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
    processor: null,
    authorization_attempt: null,
    open_attempt: null,
    expires_at: null,
    ...createdBy(null, context.now),
    ...idle,
  };
}

/** The card has expired since it was stored: no processor is asked. */
function expired(payment: Payment, writes: Write[]) {
  const cause = failure(payment, 'expired_card', null, undefined);
  const failed: Payment = { ...payment, ...cause, version: 1, status: 'failed' };
  return {
    ...answerOf(failed),
    writes: [addPayment(failed), ...writes],
    events: [paymentEvent('payment.failed', failed)],
  };
}

const update = updateOperation(paymentKind, PaymentInput, (before, { description, metadata }) => ({
  description: description === undefined ? before.description : description,
  metadata: changeMetadata(before.metadata, metadata),
}));

const capture = (topic: PaymentTopic) =>
  operation({
    name: 'payments.capture',
    summary: 'Capture an authorized payment',
    route: 'POST /payments/:id/capture',
    input: CaptureInput,
    output: PaymentOutput,
    check({ amount }) {
      if (amount !== undefined) checkAmount(amount);
    },
    async run(context, input) {
      const payment = await requirePayment(context);
      const { writes } = await clockedFor(context, payment.test_clock);
      waitForSlot(payment);
      if (payment.status !== 'requires_capture')
        throw refusal('payment_not_capturable', { param: 'id', status: payment.status });
      const amount = input.amount ?? payment.amount;
      if (amount > payment.amount)
        throw refusal('capture_exceeds_authorized', { param: 'amount', authorized: payment.amount });
      const authorization = await requireAttempt(context, payment.authorization_attempt!);
      const connector = await context.connectors.of(authorization);
      if (amount < payment.amount && !connector.describe().partialCapture)
        throw refusal('parameter_invalid', { param: 'amount', reason: 'its processor captures the whole amount only' });
      const attempt = attemptFor(context, connector, { payment: payment.id, verb: 'capture', amount });
      const request: CaptureRequest = {
        tenant: context.tenant,
        attempt: attempt.id,
        now: context.now,
        deadline: attempt.deadline_at.getTime(),
        authorization: authorizationOf(payment, authorization),
        money: { amount, currency: payment.currency },
      };
      if (connector.capture === undefined) throw new Error(`${connector.name} authorized what it cannot capture`);
      const known = { payment, attempt, authorization };
      const call = () => connector.capture!(request);
      return perform(context, topic, { known, connector, call, begin: slotTaken(known), writes });
    },
    resume: resumes(topic),
  });

const cancel = (topic: PaymentTopic) =>
  operation({
    name: 'payments.cancel',
    summary: 'Cancel a payment that is not finished',
    route: 'POST /payments/:id/cancel',
    input: CancelInput,
    output: PaymentOutput,
    async run(context, { reason }) {
      const payment = await requirePayment(context);
      const { writes } = await clockedFor(context, payment.test_clock);
      waitForSlot(payment);
      if (payment.status !== 'requires_action' && payment.status !== 'requires_capture')
        throw refusal('payment_not_cancelable', { param: 'id', status: payment.status });
      const authorization = await requireAttempt(context, payment.authorization_attempt!);
      const connector = await context.connectors.of(authorization);
      const attempt = attemptFor(context, connector, { payment: payment.id, verb: 'cancel', amount: null });
      const known = { payment: { ...payment, cancellation_reason: reason ?? null }, attempt, authorization };
      const call = cancelCall(connector, attempt, authorizationOf(payment, authorization), context.now);
      return perform(context, topic, { known, connector, call, begin: slotTaken(known), writes });
    },
    resume: resumes(topic),
  });

const list = listOperation(
  paymentKind,
  {
    customer: OptionalId('Only those of this customer.'),
    status: OptionalChoice(paymentStatuses, 'Only those in this status.'),
  },
  { column: 'status', values: paymentStatuses },
);

const listAttempts = operation({
  name: 'payments.list_attempts',
  summary: 'List the requests to processors that were made for a payment, oldest first',
  route: 'GET /payments/:id/attempts',
  input: Parameters({
    limit: listParameters.limit,
    starting_after: Type.Optional(Type.String({ description: 'An id: the page begins with the next newer attempt.' })),
  }),
  output: ListOf(AttemptOutput),
  async run(context, { limit = 10, starting_after = '' }) {
    const { id } = await requirePayment(context);
    if (starting_after !== '' && !isId('att', starting_after))
      throw refusal('parameter_invalid', { param: 'starting_after', reason: 'it must be an id that begins with att_' });
    const found = await findAttemptsOf(context, id, starting_after, limit + 1);
    const data = found.slice(0, limit).map(presentAttempt);
    return { result: { object: 'list', url: `/v1/payments/${id}/attempts`, has_more: found.length > limit, data } };
  },
});

/** A payment that is flagged without an open attempt has expired, and the processor refuses to cancel it. Then the last cancel is settled. */
async function attemptToSettle(context: Context, payment: Payment): Promise<Attempt | undefined> {
  if (payment.open_attempt !== null) return requireAttempt(context, payment.open_attempt);
  return payment.flagged_at === null ? undefined : findLatestAttempt(context, payment.id, 'cancel');
}

const settleByHand = (topic: PaymentTopic) =>
  settleOperation(paymentKind, topic, { attemptOf: attemptToSettle, correction: paymentCorrection });

export function paymentOperations(topic: PaymentTopic): AnyOperation[] {
  return [
    create(topic),
    retrieveOperation(paymentKind),
    update,
    capture(topic),
    cancel(topic),
    list,
    listAttempts,
    settleByHand(topic),
  ];
}
