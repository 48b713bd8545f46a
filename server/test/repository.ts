import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** The repository as text, for the rules of tidy.test.ts. */

const root = join(import.meta.dirname, '..', '..');

export type Source = { path: string; text: string; lines: string[]; isTest: boolean };

/** The files of the repository, committed or not, without those that git ignores. */
export function readRepository(): Source[] {
  const listed = listedByGit();
  // An unpacked archive has no git, or is inside another repository.
  return (listed.includes('package.json') ? listed : filesBelow('')).sort().map(read);
}

function listedByGit(): string[] {
  try {
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, stdio: 'pipe' });
    const paths = new Set(listed.toString().split('\0'));
    // A file that was deleted but not yet committed is still listed.
    return [...paths].filter((path) => lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile());
  } catch {
    return [];
  }
}

const neverOurs = new Set(['.git', 'node_modules', '.tollgate', 'coverage', 'dist']);

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (neverOurs.has(entry.name) || entry.name.endsWith('.log')) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function read(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  return { path, text, lines: text.split('\n'), isTest: isTestCode(path) };
}

/** Tests, and code that only tests use. */
export function isTestCode(path: string): boolean {
  return /^(server|dashboard)\/test\//.test(path) || /(\.test|\.fixture|\/harness)\.(ts|json)$/.test(path);
}

/** The position of a character, as `file:line`. */
export function placeOf({ path, text }: Source, index: number): string {
  return `${path}:${text.slice(0, index).split('\n').length}`;
}

/** A package by its name, a file by its path in the repository. */
export type Import = {
  from: Source;
  at: string;
  target: string;
  /** Loaded when the code around it runs. */
  isLazy: boolean;
  /** Not loaded: an `import type` on one line. */
  isType: boolean;
};

const importSyntax = /^(?:(?:import|export)\b[^'"\n]* from |import |\} from |.*\bimport\()['"]([^'"\n]+)['"]/gm;

export function importsOf(source: Source): Import[] {
  return [...source.text.matchAll(importSyntax)].map((match) => {
    const name = match[1]!;
    const target = name.startsWith('.') ? normalize(join(dirname(source.path), name)) : name;
    return {
      from: source,
      at: placeOf(source, match.index),
      target,
      isLazy: match[0].includes('import('),
      isType: match[0].startsWith('import type '),
    };
  });
}

/** An SQL text, and the function that contains it, as `file function`. */
export type Statement = { at: string; place: string; sql: string };

const constantSyntax = /const (\w+) = (`[^`]*`|'[^'\n]*'|\[[^\]\n]*\]);/g;
const sqlSyntax = /`\s*((?:select|insert|update|delete|with)\s[^`]*)`|'((?:select|insert|update|delete) [^'\n]*)'/g;
const functionSyntax = /^(?: {2})?(?:export )?(?:async )?(?:function )?(#?\w+)(?:<.*>)?\(/gm;

/** The strings that begin like SQL, with the file's own constants interpolated. */
export function statementsOf(source: Source): Statement[] {
  const constants = new Map([...source.text.matchAll(constantSyntax)].map(([, name, value]) => [name!, value!]));
  return [...source.text.matchAll(sqlSyntax)].map((match) => {
    const text = (match[1] ?? match[2])!;
    const sql = text.replaceAll(/\$\{(\w+)[^}]*\}/g, (blank, name: string) => constants.get(name) ?? blank);
    return { at: placeOf(source, match.index), place: functionAt(source, match.index), sql };
  });
}

/** The function that contains a character, as `file function`; just `file` before the first function. */
function functionAt({ path, text }: Source, index: number): string {
  const [, name = ''] = [...text.slice(0, index).matchAll(functionSyntax)].at(-1) ?? [];
  return `${path} ${name}`.trimEnd();
}

/** A table that is named by its literal name: in SQL, or where it is declared for the committer. */
export type NamedTable = {
  at: string;
  place: string;
  table: string;
  /** Whether it is the declaration of its `Table`. */
  isDeclared: boolean;
};

export function namedTables(source: Source, tables: readonly string[]): NamedTable[] {
  const names = tables.map((name) => name.replace('.', '\\.')).join('|');
  const inSql = String.raw`\b(?:from|join|into|update|using|table|only)\s+(${names})\b(?![.(])`;
  const declared = String.raw`\btable(?:<\w+>)?\(\s*'(${names})'`;
  const code = source.text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, (comment) => ' '.repeat(comment.length));
  return [...code.matchAll(new RegExp(`${inSql}|${declared}`, 'g'))].map((match) => ({
    at: placeOf(source, match.index),
    place: functionAt(source, match.index),
    table: (match[1] ?? match[2])!,
    isDeclared: match[2] !== undefined,
  }));
}
