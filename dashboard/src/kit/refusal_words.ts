import { wordsOf } from './tones.ts';

/** A parameter that a form has as one field: `code`, `card.number`. Longer paths stay as the API has them. */
const ofOneField = /^[a-z_]+(\.[a-z_]+)?$/;

/** The refusal of a parameter, as a form calls it: `Code: the authenticator does not show it.` */
export function refusalInWords({ message, param = '' }: { message: string; param?: string | undefined }): string {
  const opening = `The parameter ${param} is invalid: `;
  if (!ofOneField.test(param) || !message.startsWith(opening)) return message;
  return `${wordsOf(param.replace('.', ' '))}: ${message.slice(opening.length)}`;
}
