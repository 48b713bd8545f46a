import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/**
 * A password takes 50 ms of a core on purpose, and tests sign in hundreds of times: 20 s in all. Here the parameters of argon2 are cut;
 * what is stored still names the real ones.
 */
const real = crypto.argon2;
let isCheap = true;

/** Settles when hashes of this text may be made. */
let held: { text: string; until: Promise<void> } | undefined;

crypto.argon2 = (algorithm, parameters, done) => {
  const hash = () => real(algorithm, isCheap ? { ...parameters, memory: 8, passes: 1 } : parameters, done);
  if (String(parameters.message) === held?.text) void held.until.then(hash);
  else hash();
};
syncBuiltinESMExports();

/** No hash of this password ends until the work has: as if each took for ever. */
export async function withHeldHashes<Result>(password: string, work: () => Promise<Result>): Promise<Result> {
  const { promise: until, resolve: release } = Promise.withResolvers<void>();
  held = { text: password, until };
  try {
    return await work();
  } finally {
    held = undefined;
    release();
  }
}

/** For the tests of passwords themselves. */
export async function atFullCost<Result>(work: () => Promise<Result>): Promise<Result> {
  isCheap = false;
  try {
    return await work();
  } finally {
    isCheap = true;
  }
}
