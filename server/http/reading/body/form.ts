import { type CoercionSchema, coerce, openPropertyOf, type Shape, shapeOf } from './coerce.ts';
import { BodyError, type Path, parameterError } from './error.ts';

/** Bounds the elements of a list as well: each takes a pair, and gaps are refused. */
const pairsMax = 1_000;
/** As in JSON: the form itself is the first level, `a[b]` lies on the second. */
const depthMax = 32;

/**
 * Reads `application/x-www-form-urlencoded` text, a body or a query string, into the value that the same request would
 * be in JSON: `card[number]=…`, `metadata[order]=7`, `enabled_events[]=…`, `items[0][price]=…`. Text becomes what the
 * schema asks for where it fits; everything else stays text for the validator to report, so nothing is dropped.
 *
 * An empty value clears: a property that the schema lists by name becomes null. It stays "" among properties that are
 * not listed, which is what metadata is made of (there "" removes a key), and in lists.
 */
export function readForm(text: string, schema: CoercionSchema): Record<string, unknown> {
  if (/^\s*\{/.test(text)) {
    throw new BodyError(
      'body_invalid',
      'The form looks like JSON. To send JSON, set the header Content-Type: application/json.',
    );
  }
  const form: Branch = { kind: 'branch', children: new Map() };
  readPairs(text, (name, value) => place(form, name, value));
  return buildObject(form, shapeOf(schema), []);
}

/** What the names alone say: a value, several values under `name[]`, or something with named or numbered parts. */
type NamePart = Leaf | Series | Branch;
type Leaf = { readonly kind: 'leaf'; readonly text: string };
type Series = { readonly kind: 'series'; readonly texts: string[] };
type Branch = { readonly kind: 'branch'; readonly children: Map<string, NamePart> };

function readPairs(text: string, found: (name: string[], value: string) => void): void {
  let pairs = 0;
  for (let start = 0; start <= text.length; ) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand < 0 ? text.length : ampersand;
    const pair = text.slice(start, end);
    start = end + 1;
    // Two ampersands in a row, or one at the end, hold nothing between them.
    if (pair === '') continue;
    pairs += 1;
    if (pairs > pairsMax) {
      throw new BodyError('body_invalid', `The request has more than ${pairsMax} form parameters. Send fewer.`);
    }
    const equals = pair.indexOf('=');
    const name = splitName(decodeName(equals < 0 ? pair : pair.slice(0, equals), pairs));
    found(name, equals < 0 ? '' : decodeValue(pair.slice(equals + 1), name));
  }
}

function decodeName(raw: string, position: number): string {
  const name = decode(raw);
  const which = `The name of form parameter ${position}`;
  if (name === undefined) {
    throw new BodyError('parameter_invalid', `${which} is not percent-encoded UTF-8. Encode it again; write % as %25.`);
  }
  if (name.includes('\u0000')) throw new BodyError('parameter_invalid', `${which} holds a NUL character. Remove it.`);
  if (name === '') throw new BodyError('parameter_invalid', `${which} is empty. Write name=value.`);
  return name;
}

function decodeValue(raw: string, name: string[]): string {
  const value = decode(raw);
  if (value === undefined) {
    throw parameterError(
      pathOf(name),
      (parameter) => `${parameter} is not percent-encoded UTF-8. Encode its value again; write % as %25.`,
    );
  }
  if (value.includes('\u0000')) {
    throw parameterError(
      pathOf(name),
      (parameter) => `${parameter} holds a NUL character. Remove it: NUL cannot be stored in text.`,
    );
  }
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
    const head = /^[^[\]]*/.exec(name)?.[0] ?? '';
    throw parameterError(
      head === '' ? [] : [head],
      (parameter) => `${parameter} has a name whose brackets do not match. Write a[b], a[0][b] or a[].`,
    );
  }
  const steps = name.replaceAll(']', '').split('[');
  if (steps.length > depthMax) {
    throw new BodyError('body_invalid', `A form parameter is nested more than ${depthMax} levels deep. Send fewer.`);
  }
  if (steps.includes('__proto__')) {
    const path = steps.slice(0, steps.indexOf('__proto__') + 1);
    throw parameterError(path, () => 'A form parameter is named __proto__. That name is not accepted: choose another.');
  }
  const unnumbered = steps.indexOf('');
  if (unnumbered >= 0 && unnumbered < steps.length - 1) {
    throw parameterError(
      steps.slice(0, unnumbered),
      (parameter) => `${parameter} has [] inside its name, which leaves open what belongs together. Write [0], [1], ….`,
    );
  }
  return steps;
}

/** Puts one value where its name says, unless something of another shape is there already. */
function place(form: Branch, name: string[], text: string): void {
  let branch = form;
  const steps = pathOf(name);
  const last = steps.length - 1;
  for (const [depth, step] of steps.slice(0, last).entries()) {
    const inner = branch.children.get(step) ?? { kind: 'branch', children: new Map() };
    if (inner.kind !== 'branch') throw conflict(steps.slice(0, depth + 1));
    branch.children.set(step, inner);
    branch = inner;
  }

  const key = steps[last]!;
  const present = branch.children.get(key);
  if (steps.length < name.length) {
    const series = present ?? { kind: 'series', texts: [] };
    if (series.kind !== 'series') throw conflict(steps);
    series.texts.push(text);
    branch.children.set(key, series);
    return;
  }
  if (present?.kind === 'leaf') {
    throw parameterError(
      steps,
      (parameter) => `${parameter} is given more than once. Send it once, or write each element of a list as name[].`,
    );
  }
  if (present !== undefined) throw conflict(steps);
  branch.children.set(key, { kind: 'leaf', text });
}

/** The place that a name means: without the empty step of `name[]`. */
function pathOf(name: string[]): string[] {
  return name.at(-1) === '' ? name.slice(0, -1) : name;
}

function conflict(path: Path): BodyError {
  return parameterError(
    path,
    (parameter) => `${parameter} is given in two shapes: choose one of name=…, name[]=… and name[key]=….`,
  );
}

function buildObject(branch: Branch, shape: Shape | undefined, path: Path): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [key, part] of branch.children) {
    const listed = shape?.properties.get(key);
    const clears = part.kind === 'leaf' && part.text === '' && listed !== undefined && !listed.names.has('');
    object[key] = clears ? null : build(part, listed ?? openPropertyOf(shape, key), [...path, key]);
  }
  return object;
}

function build(part: NamePart, shape: Shape | undefined, path: Path): unknown {
  if (part.kind === 'leaf') return coerce(part.text, shape);
  if (part.kind === 'series') return part.texts.map((text) => coerce(text, shape?.element));
  return isList(part, shape, path) ? buildList(part, shape, path) : buildObject(part, shape, path);
}

const indexSyntax = /^(?:0|[1-9][0-9]*)$/;

/** `a[0]` is the first of a list or the key "0" of an object: the schema decides, and where it does not, the names do. */
function isList(branch: Branch, shape: Shape | undefined, path: Path): boolean {
  const list = shape?.types.has('array') ?? false;
  const object = shape?.types.has('object') ?? false;
  if (object && !list) return false;
  const named = branch.children.keys().find((key) => !indexSyntax.test(key));
  if (named !== undefined && list && !object) {
    throw parameterError(
      [...path, named],
      () => 'A list has an element without a proper number. Number the elements [0], [1], … or write [] for each.',
    );
  }
  return named === undefined;
}

function buildList(branch: Branch, shape: Shape | undefined, path: Path): unknown[] {
  const { children } = branch;
  const elements: unknown[] = [];
  for (let index = 0; index < children.size; index += 1) {
    const part = children.get(String(index));
    if (part === undefined) {
      throw parameterError(
        path,
        (parameter) =>
          `${parameter} has a gap in its numbering: element ${index} is missing. ` +
          `Number the elements of a list from 0 without gaps, at most ${pairsMax} of them.`,
      );
    }
    elements.push(build(part, shape?.element, [...path, index]));
  }
  return elements;
}
