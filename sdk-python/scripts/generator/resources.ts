import {
  type ApiDocument,
  bodyOf,
  entryOf,
  fileOf,
  isLive,
  nameOf,
  type Operation,
  operationsOf,
  otherMediaOf,
  queryOf,
  resultOf,
} from '../../../sdk/scripts/generator/document.ts';
import { className, tagsOf } from '../../../sdk/scripts/generator/resources.ts';
import { queryName } from '../../../sdk/scripts/generator/types.ts';
import { columnsMax, docstring, typeOf } from './python.ts';

/** Parameters of the methods themselves. The API must not have parameters of these names. */
const ownParameters = ['self', 'id', 'idempotency_key', 'options'];

/** The class of a resource, with a method for each operation. */
export function resourceClass(tag: string, document: ApiDocument): string {
  const operations = operationsOf(document).filter((operation) => operation.tag === tag);
  const methods = operations.flatMap((operation) => [
    methodOf(operation, document),
    ...otherMediaOf(operation).map((media) => exportOf(operation, media, document)),
  ]);
  const about = document.tags.find(({ name }) => name === tag)?.description;
  return `class ${className(tag)}(Resource):\n${docstring(4, about)}\n${methods.join('\n')}`;
}

function methodOf(operation: Operation, document: ApiDocument): string {
  const { verb, method } = operation;
  const result = resultOf(operation);
  const entry = entryOf(nameOf(result), document);
  const type = typeOf(entry ?? result, { name: '', classes: [] });
  const params = parametersOf(operation, document) === undefined ? '{}' : 'params';
  const [path, about] = [pathOf(operation), documentation(operation)];
  const file = fileOf(operation);
  if (file !== undefined)
    return `${head(verb, operation, document, 'bytes')}${about}        return self._transport.file(${path}, ${params}, options, "${file}")\n`;
  if (isLive(operation))
    return `${head(verb, operation, document, `Iterator[${type}]`)}${about}        return self._transport.follow(${path}, ${params}, options)\n`;
  if (entry !== undefined)
    return `${head(verb, operation, document, `Listing[${type}]`)}${about}        return self._transport.list(${path}, ${params}, options)\n`;
  const key = method === 'GET' ? 'None' : 'idempotency_key';
  const call = `self._transport.send("${method}", ${path}, ${params}, ${key}, options)`;
  return `${head(verb, operation, document, type)}${about}        return ${call}\n`;
}

/** A list as one text, such as CSV. */
function exportOf(operation: Operation, media: string, document: ApiDocument): string {
  const params = parametersOf(operation, document) === undefined ? '{}' : 'params';
  const form = `As \`${media}\`, all of them: a text of any length, in chunks.`;
  const name = `${operation.verb}_${media.split('/')[1]}`;
  const call = `self._transport.text(${pathOf(operation)}, ${params}, options, "${media}")`;
  return `${head(name, operation, document, 'Iterator[bytes]')}${documentation(operation, form)}        return ${call}\n`;
}

/** Ids by position; everything else by name. */
function head(name: string, operation: Operation, document: ApiDocument, result: string): string {
  const parameters = parametersOf(operation, document);
  const lines = [
    'self',
    ...idsOf(operation).map((id) => `${id}: str`),
    '*',
    ...(operation.method === 'GET' ? [] : ['idempotency_key: Optional[str] = None']),
    'options: Optional[RequestOptions] = None',
    ...(parameters === undefined ? [] : [`**params: Unpack[${parameters}]`]),
  ];
  const short = `    def ${name}(${lines.join(', ')}) -> ${result}:\n`;
  if (short.length <= columnsMax) return short;
  return `    def ${name}(\n${lines.map((line) => `        ${line},\n`).join('')}    ) -> ${result}:\n`;
}

/** The name of the class of the parameters. */
function parametersOf(operation: Operation, { components }: ApiDocument): string | undefined {
  const body = bodyOf(operation);
  const name = body === undefined ? undefined : nameOf(body);
  const members =
    name === undefined
      ? queryOf(operation).map((one) => one.name)
      : Object.keys(components.schemas[name]!.properties ?? {});
  const taken = members.find((member) => ownParameters.includes(member));
  if (taken !== undefined) throw new Error(`${operation.operationId}: the method already has a parameter ${taken}.`);
  if (members.length === 0) return undefined;
  return name ?? queryName(operation);
}

function documentation({ summary, description, method, path, 'x-scope': scope }: Operation, form?: string): string {
  const route = `\`${method} ${path}\` · scope \`${scope}\``;
  return docstring(8, `${summary}.`, '', form, ...(description ? [description] : []), '', route);
}

function idsOf({ path }: Operation): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
}

function pathOf(operation: Operation): string {
  const ids = idsOf(operation);
  if (ids.length === 0) return `"${operation.path}"`;
  return `path("${operation.path.replaceAll(/\{\w+\}/g, '{}')}", ${ids.join(', ')})`;
}

/** All resources, as members of a class that the client extends. */
export function resourcesClass(document: ApiDocument): string {
  const tags = tagsOf(document);
  const imports = tags.map((tag) => `from .${tag} import ${className(tag)}\n`);
  const made = tags.map((tag) => `        self.${tag} = ${className(tag)}(transport)\n`);
  return `from __future__ import annotations

from ...transport import Transport
${imports.join('')}

class Resources:
    """All resources of the API."""

    def __init__(self, transport: Transport) -> None:
${made.join('')}`;
}
