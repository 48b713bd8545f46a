import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../base/sql.ts';
import { resources } from '../../resources/index.ts';
import { fastest } from '../fastest.ts';
import { createDatabase, startServer, type TestAccount, type TestServer } from '../harness.ts';
import { seed, shareOf } from '../torture.ts';
import { alarms } from './alarms/index.ts';

/** Advances of test clocks with work on them, in two instances on one database. */

let server: TestServer;
let other: TestServer;
let account: TestAccount;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createDatabase();
  drop = database.drop;
  const sql = await connect(database.address, 'test');
  await sql.query(readFileSync(join(import.meta.dirname, 'alarms', 'alarms.sql'), 'utf8'));
  await sql.end();
  const options = { databaseUrl: database.url, resources: [...resources, alarms] };
  server = await startServer(options);
  other = await startServer(options);
  account = await server.account();
});
afterAll(async () => {
  await other.stop();
  await server.stop();
  await drop();
});

const start = Date.UTC(2030, 0, 1) / 1_000;
const day = 86_400;
const perMomentMs = 12; // five years of days in 22 s
// biome-ignore lint/suspicious/noExplicitAny: rows of every table
const rows = async (text: string, values: unknown[] = []): Promise<any[]> =>
  (await server.sql.query(text, values)).rows;
const post = async (path: string, body: object) => (await account.test.post(`/v1/${path}`, body)).json;

type Setting = { after: number; every: number; rings: number };

/** A clock with a customer, and alarms for it. */
async function world(settings: readonly Setting[]): Promise<{ clock: string; alarms: string[] }> {
  const { id: clock } = await post('test_clocks', { frozen_time: start });
  const { id: customer } = await post('customers', { test_clock: clock });
  const made = [];
  for (const setting of settings) made.push((await post('alarms', { customer, ...setting })).id);
  return { clock, alarms: made };
}

const advance = (clock: string, to: number) =>
  account.test.post(`/v1/test_clocks/${clock}/advance`, { frozen_time: to });
const stateOf = async (clock: string) => (await account.test.get(`/v1/test_clocks/${clock}`)).json;
const settled = async () => {
  for (const one of [server, other, server]) await one.settled();
};

/** The rings in a clock in the order in which they were written down, as seconds after the start. */
async function ringsIn(clock: string): Promise<{ alarm: string; at: number }[]> {
  const found = await rows(
    `select r.id, r.at from alarm_rings r join alarms a on a.tenant = r.tenant and a.id = r.id
      where a.test_clock = $1 order by r.place`,
    [clock],
  );
  return found.map(({ id, at }) => ({ alarm: id, at: at.getTime() / 1_000 - start }));
}

/** When an alarm rings by a moment, if everything goes well. */
function expectedRings({ after, every, rings }: Setting, until: number): number[] {
  return Array.from({ length: rings }, (_, at) => after + at * every).filter((at) => at <= until);
}

async function expectRings(clock: string, ids: string[], settings: readonly Setting[], until: number): Promise<void> {
  const found = await ringsIn(clock);
  const times = found.map(({ at }) => at);
  expect(times).toEqual([...times].sort((one, two) => one - two));
  for (const [at, id] of ids.entries())
    expect(found.filter(({ alarm }) => alarm === id).map((ring) => ring.at)).toEqual(
      expectedRings(settings[at]!, until),
    );
}

describe('an advance', () => {
  test('visits the moments in order, and does each row once, however far each step leads', async () => {
    const setting = fc.record({
      after: fc.integer({ min: 0, max: 40 }),
      every: fc.integer({ min: 1, max: 15 }),
      rings: fc.integer({ min: 1, max: 5 }),
    });
    const steps = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 });
    const property = fc.asyncProperty(
      fc.array(setting, { minLength: 1, maxLength: 6 }),
      steps,
      async (settings, by) => {
        const { clock, alarms: ids } = await world(settings);
        let now = 0;
        for (const step of by) {
          now += step;
          expect((await advance(clock, start + now)).status).toBe(200);
          await settled();
          expect(await stateOf(clock)).toMatchObject({ status: 'ready', frozen_time: start + now });
          await expectRings(clock, ids, settings, now);
        }
      },
    );
    await fc.assert(property, { numRuns: shareOf(100, 3), seed });
  });

  test('writes events with the time of the clock, and ids with real time', async () => {
    const {
      clock,
      alarms: [alarm],
    } = await world([{ after: day, every: day, rings: 3 }]);
    await advance(clock, start + 10 * day);
    await settled();
    const events = await rows('select payload from events where object_id = $1 order by id', [alarm]);
    const created = events.map(({ payload }) => JSON.parse(payload).created);
    expect(created).toEqual([start + day, start + 2 * day, start + 3 * day]);
    const soon = Math.floor(Date.now() / 1_000) - 120;
    const { data } = (await account.test.get(`/v1/events?type=alarm.rang&created[gt]=${soon}&limit=100`)).json;
    expect(data.length).toBeGreaterThanOrEqual(3);
  });

  test('does more rows at one moment than one call takes', async () => {
    const settings = Array.from({ length: 3 }, () => ({ after: 5, every: 1, rings: 1 }));
    const {
      clock,
      alarms: [first],
    } = await world(settings);
    await rows(
      `insert into alarms select tenant, left(id, -3) || lpad(n::text, 3, '0'), 1, customer, test_clock, 1, 1, clock_due_at
         from alarms, generate_series(1, 160) n
        where id = $1 and lpad(n::text, 3, '0') not in (select right(id, 3) from alarms) order by n limit 150`,
      [first],
    );
    await advance(clock, start + 10);
    await settled();
    expect(await ringsIn(clock)).toHaveLength(153);
  });

  test('of five years of days is done in seconds', async () => {
    const days = shareOf(1_826, 60);
    const setting = { after: day, every: day, rings: days };
    const limit = days * perMomentMs;
    const walk = async () => {
      const { clock, alarms: ids } = await world([setting]);
      const began = performance.now();
      await advance(clock, start + days * day);
      await settled();
      const milliseconds = performance.now() - began;
      await expectRings(clock, ids, [setting], days * day);
      return milliseconds;
    };
    expect(await fastest(limit, walk)).toBeLessThan(limit);
  });

  test('is continued by another instance when the server stops, within a second', async () => {
    const third = await startServer({ databaseUrl: server.databaseUrl, resources: [...resources, alarms] });
    // Only the third may take it.
    const { clock, alarms: ids } = await world([{ after: 1, every: 1, rings: 5_000 }]);
    for (const one of [server, other]) await one.settled();
    await third.client(account.testKey).post(`/v1/test_clocks/${clock}/advance`, { frozen_time: start + 250 });
    await expect.poll(async () => (await ringsIn(clock)).length).toBeGreaterThan(20);
    const began = performance.now();
    await third.gateway.worker.stop();
    expect(performance.now() - began).toBeLessThan(1_000);
    await settled();
    await expect.poll(async () => (await stateOf(clock)).status).toBe('ready');
    await expectRings(clock, ids, [{ after: 1, every: 1, rings: 5_000 }], 250);
    await third.stop();
  });
});
