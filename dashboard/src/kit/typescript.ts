import { type Sent, shownOf } from './curl.ts';

type SentByProgram = Omit<Sent, 'key'> & {
  /** The name of the operation, and the id in its path; undefined where no operation has the path. */
  operation?: { name: string; id?: string | undefined } | undefined;
};

/** A request as a program with the client: it can be run as it is. */
export function typescriptOf({ origin, method, path, parameters = {}, caFile, operation }: SentByProgram): string {
  const shown = shownOf(parameters) as Record<string, unknown>;
  const [called, first] =
    operation === undefined
      ? ['request', [quoted(method), quoted(path)]]
      : [methodOf(operation.name), operation.id === undefined ? [] : [quoted(operation.id)]];
  const before = `console.log(await tollgate.${called}(${first.map((one) => `${one}, `).join('')}`;
  const sent = Object.keys(shown).length === 0 ? [] : [literalOf(shown, '', before.length)];
  const trust = caFile === undefined ? [] : trusting(caFile);
  return [
    ...trust.slice(0, 2),
    "import { Tollgate } from '@tollgate/node';",
    '',
    ...trust.slice(2),
    'const tollgate = new Tollgate({',
    `  baseUrl: ${quoted(origin)},`,
    '  apiKey: process.env.TOLLGATE_KEY!,',
    '});',
    '',
    `console.log(await tollgate.${called}(${[...first, ...sent].join(', ')}));`,
  ].join('\n');
}

/** The authority that the gateway has made for itself, beside those that Node trusts. */
function trusting(caFile: string): string[] {
  return [
    "import { readFileSync } from 'node:fs';",
    "import { getCACertificates, setDefaultCACertificates } from 'node:tls';",
    `const ca = readFileSync(${quoted(caFile)}, 'utf8');`,
    "setDefaultCACertificates([...getCACertificates('default'), ca]);",
    '',
  ];
}

/** `payment_methods.attach` is `paymentMethods.attach`. */
function methodOf(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const columnsMax = 90;

/** On one line if it fits behind what stands `before` it. */
function literalOf(value: unknown, indent: string, before: number): string {
  const flat = literal(value);
  if (flat.length + before <= columnsMax || typeof value !== 'object' || value === null) return flat;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const lines = Array.isArray(value)
    ? value.map((one) => literalOf(one, inner, inner.length))
    : Object.entries(value).map(([name, one]) => {
        const key = `${keyOf(name)}: `;
        return `${key}${literalOf(one, inner, inner.length + key.length)}`;
      });
  return `${open}\n${lines.map((line) => `${inner}${line},\n`).join('')}${indent}${close}`;
}

function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([name, one]) => `${keyOf(name)}: ${literal(one)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

const keyOf = (name: string) => (/^[A-Za-z_]\w*$/.test(name) && name !== '__proto__' ? name : `[${quoted(name)}]`);

/** A text in single quotes, whatever it contains. */
function quoted(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}
