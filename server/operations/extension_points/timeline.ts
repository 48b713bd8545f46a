import type { TSchema } from 'typebox';
import type { Table } from '../../base/commit/index.ts';
import { firstIdAt } from '../../base/id.ts';
import { type Descriptor, type Listed, readScopeOf, requireRow } from '../descriptor.ts';
import type { Context } from '../operation.ts';
import { extensionPoint } from '../resource.ts';
import type { Scope } from '../scope.ts';

/** A kind of object that has a timeline. */
export type TimelineKind = {
  prefix: string;
  /** What a key needs to read it. */
  scope: Scope;
  /** Throws the refusal of an object that does not exist. */
  require(context: Context, id: string): Promise<unknown>;
};

/** Objects whose entries belong to the timeline of another, such as the refunds of a payment. */
export type TimelineRelation = {
  /** How the ids of the other begin. */
  of: string;
  /** What a key needs to read them; those that it may not read are left out. */
  scope: Scope;
  /** The newest that were made before a moment, epoch milliseconds. */
  find(context: Context, wanted: { id: string; before: number; limit: number }): Promise<string[]>;
};

/** Something that happened to an object. The time of it is in its id. */
export type TimelineEntry = {
  id: string;
  summary: string;
  details: object;
  /** What entries of one cause have in common: the id of the request. Absent: nothing else is known to belong to it. */
  group?: string | undefined;
  /** Who has caused it, as far as the entry knows. */
  by?: TimelineActor | undefined;
};

/** A person, an API key or an operator. The name is the email of a person, or the name of an operator. */
export type TimelineActor = { user?: string; api_key?: string; name?: string };

/** Something that entries come from: requests, events and so on. */
export type TimelineSource = {
  /** The name of its entries, and of the member that has the details. */
  type: string;
  /** How the ids of its entries begin. */
  prefix: string;
  /** Of entries of the same millisecond, what comes first: causes have lower numbers. */
  rank: number;
  /** What a key needs to read the same elsewhere: people need the right for it. In a timeline, a key needs the scope of the object alone. */
  scope?: Scope;
  /** The shape of the details. */
  schema: TSchema;
  /** The newest entries about any of these objects whose ids are below `before`, newest first. */
  find(context: Context, wanted: EntriesWanted): Promise<TimelineEntry[]>;
};

export type EntriesWanted = { ids: readonly string[]; before: string; limit: number };

/** A source whose entries are rows, each with the id and the time of what happened. */
export function timelineOfRows<Row extends { id: string }>({
  find,
  summaryOf,
  detailsOf,
  groupsOf,
  byOf,
  ...source
}: Omit<TimelineSource, 'find'> & {
  find(context: Context, wanted: EntriesWanted): Promise<readonly Row[]>;
  summaryOf(row: Row): string;
  detailsOf(row: Row): object;
  /** The group of each row. */
  groupsOf(context: Context, rows: readonly Row[]): Promise<(string | undefined)[]> | string[];
  byOf?(row: Row): TimelineActor;
}): TimelineSource {
  return {
    ...source,
    async find(context, wanted) {
      const rows = await find(context, wanted);
      const groups = await groupsOf(context, rows);
      return rows.map((row, at) => {
        const words = { id: row.id, summary: summaryOf(row), details: detailsOf(row) };
        return { ...words, group: groups[at], by: byOf?.(row) };
      });
    },
  };
}

type Naming = Pick<TimelineRelation, 'of' | 'scope'> & { table: Pick<Table, 'name'>; prefix: string; column: string };

/** The objects of a table that name another in a column, by the index on that column and the id. */
export function relationById({ of, scope, table, prefix, column }: Naming): TimelineRelation {
  return {
    of,
    scope,
    async find({ reads, tenant }, { id, before, limit }) {
      const rows = await reads.rows<{ id: string }>(
        `select id from ${table.name} where tenant = $1 and ${column} = $2 and id < $3 order by ${column} desc, id desc limit $4`,
        [tenant, id, firstIdAt(prefix, before), limit],
      );
      return rows.map((row) => row.id);
    },
  };
}

/** The same, by the index on that column, the status and the id. */
export function relationByStatus({
  of,
  scope,
  table,
  prefix,
  column,
  statuses,
}: Naming & { statuses: readonly string[] }): TimelineRelation {
  return {
    of,
    scope,
    async find({ reads, tenant }, { id, before, limit }) {
      const rows = await reads.rows<{ id: string }>(
        `select found.id from unnest($5::text[]) as s (status)
          cross join lateral (
            select r.id from ${table.name} r
             where r.tenant = $1 and r.${column} = $2 and r.status = s.status and r.id < $3
             order by r.${column} desc, r.status desc, r.id desc limit $4) found
          order by found.id desc limit $4`,
        [tenant, id, firstIdAt(prefix, before), limit, statuses],
      );
      return rows.map((row) => row.id);
    },
  };
}

/** The timeline of the objects of a noun. */
export function timelineOf<Row extends Listed>(descriptor: Descriptor<Row>): TimelineKind {
  return { prefix: descriptor.prefix, scope: readScopeOf(descriptor), require: requireRow(descriptor) };
}

export const timelineKinds = extensionPoint<TimelineKind>('kinds of objects that have a timeline');
export const timelineRelations = extensionPoint<TimelineRelation>('objects that belong to a timeline');
export const timelineSources = extensionPoint<TimelineSource>('what timelines consist of');
