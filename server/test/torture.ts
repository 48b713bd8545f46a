/** Set by `npm run torture`, for the long form of tests of which `npm test` runs a share. */
export const isTorture = process.env.TORTURE === '1';

/** A number of rounds or rows: a share in every run, all under torture. */
export function shareOf(all: number, share: number): number {
  return isTorture ? all : share;
}

/** When a test or a hook is taken to hang. A long form may need minutes, and its machine may be busy. */
export const limitMs = shareOf(1_200_000, 120_000);

/**
 * Where the simulator runs, for tables that try both. A remote one is asked between two transactions, which is harder; almost every other
 * test has a local one.
 */
export const places = isTorture ? (['local', 'remote'] as const) : (['remote'] as const);

/** Some of the cases of a table in every run, all of them under torture. */
export function shareOfCases<Case>(cases: readonly Case[], count: number): readonly Case[] {
  return isTorture ? cases : cases.slice(0, count);
}

/** The seed of all random choices. Tests that use it print it, so that TEST_SEED can repeat a failure. */
export const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 32));
