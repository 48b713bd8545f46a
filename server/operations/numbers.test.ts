import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CuttingProxy } from '../base/commit/cutting_proxy.fixture.ts';
import {
  type Commits,
  Committer,
  claim,
  discard,
  insert,
  type Table,
  table,
  type Unit,
  update,
  type Write,
} from '../base/commit/index.ts';
import { fates } from '../base/commit/units.fixture.ts';
import { Reads, type Tenant } from '../base/reads.ts';
import { Type } from '../base/schema.ts';
import { type Connection, connect, type DatabaseAddress, openPool, type Pool } from '../base/sql.ts';
import { catalog } from '../catalog.ts';
import { executorHooks } from '../resources/hooks.ts';
import { createDatabase } from '../test/harness.ts';
import type { Caller } from './caller.ts';
import { Executor, type ExecutorServices, type Once } from './executor.ts';
import { Numbers } from './numbers.ts';
import { type Outcome, operation } from './operation.ts';

/** Slips of paper with numbers, as invoices have them. */
type Slip = { tenant: Tenant; id: string; version: number; number: number; words: string };

const slips: Table<Slip> = table('slips', { int4: 'tenant version', text: 'id words', int8: 'number' });
const schema = `
  create table slips (
    tenant int4, id text collate "C", version int4 not null, number int8 not null, words text check (words <> 'poison'),
    primary key (tenant, id));
  create unique index on slips (tenant, number) where number > 0;
  create table answers (tenant int4, id text collate "C", answer json not null, primary key (tenant, id));`;

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
let pool: Pool;
let proxy: CuttingProxy;
let fallible: Committer;
const committers: Committer[] = [];
let first: Numbers;
let second: Numbers;

/** What another instance has: a separate committer. */
function committer(address: DatabaseAddress): Committer {
  const made = new Committer(address, { patience: { reconnectMs: 600 } });
  committers.push(made);
  return made;
}

const numbersBy = (by: Commits) => new Numbers({ reads: new Reads(pool), committer: by });

beforeAll(async () => {
  database = await createDatabase();
  sql = await connect(database.address, 'test');
  await sql.query(schema);
  pool = openPool(database.address, { use: 'durable', connectionsMax: 4, onError: () => {} });
  proxy = new CuttingProxy(database.address);
  await proxy.listen();
  first = numbersBy(committer(database.address));
  second = numbersBy(committer(database.address));
  fallible = committer(proxy.through(database.address));
});
afterAll(async () => {
  proxy.comeBack();
  await Promise.all(committers.map((one) => one.close()));
  await proxy.close();
  await pool.end();
  await sql.end();
  await database.drop();
});
beforeEach(async () => {
  await sql.query('truncate slips, answers, sequences');
});

const shop = 1 as Tenant;

type Render = (number: number) => Write[];

const slip =
  (id: string, { tenant = shop, words = 'new' } = {}): Render =>
  (number) => [insert(slips, { tenant, id, version: 1, number, words })];

/** Gives a number to a slip that has none yet: conflicts unless it is at the version before. */
const stamp =
  (id: string, version = 2, words = 'stamped'): Render =>
  (number) => [update(slips, { tenant: shop, id, version, number, words })];

/** A slip without a number. */
async function blank(id: string): Promise<void> {
  await sql.query(`insert into slips values ($1, $2, 1, 0, 'blank')`, [shop, id]);
}

const give = (numbers: Numbers, ...renders: Render[]) =>
  fates(renders.map((render) => numbers.commit(shop, 'slip', render)));

/** A committer whose first commits come too late: another instance has given a number after the sequence was read. */
function overtaken(times: number): Commits {
  const late = committer(database.address);
  let left = times;
  return {
    commit: async (unit) => {
      if (left-- > 0) await give(second, slip(`overtaking ${crypto.randomUUID()}`));
      return late.commit(unit);
    },
  };
}

/** Slip → number. */
async function given(tenant = shop): Promise<Record<string, number>> {
  const { rows } = await sql.query('select id, number from slips where tenant = $1 and number > 0 order by number', [
    tenant,
  ]);
  return Object.fromEntries(rows.map(({ id, number }) => [id, Number(number)]));
}

/** The tenants that have a gap, or whose sequence is not at their last number. */
async function gaps(): Promise<unknown[]> {
  const { rows } = await sql.query(
    `select s.tenant, s.last, count(l.number), max(l.number)
       from sequences s left join slips l on l.tenant = s.tenant and l.number > 0
      group by s.tenant, s.last having count(l.number) <> s.last or coalesce(max(l.number), 0) <> s.last`,
  );
  return rows;
}

test('two instances and many tenants: no number is missing at any moment, and each change has one', async () => {
  const tenants = Array.from({ length: 20 }, (_, at) => at + 1) as Tenant[];
  const each = 100;
  const commits = [];
  for (let at = 0; at < each; at++)
    for (const tenant of at % 2 === 0 ? tenants : tenants.toReversed())
      commits.push([first, second][at % 2]!.commit(tenant, 'slip', slip(`slip ${at}`, { tenant })));
  const ending = fates(commits);
  let isOver = false;
  const watching = (async () => {
    const seen: unknown[] = [];
    while (!isOver) seen.push(...(await gaps()));
    return seen;
  })();
  expect(new Set(await ending)).toEqual(new Set(['committed']));
  isOver = true;
  expect(await watching).toEqual([]);
  for (const tenant of tenants) {
    const numbers = await given(tenant);
    expect(Object.keys(numbers)).toHaveLength(each);
    expect(Object.values(numbers)).toEqual(Array.from({ length: each }, (_, at) => at + 1));
  }
});

test('changes that another instance has overtaken get the next numbers', async () => {
  const calls: number[] = [];
  const watched: Render = (number) => {
    calls.push(number);
    return slip('a')(number);
  };
  expect(await give(numbersBy(overtaken(2)), watched)).toEqual(['committed']);
  expect(calls).toEqual([1, 2, 3]);
  expect(await give(numbersBy(overtaken(1)), slip('b'), slip('c'))).toEqual(['committed', 'committed']);
  expect(await given()).toMatchObject({ a: 3, b: 5, c: 6 });
  expect(await gaps()).toEqual([]);
});

test('sequences of one tenant count for themselves', async () => {
  await first.commit(shop, 'slip', slip('a'));
  const seen: number[] = [];
  await first.commit(shop, 'receipt', (number) => {
    seen.push(number);
    return [insert(slips, { tenant: shop, id: 'b', version: 1, number: 0, words: '' })];
  });
  expect(seen).toEqual([1]);
});

describe('of changes that wait at the same moment,', () => {
  test('one that conflicts for another reason is answered so, and the others have all numbers', async () => {
    await blank('stale');
    const fate = await give(first, slip('a'), stamp('stale', 7), slip('b'), slip('c'));
    expect(fate).toEqual(['committed', 'conflict', 'committed', 'committed']);
    expect(await given()).toEqual({ a: 1, b: 2, c: 3 });
    expect(await gaps()).toEqual([]);
  });

  test('one that the database refuses fails, and the others have all numbers', async () => {
    const fate = await give(first, slip('a'), slip('b', { words: 'poison' }), slip('c'));
    expect(fate).toEqual(['committed', 'DatabaseError', 'committed']);
    expect(await given()).toEqual({ a: 1, c: 2 });
    expect(await gaps()).toEqual([]);
  });

  test('one that cannot be decided fails, and the others have all numbers', async () => {
    const broken: Render = () => {
      throw new TypeError('broken');
    };
    const fate = await give(first, slip('a'), broken, slip('b'));
    expect(fate).toEqual(['committed', 'TypeError', 'committed']);
    expect(await given()).toEqual({ a: 1, b: 2 });
  });

  test('those that touch the same row are committed one after the other', async () => {
    await blank('x');
    const fate = await give(first, slip('a'), stamp('x'), stamp('x'), slip('b'), stamp('x', 3));
    expect(fate).toEqual(['committed', 'committed', 'conflict', 'committed', 'committed']);
    expect(await given()).toEqual({ a: 1, b: 3, x: 4 });
  });

  test('one on the row of another that fails gets its own outcome', async () => {
    await blank('x');
    const fate = await give(first, slip('a'), stamp('x', 2, 'poison'), stamp('x'));
    expect(fate).toEqual(['committed', 'DatabaseError', 'committed']);
    expect(await given()).toEqual({ a: 1, x: 2 });
    expect(await gaps()).toEqual([]);
  });

  test('those that are too large for one commit together are committed by themselves', async () => {
    const large =
      (id: string): Render =>
      (number) => [
        ...slip(id)(number),
        ...Array.from({ length: 3_000 }, (_, at) => discard(slips, { tenant: shop, id: `${id} ${at}` })),
      ];
    const fate = await give(first, large('a'), large('b'), large('c'), large('d'));
    expect(fate).toEqual(['committed', 'committed', 'committed', 'committed']);
    expect(await given()).toEqual({ a: 1, b: 2, c: 3, d: 4 });
  });
});

test('numbering that is stuck for one tenant does not delay another', async () => {
  const open = committer(database.address);
  const gate = Promise.withResolvers<void>();
  const isOf = ({ writes }: Unit, tenant: Tenant) => writes.some(({ row }) => row.tenant === tenant);
  const numbers = numbersBy({
    commit: async (unit) => {
      if (isOf(unit, shop)) await gate.promise;
      return open.commit(unit);
    },
  });
  const other = 2 as Tenant;
  const stuck = give(numbers, slip('a'), slip('b'));
  expect(await numbers.commit(other, 'slip', slip('a', { tenant: other }))).toBe('committed');
  expect(await numbers.commit(other, 'slip', slip('b', { tenant: other }))).toBe('committed');
  expect(await given()).toEqual({});
  gate.resolve();
  expect(await stuck).toEqual(['committed', 'committed']);
});

describe('when the connection breaks', () => {
  test('after the commit, its changes are found, and the next number follows', async () => {
    const numbers = numbersBy(fallible);
    const sprung = proxy.plan('cut after', 'needle');
    const fate = await give(numbers, slip('a'), slip('b', { words: 'needle' }), slip('c'));
    await sprung;
    expect(fate).toEqual(['committed', 'committed', 'committed']);
    expect(await give(numbers, slip('d'))).toEqual(['committed']);
    expect(Object.values(await given())).toEqual([1, 2, 3, 4]);
    expect(await gaps()).toEqual([]);
  });

  test('after the commit, and for long, its outcome is unknown, and the next number follows', async () => {
    const numbers = numbersBy(fallible);
    const sprung = proxy.plan('cut after', 'needle').then(() => proxy.goDown());
    const fate = await give(numbers, slip('a'), slip('b', { words: 'needle' }));
    await sprung;
    expect(fate).toEqual(['Unavailable', 'Unavailable']);
    proxy.comeBack();
    expect(await give(numbers, slip('c'))).toEqual(['committed']);
    expect(await given()).toEqual({ a: 1, b: 2, c: 3 });
  });

  test('before the commit, its numbers are given to the next changes', async () => {
    const numbers = numbersBy(fallible);
    expect(await give(numbers, slip('before'))).toEqual(['committed']);
    const sprung = proxy.plan('cut before', 'needle');
    expect(await give(numbers, slip('a'), slip('b', { words: 'needle' }))).toEqual(['Unavailable', 'Unavailable']);
    await sprung;
    expect(await give(numbers, slip('c'), slip('d'))).toEqual(['committed', 'committed']);
    expect(await given()).toEqual({ before: 1, c: 2, d: 3 });
  });

  test('those that wait for the next commit are not told that they failed', async () => {
    await blank('x');
    const numbers = numbersBy(fallible);
    proxy.plan('cut before', 'needle');
    const fate = await give(numbers, stamp('x', 2, 'needle'), stamp('x'));
    expect(fate).toEqual(['Unavailable', 'committed']);
    expect(await given()).toEqual({ x: 1 });
  });

  test("another instance's first number is not mistaken for one's own", async () => {
    await blank('x');
    const sprung = proxy.plan('cut before', 'needle').then(() => proxy.goDown());
    const ours = give(numbersBy(fallible), stamp('x', 2, 'needle'));
    await sprung;
    expect(await give(first, slip('a'))).toEqual(['committed']);
    proxy.comeBack();
    expect(await ours).toEqual(['Unavailable']);
    expect(await given()).toEqual({ a: 1 });
  });
});

describe('an operation that needs a number', () => {
  type Answer = { tenant: Tenant; id: string; answer: object };
  const answers: Table<Answer> = table('answers', { int4: 'tenant', text: 'id', json: 'answer' });

  let decisions = 0;

  /** `asks`: a processor is asked after the commit. */
  const make = (id: string, { asks = false } = {}) =>
    operation({
      name: 'slips.create',
      summary: 'Make a slip',
      route: 'POST /slips',
      output: Type.Object({}),
      async run() {
        decisions++;
        const outcome = (number: number): Outcome => ({
          result: { id, number },
          writes: slip(id)(number),
          due: number,
        });
        if (!asks) return { sequence: 'slip', numbered: outcome };
        const numbered = (number: number) => ({
          ...{ objectId: id, resumeBy: id, writes: slip(id)(number), due: number },
          ask: async () => async () => ({ result: { id, number, asked: (await given())[id] } }),
        });
        return { sequence: 'slip', numbered };
      },
    });

  /** A request with an idempotency key: its answer is stored in the commit. */
  const onceBy = (id: string): Once<Outcome> => ({
    claim: (decided) => ('ask' in decided ? [] : [claim(answers, { tenant: shop, id, answer: decided.result })]),
    finish: () => [],
    stored: async () => (await stored())[id],
  });

  async function stored(): Promise<Record<string, Outcome>> {
    const { rows } = await sql.query('select id, answer from answers');
    return Object.fromEntries(rows.map(({ id, answer }) => [id, { result: answer }]));
  }

  function instance(by: Commits = committer(database.address)) {
    const due: number[] = [];
    const clock = { now: () => 0 };
    const needed = { reads: new Reads(pool), committer: by, clock };
    const services = { ...needed, onDue: (at: number) => void due.push(at) } as unknown as ExecutorServices;
    const executor = new Executor(services, executorHooks(catalog));
    const run = (key: string, id: string, options = {}) =>
      executor.change(
        {
          operation: make(id, options),
          caller: { kind: 'key', tenant: shop, mode: 'test' } as Caller,
          ...{ id: '', parameters: {}, requestId: null },
        },
        onceBy(key),
      );
    return { run, due };
  }

  test('answers, stores and is due with the number that was committed', async () => {
    const [one, other] = [instance(), instance()];
    const runs = Array.from({ length: 40 }, (_, at) => [one, other][at % 2]!.run(`key ${at}`, `slip ${at}`));
    const outcomes = await Promise.all(runs);
    const numbers = await given();
    expect(Object.values(numbers)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
    for (const [at, { result }] of outcomes.entries()) {
      expect(result).toEqual({ id: `slip ${at}`, number: numbers[`slip ${at}`] });
      expect((await stored())[`key ${at}`]).toEqual({ result });
    }
    expect([...one.due, ...other.due].sort((a, b) => a - b)).toEqual(Object.values(numbers));
  });

  test('is not decided again when another instance has overtaken it', async () => {
    decisions = 0;
    const { run, due } = instance(overtaken(1));
    expect((await run('key', 'a')).result).toEqual({ id: 'a', number: 2 });
    expect([decisions, due, await stored()]).toEqual([1, [2], { key: { result: { id: 'a', number: 2 } } }]);
  });

  test('takes one number when two instances are sent the same request', async () => {
    const [one, other] = [instance(), instance()];
    const outcomes = await Promise.all([one.run('key', 'a'), other.run('key', 'b'), one.run('further', 'c')]);
    expect(outcomes[0]!.result).toEqual(outcomes[1]!.result);
    expect(Object.values(await given())).toEqual([1, 2]);
    expect(await gaps()).toEqual([]);
  });

  test('has it before a processor is asked', async () => {
    const { run } = instance();
    expect((await run('key', 'a', { asks: true })).result).toEqual({ id: 'a', number: 1, asked: 1 });
  });
});
