import { move } from './balance.ts';
import type { FakeCharge, FakeDispute } from './shapes.ts';
import type { FakeWorld } from './world.ts';

const daysToRespond = 7;
/** What Stripe keeps for a dispute, even when it is won. */
const disputeFee = 1_500;

/** Stripe's names. Files are named by id, and this fake takes no files. */
// biome-ignore format: a list of words
export const evidenceFields = [
  'access_activity_log', 'billing_address', 'cancellation_policy', 'cancellation_policy_disclosure',
  'cancellation_rebuttal', 'customer_communication', 'customer_email_address', 'customer_name',
  'customer_purchase_ip', 'customer_signature', 'duplicate_charge_documentation',
  'duplicate_charge_explanation', 'duplicate_charge_id', 'product_description', 'receipt', 'refund_policy',
  'refund_policy_disclosure', 'refund_refusal_explanation', 'service_date', 'service_documentation',
  'shipping_address', 'shipping_carrier', 'shipping_date', 'shipping_documentation',
  'shipping_tracking_number', 'uncategorized_file', 'uncategorized_text',
];

type DisputeWish = { reason: string; isInquiry?: boolean; amount?: number };

/** The cardholder's bank takes the money back. An inquiry only asks. */
export function openDispute(world: FakeWorld, charge: FakeCharge, wish: DisputeWish): FakeDispute {
  const { reason, isInquiry = false, amount = charge.amount_captured } = wish;
  const dueBy = world.seconds() + daysToRespond * 86_400;
  const dispute: FakeDispute = {
    id: world.newId('dp'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: world.seconds(),
    currency: charge.currency,
    evidence: Object.fromEntries(evidenceFields.map((name) => [name, null])),
    evidence_details: { due_by: dueBy, has_evidence: false, past_due: false, submission_count: 0 },
    is_charge_refundable: isInquiry,
    livemode: world.settings.livemode,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  };
  world.add(dispute);
  charge.disputed = !isInquiry;
  world.report('charge.dispute.created', dispute);
  if (!isInquiry) withdraw(world, dispute);
  world.later(daysToRespond * 86_400_000, () => endUnanswered(world, dispute));
  return dispute;
}

function withdraw(world: FakeWorld, dispute: FakeDispute): void {
  const { id, amount, currency, payment_intent, metadata } = dispute;
  dispute.balance_transactions.push(
    move(world, {
      amount: -amount,
      currency,
      source: id,
      fee: disputeFee,
      type: 'adjustment',
      reporting_category: 'dispute',
    }),
  );
  world.record({ kind: 'dispute', id, payment_intent, amount, currency, metadata });
  world.report('charge.dispute.funds_withdrawn', dispute);
}

export function isOpen({ status }: FakeDispute): boolean {
  return !['won', 'lost', 'warning_closed'].includes(status);
}

/** The verdict. A dispute that is won gives the money back, without the fee. */
export function closeDispute(world: FakeWorld, dispute: FakeDispute, result: 'won' | 'lost'): void {
  if (!isOpen(dispute)) return;
  const { id, payment_intent, amount, currency, metadata } = dispute;
  const isInquiry = dispute.balance_transactions.length === 0;
  dispute.status = isInquiry ? 'warning_closed' : result;
  dispute.is_charge_refundable = isInquiry || result === 'won';
  if (result === 'won' && !isInquiry) {
    dispute.balance_transactions.push(
      move(world, {
        amount,
        currency,
        source: id,
        type: 'adjustment',
        reporting_category: 'dispute_reversal',
      }),
    );
    world.record({ kind: 'dispute_reversal', id, payment_intent, amount, currency, metadata });
    world.report('charge.dispute.funds_reinstated', dispute);
  }
  world.report('charge.dispute.closed', dispute);
}

/** Who does not answer in time has lost. */
function endUnanswered(world: FakeWorld, dispute: FakeDispute): void {
  if (!['needs_response', 'warning_needs_response'].includes(dispute.status)) return;
  dispute.evidence_details.past_due = true;
  closeDispute(world, dispute, 'lost');
}
