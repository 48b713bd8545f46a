import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { onFreeMachine } from '../../test/fastest.ts';
import { Unavailable } from '../errors.ts';
import { CuttingProxy } from './cutting_proxy.fixture.ts';
import type { Committer, Write } from './index.ts';
import { claimExpiring, fates, openWorld, put, remark, tenant, type World } from './units.fixture.ts';

let world: World;
let proxy: CuttingProxy;
let committer: Committer;

beforeAll(async () => {
  world = await openWorld();
  proxy = new CuttingProxy(world.address);
  await proxy.listen();
});
afterAll(async () => {
  proxy.comeBack();
  await world.stop();
  await proxy.close();
});
beforeEach(async () => {
  await world.reset('a', 'b', 'c');
  proxy.comeBack();
  committer = world.committer(proxy.through(world.address)).committer;
  expect(await committer.commit({ writes: [remark('before')] })).toBe('committed');
});
afterEach(() => void vi.useRealTimers());

const commit = (...units: Write<'both'>[][]) => fates(units.map((writes) => committer.commit({ writes })));

describe('a lost reply', () => {
  test('is looked up: a committed unit is reported as committed, and is stored once', async () => {
    const sprung = proxy.plan('cut after', 'needle');
    const verdicts = await commit(
      [remark('needle'), put('a', 2)],
      [claimExpiring('key', 'me')],
      [put('b', 2), remark('1'), claimExpiring('other', 'me')],
    );
    await sprung;
    expect(verdicts).toEqual(['committed', 'committed', 'committed']);
    expect(await world.things()).toEqual({ a: 'a 2', b: 'b 2', c: 'c 1' });
    expect(await world.remarks()).toEqual(['1', 'before', 'needle']);
    expect(await world.claims('expiring_keys')).toEqual({ key: 'me', other: 'me' });
  });

  test('of the claim form is looked up as well: only committed units are reported as committed', async () => {
    await world.sql.query(`insert into expiring_keys values (${tenant}, 'taken', 'other')`);
    const sprung = proxy.plan('cut after', 'commit\0'); // the message that ends its transaction
    const verdicts = await commit(
      [remark('1'), put('a', 2)],
      [remark('2'), claimExpiring('taken', 'me')],
      [remark('3')],
    );
    await sprung;
    expect(verdicts).toEqual(['committed', 'Unavailable', 'committed']);
    expect(await world.remarks()).toEqual(['1', '3', 'before']);
    expect(await world.claims('expiring_keys')).toEqual({ taken: 'other' });
  });

  test('to a unit without an identifying row leaves its outcome unknown', async () => {
    const sprung = proxy.plan('cut after', 'a 2');
    expect(await commit([put('a', 2)])).toEqual(['Unavailable']);
    await sprung;
    expect(await world.things()).toMatchObject({ a: 'a 2' });
  });

  test('does not affect later commits', async () => {
    proxy.plan('cut after', 'needle');
    const first = committer.commit({ writes: [remark('needle')] });
    const next = committer.commit({ writes: [put('a', 2)] }).then(() => committer.commit({ writes: [put('a', 3)] }));
    expect(await first).toBe('committed');
    await next.catch(() => {});
    expect(await commit([remark('later')])).toEqual(['committed']);
  });

  test('that takes longer than twenty seconds is looked up, and the statement is not cancelled', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const answered = proxy.plan('keep the reply', 'needle');
    const waiting = committer.commit({ writes: [remark('needle')] });
    await answered;
    await vi.advanceTimersByTimeAsync(19_999);
    expect(await Promise.race([waiting, Promise.resolve('still waiting')])).toBe('still waiting');
    await vi.advanceTimersByTimeAsync(1);
    expect(await waiting).toBe('committed');
  });
});

describe('a commit that never reached the database', () => {
  test('is unavailable, for the whole batch, and nothing of it is stored', async () => {
    const sprung = proxy.plan('cut before', 'needle');
    const verdicts = await commit([remark('needle'), put('a', 2)], [claimExpiring('key', 'me')], [remark('1')]);
    await sprung;
    expect(verdicts).toEqual(['Unavailable', 'Unavailable', 'Unavailable']);
    expect(await world.things()).toEqual({ a: 'a 1', b: 'b 1', c: 'c 1' });
    expect(await world.remarks()).toEqual(['before']);
    expect(await world.claims('expiring_keys')).toEqual({});
    expect(await commit([remark('needle'), put('a', 2)])).toEqual(['committed']);
  });

  test('in the claim form is unavailable as well, for losers and winners alike', async () => {
    await world.sql.query(`insert into expiring_keys values (${tenant}, 'taken', 'other')`);
    proxy.plan('cut before', 'commit\0');
    const verdicts = await commit([remark('1'), put('a', 2)], [remark('2'), claimExpiring('taken', 'me')]);
    expect(verdicts).toEqual(['Unavailable', 'Unavailable']);
    expect(await world.things()).toMatchObject({ a: 'a 1' });
    expect(await world.remarks()).toEqual(['before']);
  });

  test("is not mistaken for another unit's claim on the same key", async () => {
    const sprung = proxy.plan('cut before', 'needle').then(() => proxy.goDown());
    const ours = commit([claimExpiring('key', 'needle')]);
    await sprung;
    await world.sql.query(`insert into expiring_keys values (${tenant}, 'key', 'somebody else')`);
    proxy.comeBack();
    expect(await ours).toEqual(['Unavailable']);
    expect(await world.claims('expiring_keys')).toEqual({ key: 'somebody else' });
  });
});

describe('a connection that the server ends', () => {
  test('while a commit waits: the commit is unavailable, nothing is written, and the next commit opens a new connection', async () => {
    const letGo = await world.hold('a');
    const stuck = commit([put('a', 2), remark('1')], [remark('2')]);
    const process = await world.untilBlocked();
    await world.sql.query('select pg_terminate_backend($1)', [process]);
    expect(await stuck).toEqual(['Unavailable', 'Unavailable']);
    await letGo();
    expect(await world.remarks()).toEqual(['before']);
    expect(await commit([put('a', 2), remark('1')], [remark('2')])).toEqual(['committed', 'committed']);
  });

  test('while no commit is in flight: the next commit opens a new connection', async () => {
    await world.sql.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and application_name = 'tollgate commit'`,
    );
    await eventually(async () => {
      expect(await commit([remark('after')])).toEqual(['committed']);
    });
  });
});

describe('a database that is down', () => {
  test('fails every commit immediately, until it is back', async () => {
    proxy.goDown();
    committer = world.committer(proxy.through(world.address)).committer;
    const asked = performance.now();
    expect(await commit([remark('1')], [remark('2')])).toEqual(['Unavailable', 'Unavailable']);
    expect(await commit([remark('1')])).toEqual(['Unavailable']);
    expect(onFreeMachine(2_000, performance.now() - asked)).toBeLessThan(2_000);
    proxy.comeBack();
    expect(await commit([remark('1')], [remark('2')])).toEqual(['committed', 'committed']);
    expect(await world.remarks()).toEqual(['1', '2', 'before']);
  });

  test('before its reply and for longer than five seconds leaves the commit unknown', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const sprung = proxy.plan('cut after', 'needle').then(() => proxy.goDown());
    const unknown = expect(committer.commit({ writes: [remark('needle')] })).rejects.toThrow(Unavailable);
    await sprung;
    const refusedBefore = proxy.refused;
    await vi.waitUntil(() => proxy.refused > refusedBefore + 1);
    vi.advanceTimersByTime(5_001);
    await unknown;
    proxy.comeBack();
    expect(await world.remarks()).toEqual(['before', 'needle']);
  });

  test('that comes back in time is asked for the outcome of the commit', async () => {
    const sprung = proxy.plan('cut after', 'needle').then(() => proxy.goDown());
    const found = committer.commit({ writes: [remark('needle')] });
    await sprung;
    const refusedBefore = proxy.refused;
    await vi.waitUntil(() => proxy.refused > refusedBefore + 1);
    proxy.comeBack();
    expect(await found).toBe('committed');
  });
});
