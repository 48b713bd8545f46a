import type { Clock } from '../../../base/clock.ts';
import { freeOf, type Shares } from '../../../base/fair_lease.ts';
import { newId } from '../../../base/id.ts';
import type { Keyring } from '../../../base/keyring.ts';
import { leaseSeconds, renewLeaseEveryMs } from '../../../base/lease.ts';
import { PlacedBatcher } from '../../../base/places/batchers.ts';
import type { SqlAt } from '../../../base/places/sql_at.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { Pool, Sql } from '../../../base/sql.ts';
import type { InboundRequest, Notice } from '../../../connectors/contract.ts';
import type { NoticeSource } from '../../../connectors/index.ts';
import { addNotices } from './store.ts';
import type { DueNotice, StoredNotice } from './stored_notice.ts';

/** The job that handles what is stored. */
export const noticesJob = 'notices';

const batchNoticesMax = 64; // of up to 256 KiB each
/** How many, and how many bytes of requests, may wait in memory. Reading one again costs more than storing it. */
const freshMax = 4_096;
const freshBytesMax = 16_777_216;
/** The lease of a notice that is being handled is renewed after some seconds: by then it must not have expired. */
const freshForMs = leaseSeconds * 1_000 - renewLeaseEveryMs;
/** No processor minds: under load, a statement, an fsync, a read and an outcome then serve all notices of this time. */
const spacedMs = 50;

/** A notice that has arrived: as a request of the processor, or in an answer to us. */
export type ArrivedNotice = { tenant: Tenant; source: NoticeSource; event: string } & (
  | { request: InboundRequest }
  | { reported: Notice[] }
);

/** `due` is the same as what is stored, with the request as it came. */
type NewNotice = { stored: StoredNotice; due: DueNotice };

type InboxParts = { durable: SqlAt; keyring: Keyring; clock: Clock; wake: (job: string) => void };

/**
 * Stores notices before they are acknowledged. Under load, those that arrive within some milliseconds are stored by one statement: one
 * round trip and one fsync for all of them. They do not go through the committer, so that no payment waits for them.
 *
 * The statement that stores a notice also leases it to this instance, as long as few wait here: reading and leasing it again would cost as
 * much as storing it. If this process dies, the lease expires.
 */
export class Inbox {
  readonly #parts: InboxParts;
  readonly #batcher: PlacedBatcher<NewNotice, boolean>;
  readonly #fresh: DueNotice[] = [];
  /** Fresh ones, and those that will be once they are stored. */
  #held = { notices: 0, bytes: 0 };

  constructor(parts: InboxParts) {
    this.#parts = parts;
    this.#batcher = new PlacedBatcher(parts.durable, {
      itemsMax: batchNoticesMax,
      spacedMs,
      tenantOf: ({ due }) => due.tenant,
      run: (sql, notices) => this.#add(sql, notices),
    });
  }

  /** Resolves once the notice is on disk. */
  async store(arrived: ArrivedNotice): Promise<'stored' | 'repeated'> {
    const { clock, keyring } = this.#parts;
    const { tenant, source, event } = arrived;
    const now = clock.now();
    const id = newId('ntc', now);
    const request = 'request' in arrived ? arrived.request : null;
    const state = {
      tenant,
      id,
      version: 1,
      ...source,
      event_id: event,
      reported: 'reported' in arrived ? arrived.reported : null,
      failures: 0,
      reason: null,
      flagged_at: null,
      due_at: new Date(now),
      lease_until: this.#hold(bytesOf(request)) ? new Date(now) : null,
    };
    const sealed = request && sealRequest(keyring, tenant, id, request);
    const isNew = await this.#batcher.add({ stored: { ...state, request: sealed }, due: { ...state, request } });
    return isNew ? 'stored' : 'repeated';
  }

  /** The notices that a processor has reported when it was asked. One event may be reported by several notices. */
  async storeReported(source: NoticeSource, notices: readonly Notice[]): Promise<void> {
    const byEvent = Map.groupBy(notices, ({ tenant, id }) => `${tenant}/${id}`);
    await Promise.all(
      [...byEvent.values()].map((reported) => {
        const { tenant, id: event } = reported[0]!;
        return this.store({ tenant, source, event, reported });
      }),
    );
  }

  /**
   * Notices that were just stored and leased to this instance, oldest first. Those that have waited for too long are dropped: once their
   * lease has expired, an instance leases them like any others. Those of a tenant that has its share of the places wait.
   */
  takeFresh(limit: number, shares?: Shares): DueNotice[] {
    const oldest = this.#parts.clock.now() - freshForMs;
    const kept = this.#fresh.findIndex(({ due_at }) => due_at!.getTime() >= oldest);
    const dropped = this.#fresh.splice(0, kept === -1 ? this.#fresh.length : kept);
    const taken = shares === undefined ? this.#fresh.splice(0, limit) : this.#takeShares(limit, shares);
    for (const notice of [...dropped, ...taken]) this.#release(notice);
    return taken;
  }

  #takeShares(limit: number, shares: Shares): DueNotice[] {
    const left = new Map<Tenant, number>();
    const taken: DueNotice[] = [];
    const waiting: DueNotice[] = [];
    for (const notice of this.#fresh.splice(0)) {
      const free = left.get(notice.tenant) ?? freeOf(shares, notice.tenant);
      const isTaken = taken.length < limit && free > 0;
      if (isTaken) left.set(notice.tenant, free - 1);
      (isTaken ? taken : waiting).push(notice);
    }
    this.#fresh.push(...waiting);
    return taken;
  }

  /** Whether one more notice may wait in memory. */
  #hold(bytes: number): boolean {
    const held = { notices: this.#held.notices + 1, bytes: this.#held.bytes + bytes };
    if (held.notices > freshMax || held.bytes > freshBytesMax) return false;
    this.#held = held;
    return true;
  }

  #release({ request }: DueNotice): void {
    this.#held = { notices: this.#held.notices - 1, bytes: this.#held.bytes - bytesOf(request) };
  }

  async #add(sql: Sql | Pool, notices: readonly NewNotice[]): Promise<boolean[]> {
    const held = notices.flatMap(({ due }) => (due.lease_until === null ? [] : due));
    let added = new Set<string>();
    try {
      added = await addNotices(
        sql,
        notices.map(({ stored }) => stored),
      );
    } finally {
      for (const due of held) added.has(due.id) ? this.#fresh.push(due) : this.#release(due);
    }
    if (added.size > 0) this.#parts.wake(noticesJob);
    return notices.map(({ due }) => added.has(due.id));
  }
}

function bytesOf(request: DueNotice['request']): number {
  return request === null || Buffer.isBuffer(request) ? 0 : request.body.length;
}

/**
 * Headers and body, which may hold names and email addresses: sealed, so that neither a dump nor a query shows them. The headers are a line
 * of JSON.
 */
function sealRequest(keyring: Keyring, tenant: Tenant, id: string, { headers, body }: InboundRequest): Buffer {
  const plain = Buffer.concat([Buffer.from(`${JSON.stringify(headers)}\n`), body]);
  return keyring.seal('notice', `${tenant}/${id}`, plain);
}

export function openRequest(keyring: Keyring, { tenant, id }: DueNotice, sealed: Buffer): InboundRequest {
  const plain = keyring.unseal('notice', `${tenant}/${id}`, sealed);
  const end = plain.indexOf('\n');
  return { headers: JSON.parse(plain.subarray(0, end).toString()), body: plain.subarray(end + 1) };
}
