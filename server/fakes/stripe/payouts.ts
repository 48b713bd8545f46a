import { move, transactionsOf } from './balance.ts';
import { unfit } from './errors.ts';
import { listOf, listParams } from './lists.ts';
import { type FakeCall, type FakeEndpoint, retrieval } from './route.ts';
import type { FakeBalanceTransaction, FakePayout } from './shapes.ts';
import type { FakeWorld } from './world.ts';

const path = '/v1/payouts';

export const payoutEndpoints: readonly FakeEndpoint[] = [
  { method: 'POST', path, run: create },
  {
    method: 'GET',
    path,
    run: ({ world, params }) => {
      params.only(...listParams, 'status');
      const status = params.text('status');
      const fits = (payout: FakePayout) => status === undefined || payout.status === status;
      return listOf(path, params, world.all<FakePayout>('payout'), fits);
    },
  },
  retrieval<FakePayout>('payout', path),
];

/** By hand: Stripe does not say which transactions it contains. */
function create({ world, params }: FakeCall): object {
  params.only('amount', 'currency', 'description', 'metadata', 'expand');
  params.needed('amount');
  const amount = params.integer('amount')!;
  const currency = params.currency('currency');
  const balance = transactionsOf(world)
    .filter((one) => one.status === 'available' && one.currency === currency)
    .reduce((sum, { net }) => sum + net, 0);
  if (amount < 1 || amount > balance)
    throw unfit('You have insufficient funds in your Stripe account for this transfer.', {
      code: 'balance_insufficient',
      param: 'amount',
    });
  const details = { description: params.text('description') ?? null, metadata: params.metadata() };
  return payOut(world, { amount, currency, automatic: false, ...details });
}

/** As Stripe does every day: pays out what is available and was not paid out yet. Undefined when there is nothing. */
export function payOutAvailable(world: FakeWorld, currency: string): FakePayout | undefined {
  const contained = transactionsOf(world).filter(
    (one) =>
      one.status === 'available' && one.currency === currency && one.type !== 'payout' && !world.payoutOf.has(one.id),
  );
  const amount = contained.reduce((sum, { net }) => sum + net, 0);
  if (amount <= 0) return undefined;
  const payout = payOut(world, { amount, currency, automatic: true, description: 'STRIPE PAYOUT', metadata: {} });
  for (const { id } of contained) world.payoutOf.set(id, payout.id);
  return payout;
}

type PayoutWish = Pick<FakePayout, 'amount' | 'currency' | 'automatic' | 'description' | 'metadata'>;

function payOut(world: FakeWorld, wish: PayoutWish): FakePayout {
  const id = world.newId('po');
  const { amount, currency, metadata } = wish;
  const transaction: FakeBalanceTransaction = move(world, {
    amount: -amount,
    currency,
    source: id,
    type: 'payout',
    reporting_category: 'payout',
  });
  world.payoutOf.set(transaction.id, id);
  const payout: FakePayout = {
    id,
    object: 'payout',
    ...wish,
    arrival_date: world.seconds(),
    balance_transaction: transaction.id,
    created: world.seconds(),
    destination: null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: world.settings.livemode,
    method: 'standard',
    original_payout: null,
    reconciliation_status: wish.automatic ? 'completed' : 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'pending',
    type: 'bank_account',
  };
  world.add(payout);
  world.record({ kind: 'payout', id, payment_intent: null, amount, currency, metadata });
  world.report('payout.created', payout);
  world.later(0, () => {
    payout.status = 'paid';
    world.report('payout.paid', payout);
  });
  return payout;
}
