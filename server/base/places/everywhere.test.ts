import { DatabaseError } from 'pg';
import { describe, expect, test } from 'vitest';
import { Unavailable } from '../errors.ts';
import { type ReadingPlace, Reads, sharedReads } from '../reads.ts';
import type { Places } from './places.ts';

type Answer = unknown[] | Error;

/** Places that give these answers one after the other, the last one from then on. */
function readsOf(...answers: Answer[][]): { reads: Reads; asked: number[] } {
  const asked = answers.map(() => 0);
  const placeOf = (own: Answer[], number: number): ReadingPlace => {
    const query = async () => {
      const answer = own[Math.min(asked[number]!++, own.length - 1)]!;
      if (answer instanceof Error) throw answer;
      return { rows: answer };
    };
    return { reads: { query } as never, sharedReads: sharedReads() };
  };
  const all = answers.map(placeOf);
  const places: Places<ReadingPlace> = { directory: all[0]!, all: () => all, at: (_, work) => work(all[0]!) };
  return { reads: new Reads(places), asked };
}

const away = new Unavailable('away');
const moved = Object.assign(new DatabaseError('moved', 0, 'error'), { code: 'TG001' });
const bug = Object.assign(new DatabaseError('a bug', 0, 'error'), { code: '42703' });
const row = { id: 'x' };

describe('a row whose tenant is not known', () => {
  test.each<[string, Answer[][], object | undefined]>([
    ['is found at the place that has it', [[[]], [[row]], [[]]], row],
    ['is nowhere where no place has it', [[[]], [[]]], undefined],
    ['is found while another place is away', [[away], [[row]]], row],
    ['is found where a place has just moved', [[[]], [moved, [row]]], row],
    ['is nowhere once a place that has moved answers', [[[]], [moved, []]], undefined],
    ['is found at a place that has moved while another is away', [[away], [moved, [row]]], row],
  ])('%s', async (_, answers, found) => {
    expect(await readsOf(...answers).reads.everywhere.find('', [])).toEqual(found);
  });

  test('may be at a place that is away', async () => {
    await expect(readsOf([[]], [away]).reads.everywhere.find('', [])).rejects.toBe(away);
  });

  test('is not looked for again where a statement is wrong', async () => {
    const { reads, asked } = readsOf([bug], [moved]);
    await expect(reads.everywhere.find('', [])).rejects.toBe(bug);
    expect(asked).toEqual([1, 1]);
  });
});

test('one database does not move: a table that it lacks is not looked for again', async () => {
  const lacking = Object.assign(new DatabaseError('no such table', 0, 'error'), { code: '42P01' });
  for (const method of ['find', 'rows'] as const) {
    const { reads, asked } = readsOf([lacking]);
    await expect(reads.everywhere[method]('', [])).rejects.toBe(lacking);
    expect(asked).toEqual([1]);
  }
});

test('rows of many tenants are those of all places, also of one that has just moved, and not of some of them', async () => {
  expect(await readsOf([[1], [1]], [moved, [2]]).reads.everywhere.rows('', [])).toEqual([1, 2]);
  await expect(readsOf([[1]], [away]).reads.everywhere.rows('', [])).rejects.toBe(away);
});
