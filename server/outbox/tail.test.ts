import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../base/id.ts';
import { type Connection, connect } from '../base/sql.ts';
import { createDatabase } from '../test/harness.ts';
import { EventTail, type TailedEvent } from './tail.ts';

const tenant = 7;
const second = 1_000;
const day = 86_400_000;
const now = Date.UTC(2027, 0, 31);
const wanted = new Set(['customer.created']);

let drop: () => Promise<void>;
let sql: Connection;
let read: { text: string; rows: number }[];

beforeAll(async () => {
  const database = await createDatabase();
  drop = database.drop;
  sql = await connect(database.address, 'test');
});
afterAll(async () => {
  await sql.end();
  await drop();
});
beforeEach(async () => {
  read = [];
  await sql.query('truncate events');
});

/** A connection that records its queries and their rows. */
const client = {
  async query(text: string, values: unknown[]) {
    const result = await sql.query(text, values);
    read.push({ text, rows: result.rows.length });
    return result;
  },
} as unknown as Connection;

const rowsRead = () => read.reduce((sum, { rows }) => sum + rows, 0);
const payloadsRead = () => read.filter(({ text }) => text.includes('payload')).reduce((sum, { rows }) => sum + rows, 0);

/** Events of these moments, committed together. */
async function commit(moments: number[], type = 'customer.created', of = tenant): Promise<string[]> {
  const ids = moments.map((moment) => newId('evt', moment));
  await sql.query(
    `insert into events (tenant, id, type, object_id, object_version, payload)
     select $1, id, $3, 'cus_one', 1, convert_to('of ' || id, 'UTF8') from unnest($2::text[]) id`,
    [of, ids, type],
  );
  return ids;
}

const spread = (count: number, from: number, gap: number) => Array.from({ length: count }, (_, at) => from + at * gap);

async function news(tail: EventTail): Promise<TailedEvent[]> {
  return Array.fromAsync(tail.news(client));
}
const idsOf = (events: TailedEvent[]) => events.map((event) => event.id);

test('yields each event since the start once, in order and with its bytes', async () => {
  await commit([now - 30 * second, now - 1]);
  const tail = await EventTail.from(client, tenant, now, wanted);
  const made = await commit([now, now + 1, now + 5 * second]);
  await commit([now + 1], 'customer.created', tenant + 1);
  const found = await news(tail);
  expect(idsOf(found)).toEqual(made);
  expect(found.map(({ payload }) => payload.toString())).toEqual(made.map((id) => `of ${id}`));
  expect(await news(tail)).toEqual([]);
});

test('yields an event that is committed late, although younger ones were read before', async () => {
  const tail = await EventTail.from(client, tenant, now, wanted);
  await commit(spread(1_200, now + 100 * second, 10));
  expect(await news(tail)).toHaveLength(1_200);
  const late = await commit([now + 60 * second, now + 100 * second + 5]);
  expect(idsOf(await news(tail))).toEqual(late);
  expect(await news(tail)).toEqual([]);
});

test('yields an event that began before the start and was committed after it', async () => {
  await commit([now - 3 * second]);
  const tail = await EventTail.from(client, tenant, now, wanted);
  const late = await commit([now - 2 * second]);
  expect(idsOf(await news(tail))).toEqual(late);
});

test('an event whose handling was interrupted comes again, earlier ones do not', async () => {
  const made = await commit([now, now + 1, now + 2]);
  const tail = await EventTail.from(client, tenant, now, wanted);
  for await (const { id } of tail.news(client)) if (id === made[1]) break;
  expect(idsOf(await news(tail))).toEqual(made.slice(1));
});

test('a start in the past reads only the minute before it', async () => {
  await commit(spread(3, now - 7 * day - 50 * second, second));
  await commit(spread(5, now - 8 * day, second));
  await commit(spread(2_000, now - 7 * day, second));
  const tail = await EventTail.from(client, tenant, now - 7 * day, wanted);
  expect([rowsRead(), payloadsRead()]).toEqual([3, 0]);
  expect(await news(tail)).toHaveLength(2_000);
});

test('the start may be at or before 1970', async () => {
  const [id] = await commit([now]);
  expect(idsOf(await news(await EventTail.from(client, tenant, Date.UTC(1960), wanted)))).toEqual([id]);
});

test('payloads are read once, and only of the wanted types', async () => {
  await commit(spread(700, now, 10));
  await commit(spread(900, now, 10), 'payment.succeeded');
  const tail = await EventTail.from(client, tenant, now, wanted);
  expect(await news(tail)).toHaveLength(700);
  expect(payloadsRead()).toBe(700);
  for (let look = 0; look < 3; look++) expect(await news(tail)).toEqual([]);
  expect(payloadsRead()).toBe(700);
});

test('memory does not grow with the number of events read', async () => {
  await commit(spread(5_000, now - 30 * day, 8 * 60 * second)); // none within a minute of another
  const tail = await EventTail.from(client, tenant, now - 30 * day, wanted);
  let most = 0;
  for await (const _ of tail.news(client)) most = Math.max(most, tail.remembered);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(501); // a page, and the last of the one before
  expect(tail.remembered).toBe(1);
});

test('late events are forgotten too', async () => {
  const tail = await EventTail.from(client, tenant, now, wanted);
  await commit([now + 50 * second]);
  await news(tail);
  await commit([now]);
  await news(tail);
  expect(tail.remembered).toBe(2);
  await commit([now + 300 * second]);
  await news(tail);
  expect(tail.remembered).toBe(1);
});
