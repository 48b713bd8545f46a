import type { TSchema } from 'typebox';
import { closest } from '../base/closest.ts';
import { isSpeakable, withheld } from '../base/param_name.ts';
import { refuseReading } from './caller.ts';
import { apiError } from './errors.ts';
import type { Context } from './operation.ts';
import type { Scope } from './scope.ts';

/**
 * A member of an object, of an object in it (`processor.reference`), or of one that it refers to: directly (`customer.name`), or through
 * another one (`payment.customer.name`).
 */
export type CsvColumn = {
  name: string;
  /** The members that have the ids of the other objects, one after the other. */
  through: readonly string[];
  path: readonly string[];
  kind: 'plain' | 'moment' | 'decimal';
  isAdded?: boolean;
};

/** Columns that an export can have beside the members of the objects, because they are read from elsewhere: page by page, in one statement. */
export type AddedColumns = {
  /** Their schemas, by their names. */
  properties: Record<string, TSchema>;
  /** What a caller needs to read them. */
  scope: Scope;
  /** What they have for each object, by its id. */
  read(context: Pick<Context, 'reads' | 'tenant'>, ids: readonly string[]): Promise<ReadonlyMap<string, CsvObject>>;
};

/** The names of added columns, with the decimals of amounts. */
export function addedNames({ properties }: AddedColumns): string[] {
  return Object.entries(properties).flatMap(([name, { type }]: [string, ColumnSchema]) =>
    type === 'integer' ? [name, `${name}${decimalEnd}`] : [name],
  );
}

export type CsvContext = Pick<Context, 'reads' | 'tenant' | 'caller' | 'references'>;

const momentName = /^created$|_at$|_(start|end)$|due_by$/;
/** `amount_decimal` is what `amount` is in the main unit of the currency, for those who add up a column. */
const decimalEnd = '_decimal';

/** Columns by their names, which are separated by spaces. */
export function usualColumns(names: string): CsvColumn[] {
  return names.split(/\s+/).map((name) => columnAt(name, name.split('.')));
}

function columnAt(name: string, path: readonly string[], through: readonly string[] = []): CsvColumn {
  const last = path.at(-1)!;
  const given = { name, through };
  if (last.endsWith(decimalEnd))
    return { ...given, path: [...path.slice(0, -1), last.slice(0, -decimalEnd.length)], kind: 'decimal' };
  return { ...given, path, kind: momentName.test(last) ? 'moment' : 'plain' };
}

/** What a list shows of its objects, and the columns that its exports can have beside that. */
export type ColumnSource = { output: TSchema; added?: AddedColumns | undefined };

/** The columns that a caller names: members of the objects that are listed, of objects that these refer to, and added ones. */
export function chosenColumns(names: readonly string[], source: ColumnSource, context: CsvContext): CsvColumn[] {
  return names.map((name) => chosenColumn(name, source, context));
}

function chosenColumn(name: string, { output, added }: ColumnSource, context: CsvContext): CsvColumn {
  const found = columnIn(output, name.split('.'), context);
  if (found !== undefined) return columnAt(name, found.path, found.through);
  if (added === undefined || !addedNames(added).includes(name)) throw unknownColumn(name, output, added);
  refuseReading(context.caller, added.scope);
  return { ...columnAt(name, [name]), isAdded: true };
}

/** One reference leads to a customer from a payment, and two from a refund. */
const referencesMax = 2;

type FoundColumn = Pick<CsvColumn, 'through' | 'path'>;

/** Looks for a member in an object, then in those that it refers to. Refuses what the caller may not read. */
function columnIn(
  schema: ColumnSchema,
  steps: readonly string[],
  context: CsvContext,
  through: readonly string[] = [],
): FoundColumn | undefined {
  const own = pathIn(schema, steps);
  if (own !== undefined) return { through, path: own };
  const [member = '', ...rest] = steps;
  for (const resource of through.length < referencesMax ? (memberOf(schema, member)?.refersTo?.to ?? []) : []) {
    const kind = context.references!.kindOf(resource);
    const found = columnIn(kind.output, rest, context, [...through, member]);
    if (found === undefined) continue;
    refuseReading(context.caller, kind.scope);
    return found;
  }
  return undefined;
}

function unknownColumn(name: string, output: ColumnSchema, added: AddedColumns | undefined) {
  const near = closest(name, Object.keys({ ...output.properties, ...added?.properties }));
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

/** The objects by their ids. */
type CsvObjects = ReadonlyMap<string, CsvObject>;

/** What a column is a member of. */
export function holderOf(object: CsvObject, { through }: CsvColumn, referred: CsvObjects): CsvObject | undefined {
  return through.reduce<CsvObject | undefined>((holder, member) => referred.get(String(holder?.[member])), object);
}

/** Reads what columns show of other objects. All ids are asked for in one turn, so that they are read in few statements. */
export async function referredBy(
  objects: readonly CsvObject[],
  columns: readonly CsvColumn[],
  context: CsvContext,
): Promise<CsvObjects> {
  const referred = new Map<string, CsvObject>();
  for (let depth = 1; depth <= referencesMax; depth++) {
    const paths = new Map(
      columns
        .filter(({ through }) => through.length >= depth)
        .map((column) => ({ ...column, through: column.through.slice(0, depth) }))
        .map((column) => [column.through.join('.'), column]),
    );
    const ids = [...paths.values()].flatMap((column) => objects.map((object) => idAt(object, column, referred)));
    const found = await Promise.all([...new Set(ids)].map((id) => shownObject(id, context)));
    for (const [id, shown] of found.filter((one) => one !== undefined)) referred.set(id, shown);
  }
  return referred;
}

/** The id that the last of the members has which lead to a column. */
function idAt(object: CsvObject, column: CsvColumn, referred: CsvObjects): unknown {
  const { through } = column;
  return holderOf(object, { ...column, through: through.slice(0, -1) }, referred)?.[through.at(-1)!];
}

async function shownObject(id: unknown, context: CsvContext): Promise<[string, CsvObject] | undefined> {
  const shown = typeof id === 'string' ? await context.references?.kindById(id)?.find(context, id) : undefined;
  return shown && [id as string, shown as CsvObject];
}

/** The objects with what added columns have for them, if one of the columns is added. */
export async function withAdded(
  objects: readonly CsvObject[],
  columns: readonly CsvColumn[],
  added: AddedColumns | undefined,
  context: CsvContext,
): Promise<readonly CsvObject[]> {
  if (added === undefined || objects.length === 0 || !columns.some(({ isAdded }) => isAdded)) return objects;
  const ids = objects.map(({ id }) => String(id));
  const found = await added.read(context, ids);
  return objects.map((object, at) => ({ ...object, ...found.get(ids[at]!) }));
}
