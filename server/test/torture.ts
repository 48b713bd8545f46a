/** Set by `npm run torture`, for the long form of tests of which `npm test` runs a share. */
export const isTorture = process.env.TORTURE === '1';

/** A number of rounds or rows: a share in every run, all under torture. */
export function shareOf(all: number, share: number): number {
  return isTorture ? all : share;
}

/** The seed of all random choices. Tests that use it print it, so that TEST_SEED can repeat a failure. */
export const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 32));
