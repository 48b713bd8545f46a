import { padded, u16s, u32s } from './bytes.ts';

/** The tables of a font as one file. */
export function trueTypeFile(flavor: number, tables: ReadonlyMap<string, Buffer>): Buffer {
  const sorted = [...tables].sort(([one], [other]) => (one < other ? -1 : 1));
  const entrySelector = Math.floor(Math.log2(sorted.length));
  const searchRange = 16 * 2 ** entrySelector;
  const head = [u32s(flavor), u16s(sorted.length, searchRange, entrySelector, sorted.length * 16 - searchRange)];
  let offset = 12 + sorted.length * 16;
  const bodies: Buffer[] = [];
  for (const [tag, bytes] of sorted) {
    // Readers of embedded fonts ignore checksums.
    head.push(Buffer.from(tag, 'latin1'), u32s(0, offset, bytes.length));
    bodies.push(padded(bytes));
    offset += bodies.at(-1)!.length;
  }
  return Buffer.concat([...head, ...bodies]);
}
