import type { ApiDocument } from './document.ts';
import { errorTypes, eventNames, eventTypes } from './events.ts';
import { className, resourceClass, resourcesClass, tagsOf } from './resources.ts';
import { declaration, importsFor, type Places, placedTypes } from './types.ts';

const notice =
  '// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.\n\n';

/** The generated files, by their path in src/generated, before they are formatted. */
export function generatedFiles(document: ApiDocument, version: string): Map<string, string> {
  const types = placedTypes(document);
  const places: Places = new Map([
    ...[...types].flatMap(([place, named]) => named.map(({ name }) => [name, place] as const)),
    ...eventNames(document).map((name) => [name, 'events'] as const),
  ]);
  const files = new Map<string, string>();
  for (const place of new Set([...types.keys(), 'events'])) {
    const declarations = (types.get(place) ?? []).map(declaration).join('\n');
    const text = place === 'events' ? `${declarations}\n${eventTypes(document)}` : declarations;
    files.set(`types/${place}.ts`, `${importsFor(text, places, place, '.')}\n${text}`);
  }
  for (const tag of tagsOf(document)) files.set(`resources/${tag}.ts`, resourceFile(tag, document, places));
  files.set('resources.ts', resourcesClass(document));
  files.set('errors.ts', errorTypes(document));
  files.set('version.ts', `export const version = '${version}';\n`);
  files.set('index.ts', indexOf(document, new Set([...types.keys(), 'events'])));
  return new Map([...files].sort().map(([path, text]) => [path, notice + text]));
}

function resourceFile(tag: string, document: ApiDocument, places: Places): string {
  const text = resourceClass(tag, document);
  const helpers = [
    [/\bExpanded</, `import type { Expanded, Expanding, PathsOf } from '../../expanding.ts';\n`],
    [/\bexpandIn\(/, `import { expandIn } from '../../expanding.ts';\n`],
    [/: Listing</, `import type { Listing } from '../../listing.ts';\n`],
    [/RequestOptions/, `import type { RequestOptions } from '../../options.ts';\n`],
    [/\bpath`/, `import { path } from '../../path.ts';\n`],
    [/\bResource\b/, `import { Resource } from '../../resource.ts';\n`],
  ] as const;
  const imports = helpers.filter(([use]) => use.test(text)).map(([, line]) => line);
  return `${imports.join('')}${importsFor(text, places, '', '../types')}\n${text}`;
}

/** Everything that a user of the package can name. */
function indexOf(document: ApiDocument, types: Set<string>): string {
  const lines = [
    `export type * from './errors.ts';\n`,
    ...tagsOf(document).map((tag) => `export type { ${className(tag)} } from './resources/${tag}.ts';\n`),
    ...[...types].sort().map((place) => `export type * from './types/${place}.ts';\n`),
  ];
  return lines.join('');
}
