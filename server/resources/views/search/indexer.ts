import { getOrMake } from '../../../base/get_or_make.ts';
import type { PlaceSql } from '../../../base/places/sql_at.ts';
import { ConnectionReads, type Reads, type Tenant } from '../../../base/reads.ts';
import { failureLevel, inTransaction, type Pool, query, type Sql } from '../../../base/sql.ts';
import type { Searchable, SearchDocument } from '../../../operations/extension_points/search.ts';
import type { BackgroundLoop } from '../../../operations/job.ts';
import type { Services } from '../../../operations/services.ts';
import { tenantsThere } from '../../../operations/tenants.ts';
import { termsOf } from './documents.ts';
import { type IndexEntry, kindOf, writeEntries } from './index_writes.ts';
import {
  type Changed,
  type IndexPosition,
  isLateDue,
  presentPosition,
  readChanged,
  readLate,
  readPosition,
  writePosition,
} from './position.ts';
import { beginWalks, isOverTerms, moveWalk, nextWalk, readSlice, sweepTerms, tenantsOfEvents } from './walks.ts';

export type IndexServices = Pick<Services, 'clock' | 'log'> & {
  /** Of one place: each has an index of its own. */
  sql: Pool;
  /** Those whose objects are there. */
  tenants(): Promise<readonly Tenant[]>;
};

/** A change is found within two seconds of its commit, of which this is the largest part. */
const everyMs = 500;
/** It rests four times as long as it took, so that requests have the database, but not so long that a change is found late. */
const restMsMax = 1_000;
/** So many are read and written at a time: the work on more would keep requests waiting. */
const objectsAtOnce = 250;
/** Of each interval, for objects that are gone through: the rest of the time belongs to everybody else. */
const walkingMs = 200;
/** Without changes, the position is written so seldom that it costs nothing. */
const idlePositionMs = 20_000;
/** Events are kept for 30 days and more. After a longer pause all objects are gone through. */
const followableMs = 20 * 86_400_000;

/**
 * With which one instance at a time writes to the index. It costs nothing while there is nothing to write. Places of a cluster that are on one
 * server have the locks of one database, and each a number of its own there.
 */
const lock = 0x70_11_5e_a7;
const lockOfPlace = `$1::int8 + coalesce(substring(current_schema() from '^place_(\\d+)$')::int8 & 2147483647, 0) * 4294967296`;
/** After so many steps in vain an instance waits for its turn: deletions of many customers would keep it out as long as they take. */
const triesMax = 3;
const uniqueViolation = '23505';
/** A frozen instance must not keep the others from it. */
const begin = `begin isolation level read committed; set local idle_in_transaction_session_timeout = '10s'`;

/** more: there is more to do now. busy: another instance does it. */
export type IndexStep = 'more' | 'idle' | 'busy';
/** lost: the index was never filled, or too long ago. */
type FollowStep = IndexStep | 'lost';

/** The indexes of all places, side by side. */
export function searchIndexes(
  services: Pick<Services, 'leases' | 'clock' | 'log'>,
  kinds: readonly Searchable[],
): BackgroundLoop {
  const { leases, ...others } = services;
  const indexers = new WeakMap<Pool, SearchIndexer>(); // places are opened and closed
  const indexerAt = (place: PlaceSql) => {
    const { sql } = place;
    const tenants = () => tenantsThere(leases, place);
    return getOrMake(indexers, sql, () => new SearchIndexer({ ...others, sql, tenants }, kinds));
  };
  return {
    name: 'search index',
    everyMs,
    isWoken: false,
    run: (stopping) => Promise.all(leases.places('tenant').map((place) => indexerAt(place).run(stopping))),
  };
}

/** Fills the index: follows the events about objects, and goes through those that were there before. Every instance tries. */
export class SearchIndexer {
  readonly #services: IndexServices;
  readonly #kinds: ReadonlyMap<string, Searchable>;
  #isFailing = false;
  /** The index has terms that it should not have, as after a restored backup of some tables: they are in the way until it is rebuilt. */
  #isWrong = false;
  #restsUntil = 0;
  #triedInVain = 0;

  constructor(services: IndexServices, kinds: readonly Searchable[]) {
    this.#services = services;
    this.#kinds = new Map(kinds.filter(({ foundBy }) => foundBy === 'words').map((kind) => [kind.prefix, kind]));
  }

  async run(stopping: AbortSignal): Promise<void> {
    const { log, clock } = this.#services;
    const started = clock.monotonic();
    if (started < this.#restsUntil) return;
    try {
      let outcome: IndexStep = 'more';
      while (outcome === 'more' && !stopping.aborted) outcome = await this.followStep();
      const began = clock.monotonic();
      this.#restsUntil = began + Math.min(4 * (began - started), restMsMax);
      while (outcome !== 'busy' && !stopping.aborted && clock.monotonic() - began < walkingMs)
        if ((await this.walkStep()) !== 'more') break;
      if (this.#isFailing) log.info({}, 'the search index is being filled again');
      this.#isFailing = false;
    } catch (error) {
      const level = failureLevel(error);
      this.#isWrong ||= (error as { code?: string }).code === uniqueViolation;
      // Two warnings a second would hide everything else in the log.
      if (level === 'debug' || !this.#isFailing)
        log[level]({ error: String(error) }, 'could not fill the search index; it is tried again twice a second');
      this.#isFailing ||= level === 'warn';
    }
  }

  /** Indexes what the next events are about. The terms and the position are one transaction: a killed server leaves both as they were. */
  async followStep(): Promise<IndexStep> {
    const step = await this.#follow();
    if (step !== 'lost') return step;
    // Before the step, which keeps a connection.
    return (await this.#follow(await this.#services.tenants())) as IndexStep;
  }

  #follow(tenants?: readonly Tenant[]): Promise<FollowStep> {
    const now = this.#services.clock.now();
    return this.#alone<FollowStep>(async (sql) => {
      const before = await readPosition(sql);
      if (before === undefined || before.next.since < now - followableMs) {
        if (tenants === undefined) return { isKept: false, result: 'lost' };
        return this.#fillAnew(sql, now, { tenants, isFirst: before === undefined });
      }
      if (isLateDue(before, now)) return this.#followLate(sql, before);
      const { changed, position, isFull } = await readChanged(sql, before, now);
      if (changed.length === 0 && before.steps.length > 0) return this.#followLate(sql, before);
      if (changed.length === 0 && position.next.since - before.next.since < idlePositionMs)
        return { isKept: false, result: 'idle' };
      await this.#index(sql, changed);
      await writePosition(sql, position);
      return { isKept: true, result: isFull ? 'more' : 'idle' };
    });
  }

  /** Indexes what has committed late: now and then, and whenever there is nothing else to do. */
  async #followLate(sql: Sql, before: IndexPosition) {
    const { changed, position } = await readLate(sql, before);
    await this.#index(sql, changed);
    await writePosition(sql, position);
    return { isKept: true, result: 'more' as const };
  }

  /** Goes through the next objects of a walk. */
  walkStep(): Promise<IndexStep> {
    return this.#alone<IndexStep>(async (sql) => {
      const walk = await nextWalk(sql);
      if (walk === undefined) return { isKept: false, result: 'idle' };
      const kind = this.#kinds.get(walk.kind);
      if (isOverTerms(walk)) await moveWalk(sql, walk, await sweepTerms(sql, walk));
      else if (kind === undefined) await moveWalk(sql, walk, undefined);
      else {
        const { ids, after } = await readSlice(sql, walk, kind);
        await writeEntries(sql, await this.#load(new ConnectionReads(sql), walk.tenant, kind, ids), true);
        await moveWalk(sql, walk, after);
      }
      return { isKept: true, result: 'more' };
    });
  }

  /** Indexes objects anew that say less than before, without an event. It waits for the step that is being taken. */
  async renew(tenant: Tenant, ids: readonly string[]): Promise<void> {
    await inTransaction(
      this.#services.sql,
      async (sql) => {
        await waitForLock(sql);
        const found = await this.#entriesOf(
          new ConnectionReads(sql),
          ids.map((object) => ({ tenant, object })),
        );
        await writeEntries(sql, found, this.#isWrong);
        return { isKept: true, result: undefined };
      },
      begin,
    );
  }

  /** What changes from now on is followed, and what exists is gone through: also that of tenants which are newer than the list. */
  async #fillAnew(sql: Sql, now: number, { tenants, isFirst }: { tenants: readonly Tenant[]; isFirst: boolean }) {
    await writePosition(sql, presentPosition(now));
    const all = [...new Set([...tenants, ...(await tenantsOfEvents(sql))])];
    await beginWalks(sql, [...this.#kinds.values()], { tenants: all, isFirst });
    return { isKept: true, result: 'idle' as const };
  }

  #alone<Step extends FollowStep>(
    work: (sql: Sql) => Promise<{ isKept: boolean; result: Step | 'busy' }>,
  ): Promise<Step | 'busy'> {
    return inTransaction(
      this.#services.sql,
      async (sql) => ((await this.#takeTurn(sql)) ? work(sql) : { isKept: false, result: 'busy' }),
      begin,
    );
  }

  async #takeTurn(sql: Sql): Promise<boolean> {
    const isPatient = this.#triedInVain >= triesMax;
    if (isPatient) await waitForLock(sql);
    const isTaken = isPatient || (await tryLock(sql));
    this.#triedInVain = isTaken ? 0 : this.#triedInVain + 1;
    return isTaken;
  }

  /** Indexes each object once, as it is now: a later change has a later event. */
  async #index(sql: Sql, changed: readonly Changed[]): Promise<void> {
    const reads = new ConnectionReads(sql);
    const objects = [...new Map(changed.map((one) => [`${one.tenant}/${one.object}`, one])).values()];
    for (let from = 0; from < objects.length; from += objectsAtOnce)
      await writeEntries(sql, await this.#entriesOf(reads, objects.slice(from, from + objectsAtOnce)), this.#isWrong);
  }

  async #entriesOf(reads: Reads, changed: readonly Changed[]): Promise<IndexEntry[]> {
    const byTenant = Map.groupBy(changed, ({ tenant }) => tenant);
    const entries = [...byTenant].flatMap(([tenant, ofTenant]) => {
      const byKind = Map.groupBy(
        ofTenant.map(({ object }) => object),
        kindOf,
      );
      return [...byKind].flatMap(([prefix, ids]) => {
        const kind = this.#kinds.get(prefix);
        return kind === undefined ? [] : [this.#load(reads, tenant, kind, ids)];
      });
    });
    return (await Promise.all(entries)).flat();
  }

  async #load(reads: Reads, tenant: Tenant, kind: Searchable, ids: readonly string[]): Promise<IndexEntry[]> {
    const documents = await kind.load({ reads, tenant }, ids);
    return ids.map((object) => {
      const document = documents.get(object);
      return { tenant, object, terms: document && wordsOf(document) };
    });
  }
}

/** Undefined of an object that has no words, and belongs to none that has. */
function wordsOf(document: SearchDocument): string[] | undefined {
  const terms = termsOf(document);
  return terms.length > 0 || (document.belongsTo ?? []).length > 0 ? terms : undefined;
}

async function tryLock(sql: Sql): Promise<boolean> {
  const text = `select pg_try_advisory_xact_lock(${lockOfPlace}) as taken`;
  return (await query<{ taken: boolean }>(sql, text, [lock], 'search_lock'))[0]!.taken;
}

async function waitForLock(sql: Sql): Promise<void> {
  await query(sql, `select pg_advisory_xact_lock(${lockOfPlace})`, [lock], 'search_wait');
}

/**
 * Removes what the index has of deleted objects. It waits for the step that is being taken, which may have read them before; later steps
 * find nothing to index.
 */
export async function forgetObjects(
  { leases }: Pick<Services, 'leases'>,
  tenant: Tenant,
  ids: readonly string[],
): Promise<void> {
  const gone = ids.map((object) => ({ tenant, object, terms: undefined }));
  const forget = async (sql: Sql) => {
    await waitForLock(sql);
    await writeEntries(sql, gone);
    return { isKept: true, result: undefined };
  };
  await leases.at(tenant, (pool) => inTransaction(pool, forget, begin));
}
