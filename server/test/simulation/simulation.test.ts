import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { isTorture, seed } from '../torture.ts';
import { Model } from './model.ts';
import { Create, Refund, type Step, steps, Update } from './steps.ts';
import { type Place, World } from './world.ts';

/** With a number: as many new random runs. Without: always the same one, because a check in every test run must be deterministic. */
const lives = process.env.SIMULATION_LIVES ?? (isTorture ? '30' : undefined);
const lived = lives === undefined ? { numRuns: 1, seed: 7 } : { numRuns: Number(lives), seed: seed | 0 };
if (lives !== undefined) console.log(`${lives} lives with TEST_SEED=${seed}`);
const secondsPerLife = 120;
vi.setConfig({ testTimeout: lived.numRuns * secondsPerLife * 1_000 });

const stepsMax = 20;

/** One random run of a gateway. `plant` puts a fault into its database first. */
async function live(place: Place, commands: Iterable<Step>, plant?: string): Promise<void> {
  // A planted fault does not go away, so there is no use in waiting for it.
  const world = await World.open(place, plant === undefined ? 20_000 : 500);
  try {
    if (plant !== undefined) await world.sql.query(plant);
    const model = new Model(place !== 'stripe');
    await fc.asyncModelRun(() => ({ model, real: world }), commands);
    for (let minutes = 0; minutes < 5; minutes++) await world.later(60_000);
    const violations = await world.violations({ rest: true });
    if (violations.length > 0) throw new Error(violations.join('; '));
  } finally {
    await world.close();
  }
}

describe.each(['local', 'remote', 'stripe'] as const)('with a processor that is %s', (place) => {
  test('whatever a merchant does, and wherever the gateway is killed, it matches a simple model, and the books agree', async () => {
    const property = fc.asyncProperty(steps(stepsMax), (commands) => live(place, commands));
    await fc.assert(property, { ...lived, endOnFailure: true, verbose: 1 });
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

describe.each(faults)('$name', ({ plant, caught, steps: wanted }) => {
  test('is detected and named', async () => {
    await expect(live('local', wanted(), plant)).rejects.toThrow(caught);
  });
});
