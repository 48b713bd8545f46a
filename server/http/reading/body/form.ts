import type { ApiError } from '../../../base/errors.ts';
import type { Path } from '../../../base/param_name.ts';
import { type CoercionSchema, coerce, openPropertyOf, type Shape, shapeOf } from './coerce.ts';
import { bodyError, keyError, parameterError } from './error.ts';

/** Also limits the elements of a list: each takes a pair, and gaps are refused. */
const pairsMax = 1_000;
/** As in JSON: the form itself is the first level, `a[b]` is on the second. */
const depthMax = 32;

/**
 * Reads `application/x-www-form-urlencoded` text, a body or a query string, into the value that the same request would
 * be in JSON: `card[number]=…`, `metadata[order]=7`, `enabled_events[]=…`, `items[0][price]=…`. Text is converted to the
 * type that the schema asks for. Text that does not fit stays text for the validator to report, so nothing is dropped.
 *
 * An empty value clears: a property that the schema lists by name becomes null. It stays "" in lists and among properties
 * that the schema does not list, such as those of metadata, where "" removes a key.
 */
export function readForm(text: string, schema: CoercionSchema): Record<string, unknown> {
  if (/^\s*\{/.test(text))
    throw bodyError('The form looks like JSON. To send JSON, set the header Content-Type: application/json.');
  const form: Branch = new Map();
  readPairs(text, (name, value) => place(form, name, value));
  return buildObject(form, shapeOf(schema), []);
}

/** What the names alone say: a value, several values under `name[]`, or something with named or numbered parts. */
type NamePart = string | string[] | Branch;
type Branch = Map<string, NamePart>;

function readPairs(text: string, found: (name: string[], value: string) => void): void {
  let pairs = 0;
  for (let start = 0; start <= text.length; ) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand < 0 ? text.length : ampersand;
    const pair = text.slice(start, end);
    start = end + 1;
    // Two ampersands in a row, or an ampersand at the end.
    if (pair === '') continue;
    pairs += 1;
    if (pairs > pairsMax) throw bodyError(`The request has more than ${pairsMax} form parameters. Send fewer.`);
    const equals = pair.indexOf('=');
    const name = splitName(decodeName(equals < 0 ? pair : pair.slice(0, equals), pairs));
    found(name, equals < 0 ? '' : decodeValue(pair.slice(equals + 1), name));
  }
}

function decodeName(raw: string, position: number): string {
  const name = decode(raw);
  const subject = `The name of form parameter ${position}`;
  if (name === undefined)
    throw keyError([], `${subject} is not percent-encoded UTF-8. Encode it again; write % as %25.`);
  if (name.includes('\u0000')) throw keyError([], `${subject} holds a NUL character. Remove it.`);
  if (name === '') throw keyError([], `${subject} is empty. Write name=value.`);
  return name;
}

function decodeValue(raw: string, name: string[]): string {
  const value = decode(raw);
  if (value === undefined)
    throw parameterError(pathOf(name), 'is not percent-encoded UTF-8. Encode its value again; write % as %25.');
  if (value.includes('\u0000'))
    throw parameterError(pathOf(name), 'holds a NUL character. Remove it: NUL cannot be stored in text.');
  return value;
}

/** Undefined for a % without two hex digits, for bytes that are not UTF-8, and for lone surrogates. */
function decode(raw: string): string | undefined {
  if (!raw.isWellFormed()) return undefined;
  const spaced = raw.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}

const nameSyntax = /^[^[\]]+(?:\[[^[\]]*\])*$/;

/** `items[0][price]` → items, 0, price. `events[]` → events and an empty last step. */
function splitName(name: string): string[] {
  if (!nameSyntax.test(name)) {
    const [head = ''] = name.split(/[[\]]/, 1);
    const path = head === '' ? [] : [head];
    throw parameterError(path, 'has a name whose brackets do not match. Write a[b], a[0][b] or a[].');
  }
  const steps = name.replaceAll(']', '').split('[');
  if (steps.length > depthMax)
    throw bodyError(`A form parameter is nested more than ${depthMax} levels deep. Send fewer.`);
  if (steps.includes('__proto__')) {
    const path = steps.slice(0, steps.indexOf('__proto__') + 1);
    throw keyError(path, 'A form parameter is named __proto__. That name is not accepted: choose another.');
  }
  const unnumbered = steps.indexOf('');
  if (unnumbered >= 0 && unnumbered < steps.length - 1) {
    const path = steps.slice(0, unnumbered);
    throw parameterError(path, 'has [] inside its name, which leaves open what belongs together. Write [0], [1], ….');
  }
  return steps;
}

/** Puts a value at the place that its name means, unless a part of another shape is there already. */
function place(form: Branch, name: string[], text: string): void {
  let branch = form;
  const steps = pathOf(name);
  const last = steps.length - 1;
  for (const [depth, step] of steps.slice(0, last).entries()) {
    const inner = branch.get(step) ?? new Map();
    if (!(inner instanceof Map)) throw conflict(steps.slice(0, depth + 1));
    branch.set(step, inner);
    branch = inner;
  }

  const key = steps[last]!;
  const present = branch.get(key);
  if (steps.length < name.length) {
    const series = present ?? [];
    if (!Array.isArray(series)) throw conflict(steps);
    series.push(text);
    branch.set(key, series);
    return;
  }
  if (typeof present === 'string')
    throw parameterError(steps, 'is given more than once. Send it once, or write each element of a list as name[].');
  if (present !== undefined) throw conflict(steps);
  branch.set(key, text);
}

/** The place that a name means: without the empty step of `name[]`. */
function pathOf(name: string[]): string[] {
  return name.at(-1) === '' ? name.slice(0, -1) : name;
}

function conflict(path: Path): ApiError {
  return parameterError(path, 'is given in two shapes: choose one of name=…, name[]=… and name[key]=….');
}

function buildObject(branch: Branch, shape: Shape | undefined, path: Path): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [key, part] of branch) {
    const listed = shape?.properties.get(key);
    const clears = part === '' && listed !== undefined && !listed.names.has('');
    object[key] = clears ? null : build(part, listed ?? openPropertyOf(shape, key), [...path, key]);
  }
  return object;
}

function build(part: NamePart, shape: Shape | undefined, path: Path): unknown {
  if (typeof part === 'string') return coerce(part, shape);
  if (Array.isArray(part)) return part.map((text) => coerce(text, shape?.element));
  return isList(part, shape, path) ? buildList(part, shape, path) : buildObject(part, shape, path);
}

const indexSyntax = /^(?:0|[1-9][0-9]*)$/;

/** `a[0]` is the first element of a list or the key "0" of an object: the schema decides, and where it does not, the names do. */
function isList(branch: Branch, shape: Shape | undefined, path: Path): boolean {
  const list = shape?.types.has('array') ?? false;
  const object = shape?.types.has('object') ?? false;
  if (object && !list) return false;
  const named = branch.keys().find((key) => !indexSyntax.test(key));
  if (named !== undefined && list && !object)
    throw keyError(
      [...path, named],
      'A list has an element without a proper number. Number the elements [0], [1], … or write [] for each.',
    );
  return named === undefined;
}

function buildList(branch: Branch, shape: Shape | undefined, path: Path): unknown[] {
  return Array.from({ length: branch.size }, (_, index) => {
    const part = branch.get(String(index));
    if (part === undefined)
      throw parameterError(
        path,
        `has a gap in its numbering: element ${index} is missing. Number the elements of a list from 0 without gaps, at most ${pairsMax} of them.`,
      );
    return build(part, shape?.element, [...path, index]);
  });
}
