import { listOf, listParams } from './lists.ts';
import { type FakeEndpoint, retrieval } from './route.ts';
import type { FakeBalanceTransaction } from './shapes.ts';
import type { FakeWorld } from './world.ts';

const path = '/v1/balance_transactions';
const daySeconds = 86_400;
const settlementDays = 2;

export const balanceEndpoints: readonly FakeEndpoint[] = [
  {
    method: 'GET',
    path,
    run: ({ world, params }) => {
      params.only(...listParams, 'payout', 'type', 'source', 'currency');
      const [payout, source] = [params.text('payout'), params.text('source')];
      const [type, currency] = [params.text('type'), params.text('currency')];
      return listOf(
        path,
        params,
        transactionsOf(world),
        (one) =>
          (payout === undefined || world.payoutOf.get(one.id) === payout) &&
          (source === undefined || one.source === source) &&
          (type === undefined || one.type === type) &&
          (currency === undefined || one.currency === currency),
      );
    },
  },
  retrieval<FakeBalanceTransaction>('balance_transaction', path),
];

export function transactionsOf(world: FakeWorld): readonly FakeBalanceTransaction[] {
  return world.all<FakeBalanceTransaction>('balance_transaction');
}

/** 2.9% and 30 of the smallest unit, rounded half up. */
export function chargeFee(amount: number): number {
  return Math.floor((amount * 29 + 500) / 1_000) + 30;
}

type FakeMovement = Pick<FakeBalanceTransaction, 'amount' | 'currency' | 'source' | 'type' | 'reporting_category'> & {
  fee?: number;
  /** Charges become available two days later, at midnight; everything else immediately. */
  isPending?: boolean;
};

/** Writes into the balance. */
export function move(world: FakeWorld, movement: FakeMovement): FakeBalanceTransaction {
  const { amount, currency, source, type, reporting_category, fee = 0, isPending = false } = movement;
  const created = world.seconds();
  const available = isPending ? (Math.floor(created / daySeconds) + settlementDays) * daySeconds : created;
  const description = type === 'adjustment' ? 'Dispute fee' : 'Stripe processing fees';
  const transaction: FakeBalanceTransaction = {
    id: world.newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: available,
    created,
    currency,
    description: null,
    exchange_rate: null,
    fee,
    fee_details: fee === 0 ? [] : [{ amount: fee, application: null, currency, description, type: 'stripe_fee' }],
    net: amount - fee,
    reporting_category,
    source,
    status: isPending ? 'pending' : 'available',
    type,
  };
  if (isPending)
    world.later(available * 1_000 - world.now(), () => {
      transaction.status = 'available';
    });
  return world.add(transaction);
}
