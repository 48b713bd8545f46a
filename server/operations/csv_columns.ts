import type { TSchema } from 'typebox';
import { closest } from '../base/closest.ts';
import { isSpeakable, withheld } from '../base/param_name.ts';
import { refuseReading } from './caller.ts';
import { apiError } from './errors.ts';
import type { Context } from './operation.ts';

/** A member of an object, of an object in it (`processor.reference`), or of one that it refers to (`customer.name`). */
export type CsvColumn = {
  name: string;
  /** The member that has the id of the other object. */
  reference?: string;
  path: readonly string[];
  kind: 'plain' | 'moment' | 'decimal';
};

export type CsvContext = Pick<Context, 'reads' | 'tenant' | 'caller' | 'references'>;

const momentName = /^created$|_at$|_(start|end)$|due_by$/;
/** `amount_decimal` is what `amount` is in the main unit of the currency, for those who add up a column. */
const decimalEnd = '_decimal';

/** Columns by their names, which are separated by spaces. */
export function usualColumns(names: string): CsvColumn[] {
  return names.split(/\s+/).map((name) => columnAt(name, name.split('.')));
}

function columnAt(name: string, path: readonly string[], reference?: string): CsvColumn {
  const last = path.at(-1)!;
  const given = { name, ...(reference !== undefined && { reference }) };
  if (last.endsWith(decimalEnd))
    return { ...given, path: [...path.slice(0, -1), last.slice(0, -decimalEnd.length)], kind: 'decimal' };
  return { ...given, path, kind: momentName.test(last) ? 'moment' : 'plain' };
}

/** The columns that a caller names: members of the objects that are listed, and of objects that these refer to. */
export function chosenColumns(names: readonly string[], output: TSchema, context: CsvContext): CsvColumn[] {
  return names.map((name) => chosenColumn(name, output, context));
}

function chosenColumn(name: string, output: ColumnSchema, { caller, references }: CsvContext): CsvColumn {
  const steps = name.split('.');
  const own = pathIn(output, steps);
  if (own !== undefined) return columnAt(name, own);
  const [member = '', ...rest] = steps;
  for (const resource of memberOf(output, member)?.refersTo?.to ?? []) {
    const kind = references!.kindOf(resource);
    const path = pathIn(kind.output, rest);
    if (path === undefined) continue;
    refuseReading(caller, kind.scope);
    return columnAt(name, path, member);
  }
  throw unknownColumn(name, output);
}

function unknownColumn(name: string, output: ColumnSchema) {
  const near = closest(name, Object.keys(output.properties ?? {}));
  const known = 'columns are members of the objects, such as id, or of those that they refer to, such as customer.name';
  const hint = near === undefined ? known : `the closest one is ${near}`;
  const which = isSpeakable(name) ? name : withheld;
  return apiError('parameter_invalid', { param: 'columns', reason: `${which} is not a column; ${hint}` });
}

/** What is read of a schema here. */
type ColumnSchema = {
  type?: string;
  properties?: Record<string, ColumnSchema>;
  /** Of metadata, whose members have any names. */
  patternProperties?: object;
  refersTo?: { to: readonly string[] };
};

function memberOf({ properties = {} }: ColumnSchema, name: string): ColumnSchema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The steps to a member, in which the name of a metadata key is one; undefined if there is no such member. */
function pathIn(schema: ColumnSchema, steps: readonly string[]): string[] | undefined {
  const [name, ...rest] = steps;
  if (name === undefined || name === '') return undefined;
  if (schema.patternProperties !== undefined) return [steps.join('.')];
  if (rest.length === 0 && isDecimal(schema, name)) return [name];
  const member = memberOf(schema, name);
  if (member === undefined) return undefined;
  if (rest.length === 0) return [name];
  const further = pathIn(member, rest);
  return further && [name, ...further];
}

function isDecimal(schema: ColumnSchema, name: string): boolean {
  if (!name.endsWith(decimalEnd) || memberOf(schema, 'currency') === undefined) return false;
  return memberOf(schema, name.slice(0, -decimalEnd.length))?.type === 'integer';
}

/** An object that is exported, or that one refers to. */
export type CsvObject = Readonly<Record<string, unknown>>;

/** Reads what columns show of other objects. All ids are asked for in one turn, so that they are read in few statements. */
export async function referredBy(
  objects: readonly CsvObject[],
  columns: readonly CsvColumn[],
  context: CsvContext,
): Promise<ReadonlyMap<string, CsvObject>> {
  const members = new Set(columns.flatMap(({ reference }) => reference ?? []));
  const ids = new Set(objects.flatMap((object) => [...members].map((member) => object[member])));
  const found = await Promise.all(
    [...ids].map(async (id) => {
      const shown = typeof id === 'string' ? await context.references?.kindById(id)?.find(context, id) : undefined;
      return [String(id), shown as CsvObject | undefined] as const;
    }),
  );
  return new Map(found.filter((entry): entry is [string, CsvObject] => entry[1] !== undefined));
}
