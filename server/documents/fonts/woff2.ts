import { brotliDecompressSync } from 'node:zlib';
import { ByteReader, u16s } from './bytes.ts';
import { type Outlines, outlinesOf } from './glyf.ts';
import { trueTypeFile } from './true_type.ts';

/** The tables that WOFF2 names by a number. */
const knownTags = (
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB ' +
  'EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop ' +
  'trak Zapf Silf Glat Gloc Feat Sill'
)
  .split(' ')
  .map((tag) => tag.replace('_', ' '));

const bytesMax = 8 * 1_024 * 1_024;
const signature = 0x774f4632; // wOF2
const headerBytes = 48;

type TableEntry = { tag: string; isTransformed: boolean; storedBytes: number };

/**
 * The font of a WOFF2 file as TrueType: fontkit reads WOFF2 as well, but can neither vary such a font nor take a part of it. What is
 * refused here does not occur in the packages that fonts come from.
 */
export function trueTypeOf(file: Buffer): Buffer {
  const header = new ByteReader(file);
  if (header.u32() !== signature) throw new RangeError('this is no WOFF2 file');
  const flavor = header.u32();
  header.u32();
  const count = header.u16();
  header.at = 20;
  const compressedBytes = header.u32();
  header.at = headerBytes;
  const entries = Array.from({ length: count }, () => entryOf(header));
  const data = new ByteReader(brotliDecompressSync(header.take(compressedBytes), { maxOutputLength: bytesMax }));
  const stored = new Map(entries.map((entry) => [entry.tag, { ...entry, bytes: data.take(entry.storedBytes) }]));
  const tables = new Map([...stored].map(([tag, { bytes }]) => [tag, bytes]));
  const outlines = stored.get('glyf')?.isTransformed === true ? outlinesOf(tables.get('glyf')!) : undefined;
  if (outlines !== undefined)
    tables
      .set('glyf', outlines.glyf)
      .set('loca', outlines.loca)
      .set('head', withLongLoca(tables.get('head')!));
  if (stored.get('hmtx')?.isTransformed === true) tables.set('hmtx', widthsOf(tables, outlines));
  return trueTypeFile(flavor, tables);
}

function entryOf(reader: ByteReader): TableEntry {
  const flags = reader.u8();
  const known = flags & 0x3f;
  const tag = known === 0x3f ? reader.take(4).toString('latin1') : knownTags[known]!;
  const plainBytes = reader.base128();
  const version = flags >> 6;
  // Outlines are transformed unless the version is 3, other tables if it is not 0.
  const isOutline = tag === 'glyf' || tag === 'loca';
  const isTransformed = isOutline ? version !== 3 : version !== 0;
  return { tag, isTransformed, storedBytes: isTransformed ? reader.base128() : plainBytes };
}

/** The left edges of glyphs are left out where they follow from the outlines: WOFF2, section 5.4. */
function widthsOf(tables: ReadonlyMap<string, Buffer>, outlines: Outlines | undefined): Buffer {
  if (outlines === undefined) throw new RangeError('the widths of a font need its outlines');
  const reader = new ByteReader(tables.get('hmtx')!);
  const glyphs = outlines.leftEdges.length;
  const metrics = tables.get('hhea')!.readUInt16BE(34);
  const flags = reader.u8();
  const widths = Array.from({ length: metrics }, () => reader.u16());
  const edges = (from: number, to: number, isLeftOut: boolean) =>
    outlines.leftEdges.slice(from, to).map((edge) => (isLeftOut ? edge : reader.i16()));
  const proportional = edges(0, metrics, (flags & 1) !== 0);
  const others = edges(metrics, glyphs, (flags & 2) !== 0);
  return Buffer.concat([u16s(...widths.flatMap((width, at) => [width, proportional[at]!])), u16s(...others)]);
}

function withLongLoca(head: Buffer): Buffer {
  const changed = Buffer.from(head);
  changed.writeInt16BE(1, 50);
  return changed;
}
