import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../../test/harness.ts';
import { shareOf } from '../../test/torture.ts';
import { tester } from '../embedded_postgres/superuser.fixture.ts';
import { type Connection, connect, type DatabaseAddress } from '../sql.ts';
import { Committer, insert, type Table, table, type Write } from './index.ts';
import { StatementBuilder, shapesMax } from './statement.ts';

type Sequenced = { tenant: number; id: number };

/** Fourteen tables: more than 10,000 different sets of them can be written together. */
const tables: Table<Sequenced, 'both'>[] = Array.from({ length: 14 }, (_, at) =>
  table(`mixed_${at}`, { home: 'both', int4: 'tenant id' }),
);

/** Rows for some of the tables, others for each number from 1. The odd factor scatters large and small sets evenly. */
function mixed(number: number, id: number): Write<'both'>[] {
  const set = (number * 7_919) % 2 ** tables.length;
  return tables.filter((_, at) => (set >> at) & 1).map((into) => insert(into, { tenant: 7, id }));
}

describe('the statement of a mix of writes', () => {
  const builder = new StatementBuilder([]);
  const named = (mix: number) => builder.build(mixed(mix, 1)).name;

  test('has a name from its third use on, and keeps it while it is used', () => {
    expect([named(1), named(1)]).toEqual([undefined, undefined]);
    const name = named(1);
    expect(name).toBeTypeOf('string');
    for (let mix = 2; mix <= 3 * shapesMax; mix += 1) {
      expect(named(mix)).toBeUndefined();
      expect(named(1)).toBe(name);
    }
    expect(builder.forgotten).toEqual([]);
  });

  test('is forgotten when it was not used for long, with its name', () => {
    const name = named(1);
    for (let mix = 2; mix <= shapesMax + 1; mix += 1) named(mix);
    expect(builder.forgotten).toEqual([name]);
    expect([named(1), named(1)]).toEqual([undefined, undefined]);
    expect(named(1)).not.toBe(name);
  });
});

describe('a connection that commits ever new mixes', () => {
  let address: DatabaseAddress;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    ({ address, drop } = await createDatabase());
    const sql = await connect(address, 'test');
    for (const { name } of tables) await sql.query(`create table ${name} (tenant int4, id int4)`);
    await sql.end();
  });
  afterAll(() => drop());

  /** What the server and this process keep for a connection. */
  async function kept(client: Connection) {
    const { rows } = await client.query<{ statements: number; bytes: number }>(
      `select (select count(*) from pg_prepared_statements) as statements,
              (select sum(total_bytes)::int8 from pg_backend_memory_contexts) as bytes`,
    );
    const { parsedStatements } = (client as unknown as { connection: { parsedStatements: object } }).connection;
    return { ...rows[0]!, known: Object.keys(parsedStatements).length };
  }

  test('keeps a bounded number of statements, and its memory does not grow', async () => {
    const clients: Connection[] = [];
    // As the role of the tests: the plain role may not see the memory of its backend.
    const committer = new Committer({ ...address, ...tester }, { check: async (client) => void clients.push(client) });
    const mixes = shareOf(10_000, 2 * shapesMax);
    let early = Number.POSITIVE_INFINITY;
    for (let mix = 1; mix <= mixes; mix += 1) {
      for (let use = 0; use < 3; use += 1) await committer.commit({ writes: mixed(mix, use) });
      if (mix === 1.5 * shapesMax) early = (await kept(clients[0]!)).bytes;
    }
    const { statements, known, bytes } = await kept(clients[0]!);
    await committer.close();
    expect(clients).toHaveLength(1);
    expect(statements).toBeLessThan(1.5 * shapesMax);
    expect(known).toBeLessThan(1.5 * shapesMax);
    expect(statements).toBeGreaterThan(0);
    console.log(`measured: ${mixes} mixes: ${early} bytes early, ${bytes} bytes at the end, ${statements} statements`);
    expect(bytes).toBeLessThan(1.5 * early);
  });
});
