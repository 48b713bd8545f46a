import { closeDispute, evidenceFields, isOpen } from './dispute.ts';
import { unfit } from './errors.ts';
import { listByPayment } from './lists.ts';
import type { FakeParams } from './reading.ts';
import { type FakeCall, type FakeEndpoint, inPath, retrieval } from './route.ts';
import type { FakeDispute } from './shapes.ts';
import type { FakeWorld } from './world.ts';

const path = '/v1/disputes';

export const disputeEndpoints: readonly FakeEndpoint[] = [
  {
    method: 'GET',
    path,
    run: ({ world, params }) => listByPayment(path, params, world.all<FakeDispute>('dispute')),
  },
  retrieval<FakeDispute>('dispute', path),
  { method: 'POST', path: `${path}/:id`, run: update },
  {
    method: 'POST',
    path: `${path}/:id/close`,
    run: (call) => {
      call.params.only('expand');
      const dispute = inPath<FakeDispute>(call, 'dispute');
      requireOpen(dispute);
      closeDispute(call.world, dispute, 'lost');
      return dispute;
    },
  },
];

function update(call: FakeCall): object {
  const { world, params } = call;
  params.only('evidence', 'metadata', 'submit', 'expand');
  const dispute = inPath<FakeDispute>(call, 'dispute');
  const isSubmitted = params.flag('submit') ?? true;
  if (params.has('evidence')) {
    requireOpen(dispute);
    addEvidence(dispute, params.group('evidence'));
  }
  dispute.metadata = params.metadata(dispute.metadata);
  if (params.has('evidence') && isSubmitted) submit(world, dispute);
  world.report('charge.dispute.updated', dispute);
  return dispute;
}

function requireOpen(dispute: FakeDispute): void {
  if (!isOpen(dispute)) throw unfit('This dispute is already closed.', { code: 'dispute_closed' });
}

function addEvidence(dispute: FakeDispute, given: FakeParams): void {
  if (dispute.evidence_details.submission_count > 0)
    throw unfit('This dispute has already been submitted: evidence can be submitted once.');
  given.only(...evidenceFields);
  for (const name of given.names()) dispute.evidence[name] = given.text(name) || null;
  dispute.evidence_details.has_evidence = Object.values(dispute.evidence).some((value) => value !== null);
}

/** As in Stripe's test mode, the text decides; without such a text the bank takes its time for ever. */
const verdicts: Readonly<Record<string, 'won' | 'lost'>> = { winning_evidence: 'won', losing_evidence: 'lost' };

function submit(world: FakeWorld, dispute: FakeDispute): void {
  dispute.evidence_details.submission_count += 1;
  dispute.status = dispute.status === 'warning_needs_response' ? 'warning_under_review' : 'under_review';
  const verdict = verdicts[dispute.evidence.uncategorized_text ?? ''];
  if (verdict !== undefined) world.later(world.settings.decisionMs, () => closeDispute(world, dispute, verdict));
}
