import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Unavailable } from '../errors.ts';
import type { Write } from './index.ts';
import {
  add,
  claimExpiring,
  claimLasting,
  drop,
  fates,
  openWorld,
  put,
  remark,
  sheet,
  tenant,
  type World,
} from './units.fixture.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());
beforeEach(() => world.reset('a', 'b', 'c'));

/** Commits units at the same moment; returns the outcome of each, and the batches they made. */
async function commitTogether(...units: Write<'both'>[][]) {
  const { committer, batches } = world.committer();
  const verdicts = await fates(units.map((writes) => committer.commit({ writes })));
  await committer.close();
  return { verdicts, batches };
}

describe('units that wait at the same moment', () => {
  const mixes: [string, 'plain' | 'claims', Write<'both'>[]][] = [
    ['become one statement and one transaction', 'plain', [put('b', 2, 'gone'), remark('1')]],
    ['become one transaction where a table has both updates and deletes', 'claims', [drop('b', 1), remark('1')]],
  ];
  test.each(mixes)('%s', async (_, form, mixed) => {
    const { verdicts, batches } = await commitTogether(
      [put('a', 2), claimExpiring('key', 'me')],
      mixed,
      [claimLasting('key', 'me'), remark('2'), remark('3')],
      [add('d', 'new')],
    );
    expect(verdicts).toEqual(Array(4).fill('committed'));
    expect(batches).toEqual([{ units: 4, form }]);
    await world.sql.query(`delete from things where value = 'gone'`);
    expect(await world.things()).toEqual({ a: 'a 2', c: 'c 1', d: 'new' });
    expect(await world.remarks()).toEqual(['1', '2', '3']);
    const writers = await world.sql.query(
      `select distinct xmin::text from (select xmin from remarks union all select xmin from expiring_keys
         union all select xmin from things where id in ('a', 'd')) x`,
    );
    expect(writers.rows).toHaveLength(1);
  });

  test('are those that arrived while the last batch was in flight', async () => {
    const { committer, batches } = world.committer();
    const letGo = await world.hold('a');
    const first = committer.commit({ writes: [put('a', 2)] });
    await world.untilBlocked();
    const later = ['1', '2', '3'].map((id) => committer.commit({ writes: [remark(id)] }));
    await letGo();
    expect(await fates([first, ...later])).toEqual(Array(4).fill('committed'));
    expect(batches).toEqual([
      { units: 1, form: 'plain' },
      { units: 3, form: 'plain' },
    ]);
  });

  test('store what they write exactly, odd characters included', async () => {
    const texts = ['', ' ', '"quoted"', "it's", '{a,b}', 'NULL', 'back\\slash', 'line\nbreak', '🧾', '$1', '\\x00'];
    await commitTogether(...texts.map((text, at) => [remark(`n${at}`, text)]));
    const stored = await world.sql.query('select text from remarks order by length(id), id');
    expect(stored.rows.map((row) => row.text)).toEqual(texts);
  });
});

describe('the size of a commit is bounded', () => {
  /** Each remark may have this many rows derived from it. */
  const derived = [{ from: { name: 'remarks' }, statement: () => 'delete from things where false', rowsMax: 4_999 }];
  const MiB = 1_048_576;

  async function batchesOf(units: Write<'both'>[][]): Promise<number[]> {
    const { committer, batches } = world.committer(world.address, derived);
    expect(await fates(units.map((writes) => committer.commit({ writes })))).toEqual(units.map(() => 'committed'));
    return batches.map((batch) => batch.units);
  }

  test.each<[string, () => Write<'both'>[][], number[]]>([
    ['256 units', () => Array.from({ length: 300 }, (_, at) => [sheet(`${at}`, {})]), [256, 44]],
    ['20,000 rows, with those that can be derived', () => ['1', '2', '3', '4', '5'].map((id) => [remark(id)]), [4, 1]],
    ['1 MiB of text', () => ['1', '2', '3'].map((id) => [add(id, 'x'.repeat(MiB / 2 - 100))]), [2, 1]],
    ['1 MiB of JSON', () => ['1', '2', '3'].map((id) => [sheet(id, { a: ['x'.repeat(MiB / 2 - 100)] })]), [2, 1]],
    ['one unit that is larger', () => ['1', '2'].map((id) => [sheet(id, { a: 'x'.repeat(2 * MiB) })]), [1, 1]],
  ])('to %s', async (_, units, batches) => {
    expect(await batchesOf(units())).toEqual(batches);
  });

  test.each<[string, () => Write<'both'>[], string | RegExp]>([
    ['10,000 rows', () => Array.from({ length: 10_001 }, (_, at) => sheet(`${at}`, {})), '10001 rows'],
    ['10,000 rows that can be derived', () => ['1', '2', '3'].map((id) => remark(id)), '15000 rows'],
    ['8 MiB', () => [sheet('1', { a: 'x'.repeat(8 * MiB) })], / 83886\d\d bytes/],
  ])('and a unit of more than %s is refused, alone', async (_, writes, size) => {
    const { committer } = world.committer(world.address, derived);
    const refused = committer.commit({ writes: writes() });
    const other = committer.commit({ writes: [remark('other')] });
    await expect(refused).rejects.toThrow(size);
    expect(await other).toBe('committed');
    expect(await world.remarks()).toEqual(['other']);
  });
});

describe('a unit that cannot be written', () => {
  const good: Write<'both'>[][] = [
    [put('b', 2), remark('good 1')],
    [remark('good 2'), claimExpiring('good', 'good')],
  ];

  const losers: [string, Write<'both'>[]][] = [
    ['an update of a row that has changed', [put('a', 2)]],
    ['an update of a missing row', [put('z', 2)]],
    ['an update from a version that does not exist yet', [put('a', 9)]],
    ['a delete of a row that has changed', [drop('a', 1)]],
    ['a delete of a missing row', [drop('z', 1)]],
    ['a claim of a taken key that can expire', [claimExpiring('taken', 'me')]],
    ['a claim of a taken key that cannot expire', [claimLasting('taken', 'me')]],
    ['a guard that succeeds, with a claim of a taken key', [put('c', 2), claimExpiring('taken', 'me')]],
    ['a guard that fails, with a claim of a free key', [put('a', 2), claimExpiring('free', 'me')]],
    ['two guards of which one fails', [put('a', 2), put('c', 2)]],
    ['two claims, one of a taken key', [claimExpiring('free', 'me'), claimExpiring('taken', 'me')]],
    ['claims in two tables, one taken', [claimExpiring('free', 'me'), claimLasting('taken', 'me')]],
    ['claims in two tables, the other taken', [claimExpiring('taken', 'me'), claimLasting('free', 'me')]],
    ['an expired claim, with one that is taken', [claimExpiring('expired', 'me'), claimExpiring('taken', 'me')]],
    ['an insert of a row that exists', [remark('there')]],
  ];
  test.each(losers)('%s: only that unit conflicts, and nothing of it is written; the others are', async (_, loser) => {
    await world.sql.query(`update things set version = 2, value = 'moved' where id = 'a'`);
    await world.sql.query(
      `insert into expiring_keys values (${tenant}, 'taken', 'other', default), (${tenant}, 'expired', 'old', now() - interval '1 s')`,
    );
    await world.sql.query(`insert into lasting_keys values (${tenant}, 'taken', 'other')`);
    await world.sql.query(`insert into remarks values (${tenant}, 'there', 'before')`);

    const { verdicts } = await commitTogether(good[0]!, [remark('bad'), ...loser], good[1]!);
    expect(verdicts).toEqual(['committed', 'conflict', 'committed']);
    expect(await world.things()).toEqual({ a: 'moved', b: 'b 2', c: 'c 1' });
    expect(await world.remarks()).toEqual(['good 1', 'good 2', 'there']);
    expect(await world.claims('lasting_keys')).toEqual({ taken: 'other' });
    const { expired: _expired, ...keys } = await world.claims('expiring_keys');
    expect(keys).toEqual({ good: 'good', taken: 'other' });

    // A key that the loser had claimed is free for the next unit.
    const next = await commitTogether([
      claimExpiring('free', 'next'),
      claimLasting('free', 'next'),
      claimExpiring('expired', 'next'),
    ]);
    expect(next.verdicts).toEqual(['committed']);
  });

  test('is found by one retry of the whole batch, not one by one', async () => {
    await world.sql.query(`insert into expiring_keys values (${tenant}, 'taken', 'other')`);
    const many = Array.from({ length: 100 }, (_, at) => [
      remark(`n${at}`),
      claimExpiring(at % 10 ? `k${at}` : 'taken', `${at}`),
    ]);
    const { verdicts, batches } = await commitTogether(...many);
    // The ten claims on one key cannot share a batch: each waits for the one before it.
    expect(verdicts.filter((verdict) => verdict === 'conflict')).toHaveLength(10);
    expect(verdicts.filter((verdict) => verdict === 'committed')).toHaveLength(90);
    expect(batches[0]).toEqual({ units: 91, form: 'claims' });
    expect(batches).toHaveLength(10);
  });

  test('because of a constraint fails alone, whatever else is in the batch', async () => {
    const { verdicts } = await commitTogether(
      [put('a', 2), remark('1')],
      [add('d', 'poison'), remark('2'), claimExpiring('key', 'poisoned')],
      [put('b', 5), remark('3')],
      [put('c', 2, 'poison'), remark('4')],
      [claimExpiring('other', 'me'), remark('5')],
    );
    expect(verdicts).toEqual(['committed', 'DatabaseError', 'conflict', 'DatabaseError', 'committed']);
    expect(await world.things()).toEqual({ a: 'a 2', b: 'b 1', c: 'c 1' });
    expect(await world.remarks()).toEqual(['1', '5']);
    expect(await world.claims('expiring_keys')).toEqual({ other: 'me' });
  });

  test("because of a constraint gets the database's error, and the committer goes on", async () => {
    const { committer, batches } = world.committer();
    const poisoned = committer.commit({ writes: [add('d', 'poison')] });
    await expect(poisoned).rejects.toThrow('violates check constraint');
    expect(await committer.commit({ writes: [add('d', 'fine')] })).toBe('committed');
    expect(batches).toEqual([
      { units: 1, form: 'single' },
      { units: 1, form: 'plain' },
    ]);
  });
});

describe('a claim', () => {
  test("that has expired by the database's clock is replaced as a whole, in the plain form", async () => {
    await world.sql.query(
      `insert into expiring_keys values (${tenant}, 'key', 'old', now() - interval '1 millisecond')`,
    );
    const { verdicts, batches } = await commitTogether([claimExpiring('key', 'new'), remark('1')]);
    expect([verdicts, batches]).toEqual([['committed'], [{ units: 1, form: 'plain' }]]);
    const stored = await world.sql.query(
      `select owner, expires_at > now() + interval '59 minutes' as renewed from expiring_keys`,
    );
    expect(stored.rows).toEqual([{ owner: 'new', renewed: true }]);
  });

  test('that has expired is replaced in the claim form as well', async () => {
    await world.sql.query(`insert into expiring_keys values (${tenant}, 'key', 'old', now() - interval '1 hour')`);
    const { verdicts, batches } = await commitTogether([claimExpiring('key', 'new')], [put('a', 7)]);
    expect([verdicts, batches]).toEqual([['committed', 'conflict'], [{ units: 2, form: 'claims' }]]);
    expect(await world.claims('expiring_keys')).toEqual({ key: 'new' });
  });

  test('that has not expired yet keeps its key taken', async () => {
    await world.sql.query(`insert into expiring_keys values (${tenant}, 'key', 'old', now() + interval '1 minute')`);
    expect((await commitTogether([claimExpiring('key', 'new')])).verdicts).toEqual(['conflict']);
    expect(await world.claims('expiring_keys')).toEqual({ key: 'old' });
  });
});

describe('units on the same row', () => {
  test('go into different batches, in the order of their calls', async () => {
    const { verdicts, batches } = await commitTogether(
      [put('a', 2)],
      [remark('1')],
      [put('a', 3)],
      [remark('2')],
      [put('a', 4)],
    );
    expect(verdicts).toEqual(Array(5).fill('committed'));
    expect(batches.map((batch) => batch.units)).toEqual([3, 1, 1]);
    expect(batches.every((batch) => batch.form === 'plain')).toBe(true);
    expect(await world.things()).toMatchObject({ a: 'a 4' });
  });

  test('keep their order also when a waiting unit touches further rows', async () => {
    const { verdicts, batches } = await commitTogether([put('a', 2)], [put('a', 3), put('b', 2)], [put('b', 3)]);
    expect(verdicts).toEqual(Array(3).fill('committed'));
    expect(batches.map((batch) => batch.units)).toEqual([1, 1, 1]);
    expect(await world.things()).toEqual({ a: 'a 3', b: 'b 3', c: 'c 1' });
  });

  test('that claim one key: the first gets it', async () => {
    const { verdicts } = await commitTogether(
      [claimLasting('key', '1')],
      [claimLasting('key', '2')],
      [claimLasting('key', '3')],
    );
    expect(verdicts).toEqual(['committed', 'conflict', 'conflict']);
    expect(await world.claims('lasting_keys')).toEqual({ key: '1' });
  });

  test('an update and a delete: the first one is written', async () => {
    expect((await commitTogether([put('a', 2)], [drop('a', 1)])).verdicts).toEqual(['committed', 'conflict']);
    expect((await commitTogether([drop('b', 1)], [put('b', 2)])).verdicts).toEqual(['committed', 'conflict']);
    expect(await world.things()).toEqual({ a: 'a 2', c: 'c 1' });
  });
});

describe('bounds', () => {
  test('a batch has at most 256 units', async () => {
    const { batches } = await commitTogether(...Array.from({ length: 600 }, (_, at) => [remark(`n${at}`)]));
    expect(batches.map((batch) => batch.units)).toEqual([256, 256, 88]);
  });

  test('a batch has at most 1 MiB, but a larger unit is written alone', async () => {
    const sizes = [300_000, 300_000, 300_000, 300_000, 1_500_000, 100_000];
    const { verdicts, batches } = await commitTogether(
      ...sizes.map((size, at) => [remark(`n${at}`, 'x'.repeat(size))]),
    );
    expect(verdicts).toEqual(Array(6).fill('committed'));
    // The last one still fits beside the first three, and nothing says that it must wait for the others.
    expect(batches.map((batch) => batch.units)).toEqual([4, 1, 1]);
    const stored = await world.sql.query('select length(text) as size from remarks order by id');
    expect(stored.rows.map((row) => row.size)).toEqual(sizes);
  });

  test('ten thousand units may wait; the next one is refused immediately, and the waiting ones are written', async () => {
    const { committer } = world.committer();
    const letGo = await world.hold('a');
    const first = committer.commit({ writes: [put('a', 2)] });
    await world.untilBlocked();
    const waiting = Array.from({ length: 10_000 }, (_, at) => committer.commit({ writes: [remark(`n${at}`)] }));
    await expect(committer.commit({ writes: [remark('too many')] })).rejects.toThrow(Unavailable);
    await letGo();
    expect(new Set(await fates([first, ...waiting]))).toEqual(new Set(['committed']));
    expect(await committer.commit({ writes: [remark('room again')] })).toBe('committed');
    expect(await world.remarks()).toHaveLength(10_001);
  });
});

describe('a committer that closes', () => {
  test('commits the units that it has, and refuses later ones', async () => {
    const { committer } = world.committer();
    const last = committer.commit({ writes: [remark('last')] });
    const closed = committer.close();
    await expect(committer.commit({ writes: [remark('late')] })).rejects.toThrow(Unavailable);
    await closed;
    expect(await last).toBe('committed');
    expect(await world.remarks()).toEqual(['last']);
  });
});
