import {
  type ApiDocument,
  bodyOf,
  entryOf,
  expandedOf,
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
type Named = { name: string; schema: Schema; side: Side /** A type whose members it has too. */; base?: string };

/** The file of each type: that of the resource which it belongs to. */
export type Places = ReadonlyMap<string, string>;

/** The parameters that every list has, as one type. */
const listType = 'ListParameters';
const listMembers = ['limit', 'starting_after', 'ending_before', 'created'];

/** Types that have no schema of their own, or a better type than their schema says. */
const madeElsewhere = new Set(['Error', 'Event']);

/** The types of every file, in the order of their names. */
export function placedTypes(document: ApiDocument): Map<string, Named[]> {
  const { schemas } = document.components;
  const events = new Set(Object.values(document.webhooks).map(({ post }) => eventName(post)));
  const placeOf = placesIn(document);
  const sideOf = sidesIn(document);
  const files = new Map<string, Named[]>();
  const add = (file: string, type: Named) => files.set(file, [...(files.get(file) ?? []), type]);
  for (const [name, schema] of Object.entries(schemas)) {
    const isSpecial = madeElsewhere.has(name) || events.has(name) || entryOf(name, document) !== undefined;
    if (!isSpecial) add(placeOf(name), { name, schema, side: sideOf(name) });
  }
  for (const operation of operationsOf(document)) {
    const members = queryOf(operation);
    if (members.length === 0) continue;
    const isList = listMembers.every((name) => members.some((member) => member.name === name));
    const own = isList ? members.filter(({ name }) => !listMembers.includes(name)) : members;
    const type: Named = { name: queryName(operation), schema: membersSchema(own), side: 'in' };
    add(operation.tag, isList ? { ...type, base: listType } : type);
    if (isList && !files.get('shared')?.some(({ name }) => name === listType)) {
      const shared = members.filter(({ name }) => listMembers.includes(name));
      const description = 'Which page of a list.';
      add('shared', { name: listType, schema: { ...membersSchema(shared), description }, side: 'in' });
    }
  }
  return files;
}

/** What only requests have is a parameter: it may be undefined. */
function sidesIn(document: ApiDocument): (name: string) => Side {
  const operations = operationsOf(document);
  const sent = new Set(operations.flatMap((operation) => [...namesIn([bodyOf(operation)], document)]));
  const shown = new Set(operations.flatMap((operation) => [...namesIn([resultOf(operation)], document)]));
  return (name) => (sent.has(name) && !shown.has(name) ? 'in' : 'out');
}

function membersSchema(members: ReturnType<typeof queryOf>): Schema {
  const properties = Object.fromEntries(members.map(({ name, schema, ...rest }) => [name, { ...schema, ...rest }]));
  const required = members.filter((member) => member.required).map(({ name }) => name);
  return { type: 'object', properties: withoutFlags(properties), required };
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
  const placeOf = (name: string): string => {
    const base = expandedOf(name);
    if (base !== undefined) return placeOf(base);
    const [user = 'events', another] = users.get(name) ?? [];
    return owners.get(name) ?? (another === undefined ? user : 'shared');
  };
  return placeOf;
}

export function declaration({ name, schema, side, base }: Named): string {
  const hasMembers = Object.keys(schema.properties ?? {}).length > 0;
  const parts = [
    ...(base === undefined ? [] : [base]),
    ...(hasMembers || base === undefined ? [typeOf(schema, side)] : []),
  ];
  return `${comment(schema.description)}export type ${name} = ${parts.join(' & ')};\n`;
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

/** As the formatter sorts imports: A, a, B, b. */
function byLetters(one: string, other: string): number {
  return sortKey(one) < sortKey(other) ? -1 : 1;
}

function sortKey(name: string): string {
  return name.replaceAll(/./g, (letter) => letter.toLowerCase() + (letter === letter.toLowerCase() ? '1' : '0'));
}
