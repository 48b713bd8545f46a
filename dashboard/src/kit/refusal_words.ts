import { wordsOf } from './tones.ts';

type Refused = { message: string; param?: string | undefined };

/** A parameter that a form has as one field: `code`, `card.number`. Longer paths stay as the API has them. */
const ofOneField = /^[a-z_]+(\.[a-z_]+)?$/;
const openingOf = ({ param = '' }: Refused) => `The parameter ${param} is invalid: `;

/** The refusal of a parameter, as a form calls it: `Code: the authenticator does not show it.` */
export function refusalInWords(refused: Refused): string {
  const { message, param = '' } = refused;
  const opening = openingOf(refused);
  if (!ofOneField.test(param) || !message.startsWith(opening)) return message;
  return `${wordsOf(param.replace('.', ' '))}: ${message.slice(opening.length)}`;
}

/** The same at the field itself, whose label is there already: `The authenticator does not show it.` */
export function refusalOfField(refused: Refused): string {
  const words = refused.message.replace(openingOf(refused), '');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/**
 * Where a form may show what is wrong with a parameter, the closest first: `items[0][quantity]` at `items.0.quantity`, or else at `items.0`
 * or `items`. `sentBy`: parameters that are not called as the fields that send them.
 */
export function pathsOfParam(param: string, sentBy: Readonly<Record<string, string>> = {}): string[] {
  const parts = param.split(/[.[\]]+/).filter((part) => part !== '');
  const known = upwards(parts).find((path) => Object.hasOwn(sentBy, path));
  if (known === undefined) return upwards(parts);
  return upwards([...sentBy[known]!.split('.'), ...parts.slice(known.split('.').length)]);
}

/** `a.b.c`, `a.b`, `a`. */
function upwards(parts: readonly string[]): string[] {
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('.'));
}
