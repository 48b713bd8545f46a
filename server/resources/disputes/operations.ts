import { Type } from 'typebox';
import { Busy } from '../../base/errors.ts';
import { isId } from '../../base/id.ts';
import { listPage } from '../list.ts';
import { changeMetadata } from '../metadata.ts';
import { type AnyOperation, type Asking, type Context, type Outcome, operation } from '../operation.ts';
import type { Payment } from '../payments/payment.ts';
import { attemptFor } from '../payments/perform.ts';
import { previousAttributes } from '../previous.ts';
import { ListOf, listParameters, Parameters } from '../shapes.ts';
import { type Dispute, disputeEvent, disputeStatuses, isOver, presentDispute } from './dispute.ts';
import { refusal } from './errors.ts';
import { type EvidencePatch, hasEvidence, mergeEvidence } from './evidence.ts';
import { performDispute, refuseClosed, refusePastDue, resumeDispute } from './perform.ts';
import { DisputeInput, DisputeOutput } from './schema.ts';
import { disputesTable, findDispute, findHolding, replaceDispute } from './store.ts';
import { type DisputeVerb, disputeCall, refuseUnable } from './verbs.ts';

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
  async run(context, { evidence, submit, metadata }) {
    const stored = await requireDispute(context);
    const noted: Dispute = { ...stored, metadata: changeMetadata(stored.metadata, metadata) };
    // Metadata is no business of the processor: it waits for nothing, and can be changed when all is over.
    if (evidence === undefined && !submit) return keep(stored, noted);
    waitForWord(stored);
    if (isOver(stored.status)) throw refuseClosed(stored);
    if (context.now > stored.due_by.getTime()) throw refusePastDue(stored);
    const dispute = { ...noted, evidence: mergeEvidence(stored.evidence, evidence as EvidencePatch) };
    if (!submit) return keep(stored, dispute);
    if (!hasEvidence(dispute.evidence)) throw refusal('parameter_missing', { param: 'evidence' });
    return say(context, 'contest', stored, dispute);
  },
  resume: resumeDispute,
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
    waitForWord(dispute);
    if (isOver(dispute.status)) throw refuseClosed(dispute);
    return say(context, 'concede', dispute, dispute);
  },
  resume: resumeDispute,
});

/** Something is at the processor already. What it is about must not change, should it have to be sent again. */
function waitForWord({ open_attempt, status }: Dispute): void {
  if (open_attempt !== null && !isOver(status)) throw new Busy('an attempt is on its way');
}

function say(context: Context, verb: DisputeVerb, stored: Dispute, dispute: Dispute): Promise<Outcome | Asking> {
  const connector = context.connectors.byName(dispute.connector);
  refuseUnable(connector, verb);
  const facts = { payment: dispute.payment, dispute: dispute.id, verb, amount: null };
  const attempt = attemptFor(context, connector, facts);
  const call = disputeCall(connector, { dispute, attempt }, context.now);
  return performDispute(context, { stored, dispute, attempt, connector, call });
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
