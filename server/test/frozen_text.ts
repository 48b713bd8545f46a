import { assert } from '../base/errors.ts';
import { readRepository } from './repository.ts';

/** The sources of what runs, without comments and without the fakes. */
const sources = readRepository()
  .filter(({ path, isTest }) => /^(server|dashboard\/src)\/.*\.tsx?$/.test(path) && !isTest)
  .filter(({ path }) => !path.startsWith('server/fake'))
  .map(({ path, lines }) => ({
    path,
    code: [...lines.filter(isCode), ''].join('\n').replaceAll(/\/\*\*.*?\*\//g, ''),
  }));

function isCode(line: string): boolean {
  return !/^\s*(\/\/|\/?\*)/.test(line);
}

/** What the groups of a pattern match, without the variables in it: their names may change. */
export function found(pattern: RegExp, where = /^server\//): string[] {
  const searched = sources.filter(({ path }) => where.test(path));
  const matches = searched.flatMap(({ code }) => [...code.matchAll(pattern)]);
  return matches.map(([, ...groups]) => {
    const text = groups.filter((group) => group !== undefined).join(' ');
    return text
      .replaceAll(/\$\{[^}]*\}/g, '$${}')
      .replaceAll(/\s+/g, ' ')
      .trim();
  });
}

/** The text of a type of the server; of all that have this name. */
function declarationOf(type: string): string {
  const declared = found(new RegExp(`^(?:export )?(?:type|interface) ${type}\\b([\\s\\S]*?)\\n(?=\\n|\\w)`, 'gm'));
  assert(declared.length > 0, `there is no type ${type}; if it was renamed, it has to be renamed in frozen.ts`);
  return declared.join(' ');
}

/** The values of a union of strings. */
export function valuesOf(type: string): string[] {
  return [...declarationOf(type).matchAll(/'([^']*)'/g)].map(([, value]) => value!);
}

/** The members of an object, with the values of those that are closed sets. */
export function membersOf(type: string): string[] {
  const parts = [...declarationOf(type).matchAll(/(\w+)\??:|('\w+')/g)].map(([, member, value]) => (member ?? value)!);
  return [...new Set(parts)];
}
