import { expect } from 'vitest';
import type { Answer } from '../client.ts';
import { Action, type Crash, passTime } from './action.ts';
import type { CardName, Model, SetupCard, SetupModel } from './model.ts';
import { Create } from './steps.ts';
import { type Call, newCall, type World } from './world.ts';

/** By a request, or by a subscription that starts with a trial. A strict one is not made if the setup fails. */
export type SetUpBy = 'setup' | 'trial' | 'strict_trial';
/** What becomes of a challenge. Left alone, it expires. */
export type ChallengeEnd = 'approve' | 'refuse' | 'cancel' | 'leave';

const hourMs = 3_600_000;
const challengeEnds: Record<ChallengeEnd, SetupModel['status']> = {
  approve: 'succeeded',
  refuse: 'failed',
  cancel: 'canceled',
  leave: 'canceled',
};

/** Sets a card up without a charge, until that has an outcome. The gateway may die during the request, or else after the challenge. */
export class SetUp extends Action {
  readonly card: SetupCard;
  readonly by: SetUpBy;
  readonly end: ChallengeEnd;

  constructor(card: SetupCard, by: SetUpBy, end: ChallengeEnd, crash?: Crash) {
    super(crash);
    this.card = card;
    this.by = by;
    this.end = end;
  }

  check(): boolean {
    return true;
  }

  async act(model: Model, world: World): Promise<void> {
    const customer = await made(world, '/v1/customers', {});
    const card = { number: world.cardNumber(this.card), exp_month: 12, exp_year: 2035 };
    const method = await made(world, '/v1/payment_methods', { type: 'card', card, customer });
    const call = await this.#call(world, customer, method);
    const answer = await (this.#isChallenged ? sendAlone(model, world, call) : this.send(model, world, call));
    this.#checkAnswer(answer);
    const { data } = (await world.get(`/v1/setups?customer=${customer}`)).json;
    expect(data).toHaveLength(1);
    const { id, status, next_action } = data[0];
    if (this.#isChallenged) expect(status).toBe('requires_action');
    if (status === 'requires_action') await this.#decide(model, world, id, next_action.redirect_to_url.url);
    await passTime(model, world);
    const end = (await world.get(`/v1/setups/${id}`)).json.status;
    // Only the processor knows whether it had the request before the crash, and the invariants check that.
    expect(this.#isCrashed ? [this.#outcome, 'failed'] : [this.#outcome]).toContain(end);
    model.setups.push({ id, card: this.card, customer, method, status: end });
    await this.#checkSubscription(world, customer, answer);
  }

  async #call(world: World, customer: string, method: string): Promise<Call> {
    if (this.by === 'setup') return newCall('/v1/setups', { payment_method: method });
    const terms = { unit_amount: 900, currency: 'usd', recurring: { interval: 'month' }, product_name: 'Gold' };
    const price = await made(world, '/v1/prices', terms);
    const strict = this.by === 'strict_trial' ? { payment_behavior: 'error_if_incomplete' } : {};
    const items = [{ price }];
    return newCall('/v1/subscriptions', { customer, items, default_payment_method: method, trial_days: 90, ...strict });
  }

  /** Whether the cardholder is asked: a strict start declines instead. */
  get #isChallenged(): boolean {
    return (this.card === 'challenged' || this.card === 'challenged_once') && this.by !== 'strict_trial';
  }

  /** Whether the gateway dies during the request. */
  get #isCrashed(): boolean {
    return this.crash !== undefined && !this.#isChallenged;
  }

  get #outcome(): SetupModel['status'] {
    if (this.#isChallenged) return challengeEnds[this.end];
    return this.card === 'approved' || this.card === 'reply_lost' ? 'succeeded' : 'failed';
  }

  #checkAnswer({ status, json }: Answer): void {
    const isUnknown = this.card === 'reply_lost' || this.card === 'never_received';
    const isDeclined = this.#outcome === 'failed' && !isUnknown && !this.#isChallenged && this.by !== 'trial';
    expect(this.#isCrashed ? [200, 402] : [isDeclined ? 402 : 200], JSON.stringify(json)).toContain(status);
  }

  async #decide(model: Model, world: World, id: string, url: string): Promise<void> {
    if (this.end === 'cancel') {
      const { status, json } = await this.send(model, world, newCall(`/v1/setups/${id}/cancel`, {}));
      expect([status, json.error]).toEqual([200, undefined]);
      return;
    }
    if (this.end === 'leave') world.clock.advance(hourMs);
    else await world.decide(url, this.end);
    if (this.crash !== undefined) await world.settleAndCrash(this.crash);
    await world.settled();
  }

  /** It starts whatever becomes of the setup, unless it is strict, and no longer waits. */
  async #checkSubscription(world: World, customer: string, { status }: Answer): Promise<void> {
    const { data } = (await world.get(`/v1/subscriptions?customer=${customer}`)).json;
    expect(data).toHaveLength(this.by === 'setup' || status !== 200 ? 0 : 1);
    for (const one of data) expect([one.status, one.pending_setup]).toEqual(['trialing', undefined]);
  }
}

/** A charge without the cardholder, of a card that was set up, or was to be. */
export class ChargeSetUp extends Action {
  readonly pick: number;
  readonly amount: number;

  constructor(pick: number, amount: number, crash?: Crash) {
    super(crash);
    this.pick = pick;
    this.amount = amount;
  }

  check({ setups }: Readonly<Model>): boolean {
    return setups.length > 0;
  }

  async act(model: Model, world: World): Promise<void> {
    const setup = model.setups[this.pick % model.setups.length]!;
    await new OffSession(setup, behaviourOf(setup), this.amount, this.crash).act(model, world);
  }
}

class OffSession extends Create {
  readonly #setup: SetupModel;

  constructor(setup: SetupModel, behaviour: CardName, amount: number, crash: Crash) {
    super(behaviour, amount, false, crash);
    this.#setup = setup;
  }

  protected override async terms(world: World): Promise<object> {
    const { card, customer, method } = this.#setup;
    world.cardNumber(card);
    return { payment_method: method, customer, off_session: true };
  }
}

/** How a card behaves without its cardholder. One is approved if it was set up, another never. */
function behaviourOf({ card, status }: SetupModel): CardName {
  if (card === 'challenged_once') return status === 'succeeded' ? 'approved' : 'declined';
  return card === 'challenged' ? 'declined' : card;
}

async function made(world: World, path: string, body: object): Promise<string> {
  const { status, text, json } = await world.send(newCall(path, body));
  expect(status, text).toBe(200);
  return json.id;
}

async function sendAlone(model: Model, world: World, call: Call): Promise<Answer> {
  const answer = await world.send(call);
  model.remember(call, answer);
  return answer;
}
