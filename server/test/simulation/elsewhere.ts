import { expect } from 'vitest';
import { type Crash, OnPayment } from './action.ts';
import { type Model, type PaymentModel, refunded } from './model.ts';
import type { World } from './world.ts';

/** What somebody does at the processor itself: in its dashboard, or by other software. The gateway may die while it records it. */
abstract class Elsewhere extends OnPayment {
  override check(model: Readonly<Model>): boolean {
    return model.payments.length > 0 && this.isPossible(model.at(this.pick));
  }

  abstract isPossible(payment: PaymentModel): boolean;

  /** Waits until the gateway shows it. */
  protected async recorded<Shown>(world: World, find: () => Promise<Shown | undefined>): Promise<Shown> {
    if (this.crash !== undefined) await world.settleAndCrash(this.crash);
    await world.settled();
    return world.until(`${this} is recorded`, find);
  }
}

export class CaptureElsewhere extends Elsewhere {
  readonly part: number;

  constructor(pick: number, part: number, crash?: Crash) {
    super(pick, crash);
    this.part = part;
  }

  isPossible({ status }: PaymentModel): boolean {
    return status === 'requires_capture' && this.part <= 1;
  }

  async on(payment: PaymentModel, _model: Model, world: World): Promise<void> {
    const amount = Math.max(1, Math.floor(payment.amount * this.part));
    await world.moveByHand('capture', payment.id, amount);
    const { captured_elsewhere, amount_received } = await this.recorded(world, async () => {
      const { json } = await world.get(`/v1/payments/${payment.id}`);
      return json.status === 'succeeded' ? json : undefined;
    });
    expect([captured_elsewhere, amount_received]).toEqual([true, amount]);
    payment.status = 'succeeded';
    payment.received = amount;
  }
}

export class CancelElsewhere extends Elsewhere {
  isPossible({ status }: PaymentModel): boolean {
    return status === 'requires_capture';
  }

  async on(payment: PaymentModel, _model: Model, world: World): Promise<void> {
    await world.moveByHand('cancel', payment.id);
    const { cancellation_reason } = await this.recorded(world, async () => {
      const { json } = await world.get(`/v1/payments/${payment.id}`);
      return json.status === 'canceled' ? json : undefined;
    });
    expect(cancellation_reason).toBe('made_at_processor');
    payment.status = 'canceled';
  }
}

export class RefundElsewhere extends Elsewhere {
  readonly part: number;

  constructor(pick: number, part: number, crash?: Crash) {
    super(pick, crash);
    this.part = part;
  }

  /** Not where the bank returns it: it may come back before it is recorded, and then it never existed here. */
  isPossible(payment: PaymentModel): boolean {
    const { status, card, received, dispute } = payment;
    const isKept = card === 'approved' || card === 'reply_lost';
    return (
      status === 'succeeded' && isKept && dispute === undefined && this.#amount(payment) <= received - refunded(payment)
    );
  }

  #amount({ received }: PaymentModel): number {
    return Math.max(1, Math.floor(received * this.part));
  }

  async on(payment: PaymentModel, _model: Model, world: World): Promise<void> {
    const amount = this.#amount(payment);
    const known = new Set(payment.refunds.map(({ id }) => id));
    await world.moveByHand('refund', payment.id, amount);
    const refund = await this.recorded(world, async () => {
      const { data } = (await world.get(`/v1/refunds?payment=${payment.id}&limit=100`)).json;
      return data.find(({ id }: { id: string }) => !known.has(id));
    });
    expect(refund).toMatchObject({ amount, status: 'succeeded', reason: 'made_at_processor' });
    payment.refunds.push({ id: refund.id, amount, status: 'succeeded' });
  }
}
