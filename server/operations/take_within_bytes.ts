const mebibyte = 1_048_576;

/**
 * The first of the rows that one commit can hold, by the bytes of what makes them large; at least one. A commit of 8 MiB is refused, and
 * usually has each of them twice: as the row, and in its event.
 */
export function takeWithinBytes<Row>(
  rows: readonly Row[],
  largeParts: (row: Row) => unknown,
  bytesMax = 2 * mebibyte,
): readonly Row[] {
  let bytes = 0;
  const end = rows.findIndex((row) => {
    bytes += Buffer.byteLength(JSON.stringify(largeParts(row)));
    return bytes > bytesMax;
  });
  return end === -1 ? rows : rows.slice(0, Math.max(end, 1));
}
