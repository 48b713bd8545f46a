import { constants, gzipSync } from 'node:zlib';

const blockBytes = 512;
/** As `npm pack` writes it, so that the same files are always the same bytes: 26 October 1985, 8:15. */
const modifiedAt = 499_162_500;

/** A package as `npm install` and `pip install` take it: a compressed tar archive with everything below one folder. */
export function packageTarball(files: ReadonlyMap<string, Buffer>, folder = 'package'): Buffer {
  const entries = [...files].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const blocks = entries.flatMap(([path, content]) => [
    header(`${folder}/${path}`, content.length),
    content,
    Buffer.alloc(-content.length & (blockBytes - 1)),
  ]);
  // Two empty blocks end an archive.
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]), { level: constants.Z_BEST_COMPRESSION });
}

/** The header of a file in the format ustar. Its paths have at most 100 bytes here; the format has a second field for longer ones. */
function header(path: string, bytes: number): Buffer {
  if (Buffer.byteLength(path) > 100) throw new RangeError(`${path} is too long for the name in a tar archive`);
  const block = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  const fields: [at: number, text: string][] = [
    [0, path],
    [100, octal(0o644, 7)],
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal(bytes, 11)],
    [136, octal(modifiedAt, 11)],
    [148, ' '.repeat(8)], // counts as blanks in the checksum
    [156, '0'],
    [257, 'ustar\x0000'],
  ];
  for (const [at, text] of fields) block.write(text, at, 'utf8');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}
