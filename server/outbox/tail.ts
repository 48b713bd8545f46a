import { firstIdAt, type Id, idTime } from '../base/id.ts';
import type { Connection } from '../base/sql.ts';

/** Events may commit out of the order of their ids, by seconds at most: events younger than this are read again. */
const overlapMs = 60_000;
const pageRows = 500;

type Head = { id: Id<'evt'>; type: string };
export type TailedEvent = Head & { payload: Buffer };

/** Follows the events of a tenant from a moment on: each event of the wanted types once, in whatever order they commit. */
export class EventTail {
  readonly #tenant: number;
  readonly #wanted: ReadonlySet<string>;
  /** The time of the newest event that was read, or the start. The overlap lies before it. */
  #newest: number;
  /** The ids that were read within the overlap, nearly in order. */
  readonly #seen: Set<string>;

  private constructor(tenant: number, wanted: ReadonlySet<string>, start: number, seen: string[]) {
    this.#tenant = tenant;
    this.#wanted = wanted;
    this.#newest = start;
    this.#seen = new Set(seen);
  }

  /** Events within the overlap before the start count as seen. */
  static async from(
    client: Connection,
    tenant: number,
    start: number,
    wanted: ReadonlySet<string>,
  ): Promise<EventTail> {
    const result = await client.query<{ id: string }>(
      'select id from events where tenant = $1 and id >= $2 and id < $3 order by id',
      [tenant, placeOf(start - overlapMs), placeOf(start)],
    );
    return new EventTail(
      tenant,
      wanted,
      start,
      result.rows.map((row) => row.id),
    );
  }

  /** How many ids are kept in memory. */
  get remembered(): number {
    return this.#seen.size;
  }

  /** Events since the last call. An event counts as seen when the next one is requested. */
  async *news(client: Connection): AsyncGenerator<TailedEvent> {
    let after = placeOf(this.#newest - overlapMs);
    for (let rows = pageRows; rows === pageRows; ) {
      const page = await this.#headsAfter(client, after);
      const unseen = page.filter(({ id }) => !this.#seen.has(id));
      const payloads = await this.#payloadsOf(client, unseen);
      for (const { id, type } of unseen) {
        const payload = payloads.get(id);
        if (payload !== undefined) yield { id, type, payload };
        this.#seen.add(id);
        this.#newest = Math.max(this.#newest, idTime(id));
      }
      this.#forget();
      after = page.at(-1)?.id ?? after;
      rows = page.length;
    }
  }

  /** Without payloads, because the overlap is read again on every call. */
  async #headsAfter(client: Connection, after: string): Promise<Head[]> {
    const result = await client.query<Head>(
      `select id, type from events where tenant = $1 and id > $2 order by id limit ${pageRows}`,
      [this.#tenant, after],
    );
    return result.rows;
  }

  async #payloadsOf(client: Connection, heads: Head[]): Promise<Map<string, Buffer>> {
    const ids = heads.filter(({ type }) => this.#wanted.has(type)).map(({ id }) => id);
    if (ids.length === 0) return new Map();
    const result = await client.query<{ id: string; payload: Buffer }>(
      'select id, payload from events where tenant = $1 and id = any ($2::text[])',
      [this.#tenant, ids],
    );
    return new Map(result.rows.map(({ id, payload }) => [id, payload]));
  }

  /** Drops ids that will not be read again. They are at the start; the few late ones are dropped with a later call. */
  #forget(): void {
    for (const id of this.#seen) {
      if (idTime(id) >= this.#newest - overlapMs) return;
      this.#seen.delete(id);
    }
  }
}

/** Before 1970 there are no ids. */
function placeOf(moment: number): string {
  return firstIdAt('evt', Math.max(0, moment));
}
