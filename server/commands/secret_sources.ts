import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { environmentVariable } from '../config.ts';
import { readNamedFile, UsageError } from './usage.ts';

/** Where secrets that are typed or piped come from: a line for each question. */
export type Questions = (name: string, option: string) => Promise<string>;

const sources = '@file, env:NAME, or - to type or pipe it';

/**
 * Reads `name=source` pairs. Every user of a machine can see the arguments of a program, so a secret is never one of them: an argument only
 * says where the secret is. Nothing after the name stands for "remove it".
 */
export async function readSecrets(pairs: readonly string[], ask: Questions): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {};
  for (const pair of pairs) {
    const match = /^([a-z0-9_]{1,40})=(.*)$/s.exec(pair);
    // What was given may be a secret in the wrong place, which must not be repeated.
    if (match === null) throw new UsageError(`--credential takes a name and a source: secret_key=${sources}`);
    secrets[match[1]!] = await readSource(`--credential ${match[1]}`, match[2]!, ask);
  }
  return secrets;
}

/** What a source holds. `option` is what needs it: `--credential secret_key`. */
export async function readSource(option: string, source: string, ask: Questions): Promise<string> {
  if (source === '') return '';
  const text = await textOf(option, source, ask);
  const secret = text.replace(/[\r\n]+$/, '');
  if (secret === '') throw new UsageError(`${option}: its source is empty`);
  return secret;
}

export const sourceSyntax = /^(-$|@|env:)/;

async function textOf(option: string, source: string, ask: Questions): Promise<string> {
  if (source === '-') return ask(option.split(' ').at(-1)!, option);
  if (source.startsWith('@')) return readNamedFile(option, source.slice(1));
  if (!source.startsWith('env:'))
    throw new UsageError(
      `${option}: other users of this machine can see the arguments of a command, so name a source: ${sources}`,
    );
  const variable = source.slice('env:'.length);
  const value = environmentVariable(variable);
  if (value === undefined) throw new UsageError(`${option}: the variable ${variable} is not set`);
  return value;
}

/** `name=value` pairs of what is no secret. */
export function readPairs(option: string, pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const match = /^([a-z0-9_]{1,40})=(.*)$/s.exec(pair);
      if (match === null) throw new UsageError(`${option} takes a name and a value: name=value`);
      return [match[1]!, match[2]!];
    }),
  );
}

type Terminal = { stdin: NodeJS.ReadableStream & { isTTY?: boolean }; stderr: { write(text: string): unknown } };

/** Questions on standard input. On a terminal the answer is not shown. */
export async function withQuestions<T>(
  work: (ask: Questions) => Promise<T>,
  { stdin, stderr }: Terminal = process,
): Promise<T> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  let lines: ReturnType<typeof createInterface> | undefined;
  let next: AsyncIterator<string> | undefined;
  const ask: Questions = async (name, option) => {
    lines ??= createInterface({ input: stdin, output: silent, terminal: stdin.isTTY === true });
    next ??= lines[Symbol.asyncIterator]();
    if (stdin.isTTY) stderr.write(`${name}: `);
    const { value, done } = await next.next();
    if (stdin.isTTY) stderr.write('\n');
    if (done) throw new UsageError(`${option}: standard input has ended`);
    return value;
  };
  try {
    return await work(ask);
  } finally {
    lines?.close();
  }
}
