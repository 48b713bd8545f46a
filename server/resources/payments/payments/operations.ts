import type { Write } from '../../../base/commit/index.ts';
import { isId } from '../../../base/id.ts';
import { Type } from '../../../base/schema.ts';
import {
  type Descriptor,
  findRows,
  listOperation,
  requireRow,
  retrieveOperation,
  updateOperation,
} from '../../../operations/descriptor.ts';
import { changeMetadata, mergeMetadata } from '../../../operations/metadata.ts';
import { checkAmount, checkCurrency } from '../../../operations/money.ts';
import { type AnyOperation, type Context, type Outcome, operation } from '../../../operations/operation.ts';
import { ListOf, listParameters, Parameters } from '../../../operations/schemas.ts';
import type { Attempt } from '../attempts/attempt.ts';
import { settleOperation } from '../attempts/by_hand.ts';
import { declineCodes } from '../attempts/errors.ts';
import { attemptFor, perform, resumeAttempt, type Step } from '../attempts/perform.ts';
import { AttemptOutput, serializeAttempt } from '../attempts/serialize.ts';
import { waitForSlot } from '../attempts/slot.ts';
import { findAttemptsOf, findLatestAttempt, requireAttempt } from '../attempts/store.ts';
import { methodCodes } from '../payment_methods/errors.ts';
import { checkReturnUrl } from '../returns/url.ts';
import { clockCodes } from '../test_clocks/errors.ts';
import { clockedFor, guardedByClock } from '../test_clocks/time.ts';
import { authorizationOf, cancelCall, captureCall, isUnlessPaid, takeSlot } from './calls.ts';
import { beginPayment } from './charge.ts';
import { paymentCorrection } from './correct.ts';
import { apiError } from './errors.ts';
import { earningColumns, paymentFilters, paymentListOptions } from './list.ts';
import type { Payment } from './payment.ts';
import {
  CancelInput,
  CaptureInput,
  NewPaymentInput,
  PaymentInput,
  PaymentOutput,
  paymentEvent,
  serializePayment,
} from './schema.ts';
import type { LoadedPayment } from './settle.ts';
import { addPayment, paymentsTable } from './store.ts';
import { answerOf, type PaymentTopic } from './topic.ts';

export const paymentDescriptor: Descriptor<Payment> = {
  resource: 'payments',
  noun: 'payment',
  notes: {
    retrieve: 'To follow a payment that is not final, wait for its events, or retrieve it from time to time.',
    update: 'The description and the metadata can be changed in every status.',
    list: 'An export can also have the columns `fee`, `fee_decimal`, `net` and `net_decimal`, for callers with `balance:read`: what the ledger has charged for a payment, and what the payment has left in the balance after its fee, refunds and disputes.',
  },
  prefix: 'py',
  table: paymentsTable,
  serialize: serializePayment,
  output: PaymentOutput,
  event: paymentEvent,
  csv: `id created amount amount_received amount_refunded currency status description
    customer payment_method invoice dispute failure_code failure_message
    processor.account processor.connector processor.reference failure_decline_code advice off_session
    amount_decimal amount_received_decimal amount_refunded_decimal`,
  added: earningColumns,
  customer: 'customer',
  changeGuard: guardedByClock,
};
export const requirePayment = requireRow(paymentDescriptor);
export const findPayments = findRows(paymentDescriptor);

const create = (topic: PaymentTopic) =>
  operation({
    name: 'payments.create',
    summary: 'Create a payment',
    description:
      'Charges the payment method at the processor that the routing rules name. A decline is answered with 402, and the failed payment is stored. An answer of 200 does not mean that the money is there: look at `status`, which can also be `requires_action` or `processing`. Send an `Idempotency-Key`, so that a retry cannot charge twice.',
    route: 'POST /payments',
    callers: ['key', 'job'],
    input: NewPaymentInput,
    output: PaymentOutput,
    errors: [
      ...clockCodes,
      ...methodCodes,
      ...declineCodes,
      ...apiError.codes(
        'customer_mismatch',
        'return_url_invalid',
        'amount_too_small',
        'amount_too_large',
        'currency_unknown',
        'parameters_exclusive',
      ),
    ],
    check({ amount, currency, return_url, off_session = false }, { mode }) {
      checkAmount(amount);
      checkCurrency(currency);
      if (return_url !== undefined && off_session)
        throw apiError('parameters_exclusive', { param: 'off_session', other: 'return_url' });
      if (return_url !== undefined) checkReturnUrl(return_url, mode);
    },
    async run(context, { off_session = false, ...input }) {
      const metadata = input.metadata === undefined ? undefined : mergeMetadata({}, input.metadata);
      const begun = await beginPayment(context, {
        ...input,
        metadata,
        merchantInitiated: off_session || context.caller.kind === 'job',
      });
      if ('step' in begun) return perform(context, topic, begun.step);
      return failedPayment(begun);
    },
    resume: resumeAttempt(topic),
  });

/** A payment that has failed before any processor was asked. */
export function failedPayment({ failed, writes }: { failed: Payment; writes: Write[] }): Outcome {
  const events = [paymentEvent('payment.failed', failed)];
  return { ...answerOf(failed), writes: [addPayment(failed), ...writes], events };
}

const update = updateOperation(paymentDescriptor, PaymentInput, (before, { description, metadata }) => ({
  description: description === undefined ? before.description : description,
  metadata: changeMetadata(before.metadata, metadata),
}));

const capture = (topic: PaymentTopic) =>
  operation({
    name: 'payments.capture',
    summary: 'Capture an authorized payment',
    description:
      'Takes the money that was authorized with `capture_method` `manual`, once, and releases the rest. An authorization that is not captured within 7 days is canceled.',
    route: 'POST /payments/:id/capture',
    right: 'handle',
    input: CaptureInput,
    output: PaymentOutput,
    errors: [
      ...clockCodes,
      ...declineCodes,
      ...apiError.codes('payment_not_capturable', 'capture_exceeds_authorized', 'amount_too_small', 'amount_too_large'),
    ],
    check({ amount }) {
      if (amount !== undefined) checkAmount(amount);
    },
    async run(context, input) {
      const payment = await requirePayment(context);
      const { writes } = await clockedFor(context, payment.test_clock);
      waitForSlot(payment);
      if (payment.status !== 'requires_capture')
        throw apiError('payment_not_capturable', { param: 'id', status: payment.status });
      const amount = input.amount ?? payment.amount;
      if (amount > payment.amount)
        throw apiError('capture_exceeds_authorized', { param: 'amount', authorized: payment.amount });
      const authorization = await requireAttempt(context, payment.authorization_attempt!);
      const connector = await context.connectors.of(authorization);
      if (amount < payment.amount && !connector.describe().partialCapture)
        throw apiError('parameter_invalid', {
          param: 'amount',
          reason: 'its processor captures the whole amount only',
        });
      const attempt = attemptFor(context, connector, { payment: payment.id, verb: 'capture', amount });
      const loaded = { payment, attempt, authorization };
      const call = captureCall(connector, loaded, context.now, attempt.deadline_at.getTime());
      return perform(context, topic, { loaded, connector, call, begin: takeSlot(loaded), writes });
    },
    resume: resumeAttempt(topic),
  });

/** Cancels a payment that waits for its cardholder, for its processor, or for its capture. */
export async function cancelStep(
  context: Context,
  payment: Payment,
  reason: string | null,
  writes: Write[],
): Promise<Step<LoadedPayment>> {
  const authorization = await requireAttempt(context, payment.authorization_attempt!);
  const connector = await context.connectors.of(authorization);
  const attempt = attemptFor(context, connector, { payment: payment.id, verb: 'cancel', amount: null });
  const loaded = { payment: { ...payment, cancellation_reason: reason }, attempt, authorization };
  // Nothing was captured here, so there is nothing to give back.
  const unlessPaid = isUnlessPaid(payment, 'cancel', authorization);
  const about = { authorization: authorizationOf(payment, authorization), captures: [], unlessPaid };
  const call = cancelCall(connector, attempt, about, context.now);
  return { loaded, connector, call, begin: takeSlot(loaded), writes };
}

const cancel = (topic: PaymentTopic) =>
  operation({
    name: 'payments.cancel',
    summary: 'Cancel a payment that is not finished',
    description:
      'Releases the authorization. Only payments in `requires_action` or `requires_capture` can be canceled; a captured payment is refunded. If the processor refuses, the answer is 402 and the payment keeps its status.',
    route: 'POST /payments/:id/cancel',
    right: 'handle',
    callers: ['key', 'job', 'operator'],
    input: CancelInput,
    output: PaymentOutput,
    errors: [...clockCodes, ...declineCodes, ...apiError.codes('payment_not_cancelable')],
    async run(context, { reason }) {
      const payment = await requirePayment(context);
      const { writes } = await clockedFor(context, payment.test_clock);
      waitForSlot(payment);
      if (payment.status !== 'requires_action' && payment.status !== 'requires_capture')
        throw apiError('payment_not_cancelable', { param: 'id', status: payment.status });
      return perform(context, topic, await cancelStep(context, payment, reason ?? null, writes));
    },
    resume: resumeAttempt(topic),
  });

const list = listOperation(paymentDescriptor, paymentFilters, {
  ...paymentListOptions,
  // What they have paid. The page on which a try has failed shows it.
  customers: { customer: 'customer', parameters: ['limit', 'starting_after'], fixed: { status: ['succeeded'] } },
});

const listAttempts = operation({
  name: 'payments.list_attempts',
  summary: 'List the requests to processors that were made for a payment, oldest first',
  description: 'Each attempt says which processor was asked, with what outcome, and why that one was chosen.',
  route: 'GET /payments/:id/attempts',
  input: Parameters({
    limit: listParameters.limit,
    starting_after: Type.Optional(Type.String({ description: 'An id: the page begins with the next newer attempt.' })),
  }),
  output: ListOf(AttemptOutput),
  async run(context, { limit = 10, starting_after = '' }) {
    const { id } = await requirePayment(context);
    if (starting_after !== '' && !isId('att', starting_after))
      throw apiError('parameter_invalid', {
        param: 'starting_after',
        reason: 'it must be an id that begins with att_',
      });
    const found = await findAttemptsOf(context, id, starting_after, limit + 1);
    const data = found.slice(0, limit).map(serializeAttempt);
    return { result: { object: 'list', url: `/v1/payments/${id}/attempts`, has_more: found.length > limit, data } };
  },
});

/**
 * A payment that is flagged without an open attempt has expired, and the processor refuses to cancel it, or reports a capture that cannot be
 * recorded. Then the last request is settled.
 */
async function attemptToSettle(context: Context, payment: Payment): Promise<Attempt | undefined> {
  if (payment.open_attempt !== null) return requireAttempt(context, payment.open_attempt);
  if (payment.flagged_at === null) return undefined;
  const asked = await Promise.all(
    (['capture', 'cancel'] as const).map((verb) => findLatestAttempt(context, payment.id, verb)),
  );
  return asked.filter((attempt) => attempt !== undefined).sort((a, b) => (a.id < b.id ? 1 : -1))[0];
}

const settleByHand = (topic: PaymentTopic) =>
  settleOperation(paymentDescriptor, topic, { attemptOf: attemptToSettle, correction: paymentCorrection });

export function paymentOperations(topic: PaymentTopic): AnyOperation[] {
  return [
    create(topic),
    retrieveOperation(paymentDescriptor),
    update,
    capture(topic),
    cancel(topic),
    list,
    listAttempts,
    settleByHand(topic),
  ];
}
