import { type ApiDocument, pascal, type Schema } from './document.ts';
import { eventName } from './types.ts';
import { comment, typeOf } from './typescript.ts';

/** The types of events: one shape with a type and an object, and the union of all. */
export function eventTypes(document: ApiDocument): string {
  const events = Object.entries(document.webhooks).map(([type, { post }]) => {
    const name = eventName(post);
    return { type, name, schema: document.components.schemas[name]! };
  });
  const shape = generalized(events[0]!.schema);
  for (const { name, schema } of events)
    if (withoutComments(generalized(schema)) !== withoutComments(shape))
      throw new Error(`${name} has another shape than other events.`);
  const aliases = events.map(({ type, name, schema }) => {
    const object = typeOf(schema.properties!.data!.properties!.object!, 'out');
    return `${comment(schema.description)}export type ${name} = EventOf<'${type}', ${object}>;\n`;
  });
  return [
    comment('What every event has.'),
    `export type EventOf<Type extends string, Subject> = ${shape};\n\n`,
    ...aliases,
    '\n',
    comment(
      'An event. Its `type` says what `data.object` is. A newer gateway may send types that are not listed here.',
    ),
    `export type Event = ${events.map(({ name }) => name).join(' | ')};\n\n`,
    comment('The types of events.'),
    `export type EventType = Event['type'];\n`,
  ].join('');
}

/** The type of an event, with parameters in place of its type and its object. */
function generalized(event: Schema): string {
  const schema = structuredClone(event);
  schema.properties!.type = { $ref: '#/Type' };
  schema.properties!.data!.properties!.object = { $ref: '#/Subject' };
  return typeOf(schema, 'out');
}

function withoutComments(type: string): string {
  return type.replaceAll(/\/\*\*.*?\*\/\n/gs, '');
}

export function eventNames({ webhooks }: ApiDocument): string[] {
  return [...Object.values(webhooks).map(({ post }) => eventName(post)), 'EventOf', 'Event', 'EventType'];
}

/** The codes of each type of error, as unions. */
export function errorTypes({ 'x-error-codes': codes }: ApiDocument): string {
  const unions = Object.entries(codes).map(
    ([type, names]) => `export type ${pascal(type)}Code = ${names.map((name) => `'${name}'`).join(' | ')};\n`,
  );
  const all = Object.keys(codes).map((type) => `${pascal(type)}Code`);
  return [
    ...unions.map((union) => `${union}\n`),
    comment('The code of an error, for programs. `/docs/errors` of the gateway explains each.'),
    `export type ErrorCode = ${all.join(' | ')};\n\n`,
    comment('The kind of an error.'),
    `export type ErrorType = ${Object.keys(codes)
      .map((type) => `'${type}'`)
      .join(' | ')};\n`,
  ].join('');
}
