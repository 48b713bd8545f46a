import {
  type ApiDocument,
  bodyOf,
  entryOf,
  nameOf,
  namesIn,
  operationsOf,
  pascal,
  queryOf,
  resultOf,
  type Schema,
} from './document.ts';
import { comment, type Side, typeOf } from './typescript.ts';

/** A type of the client: its name, and its schema. */
type Named = { name: string; schema: Schema; side: Side };

/** The file of each type: that of the resource which it belongs to. */
export type Places = ReadonlyMap<string, string>;

/** Types that have no schema of their own, or a better type than their schema says. */
const madeElsewhere = new Set(['Error', 'Event']);

/** The types of every file, in the order of their names. */
export function placedTypes(document: ApiDocument): Map<string, Named[]> {
  const { schemas } = document.components;
  const events = new Set(Object.values(document.webhooks).map(({ post }) => eventName(post)));
  const placeOf = placesIn(document);
  const files = new Map<string, Named[]>();
  const add = (file: string, type: Named) => files.set(file, [...(files.get(file) ?? []), type]);
  for (const [name, schema] of Object.entries(schemas)) {
    const isSpecial = madeElsewhere.has(name) || events.has(name) || entryOf(name, document) !== undefined;
    if (!isSpecial) add(placeOf(name), { name, schema, side: name.endsWith('Parameters') ? 'in' : 'out' });
  }
  for (const operation of operationsOf(document)) {
    const members = queryOf(operation);
    if (members.length === 0) continue;
    const properties = Object.fromEntries(members.map(({ name, schema, ...rest }) => [name, { ...schema, ...rest }]));
    const required = members.filter((member) => member.required).map(({ name }) => name);
    const schema = { type: 'object', properties: withoutFlags(properties), required };
    add(operation.tag, { name: queryName(operation), schema, side: 'in' });
  }
  return files;
}

/** `required` of a parameter is not the `required` of a schema. */
function withoutFlags(properties: Record<string, object>): Record<string, Schema> {
  const entries = Object.entries(properties).map(
    ([name, { required, ...schema }]: [string, { required?: unknown }]) => [name, schema],
  );
  return Object.fromEntries(entries);
}

export function queryName({ operationId }: { operationId: string }): string {
  return `${pascal(operationId)}Parameters`;
}

export function eventName({ requestBody }: ApiDocument['webhooks'][string]['post']): string {
  return nameOf(requestBody.content['application/json']!.schema)!;
}

const ownVerbs = ['retrieve', 'create', 'delete'];

/** The place of a type: the resource that retrieves, creates or deletes it; else the only one that uses it. */
function placesIn(document: ApiDocument): (name: string) => string {
  const owners = new Map<string | undefined, string>();
  const users = new Map<string, Set<string>>();
  for (const operation of operationsOf(document)) {
    const { tag, verb } = operation;
    if (ownVerbs.includes(verb)) owners.set(nameOf(resultOf(operation)), tag);
    for (const name of namesIn([bodyOf(operation), resultOf(operation)], document))
      users.set(name, (users.get(name) ?? new Set()).add(tag));
  }
  return (name) => {
    const [user = 'events', another] = users.get(name) ?? [];
    return owners.get(name) ?? (another === undefined ? user : 'shared');
  };
}

export function declaration({ name, schema, side }: Named): string {
  return `${comment(schema.description)}export type ${name} = ${typeOf(schema, side)};\n`;
}

/** Imports of the types that a text uses and that are in other files. */
export function importsFor(text: string, places: Places, own: string, folder: string): string {
  // Words in comments and strings name no type.
  const code = text.replaceAll(/\/\*\*.*?\*\/|'[^'\n]*'/gs, '');
  const words = new Set(code.match(/\w+/g));
  const used = [...places].filter(([name, place]) => place !== own && words.has(name));
  const byPlace = [...Map.groupBy(used, ([, place]) => place)].sort();
  return byPlace
    .map(([place, entries]) => {
      const names = entries.map(([name]) => name).sort(byLetters);
      return `import type { ${names.join(', ')} } from '${folder}/${place}.ts';\n`;
    })
    .join('');
}

/** As the formatter sorts imports: the case of a letter does not matter. */
function byLetters(one: string, other: string): number {
  return one.toLowerCase() < other.toLowerCase() ? -1 : 1;
}
