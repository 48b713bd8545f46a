import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import type { Committer, Write } from './index.ts';
import { claimExpiring, claimLasting, drop, fates, openWorld, put, remark, type World } from './units.fixture.ts';

/** What a unit does to one thing, based on the version that it has read. */
type Wish = { thing: string; version: number; does: 'put' | 'drop' };
type UnitPlan = { by: 0 | 1; wishes: Wish[]; expiring: string[]; lasting: string[]; turn: number };

const names = ['a', 'b', 'c'];

const wish = fc.record<Wish>({
  thing: fc.constantFrom(...names),
  version: fc.constantFrom(1, 1, 1, 2, 3),
  does: fc.constantFrom('put', 'put', 'put', 'drop'),
});
const some = (key: fc.Arbitrary<string>) => fc.uniqueArray(key, { maxLength: 2 });
const unitPlan: fc.Arbitrary<UnitPlan> = fc.record({
  by: fc.constantFrom(0 as const, 1 as const),
  wishes: fc.uniqueArray(wish, { maxLength: 2, selector: (each) => each.thing }),
  expiring: some(fc.constantFrom('k', 'l', 'm')),
  lasting: some(fc.constantFrom('k', 'l')),
  turn: fc.nat({ max: 3 }),
});

function writesOf(plan: UnitPlan, name: string): Write<'both'>[] {
  return [
    remark(name),
    ...plan.wishes.map(({ thing, version, does }) =>
      does === 'put' ? put(thing, version + 1, name) : drop(thing, version),
    ),
    ...plan.expiring.map((key) => claimExpiring(key, name)),
    ...plan.lasting.map((key) => claimLasting(key, name)),
  ];
}

let world: World;
let committers: [Committer, Committer];

beforeEach(async () => {
  world = await openWorld();
  committers = [world.committer().committer, world.committer().committer];
});
afterEach(() => world.stop());

/** Commits every unit in its turn, each with its committer; both committers work at the same time. */
async function run(plans: readonly UnitPlan[]): Promise<string[]> {
  const commits: Promise<string>[] = new Array(plans.length);
  for (let turn = 0; turn <= 3; turn++) {
    for (const [at, plan] of plans.entries())
      if (plan.turn === turn) commits[at] = committers[plan.by].commit({ writes: writesOf(plan, `unit ${at}`) });
    await new Promise((resolve) => setImmediate(resolve));
  }
  return fates(commits);
}

/**
 * The order given by the versions: the unit that wrote a version comes before the unit that wrote the next. Fails when two units wrote the
 * same version, when a version was skipped, or when the order has a cycle, which no serial run has.
 */
function serialOrder(plans: readonly UnitPlan[], committed: readonly number[]): number[] {
  const before = new Map<number, number[]>(committed.map((at) => [at, []]));
  for (const thing of names) {
    const writers = new Map<number, number>();
    for (const at of committed)
      for (const one of plans[at]!.wishes)
        if (one.thing === thing) {
          expect(writers.has(one.version), `two units changed version ${one.version} of ${thing}`).toBe(false);
          writers.set(one.version, at);
        }
    expect([...writers.keys()].sort()).toEqual(Array.from({ length: writers.size }, (_, at) => at + 1));
    for (let version = 2; version <= writers.size; version++)
      before.get(writers.get(version)!)!.push(writers.get(version - 1)!);
  }
  const order: number[] = [];
  while (order.length < committed.length) {
    const next = committed.find((at) => !order.includes(at) && before.get(at)!.every((one) => order.includes(one)));
    expect(next, 'the units stand in a circle').toBeDefined();
    order.push(next!);
  }
  return order;
}

/** The state after these units run one after the other. */
function serially(plans: readonly UnitPlan[], order: readonly number[]) {
  const things: Record<string, string> = Object.fromEntries(names.map((name) => [name, `${name} 1`]));
  const claims: Record<'expiring' | 'lasting', Record<string, string>> = { expiring: {}, lasting: {} };
  for (const at of order) {
    const plan = plans[at]!;
    for (const { thing, does } of plan.wishes) {
      expect(things[thing], `unit ${at} changed ${thing} after it was gone`).toBeDefined();
      if (does === 'put') things[thing] = `unit ${at}`;
      else delete things[thing];
    }
    for (const kind of ['expiring', 'lasting'] as const)
      for (const key of plan[kind]) {
        expect(claims[kind][key], `two units have the key ${key}`).toBeUndefined();
        claims[kind][key] = `unit ${at}`;
      }
  }
  return { things, ...claims, remarks: order.map((at) => `unit ${at}`).sort() };
}

/** Whether a unit may conflict: its key is taken, or its row was changed, or its row was never at that version. */
function isExcused(plans: readonly UnitPlan[], committed: readonly number[], loser: UnitPlan): boolean {
  const others = committed.map((at) => plans[at]!);
  const shares = (a: string[], b: string[]) => a.some((key) => b.includes(key));
  const taken = others.some((one) => shares(one.expiring, loser.expiring) || shares(one.lasting, loser.lasting));
  const moved = loser.wishes.some(
    ({ thing, version }) =>
      version > 1 || others.some((one) => one.wishes.some((each) => each.thing === thing && each.version === version)),
  );
  return taken || moved;
}

test('two committers on the same rows and keys leave the state of some serial order: every unit whole or not at all', async () => {
  const unexcused: UnitPlan[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(unitPlan, { minLength: 2, maxLength: 16 }), async (plans) => {
      await world.reset(...names);
      const verdicts = await run(plans);
      expect(verdicts.filter((verdict) => verdict !== 'committed' && verdict !== 'conflict')).toEqual([]);
      const committed = [...plans.keys()].filter((at) => verdicts[at] === 'committed');
      const expected = serially(plans, serialOrder(plans, committed));
      expect({
        things: await world.things(),
        expiring: await world.claims('expiring_keys'),
        lasting: await world.claims('lasting_keys'),
        remarks: await world.remarks(),
      }).toEqual(expected);
      for (const [at, plan] of plans.entries())
        if (verdicts[at] === 'conflict' && !isExcused(plans, committed, plan)) unexcused.push(plan);
    }),
    { numRuns: 80 },
  );
  // Where PostgreSQL had to resolve a deadlock, it chose the unit that conflicts.
  if ((await deadlocks()) === 0) expect(unexcused).toEqual([]);
});

/** The number of deadlocks that PostgreSQL resolved, each after a second without commits. */
async function deadlocks(): Promise<number> {
  await Promise.all(committers.map((committer) => committer.close())); // a server process reports its statistics when it exits
  await eventually(async () => {
    const left = await world.sql.query(`select 1 from pg_stat_activity where application_name = 'tollgate commit'
      and datname = current_database()`);
    expect(left.rows).toEqual([]);
  });
  const stats = await world.sql.query('select deadlocks from pg_stat_database where datname = current_database()');
  return stats.rows[0].deadlocks;
}

test('two committers whose updates and deletes cross do not deadlock', async () => {
  await world.reset(...names);
  const [first, second] = committers;
  const letGo = await world.hold('c');
  const commit = (committer: Committer, name: string, ...writes: Write<'both'>[]) =>
    committer.commit({ writes: [...writes, remark(name)] });
  const commits = [commit(first, '1', put('b', 2)), commit(first, '2', put('c', 2)), commit(first, '3', drop('a', 1))];
  await world.untilBlocked();
  commits.push(commit(second, '4', put('a', 2)), commit(second, '5', put('c', 2)), commit(second, '6', drop('b', 1)));
  await eventually(async () => expect(await world.blocked()).toHaveLength(2));
  await letGo();
  const verdicts = await fates(commits);
  const committed = ['1', '2', '3', '4', '5', '6'].filter((_, at) => verdicts[at] === 'committed');
  expect(await world.remarks()).toEqual(committed);
  expect(await deadlocks()).toBe(0);
});
