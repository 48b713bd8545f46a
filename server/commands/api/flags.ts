import { type Command, Option } from 'commander';
import { epochSeconds } from '../../operations/schemas.ts';
import { isoMoment, UsageError } from '../usage.ts';

/** A JSON schema, as far as flags need it. */
export type FlagSchema = {
  type?: string;
  format?: string;
  enum?: readonly unknown[];
  description?: string;
  anyOf?: readonly FlagSchema[];
  properties?: Readonly<Record<string, FlagSchema>>;
  required?: readonly string[];
  items?: FlagSchema;
  confidential?: string;
};

/** A parameter of a form: `card[number]`, and its value. */
export type Pair = {
  name: string;
  value: string;
  /** Set for a secret: the flag. Credentials always come from a source, a card in live mode does. */
  secret?: { flag: string; needsSource: 'always' | 'live' };
};

type FlagKind = 'value' | 'list' | 'members';
type Flag = { path: readonly string[]; schema: FlagSchema; kind: FlagKind; isRequired: boolean };

/**
 * The flags of a schema. An object's members are separate flags (`--card.number`), and so are those of the objects in a list, with
 * their position (`--items.0.price`). A list of plain values is a flag that can be repeated. An object whose members have no names,
 * such as metadata, takes `name=value`.
 */
export function flagsOf(schema: FlagSchema, positions: (flag: string) => readonly string[]): Flag[] {
  return membersOf(schema, [], true, positions);
}

function membersOf(
  { properties = {}, required = [] }: FlagSchema,
  path: readonly string[],
  isRequired: boolean,
  positions: (flag: string) => readonly string[],
): Flag[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const wanted = isRequired && required.includes(name);
    return flagsFor(schema, [...path, name], wanted, positions);
  });
}

function flagsFor(
  schema: FlagSchema,
  path: readonly string[],
  isRequired: boolean,
  positions: (flag: string) => readonly string[],
): Flag[] {
  // One value or several: a list may have one.
  const list = schema.anyOf?.find((one) => one.type === 'array');
  if (list !== undefined) return flagsFor({ ...list, ...described(schema) }, path, isRequired, positions);
  const { type, items, properties = {} } = schema;
  if (type === 'array' && items?.properties !== undefined)
    return positions(flagName(path)).flatMap((at) => membersOf(items, [...path, at], isRequired, positions));
  if (type === 'array') return [{ path, schema, kind: 'list', isRequired }];
  if (type !== 'object') return [{ path, schema, kind: 'value', isRequired }];
  if (Object.keys(properties).length === 0) return [{ path, schema, kind: 'members', isRequired }];
  return membersOf(schema, path, isRequired, positions);
}

const described = ({ description }: FlagSchema) => (description === undefined ? {} : { description });

/** `--card.exp-month`, for the parameter `card.exp_month` of a refusal too. */
export function flagName(path: readonly string[]): string {
  return `--${path.join('.').replaceAll('_', '-')}`;
}

/** `card[exp_month]`: the name in a form. */
function formName([first, ...rest]: readonly string[]): string {
  return `${first}${rest.map((step) => `[${step}]`).join('')}`;
}

/** The positions of a list of objects in a command line: one flag for each is made. */
export function positionsIn(args: readonly string[]): (flag: string) => readonly string[] {
  return (flag) => {
    const found = args.flatMap((word) => {
      const position = word.startsWith(`${flag}.`) ? word.slice(flag.length + 1).split('.')[0]! : '';
      return /^\d{1,3}$/.test(position) ? [position] : [];
    });
    return [...new Set(['0', ...found])];
  };
}

/** Adds the flags to a command. What is given is added to the returned list, in its order. */
export function addFlags(command: Command, flags: readonly Flag[]): Pair[] {
  const pairs: Pair[] = [];
  for (const flag of flags) {
    const { path, kind } = flag;
    const name = flagName(path);
    command.option(`${name} <${placeholderOf(flag)}>`, describedAs(flag), (text: string) => {
      const form = formName(path);
      if (kind === 'list') pairs.push({ name: `${form}[]`, value: text });
      else if (kind === 'members') pairs.push({ ...memberPair(name, form, text), ...secretOf(flag, name) });
      else pairs.push({ name: form, value: inSeconds(flag.schema, text), ...secretOf(flag, name) });
      return text;
    });
  }
  const data = new Option('-d, --data <name=value>', 'any parameter, as in a form: -d "card[number]=…"').hideHelp();
  data.argParser((text: string) => {
    const { name, value } = memberPair('-d', '', text);
    pairs.push({ name: name.slice(1, -1), value });
    return text;
  });
  command.addOption(data);
  return pairs;
}

function secretOf({ schema, kind }: Flag, flag: string): Pick<Pair, 'secret'> {
  if (schema.confidential === undefined) return {};
  return { secret: { flag, needsSource: kind === 'members' ? 'always' : 'live' } };
}

function memberPair(flag: string, form: string, text: string): Pair {
  const equals = text.indexOf('=');
  // What was given may be a secret in the wrong place, which must not be repeated.
  if (equals < 1) throw new UsageError(`${flag} takes a name and a value: name=value`);
  return { name: `${form}[${text.slice(0, equals)}]`, value: text.slice(equals + 1) };
}

/** A moment may be written as a date; the API takes seconds. */
function inSeconds(schema: FlagSchema, text: string): string {
  const isMoment = [schema, ...(schema.anyOf ?? [])].some(({ format }) => format === epochSeconds);
  const moment = isMoment ? isoMoment(text) : undefined;
  return moment === undefined ? text : String(Math.floor(moment / 1_000));
}

function placeholderOf({ kind, schema }: Pick<Flag, 'kind' | 'schema'>): string {
  if (kind === 'members') return 'name=value';
  const { type, format, enum: choices } = kind === 'list' ? (schema.items ?? {}) : schema;
  if (format === epochSeconds) return 'moment';
  if (choices !== undefined && choices.join('|').length <= 16) return choices.join('|');
  if (choices !== undefined) return 'choice';
  if (type === 'boolean') return 'true|false';
  return type === 'integer' || type === 'number' ? 'number' : 'value';
}

/** The first sentence: the reference has the rest. */
function describedAs({ schema, kind, isRequired }: Flag): string {
  const sentence = (schema.description ?? '').split(/\.(?:\s|$)|; /)[0]!;
  const words = sentence.charAt(0).toLowerCase() + sentence.slice(1);
  const notes = [...(isRequired ? ['required'] : []), ...(kind === 'value' ? [] : ['repeatable'])];
  const choices = schema.enum ?? schema.items?.enum;
  const listed = choices !== undefined && placeholderOf({ schema, kind }) === 'choice' ? choices.join(', ') : '';
  const note = notes.length === 0 ? '' : `(${notes.join(', ')})`;
  // Help may be shortened at its end.
  return [note, [words, listed].filter(Boolean).join(': ')].filter(Boolean).join(' ');
}
