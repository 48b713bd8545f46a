import type { TObject, TProperties, TSchema } from 'typebox';
import { type Table, update, type Versioned, type Write } from '../base/commit/index.ts';
import { assert } from '../base/errors.ts';
import { isId } from '../base/id.ts';
import type { Tenant } from '../base/reads.ts';
import type { EventDraft } from '../outbox/event.ts';
import { type CsvSource, csvNote, csvOf, refusePages } from './csv.ts';
import { type AddedColumns, addedNames } from './csv_columns.ts';
import { apiError } from './errors.ts';
import { type LeftOut, type ListSource, listPage, readPage } from './list.ts';
import {
  type AnyOperation,
  type Belonging,
  type Context,
  type Input,
  type Outcome,
  operation,
  type Part,
} from './operation.ts';
import { previousAttributes } from './previous.ts';
import { csvMedia, IdsFilter, type ListInput, ListOf, listParameters, Parameters } from './schemas.ts';
import type { Scope } from './scope.ts';
import type { Serialize } from './serializer.ts';

/** A kind of object, from which the operations that every resource has are derived. */
export type Descriptor<Row> = {
  /** The plural, as in routes and scopes. */
  resource: string;
  /** The resource whose scopes it uses; its own when not given. */
  scope?: string;
  /** The singular, in words. */
  noun: string;
  /** How its ids begin. */
  prefix: string;
  table: Table<Row>;
  serialize: Serialize<Row>;
  output: TSchema;
  /** A stored object as it is for callers: undefined where it belongs to something that was deleted. */
  unlessGone?(context: RowContext, row: Row): Promise<Row | undefined>;
  /** The same of a list. */
  without?: LeftOut<Row>;
  /** For kinds whose changes have events. */
  event?(type: string, row: Row, previous?: object): EventDraft;
  /** Further sentences for the reference. */
  notes?: { retrieve?: string; update?: string; list?: string };
  /** The members that an export of a list has, in this order, with spaces between. Without it the list offers none. */
  csv?: string;
  /** Columns that an export can have beside the members. */
  added?: AddedColumns;
  /** The column that names the customer whose it is, who can see it in the portal. */
  customer?: keyof Row & string;
  /** Whether customers know nothing of it, such as of a draft. */
  isHidden?(row: Row): boolean;
  /** For objects that depend on another row, such as their test clock. */
  changeGuard?: ChangeGuard<Row>;
};

/** Rows that an update commits, so that it conflicts with changes of what its object depends on. */
export type ChangeGuard<Row> = {
  /** The codes of its refusals. */
  errors: readonly string[];
  writes(context: Context, row: Row): Promise<Write[]>;
};

/** What finding an object takes. */
export type RowContext = Pick<Context, 'reads' | 'tenant' | 'id'>;

/** A row that has `deleted` is kept when its object is deleted, for objects that refer to it. It is then neither found nor listed. */
export type Listed = { tenant: Tenant; id: string; deleted?: boolean };

/** What a key needs to read the objects of a noun. */
export function readScopeOf<Row>({ resource, scope = resource }: Descriptor<Row>): Scope {
  return `${scope}:read`;
}

/** Makes the function that finds an object as it is for callers; undefined where it is missing. */
export function findRow<Row extends Listed>({ prefix, table, unlessGone }: Descriptor<Row>) {
  return async (context: RowContext, id: string): Promise<Row | undefined> => {
    const stored = isId(prefix, id) ? await context.reads.one(table, context.tenant, id) : undefined;
    const row = stored && unlessGone !== undefined ? await unlessGone(context, stored) : stored;
    return row?.deleted ? undefined : row;
  };
}

/** Makes the function that finds an object, for other resources too. */
export function requireRow<Row extends Listed>(descriptor: Descriptor<Row>) {
  return requireFound(descriptor.noun, readScopeOf(descriptor), findRow(descriptor));
}

/**
 * Makes the function that refuses an id by which nothing is found. `scope`: what a key needs to read such objects. `param` names the
 * parameter that the id came in.
 */
export function requireFound<Found, From extends Pick<Context, 'tenant' | 'id'> = RowContext>(
  noun: string,
  scope: Scope,
  find: (context: From, id: string) => Promise<Found | undefined>,
) {
  return async (context: From, id = context.id, param = 'id'): Promise<Found> => {
    const found = await find(context, id);
    if (found !== undefined) return found;
    const isIn = async (tenant: number) => (await find({ ...context, tenant: tenant as Tenant }, id)) !== undefined;
    throw apiError('resource_missing', { param, resource: noun, missing: { noun, scope, isIn } });
  };
}

/**
 * Makes the function that finds what other objects refer to, by its ids, deleted objects included. Ids that are asked for in the same turn
 * are read in one statement. An id that does not exist is left out.
 */
export function findRows<Row extends Listed>({ table }: Descriptor<Row>) {
  return async (
    { reads, tenant }: Pick<Context, 'reads' | 'tenant'>,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Row>> => {
    const rows = await Promise.all([...new Set(ids)].map((id) => reads.one(table, tenant, id)));
    return new Map(rows.filter((row) => row !== undefined).map((row) => [row.id, row]));
  };
}

/** What belongs to customers, for operations that they may run. */
export function belonging<Row extends Listed>(descriptor: Descriptor<Row>): Belonging {
  const { noun, customer, isHidden } = descriptor;
  assert(customer, `each ${noun} names its customer`);
  return { noun, find: findRow(descriptor), column: customer, ...(isHidden && { isHidden }) };
}

/** Customers can see what is their own. */
function seenByCustomers<Row extends Listed>(descriptor: Descriptor<Row>) {
  return descriptor.customer === undefined ? {} : { customers: { about: belonging(descriptor) } };
}

export function retrieveOperation<Row extends Listed>(descriptor: Descriptor<Row>): AnyOperation {
  const { resource, noun, serialize, output } = descriptor;
  const require = requireRow(descriptor);
  return operation({
    name: `${resource}.retrieve`,
    summary: `Retrieve ${withArticle(noun)}`,
    description: sentences(`Returns the ${noun} as it is now.`, descriptor.notes?.retrieve),
    route: `GET /${resource}/:id`,
    scope: readScopeOf(descriptor),
    ...seenByCustomers(descriptor),
    output,
    async run(context) {
      const row = await require(context);
      return { result: serialize(row), objectId: row.id };
    },
  });
}

const withArticle = (noun: string) => `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** One text of those sentences that there are. */
const sentences = (...texts: (string | undefined)[]) => texts.filter((text) => text !== undefined).join(' ');

/** How the filters of a list are met, and what its parameters are checked for. */
type ListOptions<Row> = Pick<ListSource<Row>, 'merged' | 'implied' | 'narrow' | 'compared'> &
  Pick<AnyOperation, 'errors' | 'customers'> & {
    check?(input: Record<string, string | undefined>): void;
    /** The filters that the parameters stand for, where these are not the same. */
    filtersOf?(parameters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  };

/** `filters` are parameters by the names of the columns that must equal them, or of compared filters. */
export function listOperation<Row extends Listed>(
  descriptor: Descriptor<Row>,
  filters: TProperties = {},
  { check, errors = [], customers, filtersOf = (parameters) => parameters, ...options }: ListOptions<Row> = {},
): AnyOperation {
  const { resource, noun, output } = descriptor;
  const hidden = (descriptor.table.columns as readonly string[]).includes('deleted') ? { deleted: false } : {};
  const unlike = [...(options.narrow ?? []), ...(options.compared ?? []).map((comparison) => comparison.name)];
  const columns = Object.keys({ ...hidden, ...filters }).filter((column) => !unlike.includes(column));
  const source = { ...descriptor, ...options, url: `/v1/${resource}`, columns };
  return operation({
    name: `${resource}.list`,
    summary: `List ${noun}s`,
    description: sentences(
      `Returns ${noun}s in pages, newest first.`,
      descriptor.notes?.list,
      descriptor.csv && csvNote(noun),
    ),
    route: `GET /${resource}`,
    scope: readScopeOf(descriptor),
    input: Parameters({ ...listParameters, ids: IdsFilter, ...filters }),
    output: ListOf(output),
    ...(descriptor.csv && { offers: [csvMedia], csv: descriptor.csv }),
    ...(descriptor.added && { addedColumns: addedNames(descriptor.added) }),
    ...(customers && { customers }),
    errors,
    check: (input) => check?.(input as Record<string, string | undefined>),
    async run(context, input) {
      const wanted = input as ListInput & Record<string, string | undefined>;
      const selected = { ...filtersOf(wanted), ...hidden };
      if (context.media !== undefined) {
        refusePages(wanted);
        const read: CsvSource<Row>['read'] = (range, limits) => readPage(context, range, source, selected, limits);
        return { stream: csvOf(context, wanted, { ...descriptor, csv: descriptor.csv!, read }) };
      }
      return { result: await listPage(context, wanted, source, selected) };
    },
  });
}

/** An update that changes no other row. `check` is for what needs no database. */
export function updateOperation<Row extends Listed & Versioned, Schema extends TObject>(
  descriptor: Descriptor<Row>,
  input: Schema,
  change: (before: Row, input: Input<Schema, 'clear'>, context: Context) => Partial<Row> | Promise<Partial<Row>>,
  check: (input: Input<Schema, 'clear'>) => void = () => {},
): AnyOperation {
  const { resource, noun, output } = descriptor;
  const require = requireRow(descriptor);
  return operation<Schema, 'clear'>({
    name: `${resource}.update`,
    summary: `Update ${withArticle(noun)}`,
    description: sentences(
      'Changes only what it names. An update that changes nothing creates no event.',
      descriptor.notes?.update,
    ),
    route: `POST /${resource}/:id`,
    input,
    nulls: 'clear',
    output,
    errors: descriptor.changeGuard?.errors ?? [],
    check,
    async run(context, wanted) {
      const before = await require(context);
      const guards = (await descriptor.changeGuard?.writes(context, before)) ?? [];
      return changedWith(
        guards,
        updated(descriptor, before, { ...before, ...(await change(before, wanted, context)) }),
      );
    },
  });
}

/** The outcome with further rows, unless nothing has changed. */
export function changedWith<Change extends Part>(rows: readonly Write[], outcome: Change): Change {
  return outcome.writes.length === 0 ? outcome : { ...outcome, writes: [...outcome.writes, ...rows] };
}

/**
 * The outcome of a change, with the event `<noun>.updated`. A change that cannot be seen is not written, unless `hiddenChange` says that
 * a member has changed that the API does not show.
 */
export function updated<Row extends Listed & Versioned>(
  descriptor: Descriptor<Row>,
  before: Row,
  changed: Row,
  hiddenChange = false,
): Outcome & Part {
  const after = { ...changed, version: before.version + 1 };
  const result = descriptor.serialize(after);
  const previous = previousAttributes(descriptor.serialize(before), result) ?? (hiddenChange ? {} : undefined);
  if (previous === undefined) return { result, objectId: before.id, writes: [], events: [] };
  const event = descriptor.event!(`${descriptor.noun.replaceAll(' ', '_')}.updated`, after, previous);
  return { result, objectId: after.id, writes: [update(descriptor.table, after)], events: [event] };
}
