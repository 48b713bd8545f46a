import type { ApiError } from '../../../base/errors.ts';
import { Type } from '../../../base/schema.ts';
import { post } from '../../../ledger/posting.ts';
import { amountFilters, comparesMoney } from '../../../operations/amount_filters.ts';
import {
  changedWith,
  type Descriptor,
  listOperation,
  requireRow,
  retrieveOperation,
  updated,
} from '../../../operations/descriptor.ts';
import { changeMetadata } from '../../../operations/metadata.ts';
import { amountMax } from '../../../operations/money.ts';
import {
  type AnyOperation,
  type Context,
  type Outcome,
  operation,
  type RemoteCall,
  type Sequenced,
} from '../../../operations/operation.ts';
import { OptionalChoices, OptionalCurrency, OptionalId, Parameters } from '../../../operations/schemas.ts';
import { eventWrites, happenedAt } from '../../../outbox/event.ts';
import { settleOperation } from '../attempts/by_hand.ts';
import { attemptFor, perform, resumeAttempt } from '../attempts/perform.ts';
import { requireAttempt, requireStored } from '../attempts/store.ts';
import { paymentsTable } from '../payments/store.ts';
import type { RefundHold } from '../refunds/operations.ts';
import { clockCodes } from '../test_clocks/errors.ts';
import { clockedFor, clockTime } from '../test_clocks/time.ts';
import { type DisputeVerb, disputeCall, refuseUnable } from './calls.ts';
import { type Dispute, disputeStatuses, isOver } from './dispute.ts';
import { apiError } from './errors.ts';
import { hasEvidence, mergeEvidence } from './evidence.ts';
import { DisputeInput, DisputeOutput, disputeEvent, disputeUpdated, serializeDispute } from './schema.ts';
import { reviewDispute } from './settle.ts';
import { disputesTable, findHolding, replaceDispute } from './store.ts';
import { disputeTopic, refuseClosed, refusePastDue, waitForSlot } from './topic.ts';

export const disputeDescriptor: Descriptor<Dispute> = {
  resource: 'disputes',
  noun: 'dispute',
  notes: { retrieve: 'Processors report disputes; they cannot be created.' },
  prefix: 'dp',
  table: disputesTable,
  serialize: serializeDispute,
  output: DisputeOutput,
  event: disputeEvent,
  csv: 'id created amount currency status reason payment evidence_details.due_by amount_decimal',
};
export const requireDispute = requireRow(disputeDescriptor);

/** A payment whose dispute is open or lost cannot be refunded: the cardholder has the money back, or may get it. */
export const heldByDisputes: RefundHold = {
  errors: apiError.codes('payment_disputed'),
  async refuse(context, payment) {
    if (payment.dispute === null) return;
    const held = await findHolding(context, payment.id); // not only the latest one: a processor may open several
    if (held !== undefined)
      throw apiError('payment_disputed', { param: 'payment', dispute: held.id, status: held.status });
  },
};

const update = operation({
  name: 'disputes.update',
  summary: 'Gather evidence against a dispute and submit it, or change metadata',
  description:
    'Evidence is merged field by field, and only kept until a request has `submit`: then all of it is sent to the bank. Nothing is submitted by itself. More can be submitted until `evidence_details.due_by`. Metadata can be changed at any time, and is not sent to the bank.',
  route: 'POST /disputes/:id',
  right: 'handle',
  input: DisputeInput,
  nulls: 'clear',
  output: DisputeOutput,
  errors: [
    ...clockCodes,
    ...apiError.codes('dispute_closed', 'evidence_past_due', 'parameter_missing', 'processing_error'),
  ],
  async run(context, { evidence, submit: submitted, metadata }) {
    const stored = await requireDispute(context);
    const clocked = await clockedFor(context, stored.test_clock);
    const noted: Dispute = { ...stored, metadata: changeMetadata(stored.metadata, metadata) };
    // The processor never sees metadata: it can be changed while an attempt is open, and after the end.
    if (evidence === undefined && !submitted)
      return changedWith(clocked.writes, updated(disputeDescriptor, stored, noted));
    waitForSlot(stored);
    if (isOver(stored.status)) throw refuseClosed(stored);
    if (context.now > stored.due_by.getTime()) throw refusePastDue(stored);
    const dispute = { ...noted, evidence: mergeEvidence(stored.evidence, evidence) };
    if (!submitted) return changedWith(clocked.writes, updated(disputeDescriptor, stored, dispute));
    if (!hasEvidence(dispute.evidence)) throw apiError('parameter_missing', { param: 'evidence' });
    return submit(context, 'contest', clocked, stored, dispute);
  },
  resume: resumeAttempt(disputeTopic),
});

const close = operation({
  name: 'disputes.close',
  summary: 'Give a dispute up',
  description: 'Accepts the dispute, which is then `lost`. It cannot be undone.',
  route: 'POST /disputes/:id/close',
  right: 'handle',
  output: DisputeOutput,
  errors: [...clockCodes, ...apiError.codes('dispute_closed', 'processing_error')],
  async run(context) {
    const dispute = await requireDispute(context);
    const clocked = await clockedFor(context, dispute.test_clock);
    waitForSlot(dispute);
    if (isOver(dispute.status)) throw refuseClosed(dispute);
    return submit(context, 'concede', clocked, dispute, dispute);
  },
  resume: resumeAttempt(disputeTopic),
});

/** Submits evidence or a concession. `stored` is the dispute without the changes of this request. */
async function submit(
  context: Context,
  verb: DisputeVerb,
  clocked: Awaited<ReturnType<typeof clockedFor>>,
  stored: Dispute,
  dispute: Dispute,
): Promise<Outcome | RemoteCall | Sequenced> {
  const { tenant, requestId, now, connectors } = context;
  const connector = await connectors.of(dispute);
  refuseUnable(connector, verb);
  const facts = { payment: dispute.payment, dispute: dispute.id, verb, amount: null };
  const attempt = attemptFor(context, connector, facts);
  return perform(context, disputeTopic, {
    loaded: { dispute, attempt, stored },
    connector,
    call: disputeCall(connector, { dispute, attempt }, now),
    begin(begun, due) {
      const slot = { open_attempt: begun.id, inquiries: 0, due_at: due, lease_until: null };
      const taken: Dispute = { ...dispute, version: dispute.version + 1, ...slot };
      // The evidence is kept whatever the processor answers, so its event is written now.
      const time = stored.test_clock === null ? undefined : clocked.now;
      const rows = eventWrites(tenant, requestId, now, happenedAt(time, disputeUpdated(stored, taken)));
      return { loaded: { dispute: taken, attempt: begun }, writes: [replaceDispute(taken), ...rows] };
    },
    writes: clocked.writes,
  });
}

const list = listOperation(
  disputeDescriptor,
  {
    payment: OptionalId('Only those about this payment.'),
    status: OptionalChoices(disputeStatuses, 'Only those in this status, or in one of these.'),
    currency: OptionalCurrency,
    ...amountFilters,
  },
  { merged: { column: 'status', values: disputeStatuses }, ...comparesMoney },
);

/** Evidence, or that the merchant gives up. The status may be the same either way, so the answer to the submission is named. */
const settleByHand = settleOperation(disputeDescriptor, disputeTopic, {
  attemptOf: async (context, { open_attempt }) =>
    open_attempt === null ? undefined : requireAttempt(context, open_attempt),
  nameOf: ({ attempt }) => (attempt.state === 'approved' ? 'accepted' : 'refused'),
  correction: insteadOfCorrection,
});

/** No money has moved in a dispute that is open, and evidence can be submitted again. */
function insteadOfCorrection({ id, status }: Dispute): string {
  if (isOver(status))
    return `${id} is ${status}, which is final: ask the processor whether it agrees, and compare the books.`;
  const instead = 'if the processor lacks the evidence, the merchant can submit it again until it is due';
  return `${id} is a dispute, which has no correction: ${instead}; the processor reports how the dispute ends.`;
}

const reviewByHand = operation({
  name: 'disputes.review',
  summary: 'End the review of a dispute whose money does not fit its payment',
  route: 'POST /disputes/:id/review',
  callers: ['operator'],
  input: Parameters({
    amount: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: amountMax,
        description: 'What the processor took, in the smallest unit of the currency of the payment',
      }),
    ),
  }),
  output: DisputeOutput,
  async run(context, { amount }) {
    const before = await requireDispute(context);
    const { id, review, payment } = before;
    if (review === null) throw unfit('id', `${id} fits its payment, or was reviewed: there is nothing to review.`);
    if (review === 'amount' && amount !== undefined) {
      const instead = 'if the processor took another amount, "tollgate reconcile" shows the difference';
      throw unfit('amount', `${id} is posted as reported: leave --amount out; ${instead}.`);
    }
    if (review === 'currency' && amount === undefined)
      throw unfit('amount', `${id} is not posted yet: --amount must say what the processor took.`);
    const { currency } = await requireStored(context, paymentsTable, payment);
    const reviewed = reviewDispute(before, amount === undefined ? undefined : { amount, currency });
    const { dispute, movements, events } = reviewed;
    const reported = { amount: before.amount, currency: before.currency };
    return {
      result: serializeDispute(dispute),
      objectId: id,
      writes: [replaceDispute(dispute), ...movements.map((movement) => post(context.tenant, context.now, movement))],
      events: happenedAt(await clockTime(context, before), events),
      audit: [
        { action: 'dispute.review', subject: id, details: { reported, posted: { amount: dispute.amount, currency } } },
      ],
    };
  },
});

function unfit(param: 'id' | 'amount', message: string): ApiError {
  return apiError('parameter_invalid', { param, reason: message }).saying(message);
}

export const disputeOperations: AnyOperation[] = [
  retrieveOperation(disputeDescriptor),
  update,
  close,
  list,
  settleByHand,
  reviewByHand,
];
