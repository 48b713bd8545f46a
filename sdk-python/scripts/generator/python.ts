import { nameOf, pascal, type Schema } from '../../../sdk/scripts/generator/document.ts';

/** A class that a schema needs: objects have no type without a name in Python. */
export type TypedDict = { name: string; schema: Schema; base?: string | undefined };

/** Where a type stands: the name that its members begin with, and the classes that it needs. */
export type Place = { name: string; classes: TypedDict[] };

/** A schema as a Python type. */
export function typeOf(schema: Schema, place: Place): string {
  const { $ref, oneOf, anyOf = oneOf, allOf, enum: values, const: value, type } = schema;
  if ($ref !== undefined) return nameOf(schema)!;
  if (anyOf !== undefined) return union(anyOf.map((one, at) => typeOf(one, numbered(place, at))));
  if (allOf !== undefined) return intersection(allOf, place);
  if (value !== undefined) return `Literal[${literal(value)}]`;
  if (values !== undefined) return `Literal[${values.map(literal).join(', ')}]`;
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one }, place)));
  return plainType(schema, place);
}

function numbered(place: Place, at: number): Place {
  return at === 0 ? place : { ...place, name: `${place.name}${at + 1}` };
}

function union(types: string[]): string {
  const [others, isNullable] = [types.filter((type) => type !== 'None'), types.includes('None')];
  if (others.length === 0) return 'None';
  const type = others.length === 1 ? others[0]! : `Union[${others.join(', ')}]`;
  return isNullable ? `Optional[${type}]` : type;
}

/** A schema beside others adds nothing but its description, or members: Python has no other intersection. */
function intersection(parts: Schema[], place: Place): string {
  if (parts.length === 1) return typeOf(parts[0]!, place);
  if (parts.some(({ $ref }) => $ref !== undefined)) throw new Error(`Python cannot join named types: ${place.name}.`);
  const properties = Object.assign({}, ...parts.map((part) => part.properties));
  return typeOf({ type: 'object', properties, required: parts.flatMap(({ required = [] }) => required) }, place);
}

function plainType(schema: Schema, place: Place): string {
  switch (schema.type) {
    case 'string':
      return 'str';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'array':
      return `List[${schema.items === undefined ? 'Any' : typeOf(schema.items, place)}]`;
    case 'object':
      return objectType(schema, place);
    case undefined:
      return 'Any';
    default:
      throw new Error(`The client has no type for ${JSON.stringify(schema)}.`);
  }
}

function objectType(schema: Schema, place: Place): string {
  const { properties = {}, additionalProperties } = schema;
  if (Object.keys(properties).length > 0) {
    place.classes.push({ name: place.name, schema });
    return place.name;
  }
  const isMap = typeof additionalProperties === 'object';
  return `Dict[str, ${isMap ? typeOf(additionalProperties, place) : 'Any'}]`;
}

export function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? text(value) : String(value);
}

/** The escapes of JSON are those of Python. */
export function text(value: string): string {
  return JSON.stringify(value);
}

/** A class, with those that its members need before it. */
export function classOf(type: TypedDict): string {
  const { name, schema } = type;
  const classes: TypedDict[] = [];
  const all = Object.entries(schema.properties ?? {});
  const paths = all.filter(([member]) => member.includes('.'));
  const base = paths.length === 0 ? (type.base ?? 'TypedDict') : `_${name}`;
  const named = all.filter(([member]) => !member.includes('.'));
  const members = named.map(([member, one]) => {
    if (!/^[a-z_]\w*$/.test(member) || keywords.has(member))
      throw new Error(`${name}: ${member} is no name in Python.`);
    const given = typeOf(one, { name: name + pascal(member), classes });
    const isRequired = schema.required?.includes(member) ?? false;
    return `    ${member}: ${isRequired ? given : `NotRequired[${given}]`}\n${docstring(4, one.description)}`;
  });
  const about = docstring(4, schema.description);
  const body = [about, about !== '' && members.length > 0 ? '\n' : '', ...members].join('') || '    pass\n';
  const before = [...classes.map(classOf), ...(paths.length === 0 ? [] : [byKeys(type, paths)])];
  return `${before.map((one) => `${one}\n\n`).join('')}class ${name}(${base}):\n${body}`;
}

/** Paths are no names in Python: they are the keys of a type that the class extends. */
function byKeys({ name, schema, base }: TypedDict, members: [string, Schema][]): string {
  const isFit = base === undefined && members.every(([member]) => !schema.required?.includes(member));
  if (!isFit) throw new Error(`${name}: ${members[0]![0]} is no name in Python.`);
  // The types stand in quotes, because they may be declared later.
  const entries = members.map(([member, one]) => `${text(member)}: ${text(typeOf(one, { name, classes: [] }))}`);
  return `_${name} = TypedDict("_${name}", {${entries.join(', ')}}, total=False)\n`;
}

const keywords = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** Of a line of code, and of a line that documents it. */
export const columnsMax = 110;

/** A text that documents what it stands in or below. Long ones are wrapped. */
export function docstring(indent: number, ...texts: (string | undefined)[]): string {
  const paragraphs = texts.flatMap((one) => one?.trim().split('\n') ?? []);
  const lines = paragraphs.map((one) => one.replaceAll('\\', '\\\\').replaceAll('"""', "'''")).flatMap(wrapped);
  if (lines.length === 0) return '';
  const space = ' '.repeat(indent);
  // Four quotes in a row would end it early.
  const last = lines.at(-1)!.replace(/"$/, '" ');
  if (lines.length === 1) return `${space}"""${last}"""\n`;
  const rest = lines.slice(1, -1).map((line) => (line === '' ? '\n' : `${space}${line}\n`));
  return `${space}"""${lines[0]}\n${rest.join('')}${space}${last}\n${space}"""\n`;
}

function wrapped(paragraph: string): string[] {
  const lines = [''];
  for (const word of paragraph.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + word.length >= columnsMax) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
