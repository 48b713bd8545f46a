import { readForm } from '../../../reading/body/form.ts';
import type { Document } from '../../openapi/document.ts';
import { type OperationModel, resolved, type SchemaModel } from '../model.ts';
import { pythonCall } from './python.ts';
import {
  type AnswerPath,
  isListing,
  nounOf,
  type Reference,
  referenceText,
  type SampleCall,
  type SampleValues,
  sampleBase,
} from './sample.ts';
import { commandsIn, NotConvertible, type ShellCommand } from './shell.ts';
import { typescriptCall } from './typescript.ts';

/** What the examples of guides call: the operations, and the schemas of their parameters by name. */
export type CalledApi = {
  document: Document;
  operations: readonly OperationModel[];
  inputs: ReadonlyMap<string, object>;
};

export type GuideSample = { typescript: string; python: string };

/**
 * The examples of a guide in other languages. They are derived from its commands of the shell, which the tests run, in the order of the
 * guide: a variable stands for the answer of an earlier call.
 */
export class GuideSamples {
  readonly #api: CalledApi;
  readonly #variables = new Map<string, Reference>();
  readonly #timesUsed = new Map<string, number>();

  constructor(api: CalledApi) {
    this.#api = api;
  }

  /** Undefined for a block that does more than call the API. */
  next(block: string): GuideSample | undefined {
    try {
      const lookUp = (variable: string) => {
        const reference = this.#variables.get(variable);
        return reference && referenceText(reference);
      };
      const lines: GuideSample[] = [];
      for (const command of commandsIn(block.replaceAll(newKey, ''), lookUp)) {
        if ('comment' in command) lines.push({ typescript: `// ${command.comment}`, python: `# ${command.comment}` });
        else {
          const call = this.#callOf(command);
          lines.push({ typescript: typescriptCall(call), python: pythonCall(call) });
        }
      }
      const text = (language: keyof GuideSample) => lines.map((line) => line[language]).join('\n');
      return lines.length === 0 ? undefined : { typescript: text('typescript'), python: text('python') };
    } catch (error) {
      if (!(error instanceof NotConvertible)) throw error;
      for (const [, variable] of block.matchAll(/\b(\w+)=/g)) this.#variables.delete(variable!);
      return undefined;
    }
  }

  #callOf({ words, filter, assigned }: Exclude<ShellCommand, { comment: string }>): SampleCall {
    const { method, address, body, headers } = requestOf(words);
    const [path = '', query = ''] = address.slice(sampleBase.length).split('?');
    const { operation, id } = this.#operationAt(method, path);
    const form = method === 'GET' ? query : typeof body === 'string' ? body : '';
    const parameters = typeof body === 'object' ? body : this.#readForm(form, operation);
    const call: SampleCall = { operation, id, parameters, ...keyIn(headers) };
    // What the shell shows of an answer is not what the example is about.
    if (assigned === undefined) return { ...call, ...(method === 'GET' && { prints: [] }) };
    const read = filter && this.#pathOf(filter, operation);
    const variable = this.#nameFor(operation);
    this.#variables.set(assigned, { variable, path: read ?? [], isList: isListing(operation) });
    return { ...call, variable };
  }

  #operationAt(method: string, path: string): { operation: OperationModel; id: string | undefined } {
    for (const operation of this.#api.operations) {
      const [before = '', after] = operation.path.split(/\{\w+\}/);
      if (operation.method !== method || operation.scope === undefined) continue;
      if (after === undefined && path === before) return { operation, id: undefined };
      if (after === undefined || !path.startsWith(before) || !path.endsWith(after)) continue;
      const id = path.slice(before.length, path.length - after.length);
      if (id !== '' && !id.includes('/')) return { operation, id };
    }
    throw new NotConvertible(`${method} ${path} is no operation of a key`);
  }

  #readForm(text: string, { id }: OperationModel): SampleValues {
    const input = this.#api.inputs.get(id) as { properties: object };
    const values = readForm(text, input) as SampleValues;
    const unknown = Object.keys(values).find((name) => !(name in input.properties));
    if (unknown !== undefined) throw new NotConvertible(`${unknown} is no parameter: an example of an error`);
    return values;
  }

  /** The member that `jq -r .data[0].id` reads. */
  #pathOf([program, ...args]: string[], { answer }: OperationModel): AnswerPath {
    const filter = args.at(-1) ?? '';
    const isRaw = args.slice(0, -1).every((flag) => flag === '-r' || flag === '-er');
    if (program !== 'jq' || !isRaw || !/^(\.\w+(\[\d+\])?)+$/.test(filter))
      throw new NotConvertible('more than a member');
    const steps = filter.match(/\w+/g)!.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
    let schema: SchemaModel | undefined = answer.schema;
    return steps.map((step) => {
      const whole: SchemaModel = schema === undefined ? {} : resolved(this.#api.document, schema);
      schema = typeof step === 'number' ? whole.items : whole.properties?.[step];
      if (schema === undefined) throw new NotConvertible(`there is no ${step}`);
      return { step, isOptional: typeof step === 'string' && whole.required?.includes(step) !== true };
    });
  }

  /** A second payment of a guide is `payment_2`. */
  #nameFor(operation: OperationModel): string {
    const noun = `${nounOf(operation)}${isListing(operation) ? 's' : ''}`;
    const times = (this.#timesUsed.get(noun) ?? 0) + 1;
    this.#timesUsed.set(noun, times);
    return times === 1 ? noun : `${noun}_${times}`;
  }
}

/** The clients send a new key with each call. */
const newKey = /-H "Idempotency-Key: \$\([^)]*\)"/g;

type ShellRequest = { method: string; address: string; body: string | SampleValues | undefined; headers: string[] };

/** The request that `api` sends: the function of Getting started, which is curl with a key. */
function requestOf([program, ...words]: string[]): ShellRequest {
  if (program !== 'api') throw new NotConvertible(`${program} is no call of the API`);
  let [method, address]: (string | undefined)[] = [];
  let json: string | undefined;
  const [form, headers]: string[][] = [[], []];
  for (let at = 0; at < words.length; at++) {
    const one = words[at]!;
    if (one === '-d') form!.push(words[++at] ?? '');
    else if (one === '--data-urlencode') form!.push(encodedPair(words[++at] ?? ''));
    else if (one === '--json') json = words[++at];
    else if (one === '-X') method = words[++at];
    else if (one === '-H') headers!.push(words[++at] ?? '');
    else if (one.startsWith(`${sampleBase}/`) && address === undefined) address = one;
    else throw new NotConvertible(`the option ${one}`);
  }
  if (address === undefined) throw new NotConvertible('no address');
  const hasBody = form!.length > 0 || json !== undefined;
  return {
    method: method ?? (hasBody ? 'POST' : 'GET'),
    address,
    body: json === undefined ? (form!.length > 0 ? form!.join('&') : undefined) : JSON.parse(json),
    headers: headers!,
  };
}

function encodedPair(pair: string): string {
  const [name = '', value = ''] = pair.split(/=(.*)/s);
  return `${name}=${encodeURIComponent(value)}`;
}

function keyIn(headers: readonly string[]): { idempotencyKey?: string } {
  const keys = headers.map((header) => /^Idempotency-Key: (.+)$/.exec(header)?.[1]);
  if (keys.includes(undefined)) throw new NotConvertible('another header');
  return keys[0] === undefined ? {} : { idempotencyKey: keys[0] };
}
