import { closest } from '../../../base/closest.ts';
import { isSpeakable, withheld } from '../../../base/param_name.ts';
import type { AccountField } from '../../../connectors/registration.ts';
import { apiError } from '../../../operations/errors.ts';

/** The two objects of a processor account whose members its connector defines. */
export type MembersOf = 'credentials' | 'settings';

export type MemberValue = string | boolean;

/** The changes of a request, by the names of the members. Null removes one. */
export type MemberChanges<Value = MemberValue> = Readonly<Record<string, Value | null>>;

const textMax = 4_096;

/** The members that a request has given, checked one by one. */
export function readMembers(
  param: MembersOf,
  fields: readonly AccountField[],
  given: Readonly<Record<string, unknown>>,
): MemberChanges {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const field = fields.find((one) => one.name === name);
      if (field === undefined) throw unknownMember(param, name, fields);
      if (value === null || value === '') return [name, null];
      const read = readValue(`${param}.${name}`, field, value);
      // Settings are printed, also in an operator's terminal. A credential may have several lines.
      if (param === 'settings') refuseControls(`${param}.${name}`, String(read));
      return [name, read];
    }),
  );
}

/** Text that is shown to people must not move their cursor. */
export function refuseControls(param: string, text: string): void {
  if (/\p{Cc}/u.test(text))
    throw apiError('parameter_invalid', { param, reason: 'it must not have line breaks or other control characters' });
}

function unknownMember(param: MembersOf, name: string, fields: readonly AccountField[]) {
  const names = fields.map((field) => field.name);
  const near = closest(name, names);
  const listed = names.length === 0 ? ` This connector has no ${param}.` : ` The ${param} are ${names.join(', ')}.`;
  return apiError('parameter_unknown', {
    // A name that may be a secret in the wrong place is not repeated.
    param: `${param}.${isSpeakable(name) ? name : withheld}`,
    hint: near === undefined ? listed : ` Did you mean ${param}.${near}?`,
  });
}

function readValue(param: string, { kind }: AccountField, value: unknown): MemberValue {
  const invalid = (reason: string) => apiError('parameter_invalid', { param, reason });
  if (kind === 'flag') {
    // A form has only texts, and the schema of the API does not know the fields of a connector.
    const flag = value === 'true' ? true : value === 'false' ? false : value;
    if (typeof flag !== 'boolean') throw invalid('it must be true or false');
    return flag;
  }
  if (typeof value !== 'string') throw invalid('it must be a string');
  if (value.length > textMax) throw invalid(`it must have at most ${textMax} characters`);
  if (value !== value.trim()) throw invalid('it must not begin or end with a space or a line break');
  return value;
}

export function mergeMembers<Value>(
  before: Readonly<Record<string, Value>>,
  changes: MemberChanges<Value>,
): Record<string, Value> {
  const merged = Object.entries({ ...before, ...changes }).filter(
    (entry): entry is [string, Value & {}] => entry[1] !== null,
  );
  return Object.fromEntries(merged);
}

export function requireMembers(param: MembersOf, fields: readonly AccountField[], members: object): void {
  const missing = fields.find(({ name, isRequired }) => isRequired && !Object.hasOwn(members, name));
  if (missing !== undefined) throw apiError('parameter_missing', { param: `${param}.${missing.name}` });
}
