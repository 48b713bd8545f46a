import { beforeEach, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import type { Pool } from '../../../base/sql.ts';
import { type RefusedAct, RefusedActs } from './refused.ts';

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

const add = (act: Partial<RefusedAct> = {}) =>
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

test('of visitors, 300 a minute are written, from however many addresses, and ten from one network', async () => {
  times(1_000, (at) => add({ address: `2001:db8:${at.toString(16)}::1` }));
  await acts.flush();
  expect([written.length, dropped]).toEqual([300, 700]);
  clock.advance(60_000);
  times(20, (at) => add({ address: `2001:db8::${at}` }));
  await acts.close();
  expect([written.length, dropped]).toEqual([310, 710]);
});

test('a flood by visitors or against one account drops nothing that concerns another account or user', async () => {
  times(1_000, (at) => add({ address: `2001:db8:${at.toString(16)}::1` }));
  times(300, (at) => add({ user: `usr_a${at}`, account: 'acct_a', action: 'role_missing' }));
  times(5, () => add({ user: 'usr_b' })); // a password that somebody guesses
  times(5, () => add({ user: 'usr_b', account: 'acct_b', action: 'csrf_invalid' }));
  times(5, () => add({ address: '192.0.2.9', account: 'acct_b', action: 'invitation_invalid' }));
  await acts.close();
  expect(written.filter((act) => JSON.stringify(act).includes('_b"'))).toHaveLength(15);
  expect(written.filter((act) => JSON.stringify(act).includes('"acct_a"'))).toHaveLength(100);
  expect([written.length, dropped]).toEqual([300 + 100 + 15, 700 + 200]);
});

test('those without a role in an account use up a separate budget there, not that of its members', async () => {
  const inShop = { account: 'acct_a', action: 'role_missing' };
  times(300, (at) => add({ ...inShop, user: `usr_s${at}`, isStranger: true }));
  times(10, () => add({ ...inShop, user: 'usr_member' }));
  await acts.close();
  expect([written.length, dropped]).toEqual([110, 200]);
});

test('while nothing can be written, memory holds a bounded number', async () => {
  times(2_000, (at) => times(10, () => add({ user: `usr_${at}` })));
  expect(dropped).toBe(10_000);
  await acts.close();
  expect(written).toHaveLength(10_000);
});

test('what cannot be written is counted, and holds up nobody', async () => {
  fails = true;
  times(3, (at) => add({ address: `192.0.2.${at}` }));
  await acts.close();
  expect(dropped).toBe(3);
});
