import { expect } from 'vitest';
import type { Answer } from '../client.ts';
import { Action, type Crash, decided, OnPayment, passTime, refusedWith } from './action.ts';
import { type CardName, type Model, type PaymentModel, refunded } from './model.ts';
import { newCall, type World } from './world.ts';

export class Create extends Action {
  readonly card: CardName;
  readonly amount: number;
  readonly isManual: boolean;

  constructor(card: CardName, amount: number, isManual: boolean, crash?: Crash) {
    super(crash);
    this.card = card;
    this.amount = amount;
    this.isManual = isManual;
  }

  check(): boolean {
    return true;
  }

  async act(model: Model, world: World): Promise<void> {
    const { amount, isManual } = this;
    const more = isManual ? { capture_method: 'manual' } : {};
    const call = newCall('/v1/payments', { amount, currency: 'usd', ...more, ...(await this.terms(world)) });
    const answer = await this.send(model, world, call);
    const id = answer.status === 402 ? answer.json.error.payment : answer.json.id;
    const status = this.#statusOf(answer);
    const received = status === 'succeeded' ? amount : 0;
    const made = { id, card: this.card, amount, isManual, status, received, metadata: {}, refunds: [] };
    if (this.crash !== undefined && status === 'processing') await decided(model, world, made);
    model.payments.push(made);
  }

  /** The payment method, and how it is charged. */
  protected async terms(world: World): Promise<object> {
    const card = { number: world.cardNumber(this.card), exp_month: 12, exp_year: 2035 };
    return { payment_method: (await world.send(newCall('/v1/payment_methods', { type: 'card', card }))).json.id };
  }

  #statusOf(answer: Answer): string {
    if (this.card === 'declined' && (this.crash === undefined || answer.status === 402)) {
      expect([answer.status, answer.json.error?.code]).toEqual([402, 'card_declined']);
      return 'failed';
    }
    expect([answer.status, answer.json.error]).toEqual([200, undefined]);
    // After a crash the outcome may be unknown until an inquiry.
    const isUnknown = this.card === 'reply_lost' || this.card === 'never_received';
    const known = this.isManual ? 'requires_capture' : 'succeeded';
    const expected = isUnknown ? ['processing'] : this.crash === undefined ? [known] : [known, 'processing'];
    expect(expected).toContain(answer.json.status);
    return answer.json.status;
  }
}

export class Capture extends OnPayment {
  readonly part: number;

  constructor(pick: number, part: number, crash?: Crash) {
    super(pick, crash);
    this.part = part;
  }

  async on(payment: PaymentModel, model: Model, world: World): Promise<void> {
    const amount = Math.max(1, Math.floor(payment.amount * this.part));
    const call = newCall(`/v1/payments/${payment.id}/capture`, { amount });
    const answer = await this.send(model, world, call);
    if (payment.status !== 'requires_capture') return refusedWith(answer, 'payment_not_capturable');
    if (amount > payment.amount) return refusedWith(answer, 'capture_exceeds_authorized');
    expect([answer.status, answer.json.error]).toEqual([200, undefined]);
    await decided(model, world, payment);
  }
}

export class Cancel extends OnPayment {
  async on(payment: PaymentModel, model: Model, world: World): Promise<void> {
    const answer = await this.send(model, world, newCall(`/v1/payments/${payment.id}/cancel`, {}));
    if (payment.status !== 'requires_capture') return refusedWith(answer, 'payment_not_cancelable');
    expect([answer.status, answer.json.error]).toEqual([200, undefined]);
    await decided(model, world, payment);
  }
}

export class Refund extends OnPayment {
  /** The share of the amount received; slightly above one is too much. */
  readonly part: number;

  constructor(pick: number, part: number, crash?: Crash) {
    super(pick, crash);
    this.part = part;
  }

  async on(payment: PaymentModel, model: Model, world: World): Promise<void> {
    const amount = Math.max(1, Math.floor((payment.received || payment.amount) * this.part));
    const answer = await this.send(model, world, newCall('/v1/refunds', { payment: payment.id, amount }));
    const code = errorOf(payment, amount);
    if (code !== undefined) return refusedWith(answer, code);
    expect([answer.status, answer.json.error]).toEqual([200, undefined]);
    const first = payment.card === 'refund_pending' ? 'pending' : 'succeeded';
    const { id, status } = answer.json;
    const isBouncing = payment.card === 'refund_bounces';
    // After a crash it may be unknown or settled, and have bounced.
    const afterCrash = ['pending', 'succeeded', ...(isBouncing ? ['failed'] : [])];
    expect(this.crash === undefined ? [first] : afterCrash).toContain(status);
    payment.refunds.push({ id, amount, status });
    // A report that comes before the answer to the call is handled some seconds later.
    if (isBouncing || (status === 'pending' && first === 'succeeded')) await passTime(model, world);
  }
}

function errorOf(payment: PaymentModel, amount: number): string | undefined {
  if (payment.status !== 'succeeded') return 'payment_not_refundable';
  const { dispute } = payment;
  if (dispute !== undefined && dispute.status !== 'won') return 'payment_disputed';
  return amount > payment.received - refunded(payment) ? 'refund_exceeds_payment' : undefined;
}

export class Update extends OnPayment {
  readonly value: number;

  constructor(pick: number, value: number, crash?: Crash) {
    super(pick, crash);
    this.value = value;
  }

  async on(payment: PaymentModel, model: Model, world: World): Promise<void> {
    const name = `k${this.value % 5}`;
    const call = newCall(`/v1/payments/${payment.id}`, { metadata: { [name]: this.value } });
    expect((await this.send(model, world, call)).status).toBe(200);
    payment.metadata[name] = this.value;
  }
}

export class Contest extends OnPayment {
  readonly evidence: 'winning_evidence' | 'losing_evidence' | 'a letter';

  constructor(pick: number, evidence: Contest['evidence'], crash?: Crash) {
    super(pick, crash);
    this.evidence = evidence;
  }

  override check(model: Readonly<Model>): boolean {
    return model.payments.length > 0 && model.at(this.pick).dispute?.status === 'needs_response';
  }

  async on({ id, dispute }: PaymentModel, model: Model, world: World): Promise<void> {
    const name = (await world.get(`/v1/payments/${id}`)).json.dispute;
    const body = { evidence: { uncategorized_text: this.evidence }, submit: true };
    const answer = await this.send(model, world, newCall(`/v1/disputes/${name}`, body));
    expect([answer.status, answer.json.error]).toEqual([200, undefined]);
    dispute!.status = 'under_review';
    if (this.evidence !== 'a letter') dispute!.awaits = this.evidence === 'winning_evidence' ? 'won' : 'lost';
    await passTime(model, world); // notices that were sent while the server died are sent again
  }
}

export class Close extends OnPayment {
  override check(model: Readonly<Model>): boolean {
    const status = model.payments.length > 0 ? model.at(this.pick).dispute?.status : undefined;
    return status === 'needs_response' || status === 'under_review';
  }

  async on({ id, dispute }: PaymentModel, model: Model, world: World): Promise<void> {
    const name = (await world.get(`/v1/payments/${id}`)).json.dispute;
    const answer = await this.send(model, world, newCall(`/v1/disputes/${name}/close`, {}));
    expect([answer.status, answer.json.error]).toEqual([200, undefined]);
    dispute!.status = 'lost';
    await passTime(model, world);
  }
}

/** A repeated request gets the same answer, byte for byte, and has no effect. */
export class Retry extends Action {
  readonly pick: number;

  constructor(pick: number, crash?: Crash) {
    super(crash);
    this.pick = pick;
  }

  check(model: Readonly<Model>): boolean {
    return model.sent.length > 0;
  }

  async act(model: Model, world: World): Promise<void> {
    const { call, status, text } = model.sent[this.pick % model.sent.length]!;
    const again = this.crash === undefined ? await world.send(call) : await world.sendAndCrash(call, this.crash);
    expect([again.status, again.text]).toEqual([status, text]);
  }
}

export class Wait extends Action {
  constructor() {
    super(undefined);
  }

  check(): boolean {
    return true;
  }

  async act(model: Model, world: World): Promise<void> {
    await passTime(model, world);
  }
}
