import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../test/eventually.ts';
import { balanceOf } from './balance.ts';
import { asTenant, ledgerWorld, other, postOn, shop, type World } from './ledger.fixture.ts';
import { leafOf, lineColumnsSql } from './lines.ts';
import { sealOf, sealStep, unsealed } from './seal.ts';

let world: World;
beforeAll(async () => {
  world = await ledgerWorld();
});
afterAll(() => world.stop());
beforeEach(() => world.empty());

async function blocks() {
  const { rows } = await world.sql.query(
    'select tenant, number, from_position, to_position, leaves, seal from ledger_blocks order by tenant, number',
  );
  return rows;
}

async function sealedTo(): Promise<number> {
  return (await world.sql.query('select sealed_to from ledger_sealer')).rows[0].sealed_to;
}

/** The number of postings in the blocks of all tenants. */
async function sealedPostings(): Promise<number> {
  const { rows } = await world.sql.query(
    'select coalesce(sum(length(leaves) / 16), 0)::int8 as sealed from ledger_blocks',
  );
  return rows[0].sealed;
}

describe('a step', () => {
  test('seals all final postings: one block for each tenant that has any, linked to its previous block', async () => {
    await world.post();
    await world.post({ tenant: other });
    await world.sealAll();
    const between = await sealedTo();
    await world.post();
    await world.post({ kind: 'fee', amount: 3 });
    await world.sealAll();
    const [first, second, others] = await blocks();
    expect([first, second, others].map(({ tenant, number }) => [tenant, number])).toEqual([
      [shop, 1],
      [shop, 2],
      [other, 1],
    ]);
    expect(await blocks()).toHaveLength(3);
    expect(others).toMatchObject({ from_position: first.from_position, to_position: first.to_position });
    expect(second).toMatchObject({ from_position: between, to_position: await sealedTo() });
    const { rows } = await world.sql.query(
      `select ${lineColumnsSql} from postings where tenant = 1 and position >= ${between} order by postings.position, id`,
    );
    expect(second.leaves).toEqual(Buffer.concat(rows.map(leafOf)));
    expect(first.seal).toEqual(sealOf(world.keyring, Buffer.alloc(32), first));
    expect(second.seal).toEqual(sealOf(world.keyring, first.seal, second));
  });

  test('does nothing when there is nothing to seal', async () => {
    const before = await sealedTo();
    expect(await unsealed(world.pool)).toBe('none');
    expect(await sealStep(world.pool, world.keyring)).toBe('nothing');
    expect([await sealedTo(), await blocks()]).toEqual([before, []]);
  });

  test('does nothing while another instance is sealing', async () => {
    await world.post();
    const holder = await world.connection();
    await holder.query('begin');
    await holder.query('select 1 from ledger_sealer for update');
    expect(await sealStep(world.pool, world.keyring)).toBe('busy');
    await holder.query('rollback');
    await world.sealAll();
    expect(await sealedPostings()).toBe(1);
  });

  test('leaves postings that are newer than a running transaction for later, and seals older ones', async () => {
    await world.post();
    const slow = await world.connection();
    await slow.query('begin');
    onTestFinished(async () => void (await slow.query('rollback')));
    const late = await postOn(slow);
    await world.post();
    await eventually(async () => {
      await sealStep(world.pool, world.keyring);
      expect(await sealedPostings()).toBe(1);
    });
    expect(await unsealed(world.pool)).toBe('held');
    expect((await blocks())[0].to_position).toBeLessThanOrEqual(
      (await slow.query('select position from postings where id = $1', [late])).rows[0].position,
    );
    await slow.query('commit');
    await world.sealAll();
    expect(await sealedPostings()).toBe(3);
    expect(await world.verify()).toMatchObject({ blocks: 2, postings: 3, unsealed: 0, problem: undefined });
  });

  test('takes about its maximum of postings, and whole positions only', async () => {
    const sizes = [1, 2, 4, 1, 1, 3];
    for (const size of sizes) {
      await world.sql.query('begin');
      for (let n = 0; n < size; n++) await world.post();
      await world.sql.query('commit');
    }
    // Other transactions of this PostgreSQL must finish first, or a step would be smaller because of them.
    await eventually(async () => {
      const { rows } = await world.sql.query(
        'select max(position) < pg_snapshot_xmin(pg_current_snapshot())::text::int8 as final from postings',
      );
      expect(rows[0].final).toBe(true);
    });
    const outcomes: string[] = [];
    while (outcomes.at(-1) !== 'nothing') outcomes.push(await sealStep(world.pool, world.keyring, 3));
    expect(outcomes).toEqual(['full', 'full', 'full', 'sealed', 'nothing']);
    const taken = (await blocks()).map(({ leaves }) => leaves.length / 16);
    expect(taken).toEqual([3, 4, 2, 3]); // 1 + 2, then 4 together though it is more, then 1 + 1, then 3
    expect((await world.verify()).problem).toBeUndefined();
  });
});

const roundsMax = 400; // 20 seconds

test('with many concurrent sealers and transactions that commit out of order, every posting is sealed once', async () => {
  const writers = await Promise.all(Array.from({ length: 6 }, () => world.connection()));
  const tenants = [1, 2, 3].map(asTenant);
  let writing = true;
  let posted = 0;
  const expected = new Map<number, bigint>(tenants.map((tenant) => [tenant, 0n]));
  const outcomes: string[] = [];
  const isEnough = () => outcomes.filter((outcome) => outcome === 'sealed').length > 5;
  const write = async (writer: (typeof writers)[number], at: number) => {
    // Other test files share the server: while one of them has a long transaction open, nothing is sealed.
    for (let round = 0; round < 25 || (!isEnough() && round < roundsMax); round++) {
      if (round >= 25) await writer.query('select pg_sleep(0.05)');
      await writer.query('begin');
      const mine: [number, bigint][] = [];
      for (let n = 0; n <= (round + at) % 4; n++) {
        const tenant = tenants[(round + n) % 3]!;
        const amount = 1 + at * 100 + round;
        await postOn(writer, { tenant, amount, on: `2027-01-${10 + (round % 9)}` });
        mine.push([tenant, BigInt(amount)]);
        // Other transactions begin and commit while this one is open.
        if ((round + n) % 3 === 0) await writer.query('select pg_sleep(0.002)');
      }
      const isKept = (round + at) % 7 !== 0;
      await writer.query(isKept ? 'commit' : 'rollback');
      if (!isKept) continue;
      posted += mine.length;
      for (const [tenant, amount] of mine) expected.set(tenant, expected.get(tenant)! + amount);
    }
  };
  const wrong: string[] = [];
  const seal = async () => {
    while (writing) outcomes.push(await sealStep(world.pool, world.keyring, 10));
  };
  /** At every moment, the sealed and the unsealed postings together are the committed ones. */
  const watch = async () => {
    const watcher = await world.connection();
    while (writing) {
      const { rows } = await watcher.query(
        `select (select sum(length(leaves) / 16) from ledger_blocks) is distinct from
                nullif((select count(*) from postings where position < (select sealed_to from ledger_sealer)), 0) as wrong`,
      );
      if (rows[0].wrong) wrong.push('blocks and postings differ');
    }
  };
  const busy = [seal(), seal(), seal(), seal(), watch()];
  await Promise.all(writers.map(write));
  writing = false;
  await Promise.all(busy);
  await world.sealAll();

  expect(wrong).toEqual([]);
  expect(isEnough()).toBe(true);
  expect(outcomes).toContain('busy');
  expect(await sealedPostings()).toBe(posted);
  for (const tenant of tenants) {
    expect((await world.verify(tenant)).problem).toBeUndefined();
    const [eur] = await balanceOf(world.reads, tenant, '2027-01-13');
    expect(BigInt(eur!.available) + BigInt(eur!.pending)).toBe(expected.get(tenant));
  }
  const { rows } = await world.sql.query('select sum(amount)::text as sum from ledger_balances');
  expect(rows[0].sum).toBe('0');
});
