import { columnsMax, literal, type Syntax } from './literals.ts';
import {
  type AnswerPath,
  isListing,
  nounOf,
  partsOf,
  type Reference,
  type SampleCall,
  type SampleOptions,
  sampleBase,
} from './sample.ts';

const syntax: Syntax = {
  indent: '    ',
  padding: '',
  text: textLiteral,
  scalar: (value) => (value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : String(value)),
  key: textLiteral,
};

/** Names that Python keeps for itself, among those that parameters may have. */
const keywords = new Set([
  'from',
  'class',
  'in',
  'is',
  'not',
  'or',
  'and',
  'import',
  'global',
  'pass',
  'with',
  'as',
  'if',
]);

export function pythonClient({ dataDir }: SampleOptions): string {
  const certificate = dataDir === undefined ? '' : `\n    ca_file=${JSON.stringify(`${dataDir}/tls/ca.pem`)},`;
  return `import os

from tollgate import Tollgate

tollgate = Tollgate(
    "${sampleBase}",
    os.environ["TOLLGATE_API_KEY"],${certificate}
)
`;
}

export function pythonCall(call: SampleCall): string {
  const { operation, variable, prints } = call;
  const isList = isListing(operation);
  const called = (column: number) => `${callText(call, column)}${isList ? '.page()' : ''}`;
  if (variable === undefined) {
    if (prints === undefined) return called(0);
    return `print(${called(6)}${memberText(prints, isList)})`;
  }
  const printed = prints === undefined ? '' : `\nprint(${variable}${memberText(prints, isList)})`;
  return `${variable} = ${called(variable.length + 3)}${printed}`;
}

/** A list as programs read one: all of it. */
export function pythonLoop(call: SampleCall): string {
  const name = nounOf(call.operation);
  return `for ${name} in ${callText(call, name.length + 8)}:\n    print(${name})`;
}

function callText({ operation, id, parameters, idempotencyKey }: SampleCall, column: number): string {
  const method = `tollgate.${operation.id}`;
  const own = id === undefined ? [] : [textLiteral(id)];
  const named = Object.entries({ ...parameters, ...(idempotencyKey && { idempotency_key: idempotencyKey }) });
  const argument = ([name, value]: (typeof named)[number], indent: string) =>
    isName(name)
      ? `${name}=${literal(value, syntax, indent, indent.length + name.length + 1)}`
      : `**${literal({ [name]: value }, syntax, indent, indent.length + 2)}`;
  const flat = `${method}(${[...own, ...named.map((one) => argument(one, ''))].join(', ')})`;
  if (!flat.includes('\n') && column + flat.length <= columnsMax) return flat;
  const lines = [...own, ...named.map((one) => argument(one, syntax.indent))];
  return `${method}(\n${lines.map((line) => `${syntax.indent}${line},\n`).join('')})`;
}

const isName = (name: string) => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name);

function textLiteral(text: string): string {
  const parts = partsOf(text);
  if (parts.length === 1 && typeof parts[0] !== 'string') return referenceText(parts[0]!);
  if (parts.some((part) => typeof part !== 'string')) {
    const inner = parts.map((part) =>
      typeof part === 'string'
        ? JSON.stringify(part).slice(1, -1).replaceAll('{', '{{').replaceAll('}', '}}')
        : `{${referenceText(part).replaceAll('"', "'")}}`,
    );
    return `f"${inner.join('')}"`;
  }
  return JSON.stringify(text);
}

function referenceText({ variable, path, isList }: Reference): string {
  return `${variable}${memberText(path, isList)}`;
}

/** Objects are dictionaries; a page of a list has attributes. */
function memberText(path: AnswerPath, isList: boolean): string {
  return path
    .map(({ step }, at) => {
      if (typeof step === 'number') return `[${step}]`;
      return isList && at === 0 ? `.${step}` : `["${step}"]`;
    })
    .join('');
}
