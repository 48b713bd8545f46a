import { requireStatus } from './intent.ts';
import { cancel, take } from './outcomes.ts';
import { giveBack } from './refunds.ts';
import { newRefund } from './release.ts';
import { named } from './route.ts';
import { cancelSetup } from './setup_outcomes.ts';
import type { FakeCharge, FakeIntent, FakeRefund, FakeSetupIntent } from './shapes.ts';
import type { FakeWorld } from './world.ts';

/** What a person does in Stripe's dashboard, or other software: nothing of it carries a mark of the gateway. */
export type FakeByHand = {
  /** Any amount, because Stripe lets some merchants capture more than was authorized. Default: all that is held. */
  capture(intent: string, amount?: number): FakeIntent;
  /** Default: all that is left. */
  refund(intent: string, amount?: number): FakeRefund;
  /** Of a payment, or of a setup. */
  cancel(intent: string): FakeIntent | FakeSetupIntent;
  /** Removes a member of the metadata of an object. */
  unmark(object: string, member: string): void;
};

export function byHand(world: FakeWorld): FakeByHand {
  const intentOf = (id: string) => named<FakeIntent>(world, 'payment_intent', id, 'payment_intent');
  const chargeOf = ({ latest_charge }: FakeIntent) => world.get<FakeCharge>(latest_charge!);
  return {
    capture(id, wanted) {
      const intent = intentOf(id);
      requireStatus(intent, 'captured', ['requires_capture']);
      const charge = chargeOf(intent);
      const amount = wanted ?? intent.amount_capturable;
      take(world, intent, charge, amount);
      const { currency, metadata } = intent;
      world.record({ kind: 'capture', id: charge.id, payment_intent: intent.id, amount, currency, metadata });
      world.report('charge.captured', charge);
      world.report('payment_intent.succeeded', intent);
      return intent;
    },
    refund(id, wanted) {
      const charge = chargeOf(intentOf(id));
      const amount = wanted ?? charge.amount - charge.amount_refunded;
      return giveBack(world, charge, newRefund(world, charge, { amount, reason: null, metadata: {} }));
    },
    cancel(id) {
      const setup = world.find(id);
      if (setup?.object === 'setup_intent')
        return cancelSetup(world, setup as FakeSetupIntent, 'requested_by_customer');
      const intent = intentOf(id);
      requireStatus(intent, 'canceled', ['requires_capture', 'requires_action']);
      cancel(world, intent, 'requested_by_customer');
      return intent;
    },
    unmark(id, member) {
      const object = world.get<FakeIntent | FakeSetupIntent | FakeRefund>(id);
      const { [member]: _, ...metadata } = object.metadata;
      object.metadata = metadata;
    },
  };
}
