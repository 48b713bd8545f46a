import { expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import { boundOf, newestFirst, type Placed } from './operations.ts';

const request = { type: 'request', prefix: 'req', rank: 1 };
const event = { type: 'event', prefix: 'evt', rank: 4 };
const now = Date.UTC(2030, 0, 1);

const placed = (source: Placed['source'], time: number): Placed => ({
  source,
  entry: { id: newId(source.prefix, time), summary: '', details: {} },
});

test('from every entry on, the bounds give exactly the entries after it', () => {
  const all = [request, event].flatMap((source) => [0, 0, 1, 1, 2].map((offset) => placed(source, now + offset)));
  const sorted = all.toSorted(newestFirst);
  const isAfter = (cursor: Placed) => {
    const { id } = cursor.entry;
    return ({ entry, source }: Placed) => entry.id < boundOf(source, { id, rank: cursor.source.rank });
  };
  for (const [at, cursor] of sorted.entries()) expect(sorted.filter(isAfter(cursor))).toEqual(sorted.slice(at + 1));
  expect(sorted.filter(({ entry, source }) => entry.id < boundOf(source, undefined))).toEqual(sorted);
});

test('within a millisecond, effects come before their causes', () => {
  const [cause, effect] = [placed(request, now), placed(event, now)];
  expect([cause, effect].sort(newestFirst)).toEqual([effect, cause]);
});
