import type { TSchema } from 'typebox';
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
export type TimelineEntry = { id: string; summary: string; details: object };

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
  ...source
}: Omit<TimelineSource, 'find'> & {
  find(context: Context, wanted: EntriesWanted): Promise<readonly Row[]>;
  summaryOf(row: Row): string;
  detailsOf(row: Row): object;
}): TimelineSource {
  return {
    ...source,
    async find(context, wanted) {
      const rows = await find(context, wanted);
      return rows.map((row) => ({ id: row.id, summary: summaryOf(row), details: detailsOf(row) }));
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
