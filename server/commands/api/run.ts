import { writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { AnyOperation } from '../../operations/operation.ts';
import { print } from '../print.ts';
import { Progress } from '../progress.ts';
import { readSource, sourceSyntax, withQuestions } from '../secret_sources.ts';
import { inFlags, UsageError } from '../usage.ts';
import { type AccessOptions, accessOf } from './access.ts';
import { type ApiAnswer, type ApiCall, ApiClient, ApiFailure } from './client.ts';
import { type FlagSchema, flagName, flagsOf, type Pair } from './flags.ts';
import { inWords } from './show.ts';
import { followed } from './stream.ts';

export type ApiOptions = AccessOptions & { json?: boolean; idempotencyKey?: string; csv?: boolean; output?: string };

/** The flags of a command, and those that have other names than their parameters. */
type CommandFlags = { flags?: readonly string[]; named?: Readonly<Record<string, string>> };

/** Works with a client of the chosen server. Refusals name the flags that the command has. */
export async function withClient<T>(
  options: ApiOptions,
  work: (client: ApiClient) => Promise<T>,
  flags: CommandFlags = {},
): Promise<T> {
  const client = new ApiClient(accessOf(options));
  try {
    return await work(client);
  } catch (error) {
    throw error instanceof ApiFailure ? new ApiRefusal(error, options.json ?? false, flags) : error;
  } finally {
    client.close();
  }
}

/** A refusal of the API, as it is printed: with the flag in place of the parameter, or as the API's JSON. */
export class ApiRefusal extends Error {
  readonly isOfApi = true;
  readonly exitCode: number;

  constructor(failure: ApiFailure, json: boolean, flags: CommandFlags) {
    super(json && failure.error !== undefined ? JSON.stringify({ error: failure.error }) : sentenceOf(failure, flags));
    this.exitCode = failure.exitCode;
  }
}

function sentenceOf({ message, error, requestId }: ApiFailure, flags: CommandFlags): string {
  if (error === undefined) return `${message}.`;
  const { param, code, decline_code, payment, setup } = error;
  const flag = param === undefined ? '' : flagOf(param, flags);
  const words = param === undefined ? message : inFlags(message, param, flag);
  const facts = [code, decline_code, payment, setup, words.includes(flag) ? undefined : flag, requestId];
  return `${words}\n(${facts.filter((fact) => fact !== undefined).join(', ')})`;
}

/** An object has no flag: `--recurring.*` stands for its members. */
function flagOf(param: string, { flags = [], named = {} }: CommandFlags): string {
  if (named[param] !== undefined) return named[param];
  const flag = flagName(param.split('.'));
  if (param === 'id') return '<id>';
  if (param === 'Authorization') return '--api-key';
  return !flags.includes(flag) && flags.some((one) => one.startsWith(`${flag}.`)) ? `${flag}.*` : flag;
}

/** Sends an operation, and prints the answer. */
export async function runOperation(
  operation: AnyOperation,
  id: string | undefined,
  pairs: readonly Pair[],
  options: ApiOptions,
): Promise<void> {
  const { method, route } = operation;
  // A slash or a question mark would make another path of it.
  const path = id === undefined ? route : route.replace(':id', encodeURIComponent(id));
  const call: ApiCall = { method, path, pairs: await opened(pairs, options), idempotencyKey: options.idempotencyKey };
  if (options.csv && options.json) throw new UsageError('--csv and --json exclude each other: leave one out');
  const flags = flagsOf(operation.input as FlagSchema, () => ['0']).map((flag) => flagName(flag.path));
  await withClient(
    options,
    async (client) => {
      if (options.csv) return printCsv(client, call);
      if (operation.isLive) return printLive(client, call);
      if (operation.file !== undefined) return saveFile(client, { ...call, accept: operation.file }, options);
      const answer = await client.json(call);
      print(options.json, answer, () => inWords(answer));
      if (options.json) return;
      hintMore(answer);
      if (operation.method === 'POST') await showPage(answer);
    },
    { flags },
  );
}

/** Reads secrets from their sources. The number of a test card is no secret. */
function opened(pairs: readonly Pair[], { live }: ApiOptions): Promise<Pair[]> {
  return withQuestions(async (ask) => {
    const open: Pair[] = [];
    for (const { name, value, secret } of pairs) {
      const isSource = secret && (live || secret.needsSource === 'always' || sourceSyntax.test(value));
      open.push({ name, value: isSource ? await readSource(secret.flag, value, ask) : value });
    }
    return open;
  });
}

function hintMore(answer: ApiAnswer): void {
  if (answer.object === 'list' && answer.has_more)
    console.error(`There are more: --starting-after ${answer.data.at(-1).id}`);
}

/** Beside the answer, so that a script reads the answer alone. The library is loaded where somebody sees the code. */
async function showPage(answer: ApiAnswer): Promise<void> {
  if (!process.stderr.isTTY) return;
  const { pageCodeOf } = await import('./qr.ts');
  const code = pageCodeOf(answer);
  if (code !== undefined) console.error(code);
}

/** Into a file, or to another program. A screen cannot show it. */
async function saveFile(client: ApiClient, call: ApiCall, { output }: ApiOptions): Promise<void> {
  if (output === undefined && process.stdout.isTTY)
    throw new UsageError('the answer is a file: say where to write it with --output <file>');
  const bytes = await buffer(await client.stream(call));
  if (output === undefined) process.stdout.write(bytes);
  else await writeFile(output, bytes);
}

/** Messages as they come, one object on each line, until Ctrl-C. */
async function printLive(client: ApiClient, { path, pairs = [] }: ApiCall): Promise<void> {
  for await (const { data } of followed(client, path, pairs)) if (data !== undefined) console.log(JSON.stringify(data));
}

/** Everything, as it comes: the API reads the next rows when these are written. On the screen, rows need no count beside them. */
async function printCsv(client: ApiClient, call: ApiCall): Promise<void> {
  const response = await client.stream({ ...call, accept: 'text/csv' });
  using progress = new Progress('rows');
  let rows = -1; // the first line has the names of the columns
  await pipeline(
    response,
    async function* counted(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        rows += chunk.toString('latin1').split('\n').length - 1;
        if (!process.stdout.isTTY) progress.set(rows);
        yield chunk;
      }
    },
    process.stdout,
    { end: false },
  );
}
