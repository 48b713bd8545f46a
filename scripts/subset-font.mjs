// Makes server/base/look/inter.woff2 from the whole font, which is seven times as large. Only for a new version of it:
//   npm install --no-save inter-ui@4.1.1 subset-font@2.9.0 fontverter harfbuzzjs && node scripts/subset-font.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fontverter from 'fontverter';
import { Blob, Face, Font, Buffer as Shaped, shape } from 'harfbuzzjs';
import subsetFont from 'subset-font';

const root = join(import.meta.dirname, '..');

/** The characters of European languages in Latin letters, with typographic signs, currencies and arrows. Systems have the others. */
const ranges = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x218, 0x21b],
  [0x2010, 0x2027],
];
const signs = 'ˆ˚˜‰′″‹›⁄€₦₩₪₫₱₴₹₺₽№™←↑→↓↗↵−∕≈≠≤≥▲▼✓✕';

const inRange = ([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
const font = await subsetFont(
  readFileSync(join(root, 'node_modules/inter-ui/variable/InterVariable.woff2')),
  ranges.flatMap(inRange).join('') + signs,
  {
    targetFormat: 'truetype',
    // As bold as look.css says, drawn for small text.
    variationAxes: { wght: { min: 400, max: 600 }, opsz: 14 },
    // Figures of one width, kerning, and accents.
    keepFeatures: ['tnum', 'kern', 'ccmp', 'mark', 'mkmk', 'locl'],
    noHinting: true,
  },
);
keepOnlyFigures(font, 'tnum');
writeFileSync(join(root, 'server/base/look/inter.woff2'), await fontverter.convert(font, 'woff2'));

/** A feature replaces figures alone. That of Inter also makes hyphens, brackets and spaces as wide as figures, in every word. */
function keepOnlyFigures(bytes, feature) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const figures = figureGlyphs(bytes);
  for (const { coverage, substitutes } of substitutions(view, feature))
    for (const [at, glyph] of coverage.entries()) if (!figures.has(glyph)) view.setUint16(substitutes + 2 * at, glyph);
}

/** The glyphs of 0 to 9. */
function figureGlyphs(bytes) {
  const shaped = new Shaped();
  shaped.addText('0123456789');
  shaped.guessSegmentProperties();
  shape(new Font(new Face(new Blob(bytes.slice().buffer))), shaped);
  return new Set(shaped.getGlyphInfos().map(({ codepoint }) => codepoint));
}

/** The lists of glyphs that a feature replaces, each with the place of what replaces them: OpenType, GSUB, lookups of type 1. */
function* substitutions(view, feature) {
  const word = (at) => view.getUint16(at);
  const tag = (at) => String.fromCharCode(...[0, 1, 2, 3].map((n) => view.getUint8(at + n)));
  const words = (at, count) => Array.from({ length: count }, (_, n) => word(at + 2 * n));
  const tables = Array.from({ length: word(4) }, (_, n) => 12 + 16 * n);
  const gsub = view.getUint32(tables.find((at) => tag(at) === 'GSUB') + 8);
  const [features, lookups] = [gsub + word(gsub + 6), gsub + word(gsub + 8)];
  const records = Array.from({ length: word(features) }, (_, n) => features + 2 + 6 * n);
  const named = records.filter((at) => tag(at) === feature).map((at) => features + word(at + 4));
  for (const index of new Set(named.flatMap((at) => words(at + 4, word(at + 2))))) {
    const lookup = lookups + word(lookups + 2 + 2 * index);
    for (const offset of words(lookup + 6, word(lookup + 4))) {
      const table = lookup + offset;
      const covered = table + word(table + 2);
      if (word(lookup) !== 1 || word(table) !== 2 || word(covered) !== 2) throw new Error('another format of GSUB');
      const runs = Array.from({ length: word(covered + 2) }, (_, n) => words(covered + 4 + 6 * n, 2));
      const coverage = runs.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, n) => first + n));
      yield { coverage, substitutes: table + 6 };
    }
  }
}
