import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Committer, type Derived } from './index.ts';
import { StatementBuilder } from './statement.ts';
import { claimLasting, openWorld, put, remark, tenant, type World } from './units.fixture.ts';

let world: World;
let committer: Committer;
let calls = 0;

/** Each remark that says "derive" makes a thing of the same id. */
const derived: Derived[] = [
  {
    from: { name: 'remarks' },
    statement: (remarks) =>
      `insert into things (tenant, id, version, value) select tenant, id, 1, 'of ' || id from ${remarks} where text = 'derive'`,
    rowsMax: 1,
  },
];

beforeAll(async () => {
  world = await openWorld();
  committer = new Committer(world.address, { derived, onDerived: () => void calls++ });
});
afterAll(async () => {
  await committer.close();
  await world.stop();
});
beforeEach(async () => {
  await world.reset('a');
  calls = 0;
});

test('derived rows are committed with the rows that they follow from, and onDerived is called once per batch', async () => {
  await Promise.all(
    ['1', '2', '3'].map((id) => committer.commit({ writes: [remark(id, id === '2' ? '' : 'derive')] })),
  );
  expect(await world.things()).toEqual({ a: 'a 1', 1: 'of 1', 3: 'of 3' });
  expect(calls).toBe(1);
  const writers = `select distinct xmin::text from (select xmin from remarks union all select xmin from things where id <> 'a') x`;
  expect((await world.sql.query(writers)).rows).toHaveLength(1);
});

test('onDerived is not called when there are no derived rows', async () => {
  await committer.commit({ writes: [remark('1'), put('a', 2)] });
  expect(calls).toBe(0);
});

test('after a conflict, the committed units have their derived rows, the others have none', async () => {
  const verdicts = await Promise.all([
    committer.commit({ writes: [put('a', 9), remark('lost', 'derive')] }),
    committer.commit({ writes: [claimLasting('key', 'me'), remark('held', 'derive')] }),
  ]);
  expect(verdicts).toEqual(['conflict', 'committed']);
  expect(await world.things()).toEqual({ a: 'a 1', held: 'of held' });
  expect(calls).toBe(1);
});

test('a unit that is committed by itself, because another unit of its batch fails, has its derived rows', async () => {
  const poisoned = committer.commit({ writes: [put('a', 2, 'poison')] });
  const good = committer.commit({ writes: [remark('good', 'derive')] });
  await expect(poisoned).rejects.toThrow();
  expect(await good).toBe('committed');
  expect(await world.things()).toEqual({ a: 'a 1', good: 'of good' });
  expect(calls).toBeGreaterThan(0);
});

test('writes in a transaction of a command have their derived rows too', async () => {
  await world.sql.query('begin');
  const { text, values } = new StatementBuilder(derived).build([remark('1', 'derive')]);
  await world.sql.query({ text, values });
  await world.sql.query('commit');
  expect(await world.things()).toEqual({ a: 'a 1', 1: 'of 1' });
  expect((await world.sql.query('select tenant from things where id = $1', ['1'])).rows).toEqual([{ tenant }]);
});
