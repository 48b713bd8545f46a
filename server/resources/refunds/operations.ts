import { Type } from 'typebox';
import { isId, newId } from '../../base/id.ts';
import { post } from '../../ledger/posting.ts';
import { attemptFor, perform, resumes, type Step } from '../attempts/perform.ts';
import { requireAttempt } from '../attempts/store.ts';
import { listPage } from '../list.ts';
import { changeMetadata, mergeMetadata } from '../metadata.ts';
import { type AnyOperation, type Context, operation } from '../operation.ts';
import { checkAmount, requirePayment } from '../payments/operations.ts';
import type { Payment } from '../payments/payment.ts';
import { replacePayment } from '../payments/store.ts';
import { waitForSlot } from '../payments/topic.ts';
import { previousAttributes } from '../previous.ts';
import { extensionPoint } from '../resource.ts';
import { ListOf, listParameters, Parameters } from '../shapes.ts';
import { refundCall } from './calls.ts';
import { refusal } from './errors.ts';
import { presentRefund, type Refund, refundEvent, refundStatuses } from './refund.ts';
import { NewRefundInput, RefundInput, RefundOutput } from './schema.ts';
import { type KnownRefund, refundMovement } from './settle.ts';
import { findRefund, refundsTable, replaceRefund, saveRefund } from './store.ts';
import { refundTopic } from './topic.ts';

export async function requireRefund({ reads, tenant, id }: Context): Promise<Refund> {
  const refund = isId('re', id) ? await findRefund(reads, tenant, id) : undefined;
  if (refund === undefined) throw refusal('resource_missing', { param: 'id', resource: 'refund' });
  return refund;
}

/** Refuses to refund a payment, for a reason that refunds do not know of. */
export type RefundHold = (context: Context, payment: Payment) => Promise<void>;

export const refundHolds = extensionPoint<RefundHold>('refunds');

/** How much a new refund gives back; refused when there is not so much left. */
function refundable(payment: Payment, wanted: number | undefined): number {
  if (payment.status !== 'succeeded')
    throw refusal('payment_not_refundable', { param: 'payment', status: payment.status });
  const left = payment.amount_received - (payment.amount_refunded ?? 0);
  const amount = wanted ?? left;
  const param = wanted === undefined ? 'payment' : 'amount';
  if (amount > left || left === 0) throw refusal('refund_exceeds_payment', { param, left });
  return amount;
}

/** The refund while a remote processor is asked: pending, counted on its payment, and due for an inquiry. */
function begin({ refund, payment, attempt }: KnownRefund, due: Date): ReturnType<Step<KnownRefund>['begin']> {
  const known = {
    refund: { ...refund, version: 1, due_at: due },
    payment: { ...payment, version: payment.version + 1 },
    attempt,
  };
  return { known, writes: [saveRefund(known.refund), replacePayment(known.payment)] };
}

const create = (holds: readonly RefundHold[]) =>
  operation({
    name: 'refunds.create',
    summary: 'Refund a payment',
    method: 'POST',
    route: '/refunds',
    scope: 'refunds:write',
    callers: ['key', 'duty'],
    input: NewRefundInput,
    nulls: 'absent',
    output: RefundOutput,
    check({ amount }) {
      if (amount !== undefined) checkAmount(amount);
    },
    alsoChanges: ({ payment }) => payment,
    async run(context, input) {
      const { tenant, reads, now } = context;
      const before = await requirePayment(context, input.payment, 'payment');
      waitForSlot(before);
      for (const refuseHeld of holds) await refuseHeld(context, before);
      const amount = refundable(before, input.amount);
      const authorization = await requireAttempt(reads, tenant, before.authorization_attempt!);
      const connector = context.connectors.byName(authorization.connector);
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
        inquiries: 0,
        flagged_at: null,
        due_at: null,
        lease_until: null,
      };
      const payment = { ...before, amount_refunded: (before.amount_refunded ?? 0) + amount };
      return perform(context, refundTopic, {
        known: { refund, payment, attempt },
        connector,
        call: refundCall(connector, { refund, attempt, authorization }, now),
        begin: (begun, due) => begin({ refund, payment, attempt: begun }, due),
        writes: [post(tenant, now, refundMovement(refund))],
      });
    },
    resume: resumes(refundTopic),
  });

const retrieve = operation({
  name: 'refunds.retrieve',
  summary: 'Retrieve a refund',
  method: 'GET',
  route: '/refunds/:id',
  scope: 'refunds:read',
  input: Parameters({}),
  nulls: 'absent',
  output: RefundOutput,
  async run(context) {
    const refund = await requireRefund(context);
    return { result: presentRefund(refund), objectId: refund.id };
  },
});

const update = operation({
  name: 'refunds.update',
  summary: 'Update a refund',
  method: 'POST',
  route: '/refunds/:id',
  scope: 'refunds:write',
  input: RefundInput,
  nulls: 'clear',
  output: RefundOutput,
  async run(context, { metadata }) {
    const before = await requireRefund(context);
    const after: Refund = {
      ...before,
      version: before.version + 1,
      metadata: changeMetadata(before.metadata, metadata),
    };
    const result = presentRefund(after);
    const previous = previousAttributes(presentRefund(before), result);
    if (previous === undefined) return { result, objectId: before.id };
    const events = [refundEvent('refund.updated', after, previous)];
    return { result, objectId: after.id, writes: [replaceRefund(after)], events };
  },
});

const list = operation({
  name: 'refunds.list',
  summary: 'List refunds',
  method: 'GET',
  route: '/refunds',
  scope: 'refunds:read',
  input: Parameters({
    ...listParameters,
    payment: Type.Optional(Type.String({ maxLength: 64, description: 'Only those of this payment.' })),
    status: Type.Optional(Type.String({ enum: [...refundStatuses], description: 'Only those in this status.' })),
  }),
  nulls: 'absent',
  output: ListOf(RefundOutput),
  async run(context, input) {
    const filters = { payment: input.payment, status: input.status };
    const source = { table: refundsTable, prefix: 're', url: '/v1/refunds', filters, present: presentRefund };
    return { result: await listPage(context, input, source) };
  },
});

export function refundOperations(holds: readonly RefundHold[]): AnyOperation[] {
  return [create(holds), retrieve, update, list];
}
