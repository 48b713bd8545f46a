import { Type } from 'typebox';
import type { Write } from '../../base/commit/index.ts';
import { isId } from '../../base/id.ts';
import { eventWrite } from '../../outbox/event.ts';
import { attemptFor, perform, resumes } from '../attempts/perform.ts';
import { listPage } from '../list.ts';
import { changeMetadata } from '../metadata.ts';
import { type AnyOperation, type Asking, type Context, type Outcome, operation } from '../operation.ts';
import type { Payment } from '../payments/payment.ts';
import { previousAttributes } from '../previous.ts';
import { ListOf, listParameters, Parameters } from '../shapes.ts';
import { type DisputeVerb, disputeCall, refuseUnable } from './calls.ts';
import { type Dispute, disputeEvent, disputeStatuses, isOver, presentDispute } from './dispute.ts';
import { refusal } from './errors.ts';
import { type EvidencePatch, hasEvidence, mergeEvidence } from './evidence.ts';
import { DisputeInput, DisputeOutput } from './schema.ts';
import { disputesTable, findDispute, findHolding, replaceDispute } from './store.ts';
import { disputeTopic, refuseClosed, refusePastDue, waitForSlot } from './topic.ts';

async function requireDispute({ reads, tenant, id }: Context): Promise<Dispute> {
  const dispute = isId('dp', id) ? await findDispute(reads, tenant, id) : undefined;
  if (dispute === undefined) throw refusal('resource_missing', { param: 'id', resource: 'dispute' });
  return dispute;
}

/** A payment whose dispute is open or lost cannot be refunded: the cardholder has the money back, or may get it. */
export async function refuseDisputed({ reads, tenant }: Context, payment: Payment): Promise<void> {
  if (payment.dispute === null) return;
  const held = await findHolding(reads, tenant, payment.id); // not the latest alone: a processor may open several
  if (held !== undefined)
    throw refusal('payment_disputed', { param: 'payment', dispute: held.id, status: held.status });
}

const retrieve = operation({
  name: 'disputes.retrieve',
  summary: 'Retrieve a dispute',
  method: 'GET',
  route: '/disputes/:id',
  scope: 'disputes:read',
  input: Parameters({}),
  nulls: 'absent',
  output: DisputeOutput,
  async run(context) {
    const dispute = await requireDispute(context);
    return { result: presentDispute(dispute), objectId: dispute.id };
  },
});

const update = operation({
  name: 'disputes.update',
  summary: 'Gather evidence against a dispute and submit it, or change metadata',
  method: 'POST',
  route: '/disputes/:id',
  scope: 'disputes:write',
  input: DisputeInput,
  nulls: 'clear',
  output: DisputeOutput,
  async run(context, { evidence, submit: submitted, metadata }) {
    const stored = await requireDispute(context);
    const noted: Dispute = { ...stored, metadata: changeMetadata(stored.metadata, metadata) };
    // Metadata is no business of the processor: it waits for nothing, and can be changed when all is over.
    if (evidence === undefined && !submitted) return keep(stored, noted);
    waitForSlot(stored);
    if (isOver(stored.status)) throw refuseClosed(stored);
    if (context.now > stored.due_by.getTime()) throw refusePastDue(stored);
    const dispute = { ...noted, evidence: mergeEvidence(stored.evidence, evidence as EvidencePatch) };
    if (!submitted) return keep(stored, dispute);
    if (!hasEvidence(dispute.evidence)) throw refusal('parameter_missing', { param: 'evidence' });
    return submit(context, 'contest', stored, dispute);
  },
  resume: resumes(disputeTopic),
});

/** Here, and nowhere else. What is under way at the processor stays so. */
function keep(before: Dispute, changed: Dispute): Outcome {
  const after = { ...changed, version: before.version + 1 };
  const result = presentDispute(after);
  const previous = previousAttributes(presentDispute(before), result);
  if (previous === undefined) return { result, objectId: before.id };
  const events = [disputeEvent('dispute.updated', after, previous)];
  return { result, objectId: after.id, writes: [replaceDispute(after)], events };
}

const close = operation({
  name: 'disputes.close',
  summary: 'Give a dispute up',
  method: 'POST',
  route: '/disputes/:id/close',
  scope: 'disputes:write',
  input: Parameters({}),
  nulls: 'absent',
  output: DisputeOutput,
  async run(context) {
    const dispute = await requireDispute(context);
    waitForSlot(dispute);
    if (isOver(dispute.status)) throw refuseClosed(dispute);
    return submit(context, 'concede', dispute, dispute);
  },
  resume: resumes(disputeTopic),
});

/** Sends something to the processor of a dispute. `stored` is the dispute without what this request adds to it. */
function submit(context: Context, verb: DisputeVerb, stored: Dispute, dispute: Dispute): Promise<Outcome | Asking> {
  const connector = context.connectors.byName(dispute.connector);
  refuseUnable(connector, verb);
  const facts = { payment: dispute.payment, dispute: dispute.id, verb, amount: null };
  const attempt = attemptFor(context, connector, facts);
  return perform(context, disputeTopic, {
    known: { dispute, attempt, stored },
    connector,
    call: disputeCall(connector, { dispute, attempt }, context.now),
    begin(begun, due) {
      const slot = { open_attempt: begun.id, inquiries: 0, due_at: due, lease_until: null };
      const taken: Dispute = { ...dispute, version: dispute.version + 1, ...slot };
      const writes = [replaceDispute(taken), ...gathered(context, stored, taken)];
      return { known: { dispute: taken, attempt: begun }, writes };
    },
  });
}

/** The evidence is kept before the processor is asked, whatever that answers then: so its event is written now. */
function gathered({ tenant, requestId, now }: Context, before: Dispute, after: Dispute): Write[] {
  const previous = previousAttributes(presentDispute(before), presentDispute(after));
  if (previous === undefined) return [];
  return [eventWrite(tenant, requestId, now, disputeEvent('dispute.updated', after, previous))];
}

const list = operation({
  name: 'disputes.list',
  summary: 'List disputes',
  method: 'GET',
  route: '/disputes',
  scope: 'disputes:read',
  input: Parameters({
    ...listParameters,
    payment: Type.Optional(Type.String({ maxLength: 64, description: 'Only those about this payment.' })),
    status: Type.Optional(Type.String({ enum: [...disputeStatuses], description: 'Only those in this status.' })),
  }),
  nulls: 'absent',
  output: ListOf(DisputeOutput),
  async run(context, input) {
    const filters = { payment: input.payment, status: input.status };
    const source = { table: disputesTable, prefix: 'dp', url: '/v1/disputes', filters, present: presentDispute };
    return { result: await listPage(context, input, source) };
  },
});

export const disputeOperations: AnyOperation[] = [retrieve, update, close, list];
