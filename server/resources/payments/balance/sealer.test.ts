import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../../base/clock.ts';
import { Committer } from '../../../base/commit/index.ts';
import { onePool } from '../../../base/places/sql_at.ts';
import { ledgerWorld, shop, type World } from '../../../ledger/ledger.fixture.ts';
import { post } from '../../../ledger/posting.ts';
import { fastest } from '../../../test/fastest.ts';
import { startServer } from '../../../test/harness.ts';
import { Scheduler } from '../../../worker/scheduler.ts';
import { Sealer } from './sealer.ts';

let world: World;
let logged: string[] = [];
const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });

beforeAll(async () => {
  world = await ledgerWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  logged = [];
  await world.empty();
});
afterEach(() => void vi.useRealTimers());

function startSealer(): void {
  const sealer = new Sealer({ durable: onePool(world.pool), keyring: world.keyring, log });
  const scheduler = new Scheduler({ clock: systemClock, log, loops: [sealer] });
  scheduler.start();
  onTestFinished(() => scheduler.stop());
}

async function sealed(): Promise<number> {
  const { rows } = await world.sql.query(
    'select coalesce(sum(length(leaves) / 16), 0)::int8 as sealed from ledger_blocks',
  );
  return rows[0].sealed;
}

const soon = { timeout: 60_000, interval: 10 };

describe('the sealer', () => {
  test('seals the postings that exist at its start and those that come later, a backlog without pauses', async () => {
    await world.sql.query(
      `insert into postings (tenant, id, kind, debit, credit, amount, currency, source, payment, available_on, position)
       select 1, 'txn_' || n, 'payment', 'processor', 'balance', 1, 'eur', 'py_' || n, 'py', '2027-01-10',
              (select sealed_to from ledger_sealer) + n / 100 from generate_series(1, 45000) n`,
    );
    await world.sql.query('update ledger_sealer set offset_by = 1000000'); // all of them are of the past
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }); // the timer does not fire again
    startSealer();
    await vi.waitFor(async () => expect(await sealed()).toBe(45_000), soon);
    expect((await world.verify()).problem).toBeUndefined();
    await world.sql.query(
      `alter table postings alter column position set default pg_current_xact_id()::text::int8 + 1000000`,
    );
    await world.post();
    await vi.waitFor(async () => {
      vi.advanceTimersByTime(250);
      expect(await sealed()).toBe(45_001);
    }, soon);
  });

  test('logs a failure once, keeps trying, and logs when it works again', async () => {
    await world.sql.query('alter table ledger_blocks rename to ledger_blocks_away');
    await world.post();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    startSealer();
    for (let looks = 0; looks < 5; looks++)
      await vi.waitFor(() => {
        vi.advanceTimersByTime(250);
        expect(logged.length).toBeGreaterThan(0);
      }, soon);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain('could not seal the ledger');
    await world.sql.query('alter table ledger_blocks_away rename to ledger_blocks');
    await vi.waitFor(async () => {
      vi.advanceTimersByTime(250);
      expect(await sealed()).toBe(1);
    }, soon);
    await vi.waitFor(() => {
      vi.advanceTimersByTime(250);
      expect(logged.at(-1)).toContain('the ledger is being sealed again');
    }, soon);
  });
});

test('a gateway seals postings within a second of their commit', async () => {
  const server = await startServer({ onePostgres: true });
  onTestFinished(() => server.stop());
  const committer = new Committer(server.gateway.database);
  onTestFinished(() => committer.close());
  const money = { amount: 100, currency: 'eur' };
  const movement = { kind: 'payment', source: 'py_1', payment: 'py_1', reference: 'at_1', money } as const;
  let blocks = 0;
  const sealed = async () => {
    const posting = post(shop, Date.now(), { ...movement, reference: `at_${++blocks}` });
    await committer.commit({ tenant: shop, writes: [posting] });
    const committed = performance.now();
    await vi.waitFor(async () => {
      const { rows } = await server.sql.query('select max(number) as number from ledger_blocks where tenant = $1', [
        shop,
      ]);
      expect(rows).toEqual([{ number: blocks }]);
    }, soon);
    return performance.now() - committed;
  };
  expect(await fastest(1_000, sealed)).toBeLessThan(1_000);
});
