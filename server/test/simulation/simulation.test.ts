import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { isTorture, places, seed, shareOfCases } from '../torture.ts';
import type { Step } from './action.ts';
import { Model } from './model.ts';
import { plainLife } from './plain_life.ts';
import { randomLife } from './random_life.ts';
import { SetUp } from './setups.ts';
import { Create, Refund, Update } from './steps.ts';
import { type Place, World } from './world.ts';

/** Random lives, under torture or if a number is given. In every test run there is only a plain one: a check there must be deterministic. */
const lives = Number(process.env.SIMULATION_LIVES ?? (isTorture ? 30 : 0));
if (lives > 0) console.log(`${lives} lives with TEST_SEED=${seed}`);
const secondsPerLife = 120;
vi.setConfig({ testTimeout: (1 + lives) * secondsPerLife * 1_000 });

const stepsMax = 20;

/** Some steps, each of which must be possible. */
async function inOrder(wanted: Step[], model: Model, world: World): Promise<void> {
  for (const step of wanted) {
    if (!(await step.check(model))) throw new Error(`${step} is not possible here`);
    await step.run(model, world);
  }
}

/** Random steps. Those that are not possible are left out. */
async function atRandom(commands: Iterable<Step>, model: Model, world: World): Promise<void> {
  await fc.asyncModelRun(() => ({ model, real: world }), commands);
}

/** One life of a gateway. `plant` puts a fault into its database first. */
async function live(place: Place, run: (model: Model, world: World) => Promise<void>, plant?: string): Promise<void> {
  // A planted fault does not go away, so there is no use in waiting for it.
  const world = await World.open(place, plant === undefined ? 20_000 : 500);
  try {
    if (plant !== undefined) await world.sql.query(plant);
    const model = new Model(place);
    await run(model, world);
    for (let minutes = 0; minutes < 5; minutes++) await world.later(60_000);
    const violations = await world.violations({ rest: true });
    if (violations.length > 0) throw new Error(violations.join('; '));
  } finally {
    await world.close();
  }
}

describe.each([...places, 'stripe'] as const)('with a processor that is %s', (place) => {
  test('with every action, and killed during some, a gateway matches a simple model, and the books agree', async () => {
    await live(place, (model, world) => inOrder(plainLife(place), model, world));
  });

  test.runIf(lives > 0)('the same holds whatever a merchant does, and wherever the gateway is killed', async () => {
    const life = (commands: Iterable<Step>) => live(place, (model, world) => atRandom(commands, model, world));
    const property = fc.asyncProperty(randomLife(stepsMax), life);
    await fc.assert(property, { numRuns: lives, seed: seed | 0, endOnFailure: true, verbose: 1 });
  });
});

/** Typical defects, planted in the database, so that no code has to be changed. */
const faults: { name: string; plant: string; caught: RegExp; steps: () => Step[] }[] = [
  {
    name: 'a posting that is made twice',
    plant: `
      drop index postings_once;
      create function planted() returns trigger language plpgsql as $$ begin
        if pg_trigger_depth() = 1 and new.kind = 'payment' then
          insert into postings select new.tenant, new.id || 'x', new.kind, new.debit, new.credit, new.amount, new.currency, new.source,
            new.payment, new.reference, new.available_on;
        end if;
        return null;
      end $$;
      create trigger planted after insert on postings for each row execute function planted()`,
    caught: /"own":970.*"own":470/, // 500 twice, less one fee
    steps: () => [new Create('approved', 500, false)],
  },
  {
    name: 'an event that is forgotten',
    plant: `
      create function planted() returns trigger language plpgsql as $$ begin
        return case when new.type = 'payment.refunded' then null else new end;
      end $$;
      create trigger planted before insert on events for each row execute function planted()`,
    caught: /tells of every refund/,
    steps: () => [new Create('approved', 500, false), new Refund(0, 0.5)],
  },
  {
    name: 'the end of a setup that is forgotten',
    plant: `
      create function planted() returns trigger language plpgsql as $$ begin
        return case when new.type = 'setup.succeeded' then null else new end;
      end $$;
      create trigger planted before insert on events for each row execute function planted()`,
    caught: /a setup has one event for its end/,
    steps: () => [new SetUp('challenged', 'trial', 'approve')],
  },
  {
    name: 'a refund over the limit',
    plant: `
      create function planted() returns trigger language plpgsql as $$ begin
        new.amount_refunded := least(new.amount_refunded, old.amount_refunded); -- the second one is not counted
        return new;
      end $$;
      create trigger planted before update on payments for each row when (old.amount_refunded is not null) execute function planted()`,
    caught: /counted on it|amount_refunded/,
    steps: () => [new Create('approved', 500, false), new Refund(0, 0.5), new Refund(0, 0.5), new Refund(0, 0.5)],
  },
  {
    name: 'an update that is lost',
    plant: `
      create function planted() returns trigger language plpgsql as $$ begin
        new.metadata := old.metadata;
        return new;
      end $$;
      create trigger planted before update on payments for each row when (old.metadata is not null) execute function planted()`,
    caught: /metadata|k\d/,
    steps: () => [new Create('approved', 500, false), new Update(0, 1), new Update(0, 2)],
  },
];

/** Two in every run: one that the comparison with the model detects, and one that the rules detect. */
describe.each(shareOfCases(faults, 1))('$name', ({ plant, caught, steps: wanted }) => {
  test('is detected and named', async () => {
    const life = live('local', (model, world) => inOrder(wanted(), model, world), plant);
    await expect(life).rejects.toThrow(caught);
  });
});
