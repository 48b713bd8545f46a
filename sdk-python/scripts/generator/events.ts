import { type ApiDocument, pascal } from '../../../sdk/scripts/generator/document.ts';
import { eventName } from '../../../sdk/scripts/generator/types.ts';
import { text } from './python.ts';

/** The union of all events. Its members have the ordinary classes of their schemas. */
export function eventUnion({ webhooks }: ApiDocument): string {
  const names = Object.values(webhooks).map(({ post }) => eventName(post));
  return [
    'Event = Union[\n',
    ...names.map((name) => `    "${name}",\n`),
    ']\n',
    '"""An event. Its `type` says what `data["object"]` is. A newer gateway may send types that are not listed here."""\n',
    '\n',
    `EventType = Literal[\n${Object.keys(webhooks)
      .map((type) => `    ${text(type)},\n`)
      .join('')}]\n`,
    '"""The types of events."""\n',
  ].join('');
}

/** The codes of each type of error. */
export function errorTypes({ 'x-error-codes': codes }: ApiDocument): string {
  const lists = Object.entries(codes).map(
    ([type, names]) => `${pascal(type)}Code = Literal[\n${names.map((name) => `    ${text(name)},\n`).join('')}]\n\n`,
  );
  const types = Object.keys(codes);
  return [
    'from typing import Literal, Union\n\n',
    ...lists,
    `ErrorCode = Union[\n${types.map((type) => `    ${pascal(type)}Code,\n`).join('')}]\n`,
    '"""The code of an error, for programs. `/docs/errors` of the gateway explains each."""\n\n',
    `ErrorType = Literal[\n${types.map((type) => `    ${text(type)},\n`).join('')}]\n`,
    '"""The kind of an error."""\n',
  ].join('');
}
