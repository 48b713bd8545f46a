import { columnsMax, literal, type Syntax } from './literals.ts';
import { type AnswerPath, camelCase, nounOf, partsOf, type Reference, type SampleCall, sampleBase } from './sample.ts';

const syntax: Syntax = {
  indent: '  ',
  padding: ' ',
  text: textLiteral,
  scalar: String,
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : textLiteral(name)),
};

/** How a program begins. */
export function typescriptClient(): string {
  return `import { Tollgate } from '@tollgate/node';

const tollgate = new Tollgate({
  baseUrl: '${sampleBase}',
  apiKey: process.env.TOLLGATE_API_KEY!,
});
`;
}

export function typescriptCall(call: SampleCall): string {
  const { variable, prints } = call;
  const before = variable === undefined ? 'await ' : `const ${variable} = await `;
  const awaited = `await ${callText(call, before.length + 1)}`;
  if (variable === undefined) {
    if (prints === undefined) return `${awaited};`;
    return prints.length === 0 ? `console.log(${awaited});` : `console.log((${awaited})${memberText(prints)});`;
  }
  const name = camelCase(variable);
  const printed = prints === undefined ? '' : `\nconsole.log(${name}${memberText(prints)});`;
  return `const ${name} = ${awaited};${printed}`;
}

/** A list as programs read one: all of it. */
export function typescriptLoop(call: SampleCall): string {
  const name = camelCase(nounOf(call.operation));
  return `for await (const ${name} of ${callText(call, name.length + 22)}) {\n  console.log(${name});\n}`;
}

function callText({ operation, id, parameters, idempotencyKey }: SampleCall, column: number): string {
  const [resource = '', verb = ''] = operation.id.split('.');
  const method = `tollgate.${camelCase(resource)}.${camelCase(verb)}`;
  const own = id === undefined ? [] : [textLiteral(id)];
  const hasParameters = Object.keys(parameters).length > 0;
  const before = `${method}(${own.map((one) => `${one}, `).join('')}`;
  const args = [
    ...own,
    ...(hasParameters || (idempotencyKey !== undefined && operation.method === 'POST' && operation.body !== undefined)
      ? [literal(parameters, syntax, '', column + before.length)]
      : []),
    ...(idempotencyKey === undefined ? [] : [`{ idempotencyKey: ${textLiteral(idempotencyKey)} }`]),
  ];
  const flat = `${method}(${args.join(', ')})`;
  const isWide = idempotencyKey !== undefined && column + flat.length > columnsMax && !flat.includes('\n');
  return isWide ? `${method}(\n${args.map((one) => `  ${one},\n`).join('')})` : flat;
}

function textLiteral(text: string): string {
  const parts = partsOf(text);
  if (parts.length === 1 && typeof parts[0] !== 'string') return referenceText(parts[0]!);
  if (parts.some((part) => typeof part !== 'string')) {
    const inner = parts.map((part) =>
      typeof part === 'string' ? part.replaceAll(/[`\\]|\$(?=\{)/g, '\\$&') : `\${${referenceText(part)}}`,
    );
    return `\`${inner.join('')}\``;
  }
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}

function referenceText({ variable, path }: Reference): string {
  return `${camelCase(variable)}${memberText(path)}`;
}

/** Elements of lists and optional members may be missing, as far as the compiler knows. */
function memberText(path: AnswerPath): string {
  return path
    .map(({ step, isOptional }) => (typeof step === 'number' ? `[${step}]!` : `.${step}${isOptional ? '!' : ''}`))
    .join('');
}
