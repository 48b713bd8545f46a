import { escapeHtml } from '../../../base/page.ts';
import type { Document } from '../openapi/document.ts';
import { nameOf, resolved, type SchemaModel } from './model.ts';

/** How a page shows descriptions and where shapes are explained. */
export type FieldContext = {
  document: Document;
  line(markdown: string): string;
  /** The address of a shape that has its own section. */
  shape(name: string): string | undefined;
};

export type FieldModel = { name: string; schema: SchemaModel; isRequired: boolean; description?: string | undefined };

/** Beyond this many levels, a shape is named and not unfolded. */
const depthMax = 4;

/** The members of an object. */
export function membersOf({ properties = {}, required = [] }: SchemaModel): FieldModel[] {
  return Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }));
}

/** Parameters or members as a list. `word` is said of those that are required; members that are always there need none. */
export function fieldList(
  fields: readonly FieldModel[],
  context: FieldContext,
  word: 'required' | 'always there',
  depth = 0,
): string {
  if (fields.length === 0) return '';
  const items = fields.map((field) => fieldItem(field, context, word, depth)).join('\n');
  return `<ul class="fields">\n${items}\n</ul>`;
}

function fieldItem(
  { name, schema, isRequired, description }: FieldModel,
  context: FieldContext,
  word: 'required' | 'always there',
  depth: number,
): string {
  const { document, line } = context;
  const whole = resolved(document, schema);
  const words = description ?? schema.description ?? whole.description;
  const marks = [
    `<span class="type">${typeOf(schema, context)}</span>`,
    ...(isRequired ? [word === 'required' ? '<strong class="required">required</strong>' : ''] : []),
    ...(!isRequired && word === 'always there' ? ['<span class="optional">may be absent</span>'] : []),
  ].filter((mark) => mark !== '');
  const limits = limitsOf(whole);
  const nested = depth < depthMax && !isElsewhere(schema, context) ? nestedFields(whole, context, word, depth) : '';
  return [
    `<li><div class="field"><code>${escapeHtml(name)}</code> ${marks.join(' ')}</div>`,
    words === undefined ? '' : `<p>${line(words)}</p>`,
    limits === '' ? '' : `<p class="limits">${limits}</p>`,
    nested,
    '</li>',
  ].join('');
}

/** A shape that has its own section is linked, not repeated. */
function isElsewhere(schema: SchemaModel, { shape }: FieldContext): boolean {
  const name = nameOf(schema.items ?? schema);
  return name !== undefined && shape(name) !== undefined;
}

function nestedFields(
  schema: SchemaModel,
  context: FieldContext,
  word: 'required' | 'always there',
  depth: number,
): string {
  const inner = resolved(context.document, schema.items ?? schema);
  if (inner.properties !== undefined) return fieldList(membersOf(inner), context, word, depth + 1);
  const choices = (inner.anyOf ?? []).map((one) => resolved(context.document, one)).filter((one) => one.properties);
  return choices.map((one) => fieldList(membersOf(one), context, word, depth + 1)).join('\n');
}

/** `string`, `list of integers`, or the name of a shape. */
export function typeOf(schema: SchemaModel, context: FieldContext): string {
  const { document, shape } = context;
  const name = nameOf(schema);
  const address = name === undefined ? undefined : shape(name);
  if (address !== undefined) return `<a href="${address}">${name}</a>`;
  const { type, items, anyOf, const: constant, 'x-format': format } = resolved(document, schema);
  if (anyOf !== undefined) return [...new Set(anyOf.map((one) => typeOf(one, context)))].join(' or ');
  const types = (Array.isArray(type) ? type : [type]).map((one) => {
    if (one === 'array') return items === undefined ? 'list' : `list of ${plural(typeOf(items, context))}`;
    if (one === 'integer' && format === 'epoch-seconds') return 'time';
    return one === undefined ? (constant === undefined ? 'any' : typeof constant) : escapeHtml(one);
  });
  return types.join(' or ');
}

/** The name of a shape stays as it is. */
function plural(type: string): string {
  return /^[a-z]+$/.test(type) ? `${type}s` : type;
}

/** The limits that the schema states, as words. */
function limitsOf(schema: SchemaModel): string {
  const { enum: values, const: constant, default: otherwise, items, pattern } = schema;
  const choices = values ?? (items ?? schema.anyOf?.[0])?.enum;
  const parts = [
    constant === undefined ? '' : `Always ${code(constant)}`,
    choices === undefined ? '' : `${choices.length === 1 ? 'Only' : 'One of'} ${choices.map(code).join(', ')}`,
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' elements'),
    range(schema.minProperties, schema.maxProperties, ' keys'),
    pattern === undefined ? '' : `Matches ${code(pattern)}`,
    otherwise === undefined ? '' : `Default ${code(otherwise)}`,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const number = (value: number) => value.toLocaleString('en-US');
  if (least !== undefined && most !== undefined)
    return least === most ? `Exactly ${number(least)}${unit}` : `${number(least)} to ${number(most)}${unit}`;
  if (most !== undefined) return `At most ${number(most)}${unit}`;
  return least === undefined ? '' : `At least ${number(least)}${unit}`;
}

function code(value: unknown): string {
  return `<code>${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value))}</code>`;
}
