import { beforeEach, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import type { Pool } from '../../base/sql.ts';
import { RefusedActs } from './refused.ts';

let clock: VirtualClock;
let dropped: number;
let written: object[];
let fails: boolean;
let acts: RefusedActs;

beforeEach(() => {
  [clock, dropped, written, fails] = [virtualClock(Date.UTC(2027, 0, 4)), 0, [], false];
  const pool = {
    async query({ values }: { values: [string] }) {
      if (fails) throw new Error('the database is away');
      written.push(...JSON.parse(values[0]));
      return { rows: [] };
    },
  } as unknown as Pool;
  acts = new RefusedActs(pool, clock, (entries) => {
    dropped += entries;
  });
});

const add = (act: { user?: string; address?: string; action?: string } = {}) =>
  acts.add({ action: 'sign_in_failed', actor: 'x', address: '192.0.2.1', requestId: null, details: {}, ...act });
const times = (count: number, what: (at: number) => void) => Array.from({ length: count }, (_, at) => what(at));

test('of one actor and one code, ten a minute are written, and the others counted', async () => {
  times(25, () => add({ user: 'usr_1' }));
  times(2, () => add({ user: 'usr_1', action: 'csrf_invalid' }));
  times(2, () => add({ user: 'usr_2' }));
  await acts.flush();
  expect([written.length, dropped]).toEqual([14, 15]);
  clock.advance(60_000);
  times(11, () => add({ user: 'usr_1' }));
  await acts.close();
  expect([written.length, dropped]).toEqual([24, 16]);
});

test('of all together, 300 a minute are written, from however many addresses', async () => {
  times(1_000, (at) => add({ address: `2001:db8::${at}` }));
  await acts.close();
  expect([written.length, dropped]).toEqual([300, 700]);
});

test('what cannot be written is counted, and holds up nobody', async () => {
  fails = true;
  times(3, (at) => add({ address: `192.0.2.${at}` }));
  await acts.close();
  expect(dropped).toBe(3);
});
