import type fc from 'fast-check';
import { expect } from 'vitest';
import type { Answer } from '../client.ts';
import { compare, type Model, type PaymentModel } from './model.ts';
import type { Call, World } from './world.ts';

export type Step = fc.AsyncCommand<Model, World>;

/** Milliseconds into a request at which the gateway dies; undefined when it does not. */
export type Crash = number | undefined;

export const minuteMs = 60_000;

/** One action of a merchant. After each, the gateway must match the model, and the books must agree. */
export abstract class Action implements Step {
  readonly crash: Crash;

  constructor(crash: Crash) {
    this.crash = crash;
  }

  abstract check(model: Readonly<Model>): boolean;
  abstract act(model: Model, world: World): Promise<void>;

  async run(model: Model, world: World): Promise<void> {
    await this.act(model, world);
    await world.settled();
    model.settle();
    if (this.crash !== undefined) await passTime(model, world); // time has passed while the gateway was down
    await compare(model, world);
    const violations = await world.violations({ rest: false });
    if (violations.length > 0) throw new Error(violations.join('; '));
  }

  protected async send(model: Model, world: World, call: Call): Promise<Answer> {
    const answer = this.crash === undefined ? await world.send(call) : await world.sendAndCrash(call, this.crash);
    model.remember(call, answer);
    return answer;
  }

  /** The arguments of the constructor, for the reader of a counterexample. */
  toString(): string {
    const facts = Object.entries(this).filter(([, value]) => value !== undefined);
    return `${this.constructor.name}(${facts.map(([name, value]) => `${name}: ${value}`).join(', ')})`;
  }
}

/** Long enough for all inquiries. */
export async function passTime(model: Model, world: World): Promise<void> {
  for (let minutes = 0; minutes < 3; minutes++) await world.later(minuteMs);
  model.later();
}

export abstract class OnPayment extends Action {
  readonly pick: number;

  constructor(pick: number, crash: Crash) {
    super(crash);
    this.pick = pick;
  }

  check(model: Readonly<Model>): boolean {
    return model.payments.length > 0;
  }

  async act(model: Model, world: World): Promise<void> {
    await this.on(model.at(this.pick), model, world);
  }

  abstract on(payment: PaymentModel, model: Model, world: World): Promise<void>;
}

/**
 * The status of a payment whose server may have been killed during the request. Only the processor knows whether the request had reached
 * it, and the invariants check that; a model that knew would be a second gateway.
 */
export async function decided(model: Model, world: World, payment: PaymentModel): Promise<void> {
  const read = async () => (await world.get(`/v1/payments/${payment.id}`)).json;
  if ((await read()).status === 'processing') await passTime(model, world);
  const { status, amount_received } = await read();
  expect(['succeeded', 'canceled', 'failed', 'requires_capture']).toContain(status);
  payment.status = status;
  payment.received = amount_received;
}

export function refusedWith(answer: Answer, code: string): void {
  expect([answer.status, answer.json.error?.code]).toEqual([400, code]);
}
