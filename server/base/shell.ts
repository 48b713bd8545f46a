import { relative } from 'node:path';

/** A text as one word of a shell, for commands that people paste. */
export function shellWord(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A path as it is typed in the folder in which this process was started. */
export function pathFromHere(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short || '.';
}
