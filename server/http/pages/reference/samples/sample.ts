import { shellWord } from '../../../../base/shell.ts';
import { nameOf, type OperationModel } from '../model.ts';

/** Stands for the address at which the server was asked, until a page is served. */
export const sampleBase = 'https://gateway.invalid';

/**
 * Of which runs a sample is for. `tollgate dev` has a self-made certificate, and its key in a file: `dataDir` is where both are, as a shell
 * finds it. Undefined of others.
 */
export type SampleOptions = { dataDir: string | undefined };

export const dataDirUsual = '.tollgate';

/** A file in the data directory, as one word of a shell. */
export function dataFile(dataDir: string, name: string): string {
  return shellWord(`${dataDir}/${name}`);
}

/** A value of a request. A text may hold references to the answers of earlier calls. */
export type SampleValue = null | boolean | number | string | SampleValue[] | { [name: string]: SampleValue };
export type SampleValues = { [name: string]: SampleValue };

/** One call of an operation. A sample is a list of them, in every language the same. */
export type SampleCall = {
  operation: OperationModel;
  /** The id in the path. */
  id: string | undefined;
  /** In the query or in the body. */
  parameters: SampleValues;
  idempotencyKey?: string;
  /** The variable that later calls refer to, in the form `payment_method`. */
  variable?: string;
  /** The part of the answer that is printed; an empty path prints all of it. */
  prints?: AnswerPath;
};

/** A member of an answer: `data`, 0, `id`. `isOptional` is said of a member that may be absent. */
export type AnswerPath = readonly { step: string | number; isOptional?: boolean }[];

/** A member of the answer of an earlier call, and whether that answer is a list. */
export type Reference = { variable: string; path: AnswerPath; isList: boolean };

/** No characters of a language. Between them is hexadecimal, which every notation leaves as it is. */
const [begin, end] = ['\u{F0000}', '\u{F0001}'];
const mark = new RegExp(`${begin}([0-9a-f]*)${end}`, 'gu');

/** A reference as a text that can be part of a value. */
export function referenceText(reference: Reference): string {
  return `${begin}${Buffer.from(JSON.stringify(reference)).toString('hex')}${end}`;
}

/** A text in parts: what is written as it is, and references. */
export function partsOf(text: string): (string | Reference)[] {
  const parts: (string | Reference)[] = [];
  let at = 0;
  for (const { 0: whole, 1: hex, index } of text.matchAll(mark)) {
    if (index > at) parts.push(text.slice(at, index));
    parts.push(JSON.parse(Buffer.from(hex!, 'hex').toString()) as Reference);
    at = index + whole.length;
  }
  if (at < text.length || parts.length === 0) parts.push(text.slice(at));
  return parts;
}

export function isListing({ answer }: OperationModel): boolean {
  return nameOf(answer.schema)?.endsWith('List') === true;
}

/** The name of what is answered, or of what a list has: `payment_method`; `result` where it has none. */
export function nounOf({ answer }: OperationModel): string {
  const name = nameOf(answer.schema)?.replace(/List$/, '');
  if (name === undefined) return 'result';
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

export function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
