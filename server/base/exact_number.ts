/** Node 24 has it, and the compiler does not know it. */
const { rawJSON } = JSON as unknown as { rawJSON(digits: string): object };

/** A number that is written into JSON digit by digit: a double would round it from 2^53 on. */
export function exactNumber(digits: string): number {
  return rawJSON(digits) as unknown as number;
}
