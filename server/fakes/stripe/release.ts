import type { FakeCharge, FakeRefund } from './shapes.ts';
import type { FakeWorld } from './world.ts';

/** At Stripe, money that was held and not captured shows as refunded. Unless a part was captured, it was never in the balance. */
export function addRelease(world: FakeWorld, charge: FakeCharge, amount: number, reason: string | null): FakeRefund {
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  return world.add(newRefund(world, charge, { amount, reason, metadata: {} }));
}

type RefundWish = Pick<FakeRefund, 'amount' | 'reason' | 'metadata'>;

export function newRefund(world: FakeWorld, charge: FakeCharge, wish: RefundWish): FakeRefund {
  return {
    id: world.newId('re'),
    object: 'refund',
    ...wish,
    balance_transaction: null,
    charge: charge.id,
    created: world.seconds(),
    currency: charge.currency,
    payment_intent: charge.payment_intent,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
}
