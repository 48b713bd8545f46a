import {
  type ApiDocument,
  bodyOf,
  camel,
  canExpand,
  entryOf,
  fileOf,
  isLive,
  nameOf,
  type Operation,
  operationsOf,
  otherMediaOf,
  pascal,
  queryOf,
  resultOf,
} from './document.ts';
import { queryName } from './types.ts';
import { comment, typeOf } from './typescript.ts';

export function tagsOf(document: ApiDocument): string[] {
  return [...new Set(operationsOf(document).map(({ tag }) => tag))].sort();
}

export function className(tag: string): string {
  return `${pascal(tag)}Resource`;
}

/** The class of a resource, with a method for each operation. */
export function resourceClass(tag: string, document: ApiDocument): string {
  const operations = operationsOf(document).filter((operation) => operation.tag === tag);
  const methods = operations.flatMap((operation) => [
    methodOf(operation, document),
    ...otherMediaOf(operation).map((media) => exportOf(operation, media)),
  ]);
  const about = document.tags.find(({ name }) => name === tag)?.description;
  return `${comment(about)}export class ${className(tag)} extends Resource {\n${methods.join('\n')}}\n`;
}

function methodOf(operation: Operation, document: ApiDocument): string {
  const { verb, method } = operation;
  const result = resultOf(operation);
  const file = fileOf(operation);
  if (file !== undefined)
    return `${documentation(operation)}${camel(verb)}(${signature(operation)}): Promise<Uint8Array> {
return this.transport.file(${pathOf(operation)}, ${paramsSent(operation)}, options, '${file}');
}\n`;
  const entry = entryOf(nameOf(result), document);
  const shown = typeOf(entry ?? result, 'out');
  const isExpanding = canExpand(operation, document);
  const type = isExpanding ? `Expanded<${shown}, Path>` : shown;
  const generic = isExpanding ? `<const Path extends PathsOf<${shown}> = never>` : '';
  const head = `${documentation(operation)}${camel(verb)}${generic}(${signature(operation, isExpanding)})`;
  const call = `${pathOf(operation)}, ${paramsSent(operation)}, options`;
  if (isLive(operation))
    return `${head}: AsyncGenerator<${type}, never> {\nreturn this.transport.follow(${call});\n}\n`;
  if (entry !== undefined) return `${head}: Listing<${type}> {\nreturn this.transport.list(${call});\n}\n`;
  return `${head}: Promise<${type}> {\nreturn this.transport.send('${method}', ${call});\n}\n`;
}

/** A list as one text, such as CSV. */
function exportOf(operation: Operation, media: string): string {
  const suffix = pascal(media.split('/')[1]!);
  const form = `As \`${media}\`, all of them: a stream of any length.`;
  const name = camel(operation.verb) + suffix;
  return `${documentation(operation, form)}${name}(${signature(operation)}): Promise<ReadableStream<Uint8Array>> {
return this.transport.text(${pathOf(operation)}, params, options, '${media}');
}\n`;
}

function documentation(operation: Operation, form?: string): string {
  const { summary, description, method, path, 'x-scope': scope } = operation;
  const caller = scope === undefined ? 'for people who have signed in' : `scope \`${scope}\``;
  const route = `\`${method} ${path}\` · ${caller}`;
  return comment(`${summary}.`, form, ...(description ? ['', description] : []), '', route);
}

/** Ids first, then parameters, then options. The paths are among the options where there are no other parameters. */
function signature(operation: Operation, isExpanding = false): string {
  const ids = idsOf(operation).map((id) => `${id}: string`);
  const parameters = parametersOf(operation);
  const paths = isExpanding ? ' & Expanding<Path>' : '';
  const params = parameters && [`params${parameters.isRequired ? '' : '?'}: ${parameters.type}${paths}`];
  return [...ids, ...(params ?? []), `options?: RequestOptions${params === undefined ? paths : ''}`].join(', ');
}

function paramsSent(operation: Operation): string {
  if (parametersOf(operation) !== undefined) return 'params';
  return queryOf(operation).length > 0 ? 'expandIn(options)' : 'undefined';
}

/** Undefined where there are none but the paths, which are among the options then. */
function parametersOf(operation: Operation): { type: string; isRequired: boolean } | undefined {
  const body = bodyOf(operation);
  if (body !== undefined) return { type: nameOf(body)!, isRequired: operation.requestBody!.required === true };
  const members = queryOf(operation).filter(({ name }) => name !== 'expand');
  if (members.length === 0) return undefined;
  return { type: queryName(operation), isRequired: members.some(({ required }) => required) };
}

function idsOf({ path }: Operation): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => camel(name!));
}

function pathOf({ path }: Operation): string {
  if (!path.includes('{')) return `'${path}'`;
  return `path\`${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${${camel(name)}}`)}\``;
}

/** All resources, as members of a class that the client extends. */
export function resourcesClass(document: ApiDocument): string {
  const tags = tagsOf(document);
  const imports = tags.map((tag) => `import { ${className(tag)} } from './resources/${tag}.ts';\n`);
  const members = tags.map((tag) => {
    const about = document.tags.find(({ name }) => name === tag)?.description;
    return `${comment(about)}readonly ${camel(tag)}: ${className(tag)};\n`;
  });
  const made = tags.map((tag) => `this.${camel(tag)} = new ${className(tag)}(transport);\n`);
  return `import type { Transport } from '../transport.ts';
${imports.join('')}
export class Resources {
${members.join('')}
constructor(transport: Transport) {
${made.join('')}}
}
`;
}
