import { newId } from '../../../base/id.ts';
import { post } from '../../../ledger/posting.ts';
import { amountFilters, comparesMoney } from '../../../operations/amount_filters.ts';
import {
  type Descriptor,
  listOperation,
  requireRow,
  retrieveOperation,
  updateOperation,
} from '../../../operations/descriptor.ts';
import { changeMetadata, mergeMetadata } from '../../../operations/metadata.ts';
import { checkAmount } from '../../../operations/money.ts';
import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import { extensionPoint } from '../../../operations/resource.ts';
import { OptionalChoices, OptionalCurrency, OptionalId } from '../../../operations/schemas.ts';
import { settleOperation } from '../attempts/by_hand.ts';
import { attemptFor, perform, resumeAttempt } from '../attempts/perform.ts';
import { waitForSlot } from '../attempts/slot.ts';
import { requireAttempt } from '../attempts/store.ts';
import { idle } from '../attempts/subject.ts';
import { authorizationOf } from '../payments/calls.ts';
import { requirePayment } from '../payments/operations.ts';
import type { Payment } from '../payments/payment.ts';
import { replacePayment } from '../payments/store.ts';
import { clockCodes } from '../test_clocks/errors.ts';
import { clockedFor, createdBy, guardedByClock } from '../test_clocks/time.ts';
import { refundCall } from './calls.ts';
import { apiError } from './errors.ts';
import { type Refund, refundStatuses } from './refund.ts';
import { NewRefundInput, RefundInput, RefundOutput, refundEvent, serializeRefund } from './schema.ts';
import { refundCorrection, refundMovement } from './settle.ts';
import { refundsTable, saveRefund } from './store.ts';
import type { RefundTopic } from './topic.ts';

export { isRefundPending } from './store.ts';

export const refundDescriptor: Descriptor<Refund> = {
  resource: 'refunds',
  noun: 'refund',
  notes: {
    update: 'Only the metadata can be changed.',
    retrieve: 'A pending refund is settled by the processor, and its events say when.',
  },
  prefix: 're',
  table: refundsTable,
  serialize: serializeRefund,
  output: RefundOutput,
  event: refundEvent,
  csv: 'id created amount currency status payment reason failure_reason amount_decimal',
  changeGuard: guardedByClock,
};

export const requireRefund = requireRow(refundDescriptor);

/** Refuses to refund a payment, for a reason that belongs to another resource. */
export type RefundHold = {
  /** The codes of its refusals. */
  errors: readonly string[];
  refuse(context: Context, payment: Payment): Promise<void>;
};

export const refundHolds = extensionPoint<RefundHold>('refunds');

/** The amount of a new refund. It is refused when less is left of the payment. */
function refundable(payment: Payment, wanted: number | undefined): number {
  if (payment.status !== 'succeeded')
    throw apiError('payment_not_refundable', { param: 'payment', status: payment.status });
  const left = payment.amount_received - (payment.amount_refunded ?? 0);
  const amount = wanted ?? left;
  const param = wanted === undefined ? 'payment' : 'amount';
  if (amount > left || left === 0) throw apiError('refund_exceeds_payment', { param, left });
  return amount;
}

const create = (topic: RefundTopic, holds: readonly RefundHold[]) =>
  operation({
    name: 'refunds.create',
    summary: 'Refund a payment',
    description:
      'Returns all or part of a payment to the customer. A payment can have any number of refunds, up to what was received. A refund that the bank refuses immediately is answered with 200 and the status `failed`. A payment with an open or lost dispute cannot be refunded.',
    route: 'POST /refunds',
    right: 'pay_out',
    callers: ['key', 'job', 'operator'],
    input: NewRefundInput,
    output: RefundOutput,
    errors: [
      ...clockCodes,
      ...holds.flatMap(({ errors }) => errors),
      ...apiError.codes('amount_too_small', 'amount_too_large', 'payment_not_refundable', 'refund_exceeds_payment'),
    ],
    check({ amount }) {
      if (amount !== undefined) checkAmount(amount);
    },
    alsoChanges: ({ payment }) => payment,
    async run(context, input) {
      const { tenant, now } = context;
      const before = await requirePayment(context, input.payment, 'payment');
      const clocked = await clockedFor(context, before.test_clock, 'payment');
      waitForSlot(before);
      for (const hold of holds) await hold.refuse(context, before);
      const amount = refundable(before, input.amount);
      const held = await requireAttempt(context, before.authorization_attempt!);
      const connector = await context.connectors.of(held);
      const authorization = authorizationOf(before, held);
      const id = newId('re', now);
      const facts = { payment: before.id, refund: id, verb: 'refund', amount } as const;
      const attempt = attemptFor(context, connector, facts);
      const refund: Refund = {
        tenant,
        id,
        version: 0, // not stored yet
        payment: before.id,
        amount,
        currency: before.currency,
        status: 'pending',
        reason: input.reason ?? null,
        metadata: input.metadata === undefined ? null : mergeMetadata({}, input.metadata),
        failure_reason: null,
        attempt: attempt.id,
        processor_reference: null,
        ...createdBy(before.test_clock, clocked.now),
        ...idle,
      };
      const payment = { ...before, amount_refunded: (before.amount_refunded ?? 0) + amount };
      return perform(context, topic, {
        loaded: { refund, payment, attempt },
        connector,
        call: refundCall(connector, { refund, attempt, authorization }, now),
        begin(begun, due) {
          const loaded = {
            refund: { ...refund, version: 1, due_at: due },
            payment: { ...payment, version: payment.version + 1 },
            attempt: begun,
          };
          return { loaded, writes: [saveRefund(loaded.refund), replacePayment(loaded.payment)] };
        },
        writes: [post(tenant, now, refundMovement('refund', refund)), ...clocked.writes],
      });
    },
    resume: resumeAttempt(topic),
  });

const update = updateOperation(refundDescriptor, RefundInput, (before, { metadata }) => ({
  metadata: changeMetadata(before.metadata, metadata),
}));

const list = listOperation(
  refundDescriptor,
  {
    payment: OptionalId('Only those of this payment.'),
    status: OptionalChoices(refundStatuses, 'Only those in this status, or in one of these.'),
    currency: OptionalCurrency,
    ...amountFilters,
  },
  { merged: { column: 'status', values: refundStatuses }, ...comparesMoney },
);

const settleByHand = (topic: RefundTopic) =>
  settleOperation(refundDescriptor, topic, {
    attemptOf: async (context, { status, attempt }) =>
      status === 'pending' ? requireAttempt(context, attempt) : undefined,
    correction: refundCorrection,
  });

export function refundOperations(topic: RefundTopic, holds: readonly RefundHold[]): AnyOperation[] {
  return [create(topic, holds), retrieveOperation(refundDescriptor), update, list, settleByHand(topic)];
}
