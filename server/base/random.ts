import { randomFillSync } from 'node:crypto';

const poolBytes = 8_192; // one system call serves about 500 ids
let pool: Uint8Array = new Uint8Array(poolBytes);
let used = poolBytes;

/** A byte from the system's random source. */
export function randomByte(): number {
  if (used === poolBytes) refill();
  return pool[used++]!;
}

/** A few bytes, for a nonce. A call of `randomBytes` costs as much as sealing a kilobyte. */
export function fewRandomBytes(count: number): Uint8Array {
  if (used + count > poolBytes) refill();
  used += count;
  return pool.subarray(used - count, used);
}

/** Into new memory: bytes that were given before may still be in use. */
function refill(): void {
  pool = randomFillSync(new Uint8Array(poolBytes));
  used = 0;
}
