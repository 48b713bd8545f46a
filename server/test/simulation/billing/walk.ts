import { numbers } from '../../numbers.ts';
import type { BillingAction, RefusalModel } from './actions.ts';
import { Chooser } from './choices.ts';
import { daySeconds } from './days.ts';
import { differences } from './differences.ts';
import { type BillingShown, expectedOf } from './expected.ts';
import { BillingModel } from './model.ts';
import { type Defect, type DunningModel, defects } from './state.ts';

/** What the model is compared with. */
export type Compared = {
  /** With `isCrash` a process dies on the way, here and when time passes. */
  act(action: BillingAction, isCrash: boolean): Promise<RefusalModel>;
  advance(to: number, isCrash: boolean): Promise<void>;
  /** What it shows. It may take a moment until that is what is expected. */
  shown(expected: BillingShown): Promise<BillingShown>;
};

export type Walk = { seed: number; start: number; days: number; customers: string[]; dunning: DunningModel };
export type Moment = [time: number, actions: BillingAction[]];

const toldMax = 12;

/** The same actions for the model, for what it is compared with, and for a model with each defect: these have to differ at some time. */
export class Journey {
  readonly model: BillingModel;
  readonly #way: Walk;
  readonly #compared: Compared;
  readonly #wrong: Map<Defect, BillingModel>;
  readonly #story: string[] = [];

  constructor(way: Walk, compared: Compared) {
    this.model = modelOf(way);
    this.#way = way;
    this.#compared = compared;
    this.#wrong = new Map(defects.map((defect) => [defect, modelOf(way, defect)]));
  }

  /** The defects that have made no difference so far. */
  get undetected(): Defect[] {
    return [...this.#wrong.keys()];
  }

  async advance(to: number, isCrash = false): Promise<void> {
    this.#story.push(`advance to ${to}${isCrash ? ', with a crash' : ''}`);
    this.model.advance(to);
    this.#eachWrong((model) => {
      if (isCrash) model.crash();
      model.advance(to);
    });
    await this.#compared.advance(to, isCrash);
  }

  async act(action: BillingAction, isCrash = false): Promise<void> {
    this.#story.push(`${JSON.stringify(action)}${isCrash ? ', with a crash' : ''}`);
    const expected = this.model.act(action);
    this.#eachWrong((model) => model.act(action));
    const answer = await this.#compared.act(action, isCrash);
    if (answer?.code !== expected?.code) this.#fail([`answered ${told(answer)}, but should ${told(expected)}`]);
  }

  async compare(): Promise<void> {
    const expected = expectedOf(this.model);
    const shown = await this.#compared.shown(expected);
    const found = differences(shown, expected);
    if (found.length > 0) this.#fail(found);
    this.#eachWrong((model, defect) => {
      if (differences(shown, expectedOf(model)).length > 0) this.#wrong.delete(defect);
    });
  }

  #eachWrong(run: (model: BillingModel, defect: Defect) => void): void {
    for (const [defect, model] of this.#wrong) run(model, defect);
  }

  #fail(found: string[]): never {
    const { seed, dunning } = this.#way;
    throw new Error([`seed ${seed}, ${dunning.end}`, ...this.#story.slice(-toldMax), ...found].join('\n'));
  }
}

function modelOf({ start, customers, dunning }: Walk, defect?: Defect): BillingModel {
  const model = new BillingModel(start, dunning, defect);
  for (const key of customers) model.addCustomer(key);
  return model;
}

function told(refusal: RefusalModel): string {
  return refusal === undefined ? '200' : `${refusal.status} ${refusal.code} ${refusal.message ?? ''}`;
}

/** Random steps through time, and an action for each customer after each. Throws at the first difference. */
export async function walk(way: Walk, compared: Compared): Promise<Journey> {
  const journey = new Journey(way, compared);
  const { model } = journey;
  const chooser = new Chooser(numbers(way.seed));
  const end = way.start + way.days * daySeconds;
  while (model.now < end) {
    const boundary = chooser.boundary(model);
    if (boundary !== undefined) {
      await journey.advance(boundary, chooser.isCrash());
      await journey.compare();
    }
    await journey.advance(chooser.later(model), chooser.isCrash());
    await journey.compare();
    for (const customer of model.customers.values()) {
      const action = chooser.next(model, customer);
      if (action !== undefined) await journey.act(action, chooser.isCrash());
    }
    await journey.compare();
  }
  return journey;
}

/** Actions that are given, each at its time; with a crash before the third. Throws at the first difference. */
export async function follow(way: Walk, compared: Compared, moments: Moment[]): Promise<Journey> {
  const journey = new Journey(way, compared);
  const last: Moment = [way.start + way.days * daySeconds, []];
  for (const [index, [time, actions]] of [...moments, last].entries()) {
    if (time > way.start) {
      await journey.advance(time, index === 2);
      await journey.compare();
    }
    for (const action of actions) await journey.act(action);
    await journey.compare();
  }
  return journey;
}
