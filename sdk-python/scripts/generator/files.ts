import { type ApiDocument, namesIn } from '../../../sdk/scripts/generator/document.ts';
import { tagsOf } from '../../../sdk/scripts/generator/resources.ts';
import { placedTypes } from '../../../sdk/scripts/generator/types.ts';
import { errorTypes, eventUnion } from './events.ts';
import { classOf, columnsMax, docstring, type TypedDict, typeOf } from './python.ts';
import { resourceClass, resourcesClass } from './resources.ts';

const notice =
  '# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.\n\n';

/** The module of each type: that of the resource which it belongs to. */
type Modules = ReadonlyMap<string, string>;

/** The generated files, by their path in tollgate/generated. */
export function generatedFiles(whole: ApiDocument, version: string): Map<string, string> {
  const document = forKeys(whole);
  const types = typeFiles(document);
  const modules: Modules = new Map([...types].flatMap(([place, { names }]) => names.map((name) => [name, place])));
  const files = new Map<string, string>([['__init__.py', '']]);
  for (const [place, { names, body }] of types) files.set(`types/${place}.py`, typeFile(place, names, body, modules));
  const places = [...types.keys()].sort();
  files.set('types/__init__.py', places.map((place) => `from .${place} import *  # noqa: F403\n`).join(''));
  for (const tag of tagsOf(document)) files.set(`resources/${tag}.py`, resourceFile(tag, document, modules));
  files.set('resources/__init__.py', resourcesClass(document));
  files.set('errors.py', errorTypes(document));
  files.set('version.py', `version = "${version}"\n`);
  return new Map([...files].sort().map(([path, text]) => [path, notice + text]));
}

/** The part of the document that API keys can use. What only people may do needs the session of a browser. */
export function forKeys(document: ApiDocument): ApiDocument {
  const paths = Object.entries(document.paths).map(([path, methods]) => {
    const open = Object.entries(methods).filter(([, described]) => described['x-scope'] !== undefined);
    return [path, Object.fromEntries(open)] as const;
  });
  const part = { ...document, paths: Object.fromEntries(paths) };
  const names = namesIn([part.paths, part.webhooks], document, new Set(), true);
  const schemas = Object.entries(document.components.schemas).filter(([name]) => names.has(name));
  return { ...part, components: { schemas: Object.fromEntries(schemas) } };
}

type TypeFile = { names: string[]; body: string };

function typeFiles(document: ApiDocument): Map<string, TypeFile> {
  const placed = placedTypes(document);
  const events = Object.values(document.webhooks).map(
    ({ post }) => post.requestBody.content['application/json']!.schema.$ref!.split('/').at(-1)!,
  );
  const files = new Map<string, TypeFile>();
  for (const place of new Set([...placed.keys(), 'events'])) {
    const own = place === 'events' ? events.map((name) => ({ name, schema: document.components.schemas[name]! })) : [];
    const texts = [...(placed.get(place) ?? []).filter(hasMembers), ...own].map(declaration);
    if (place === 'events') texts.push(eventUnion(document));
    const body = texts.join('\n\n');
    const names = [...body.matchAll(/^(?:class )?([A-Z]\w*)(?:\(| = )/gm)].map(([, name]) => name!);
    files.set(place, { names, body });
  }
  return files;
}

/** Where an operation takes no parameters, its method has none. */
function hasMembers({ schema, base }: TypedDict): boolean {
  const isClosed = schema.type === 'object' && schema.additionalProperties === false;
  return base !== undefined || !isClosed || Object.keys(schema.properties ?? {}).length > 0;
}

/** A class, or another name for something that is no object. */
function declaration({ name, schema, base }: TypedDict): string {
  const isObject = Object.keys(schema.properties ?? {}).length > 0 || base !== undefined;
  if (isObject) return classOf({ name, schema, base });
  const classes: TypedDict[] = [];
  // A name of another module is not there yet when the module is loaded.
  const type = typeOf(schema, { name: `${name}Value`, classes }).replaceAll(
    /(?<=[[ ]|^)([A-Z]\w*)\b(?!\[|")/g,
    (word) => (['Any', 'None', 'True', 'False'].includes(word) ? word : `"${word}"`),
  );
  return `${classes.map((one) => `${classOf(one)}\n\n`).join('')}${name} = ${type}\n${docstring(0, schema.description)}`;
}

function typeFile(place: string, names: string[], body: string, modules: Modules): string {
  const code = codeOf(body);
  const typing = ['Any', 'Dict', 'List', 'Literal', 'Optional', 'TypedDict', 'Union'].filter((name) =>
    isIn(name, code),
  );
  // A class that others extend has to be there when the module is loaded.
  const bases = new Set([...code.matchAll(/^class \w+\((\w+)\)/gm)].map(([, name]) => name!));
  const loaded: Modules = new Map([...modules].filter(([name]) => bases.has(name)));
  const checked: Modules = new Map([...modules].filter(([name]) => !bases.has(name)));
  const others = importsFor(code, place, checked, '.');
  const imports = isIn('NotRequired', code) ? ['from typing_extensions import NotRequired', '', ...others] : others;
  return [
    'from __future__ import annotations\n\n',
    `from typing import ${[...(imports.length > 0 ? ['TYPE_CHECKING'] : []), ...typing].join(', ')}\n`,
    ...importsFor(code, place, loaded, '.').map((line) => `\n${line}\n`),
    imports.length > 0 ? `\n${whileChecking(imports)}` : '',
    `\n__all__ = [\n${names.map((name) => `    "${name}",\n`).join('')}]\n\n\n`,
    body,
  ].join('');
}

function resourceFile(tag: string, document: ApiDocument, modules: Modules): string {
  const body = resourceClass(tag, document);
  const code = codeOf(body);
  const typing = ['Any', 'Dict', 'Iterator', 'List', 'Optional', 'Union'].filter((name) => isIn(name, code));
  const imports = [
    ...(isIn('Unpack', code) ? ['from typing_extensions import Unpack', ''] : []),
    ...(isIn('Listing', code) ? ['from ...listing import Listing'] : []),
    'from ...transport import RequestOptions',
    ...importsFor(code, '', modules, '..types.'),
  ];
  return [
    'from __future__ import annotations\n\n',
    `from typing import ${['TYPE_CHECKING', ...typing].join(', ')}\n\n`,
    'from ...resource import Resource\n',
    isIn('path', code) ? 'from ...transport import path\n' : '',
    `\n${whileChecking(imports)}\n\n${body}`,
  ].join('');
}

/** Imports that type checkers need, and Python does not. */
function whileChecking(imports: string[]): string {
  const lines = imports.flatMap((line) => line.split('\n')).map((line) => (line === '' ? '\n' : `    ${line}\n`));
  return `if TYPE_CHECKING:\n${lines.join('').trimEnd()}\n`;
}

/** Imports of the types that a text uses and that are in other modules. */
function importsFor(code: string, own: string, modules: Modules, folder: string): string[] {
  const used = [...modules].filter(([name, place]) => place !== own && isIn(name, code));
  const byPlace = [...Map.groupBy(used, ([, place]) => place)].sort();
  return byPlace.map(([place, entries]) => {
    const names = entries.map(([name]) => name).sort();
    const short = `from ${folder}${place} import ${names.join(', ')}`;
    return short.length <= columnsMax
      ? short
      : `from ${folder}${place} import (
${names
  .map(
    (name) => `    ${name},
`,
  )
  .join('')})`;
  });
}

/** Without what documents it: words there name no type. */
function codeOf(body: string): string {
  return body.replaceAll(/"""[\s\S]*?"""/g, '');
}

function isIn(name: string, code: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(code);
}
