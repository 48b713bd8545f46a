// Makes server/base/look/inter.woff2 from the whole font, which is seven times as large. Only for a new version of it:
//   npm install --no-save inter-ui@4.1.1 subset-font@2.9.0 && node scripts/subset-font.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
    targetFormat: 'woff2',
    // As bold as look.css says, drawn for small text.
    variationAxes: { wght: { min: 400, max: 600 }, opsz: 14 },
    // Figures of one width, kerning, and accents.
    keepFeatures: ['tnum', 'kern', 'ccmp', 'mark', 'mkmk', 'locl'],
    noHinting: true,
  },
);
writeFileSync(join(root, 'server/base/look/inter.woff2'), font);
