import { createdSeconds, firstIdAt, idTime, isId } from '../../../base/id.ts';
import { type Caller, hasRight, mayRead, refuseReading } from '../../../operations/caller.ts';
import { apiError } from '../../../operations/errors.ts';
import {
  type TimelineActor,
  type TimelineEntry,
  type TimelineKind,
  type TimelineRelation,
  type TimelineSource,
  timelineKinds,
  timelineRelations,
  timelineSources,
} from '../../../operations/extension_points/timeline.ts';
import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import type { Declared } from '../../../operations/resource.ts';
import { rightToRead } from '../../../operations/role.ts';
import { scopeOfAny } from '../../../operations/scope.ts';
import { TimelineInput, timelineOutput } from './schema.ts';

const limitDefault = 10;
const relatedMax = 100;

type Cursor = { id: string; rank: number };

/** An entry with its source. */
export type Placed = { entry: TimelineEntry; source: Pick<TimelineSource, 'type' | 'prefix' | 'rank'> };

/** Newest first; within a millisecond, effects before their causes. */
export function newestFirst(a: Placed, b: Placed): number {
  const [left, right] = [a.entry.id, b.entry.id];
  const byTime = idTime(right) - idTime(left) || b.source.rank - a.source.rank;
  return byTime || (left < right ? 1 : -1);
}

/** Ids of this source below it are further down the timeline than the entry at the cursor. Without a cursor, all are. */
export function boundOf(source: Placed['source'], cursor: Cursor | undefined): string {
  if (cursor === undefined) return `${source.prefix}_${'z'.repeat(22)}`;
  if (source.rank === cursor.rank) return cursor.id;
  const time = idTime(cursor.id);
  return firstIdAt(source.prefix, source.rank < cursor.rank ? time + 1 : time);
}

class Timeline {
  readonly #declared: Declared;

  constructor(declared: Declared) {
    this.#declared = declared;
  }

  /** Refuses an object that the caller may not read, or that there is not. */
  async require(context: Context): Promise<TimelineKind> {
    const kind = this.#kindOf(context.id);
    if (kind === undefined) throw apiError('resource_missing', { param: 'id', resource: 'object with a timeline' });
    refuseReading(context.caller, kind.scope);
    await kind.require(context, context.id);
    return kind;
  }

  #kindOf(id: string): TimelineKind | undefined {
    return this.#declared.extensionsOf(timelineKinds).find(({ prefix }) => isId(prefix, id));
  }

  /** The entry that a page follows: its id tells its source and its time. */
  cursorOf(id: string | undefined): Cursor | undefined {
    if (id === undefined) return undefined;
    const source = this.#declared.extensionsOf(timelineSources).find(({ prefix }) => isId(prefix, id));
    if (source !== undefined) return { id, rank: source.rank };
    throw apiError('parameter_invalid', { param: 'starting_after', reason: 'it must be the id of an entry' });
  }

  /** What belongs to the object, as far as the caller may read it. */
  relationsOf({ id, caller }: Context): TimelineRelation[] {
    const all = this.#declared.extensionsOf(timelineRelations);
    return all.filter(({ of, scope }) => isId(of, id) && mayRead(caller, scope));
  }

  /** The object, and those that belong to it: of each relation the newest that there were at the cursor. */
  async #objects(context: Context, before: number): Promise<string[]> {
    const { id } = context;
    const relations = this.relationsOf(context);
    const related = await Promise.all(
      relations.map((relation) => relation.find(context, { id, before, limit: relatedMax })),
    );
    return [id, ...related.flat()];
  }

  #sourcesFor(caller: Caller): TimelineSource[] {
    const all = this.#declared.extensionsOf(timelineSources);
    return all.filter(({ scope }) => scope === undefined || hasRight(caller, rightToRead(scope)));
  }

  /**
   * Of each source at most a page is read. Who has caused an entry is often known by another entry of its group, which may be on the next
   * page: it is looked up in all that was read.
   */
  async entries(context: Context, cursor: Cursor | undefined, limit: number): Promise<Placed[]> {
    const ids = await this.#objects(context, cursor === undefined ? context.now + 1 : idTime(cursor.id) + 1);
    const found = await Promise.all(
      this.#sourcesFor(context.caller).map(async (source): Promise<Placed[]> => {
        const entries = await source.find(context, { ids, before: boundOf(source, cursor), limit });
        return entries.map((entry) => ({ entry, source }));
      }),
    );
    const actors = actorsOf(found.flat());
    const page = found.flat().sort(newestFirst).slice(0, limit);
    return page.map(({ entry, source }) => ({ entry: { ...entry, by: actors.get(entry.group) ?? entry.by }, source }));
  }
}

/** Who has caused the entries of each group. A request knows the id, the audit log the name too. */
export function actorsOf(found: readonly Placed[]): ReadonlyMap<string | undefined, TimelineActor> {
  const actors = new Map<string | undefined, TimelineActor>();
  for (const { group, by } of found.map(({ entry }) => entry))
    if (group !== undefined && by !== undefined) actors.set(group, { ...actors.get(group), ...by });
  return actors;
}

function serializeEntry({ entry: { id, summary, details, group = id, by }, source: { type } }: Placed): object {
  const created = { created: createdSeconds(id), created_ms: idTime(id) };
  const actor = by === undefined || Object.keys(by).length === 0 ? {} : { by };
  return { id, object: 'timeline_entry', type, summary, ...created, group, ...actor, [type]: details };
}

export function timelineOperations(declared: Declared): AnyOperation[] {
  const timeline = new Timeline(declared);
  const retrieve = operation({
    name: 'timeline.list',
    summary: 'List what happened to an object',
    description:
      'Returns requests, attempts, postings, events with their deliveries and, for people, audit entries in one order, newest first. The id is that of a payment, refund, dispute, customer, payment method, subscription, invoice or checkout session, and the key needs its read scope. The timeline of a payment includes its refunds and disputes, that of a checkout session its tries, with their refunds and disputes, and that of a customer everything that it has paid or owes, as far as the key may read them; entries with the same `group` have one cause. People see requests, deliveries and postings if their role may read those elsewhere.',
    route: 'GET /timeline/:id',
    answersByCaller: true,
    scope: scopeOfAny,
    input: TimelineInput,
    output: timelineOutput(declared.extensionsOf(timelineSources)),
    async run(context, { limit = limitDefault, starting_after }) {
      const kind = await timeline.require(context);
      const scopes = [kind, ...timeline.relationsOf(context)].map(({ scope }) => scope);
      const placed = await timeline.entries(context, timeline.cursorOf(starting_after), limit + 1);
      const data = placed.slice(0, limit).map(serializeEntry);
      const url = `/v1/timeline/${context.id}`;
      return { result: { object: 'list', url, has_more: placed.length > limit, data }, objectId: context.id, scopes };
    },
  });
  return [retrieve];
}
