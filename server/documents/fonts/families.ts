import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type Weight = 'regular' | 'bold';

/** The writing of Chinese characters differs between languages. */
export type Han = 'jp' | 'sc' | 'kr';

export type FamilyName = 'latin' | 'arabic' | 'hebrew' | Han;

type Family = {
  package: string;
  /** For people: what cannot be written without it. */
  scripts: string;
  /** Which of its files are used. The others hold what `latin` has already. */
  files: RegExp;
};

/** One file has all weights. */
export const weights: Readonly<Record<Weight, number>> = { regular: 400, bold: 700 };

/** Every font is Noto Sans, under the SIL Open Font License. A package has files of a few hundred characters each. */
export const families: Readonly<Record<FamilyName, Family>> = {
  latin: {
    package: '@fontsource-variable/noto-sans',
    scripts: 'Latin, Greek and Cyrillic',
    files: /^(latin|greek|cyrillic)(-ext)?$|^vietnamese$/,
  },
  arabic: {
    package: '@fontsource-variable/noto-sans-arabic',
    scripts: 'Arabic',
    files: /^arabic$/,
  },
  hebrew: {
    package: '@fontsource-variable/noto-sans-hebrew',
    scripts: 'Hebrew',
    files: /^hebrew$/,
  },
  jp: { package: '@fontsource-variable/noto-sans-jp', scripts: 'Japanese', files: /^\[\d+\]$/ },
  sc: { package: '@fontsource-variable/noto-sans-sc', scripts: 'Chinese', files: /^\[\d+\]$/ },
  kr: { package: '@fontsource-variable/noto-sans-kr', scripts: 'Korean', files: /^\[\d+\]$/ },
};

export const familyNames = Object.keys(families) as FamilyName[];

/** A file of a font, and the characters that it is for. */
export type FontFile = { family: FamilyName; path: string; ranges: readonly (readonly [number, number])[] };

const require = createRequire(import.meta.url);

/** Where the package of a family is; undefined where it was left out of the installation. */
export function folderOf(family: FamilyName): string | undefined {
  try {
    return dirname(require.resolve(`${families[family].package}/unicode.json`));
  } catch {
    return undefined;
  }
}

/** The families that are not installed. */
export function missingFamilies(): FamilyName[] {
  return familyNames.filter((family) => folderOf(family) === undefined);
}

/** The files of a family: none where it is not installed. */
export function filesOf(family: FamilyName): FontFile[] {
  const folder = folderOf(family);
  if (folder === undefined) return [];
  const ranges: Record<string, string> = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8'));
  const { package: name, files } = families[family];
  const [, stem] = name.split('/');
  return Object.entries(ranges)
    .filter(([part]) => files.test(part))
    .map(([part, text]) => ({
      family,
      path: join(folder, 'files', `${stem}-${part.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`),
      ranges: rangesIn(text),
    }));
}

/** `U+20,U+3001-3002` → pairs of code points. */
function rangesIn(text: string): [number, number][] {
  return text.split(',').map((range) => {
    const [from = '', to = from] = range.replace('U+', '').split('-');
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
  });
}
