import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { connect } from './base/sql.ts';
import { connector } from './connectors/registration.ts';
import { openParts } from './parts.ts';
import { createDatabase, startServer } from './test/harness.ts';

afterEach(() => void vi.useRealTimers());

const silent = pino({ level: 'silent' });

test('a failed start stops the parts before it, last first, and ends although one of them never stops', async () => {
  vi.useFakeTimers();
  const stopped: string[] = [];
  const part = (name: string) => ({ name, stop: () => void stopped.push(name) });
  const start = openParts(silent, { abandonAfterMs: 22_000, endAfterMs: 25_000 }, async (parts) => {
    await parts.add(part('first'));
    await parts.add({ name: 'second', stop: () => Promise.reject(new Error('broken')) });
    await parts.add({ name: 'third', stop: () => new Promise(() => {}) });
    await parts.add({ ...part('fourth'), start: () => Promise.reject(new Error('no such port')) });
  });
  const failed = expect(start).rejects.toThrow('no such port');
  await vi.advanceTimersByTimeAsync(60_000);
  await failed;
  expect(stopped).toEqual(['fourth', 'first']);
});

test('a start that fails after the database was opened leaves no connection behind', async () => {
  const database = await createDatabase();
  const broken = connector({
    name: 'broken',
    settings: () => undefined,
    create: () => {
      throw new Error('this processor cannot be used');
    },
  });
  const sql = await connect(database.address, 'test');
  const others = 'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
  await expect(startServer({ databaseUrl: database.url, connectors: [broken] })).rejects.toThrow('cannot be used');
  // An idle connection would be closed after a minute anyway.
  await vi.waitFor(async () => expect((await sql.query(others)).rowCount).toBe(0), { timeout: 20_000 });
  await sql.end();
  await database.drop();
});
