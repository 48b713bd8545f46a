import { nameOf, type Schema } from './document.ts';

/** Where a type stands: members of parameters may be undefined, which is the same as leaving them out. */
export type Side = 'in' | 'out';

/** A schema as a TypeScript type. */
export function typeOf(schema: Schema, side: Side): string {
  const { $ref, oneOf, anyOf = oneOf, allOf, enum: values, const: value, type } = schema;
  if ($ref !== undefined) return nameOf(schema)!;
  if (anyOf !== undefined) return anyOf.map((one) => typeOf(one, side)).join(' | ');
  if (allOf !== undefined) return allOf.map((one) => typeOf(one, side)).join(' & ');
  if (value !== undefined) return literal(value);
  if (values !== undefined) return values.map(literal).join(' | ');
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one }, side)).join(' | ');
  return plainType(schema, side);
}

function plainType(schema: Schema, side: Side): string {
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `Array<${schema.items === undefined ? 'unknown' : typeOf(schema.items, side)}>`;
    case 'object':
      return objectType(schema, side);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`The client has no type for ${JSON.stringify(schema)}.`);
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, side: Side): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const type = typeOf(schema, side) + (side === 'in' && !isRequired ? ' | undefined' : '');
    return `${comment(schema.description)}${keyOf(name)}${isRequired ? '' : '?'}: ${type};`;
  });
  if (members.length > 0) return `{\n${members.join('\n')}\n}`;
  if (additionalProperties === false) return 'Record<string, never>';
  const isMap = typeof additionalProperties === 'object';
  return `Record<string, ${isMap ? typeOf(additionalProperties, side) : 'unknown'}>`;
}

/** A path is no name of a member. */
const keyOf = (name: string) => (/^\w+$/.test(name) ? name : literal(name));

export function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : String(value);
}

const columnsMax = 110;

/** A comment that documents what follows. Long texts are wrapped; an empty one is an empty line. */
export function comment(...texts: (string | undefined)[]): string {
  const paragraphs = texts.flatMap((text) => text?.trim().split('\n') ?? []);
  const lines = paragraphs.map((text) => text.replaceAll('*/', '*\\/')).flatMap(wrapped);
  if (lines.length === 0) return '';
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

function wrapped(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + word.length >= columnsMax) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
