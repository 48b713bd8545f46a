import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/**
 * A password takes 50 ms of a core on purpose, and tests sign in hundreds of times: 20 s in all. Here the parameters of argon2 are cut;
 * what is stored still names the real ones.
 */
const real = crypto.argon2;
let isCheap = true;

crypto.argon2 = (algorithm, parameters, done) =>
  real(algorithm, isCheap ? { ...parameters, memory: 8, passes: 1 } : parameters, done);
syncBuiltinESMExports();

/** For the tests of passwords themselves. */
export async function atFullCost<Result>(work: () => Promise<Result>): Promise<Result> {
  isCheap = false;
  try {
    return await work();
  } finally {
    isCheap = true;
  }
}
