/** `npm run torture` asks for the long form of what `npm test` does a share of. */
export const isTorture = process.env.TORTURE === '1';

/** How much of something: a share in every run, all of it under torture. */
export function shareOf(all: number, share: number): number {
  return isTorture ? all : share;
}

/** Decides everything that is left to chance. Whoever uses it prints it, so that a failure can be had again with TEST_SEED. */
export const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 32));
