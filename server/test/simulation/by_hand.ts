import { Action, type Crash, minuteMs } from './action.ts';
import type { CardName, Model } from './model.ts';
import { Create } from './steps.ts';
import type { World } from './world.ts';

type UnknownCard = Extract<CardName, 'reply_lost' | 'never_received'>;

/**
 * A payment whose outcome the gateway cannot find out, because the processor answers no inquiry: the operator asks the processor in person,
 * and enters what has happened.
 */
export class SettleByHand extends Action {
  readonly card: UnknownCard;
  readonly amount: number;
  readonly isManual: boolean;

  constructor(card: UnknownCard, amount: number, isManual: boolean, crash?: Crash) {
    super(crash);
    this.card = card;
    this.amount = amount;
    this.isManual = isManual;
  }

  /** The local simulator is part of the gateway, and always answers. */
  check({ place }: Readonly<Model>): boolean {
    return place !== 'local';
  }

  async act(model: Model, world: World): Promise<void> {
    await new Create(this.card, this.amount, this.isManual).act(model, world);
    const payment = model.payments.at(-1)!;
    await world.silence();
    for (let minutes = 0; minutes < 2; minutes++) await world.later(minuteMs);
    payment.status = this.#outcome();
    if (payment.status === 'succeeded') payment.received = payment.amount;
    await world.settleByHand(payment.id, payment.status, this.crash);
    await world.endSilence();
  }

  #outcome(): string {
    if (this.card === 'never_received') return 'failed';
    return this.isManual ? 'requires_capture' : 'succeeded';
  }
}
