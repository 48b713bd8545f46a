import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Connection, connect } from '../../base/sql.ts';
import { factsOf, indexed } from '../../resources/views/search/indexed.fixture.ts';
import { indexLagSeconds } from '../../resources/views/search/position.ts';
import { walksLeft } from '../../resources/views/search/walks.ts';
import type { Client } from '../client.ts';
import { createDatabase } from '../harness.ts';
import { numbers } from '../numbers.ts';
import { isTorture, seed } from '../torture.ts';
import { type Environment, patienceMs, testMs, until } from './child.ts';
import { Children, type Running } from './children.ts';
import { SearchLoad, verifyIndex } from './search_load.ts';

vi.setConfig({ testTimeout: testMs });

const kills = 10;
const rounds = 10;
const children = new Children();
let database: Awaited<ReturnType<typeof createDatabase>>;
let environment: Environment;
let sql: Connection;
let key: string;

/** `crash.test.ts` has the short form, with its servers. */
describe.runIf(isTorture)('the search index', () => {
  beforeAll(async () => {
    console.log(`kills of servers that index, with TEST_SEED=${seed}`);
    database = await createDatabase();
    environment = children.serveEnvironment({ DATABASE_URL: database.url });
    sql = children.keep(await connect(database.address, 'test'));
    key = (await children.account(environment)).test_secret_key;
  });
  afterAll(async () => {
    await children.cleanUp();
    await database.drop();
  });

  /** Resolves while a step of the index is being taken, if that happens soon. */
  async function inStep(): Promise<boolean> {
    const steps = `select from pg_locks where locktype = 'advisory' and granted and objid = ${0x70_11_5e_a7} and database =
      (select oid from pg_database where datname = current_database())`;
    const deadline = performance.now() + 3_000;
    while (performance.now() < deadline) if ((await sql.query(steps)).rowCount! > 0) return true;
    return false;
  }

  test('kill -9 of a server that indexes: everything committed is found, and nothing deleted', async () => {
    const random = numbers(seed);
    let server = await children.serve(environment);
    let client: Client | undefined = server.client(key);
    const load = new SearchLoad('killed', random, () => client);
    let inSteps = 0;
    try {
      for (let kill = 0; kill < kills; kill++) {
        await load.after(10 + random(30));
        if (await inStep()) inSteps++;
        await server.child.stop('SIGKILL');
        client = undefined;
        server = await children.serve(environment);
        client = server.client(key);
      }
    } finally {
      await load.end();
    }
    console.log(`measured: ${kills} kills, ${inSteps} of them in a step, ${load.done} customers`);
    expect(inSteps).toBeGreaterThan(0);
    await verifyIndex(sql, client!, load.expected);
    await server.child.stop('SIGTERM');
  });

  test('two servers index each change once, and one goes on when the other is killed or stopped', async () => {
    let servers: Running[] = await Promise.all([children.serve(environment), children.serve(environment)]);
    const random = numbers(seed + 1);
    const load = new SearchLoad('both', random, () => servers[random(servers.length)]?.client(key));
    const lags: number[] = [];
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      for (let look = 0; look < 20; look++) {
        await load.after(2);
        lags.push(await indexLagSeconds(sql));
      }
      const [first, second] = servers as [Running, Running];
      servers = [second];
      await first.child.stop(signal);
      await load.after(20);
      const before = (await factsOf(sql)).length;
      await until('the other indexes', patienceMs, async () => (await factsOf(sql)).length > before);
      servers = [second, await children.serve(environment)];
    }
    await load.end();
    const [most, middle] = [Math.max(...lags), lags.sort((a, b) => a - b)[lags.length >> 1]!];
    console.log(
      `measured: two servers: the index was behind by ${middle.toFixed(1)} s usually, ${most.toFixed(1)} s at most; ${load.done} customers`,
    );
    expect(middle).toBeLessThan(10);
    await verifyIndex(sql, servers[0]!.client(key), load.expected);
    for (const { child } of servers) await child.stop('SIGTERM');
  });

  test('a rebuild that is killed and run again leaves an index that is right', async () => {
    const random = numbers(seed + 2);
    let server = await children.serve(environment);
    let client: Client | undefined = server.client(key);
    const load = new SearchLoad('rebuilt', random, () => client);
    const rebuild = () => children.tollgate(['search', 'rebuild'], { cwd: children.directory(), environment });
    let [killed, inWalks] = [0, 0];
    try {
      for (let round = 0; round < rounds; round++) {
        await load.after(5);
        await sql.query(`delete from search_terms where number % 7 = $1`, [round % 7]);
        await sql.query(
          `insert into search_terms (tenant, kind, term, number) select tenant, 'cus', 'wrong', number from search_objects
            where number % 5 = $1 on conflict do nothing`,
          [round % 5],
        );
        const command = rebuild();
        await load.after(1 + random(20));
        if (command.ending === undefined) killed += (await command.stop('SIGKILL')).signal === null ? 0 : 1;
        if (round % 3 !== 2) continue;
        // The server is killed, too, with a rebuild that it has not ended.
        await rebuild().ends();
        if ((await walksLeft(sql)) > 0) inWalks++;
        client = undefined;
        await server.child.stop('SIGKILL');
        server = await children.serve(environment);
        client = server.client(key);
      }
    } finally {
      await load.end();
    }
    console.log(
      `measured: ${killed} of ${rounds} rebuilds were killed, and ${inWalks} servers before they had ended one; ${load.done} customers`,
    );
    expect(killed).toBeGreaterThan(0);
    expect(inWalks).toBeGreaterThan(0);
    await indexed(sql);
    expect(await rebuild().ends()).toEqual({ code: 0, signal: null });
    await indexed(sql);
    expect(await children.json(['search', 'status'], { cwd: children.directory(), environment })).toEqual({
      lag_seconds: 0,
      walks_left: 0,
    });
    await verifyIndex(sql, client!, load.expected);
  });
});
