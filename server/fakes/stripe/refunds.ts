import { move } from './balance.ts';
import { invalid, unfit } from './errors.ts';
import { listByPayment } from './lists.ts';
import type { FakeParams } from './reading.ts';
import { newRefund } from './release.ts';
import { type FakeCall, type FakeEndpoint, inPath, named, retrieval } from './route.ts';
import type { FakeCharge, FakeDispute, FakeIntent, FakeRefund } from './shapes.ts';
import type { FakeWorld } from './world.ts';

const path = '/v1/refunds';
const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

export const refundEndpoints: readonly FakeEndpoint[] = [
  { method: 'POST', path, run: create },
  {
    method: 'POST',
    path: `${path}/:id`,
    run: (call) => {
      call.params.only('metadata', 'expand');
      const refund = inPath<FakeRefund>(call, 'refund');
      refund.metadata = call.params.metadata(refund.metadata);
      return refund;
    },
  },
  {
    method: 'GET',
    path,
    run: ({ world, params }) => listByPayment(path, params, world.all<FakeRefund>('refund')),
  },
  retrieval<FakeRefund>('refund', path),
];

function create({ world, params }: FakeCall): object {
  params.only('payment_intent', 'charge', 'amount', 'reason', 'metadata', 'expand');
  const charge = chargeToRefund(world, params);
  const left = charge.amount - charge.amount_refunded;
  const amount = params.integer('amount') ?? left;
  const disputes = world.all<FakeDispute>('dispute').filter((one) => one.charge === charge.id);
  if (disputes.some((one) => !one.is_charge_refundable))
    throw unfit(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' });
  if (left === 0) throw unfit(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  if (amount < 1)
    throw invalid('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    });
  if (amount > left)
    throw unfit(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, { param: 'amount' });
  const reason = params.oneOf('reason', reasons) ?? null;
  return giveBack(world, charge, newRefund(world, charge, { amount, reason, metadata: params.metadata() }));
}

function chargeToRefund(world: FakeWorld, params: FakeParams): FakeCharge {
  const [intentId, chargeId] = [params.text('payment_intent'), params.text('charge')];
  if (intentId === undefined) {
    if (chargeId === undefined)
      throw invalid('One of the following params should be provided for this request: payment_intent or charge.');
    return named<FakeCharge>(world, 'charge', chargeId, 'charge');
  }
  const intent = named<FakeIntent>(world, 'payment_intent', intentId, 'payment_intent');
  if (intent.status === 'succeeded') return world.get<FakeCharge>(intent.latest_charge!);
  throw unfit(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
    code: 'payment_intent_unexpected_state',
    param: 'payment_intent',
  });
}

export function giveBack(world: FakeWorld, charge: FakeCharge, made: FakeRefund): FakeRefund {
  const { amount, currency, metadata } = made;
  const behaviour = world.behaviours.get(charge.payment_method)?.refund;
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  made.balance_transaction = move(world, {
    amount: -amount,
    currency,
    source: made.id,
    type: 'refund',
    reporting_category: 'refund',
  }).id;
  world.add(made);
  world.record({ kind: 'refund', id: made.id, payment_intent: made.payment_intent, amount, currency, metadata });
  const { decisionMs } = world.settings;
  if (behaviour === 'pending') {
    made.status = 'pending';
    world.later(decisionMs, () => arrive(world, made));
  }
  if (behaviour === 'fails') world.later(decisionMs, () => bounce(world, charge, made));
  world.report('refund.created', made);
  world.report('charge.refunded', charge);
  return made;
}

function arrive(world: FakeWorld, made: FakeRefund): void {
  made.status = 'succeeded';
  world.report('refund.updated', made, { status: 'pending' });
  world.report('charge.refund.updated', made, { status: 'pending' });
}

/** The bank sends the money back. */
function bounce(world: FakeWorld, charge: FakeCharge, made: FakeRefund): void {
  const { id, amount, currency, payment_intent, metadata } = made;
  charge.amount_refunded -= amount;
  charge.refunded = false;
  made.status = 'failed';
  made.failure_reason = 'expired_or_canceled_card';
  made.failure_balance_transaction = move(world, {
    amount,
    currency,
    source: id,
    type: 'refund_failure',
    reporting_category: 'refund_failure',
  }).id;
  world.record({ kind: 'refund_failure', id, payment_intent, amount, currency, metadata });
  world.report('refund.updated', made, { status: 'succeeded' });
  world.report('refund.failed', made);
  world.report('charge.refund.updated', made, { status: 'succeeded' });
}
