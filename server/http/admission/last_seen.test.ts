import { beforeEach, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import { Unavailable } from '../../base/errors.ts';
import type { Pool } from '../../base/sql.ts';
import type { KeyWithAccount } from '../../operations/caller.ts';
import type { AddressLimiter } from './address_limit.ts';
import { KeyLookup } from './key_lookup.ts';
import { LastSeenKeys } from './last_seen.ts';

const graceMs = 300_000;
const hash = Buffer.from('a key').toString('base64');
const start = Date.UTC(2026, 0, 1);
const key = {
  id: 'key_1',
  expires_at: null,
  revoked_at: null,
  expired: false,
  revoked: false,
} as unknown as KeyWithAccount;

let clock: VirtualClock;
let isDown: boolean;
let stored: KeyWithAccount | undefined;
let lookup: KeyLookup;

/** The directory, as far as a lookup of keys sees it. */
const directory = {
  async query({ text }: { text: string }) {
    if (isDown) throw new Unavailable('the database did not answer');
    const row: Record<string, unknown> = { ...stored, hash: Buffer.from(hash, 'base64') };
    // As the statement has them: what makes rows of it is kept in the process, where other tests run it too.
    const columns = text.slice(0, text.indexOf(' from ')).matchAll(/(?:\bas |\.)(\w+)(?=,|\s*$)/gm);
    const names = Array.from(columns, ([, name]) => name!);
    return {
      fields: names.map((name) => ({ name })),
      rows: stored === undefined ? [] : [names.map((name) => row[name])],
    };
  },
} as unknown as Pool;

function lookupWith(grace: number): KeyLookup {
  const addresses = { mayLookUp: () => true, take: () => ({}) } as unknown as AddressLimiter;
  return new KeyLookup(directory, clock, addresses, new LastSeenKeys(clock, grace));
}

beforeEach(() => {
  [clock, isDown, stored] = [virtualClock(start), false, key];
  lookup = lookupWith(graceMs);
});

const isRefused = (lookedUp: Promise<unknown>) =>
  lookedUp.then(
    () => false,
    (error) => error instanceof Unavailable,
  );

describe('while the directory is down', () => {
  test('a key that was seen stays valid for the grace, and is refused after it', async () => {
    await lookup.check(hash);
    isDown = true;
    clock.advance(graceMs - 1_000);
    expect(await lookup.check(hash)).toMatchObject({ id: 'key_1', expired: false, revoked: false });
    clock.advance(1_000);
    expect(await isRefused(lookup.check(hash))).toBe(true);
  });

  test('a key that was revoked before, and not used since, is refused', async () => {
    await lookup.check(hash);
    stored = { ...key, revoked_at: new Date(start + 10_000), revoked: true } as KeyWithAccount;
    clock.advance(15_000);
    await lookup.renewSeen();
    isDown = true;
    expect(await lookup.check(hash)).toMatchObject({ revoked: true });
    await expect(lookup.renewSeen()).rejects.toThrow(Unavailable);
  });

  test('a key that was deleted before is refused', async () => {
    await lookup.check(hash);
    stored = undefined;
    await lookup.renewSeen();
    isDown = true;
    clock.advance(1_000);
    expect(await isRefused(lookup.check(hash))).toBe(true);
  });

  test('the grace begins when it goes down, for a key that was used in a grace before', async () => {
    await lookup.check(hash);
    clock.advance(graceMs - 1_000);
    await lookup.renewSeen();
    isDown = true;
    clock.advance(graceMs - 1_000);
    await lookup.renewSeen().catch(() => {}); // as the loop does, in vain
    expect(await lookup.check(hash)).toMatchObject({ id: 'key_1' });
    clock.advance(1_000);
    expect(await isRefused(lookup.check(hash))).toBe(true);
  });

  test('a key that was not used for so long is refused', async () => {
    await lookup.check(hash);
    clock.advance(graceMs);
    await lookup.renewSeen();
    isDown = true;
    expect(await isRefused(lookup.check(hash))).toBe(true);
  });

  test('a key that was not seen is refused at once', async () => {
    isDown = true;
    expect(await isRefused(lookup.check(hash))).toBe(true);
  });

  test('no key is valid where the grace is 0', async () => {
    lookup = lookupWith(0);
    await lookup.check(hash);
    isDown = true;
    clock.advance(1_000);
    expect(await isRefused(lookup.check(hash))).toBe(true);
  });

  test.each([
    ['expires', { expires_at: new Date(start + 60_000) }, 'expired'],
    ['was to be revoked', { revoked_at: new Date(start + 60_000) }, 'revoked'],
  ] as const)('a key that %s in the meantime does so', async (_, times, state) => {
    stored = { ...key, ...times } as KeyWithAccount;
    await lookup.check(hash);
    isDown = true;
    clock.advance(59_000);
    expect((await lookup.check(hash))![state]).toBe(false);
    clock.advance(1_000);
    expect((await lookup.check(hash))![state]).toBe(true);
  });
});

test('the directory has the last word once it is back', async () => {
  await lookup.check(hash);
  isDown = true;
  clock.advance(1_000);
  await lookup.check(hash);
  [isDown, stored] = [false, { ...key, revoked_at: new Date(start), revoked: true } as KeyWithAccount];
  clock.advance(1_000);
  expect(await lookup.check(hash)).toMatchObject({ revoked: true });
});
