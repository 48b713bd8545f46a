import { Batcher } from '../../base/batcher.ts';
import { claim, type Table, table, update, type Write } from '../../base/commit/index.ts';
import { assert } from '../../base/errors.ts';
import { settlesWithin } from '../../base/keyed_queue.ts';
import type { Keyring } from '../../base/keyring.ts';
import type { Tenant } from '../../base/reads.ts';
import { type Pool, query } from '../../base/sql.ts';
import type { Unfinished } from '../../resources/attempts/executor.ts';
import { refusal } from '../errors.ts';
import { canonicalJson } from '../reading/canonical.ts';
import { comparable } from '../reading/confidential.ts';

/** An answer as it is kept: a replay repeats these, everything else about the response is fresh. */
export type Saved = { status: number; body: string; confidential?: boolean };

type IdempotencyRow = {
  tenant: Tenant;
  key: string;
  fingerprint: Buffer;
  operation: string;
  request_id: string;
  status: number | null;
  body: Buffer | null;
  resume_by: string | null;
  sealed: boolean;
};

const idempotencyTable: Table<IdempotencyRow> = table('idempotency', {
  int4: 'tenant',
  text: 'key operation request_id resume_by',
  bytea: 'fingerprint body',
  int2: 'status',
  bool: 'sealed',
  key: ['tenant', 'key'],
  identity: ['tenant', 'key', 'request_id'],
  expiry: 'expires_at',
  filled: ['expires_at', 'replays', 'version'],
});

type Finish = { tenant: Tenant; key: string; version: number; status: number; body: Buffer; sealed: boolean };

/** The same table, seen by a request that learns its answer after it has claimed its key. */
const finishTable: Table<Finish> = table('idempotency', {
  int4: 'tenant version',
  text: 'key',
  int2: 'status',
  bytea: 'body',
  bool: 'sealed',
  key: ['tenant', 'key'],
  identity: [],
});
const unfinishedVersion = 1;

const waitMaxMs = 20_000;
const batchMax = 200;

/** One request's use of a key. */
export type KeyUse = { tenant: Tenant; key: string; fingerprint: Buffer; operation: string; requestId: string };

export type Replay = Saved & { firstRequestId: string };

type Stored = Omit<IdempotencyRow, 'tenant' | 'key'>;

export class Idempotency {
  readonly #pool: Pool;
  readonly #keyring: Keyring;
  readonly #running = new Map<string, Promise<void>>();
  readonly #replays = new Batcher<{ tenant: Tenant; key: string }, Stored | undefined>({
    itemsMax: batchMax,
    run: (wanted) => this.#touch(wanted),
  });

  /** `pool` must be durable: a replay is a write that has to survive what the answer survives. */
  constructor(pool: Pool, keyring: Keyring) {
    this.#pool = pool;
    this.#keyring = keyring;
  }

  /**
   * Runs `work` as the only one with this key in this process. A request that comes while it runs waits for it and gets its answer.
   * Between processes the claim in the database decides; there is no read before the work.
   */
  async once(use: KeyUse, work: () => Promise<Saved>): Promise<Saved | Replay> {
    const name = `${use.tenant}/${use.key}`;
    for (let running = this.#running.get(name); running !== undefined; running = this.#running.get(name)) {
      if (!(await settlesWithin(running, waitMaxMs)))
        throw refusal('idempotency_key_in_use', { param: 'Idempotency-Key', headers: { 'Retry-After': '1' } });
      const saved = await this.replay(use);
      if (saved !== undefined && !('unfinished' in saved)) return saved;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running.set(name, promise);
    try {
      return await work();
    } finally {
      this.#running.delete(name);
      resolve();
    }
  }

  /** The row that goes into the transaction of the effect. */
  claim(use: KeyUse, answer: Saved): Write {
    return this.#claim(use, { ...this.#kept(use, answer), resume_by: null });
  }

  /** The row that goes into the transaction before a processor is asked. `resumeBy` is how a retry finds what became of it. */
  claimUnfinished(use: KeyUse, resumeBy: string): Write {
    return this.#claim(use, { status: null, body: null, resume_by: resumeBy, sealed: false });
  }

  /** Gives an unfinished request its answer; holds once. */
  finish(use: KeyUse, answer: Saved): Write {
    const { tenant, key } = use;
    return update(finishTable, { tenant, key, version: unfinishedVersion + 1, ...this.#kept(use, answer) });
  }

  /** An answer that holds a secret is kept sealed, whichever way it came. */
  #kept(use: KeyUse, { status, body, confidential = false }: Saved): { status: number; body: Buffer; sealed: boolean } {
    const plain = Buffer.from(body);
    const kept = confidential ? this.#keyring.seal('answer', contextOf(use), plain) : plain;
    return { status, body: kept, sealed: confidential };
  }

  #claim(use: KeyUse, answer: Pick<IdempotencyRow, 'status' | 'body' | 'resume_by' | 'sealed'>): Write {
    return claim(idempotencyTable, {
      tenant: use.tenant,
      key: use.key,
      fingerprint: use.fingerprint,
      operation: use.operation,
      request_id: use.requestId,
      status: answer.status,
      body: answer.body,
      resume_by: answer.resume_by,
      sealed: answer.sealed,
    });
  }

  /** What is stored for a key; undefined when it is free. Throws `KeyReused` when it stands for another request. */
  async replay(use: KeyUse): Promise<Replay | Unfinished | undefined> {
    const stored = await this.#replays.add({ tenant: use.tenant, key: use.key });
    if (stored === undefined) return undefined;
    if (!stored.fingerprint.equals(use.fingerprint))
      throw new KeyReused(use.tenant, stored.request_id, stored.operation);
    const { status, body, sealed, resume_by, request_id } = stored;
    if (status === null || body === null) {
      assert(resume_by !== null, 'a request without an answer can be resumed');
      return { unfinished: resume_by };
    }
    const plain = sealed ? this.#keyring.unseal('answer', contextOf(use), body) : body;
    return { status, body: plain.toString(), firstRequestId: request_id };
  }

  async #touch(wanted: { tenant: Tenant; key: string }[]): Promise<(Stored | undefined)[]> {
    const counts = new Map<string, { tenant: Tenant; key: string; count: number }>();
    for (const { tenant, key } of wanted) {
      const name = `${tenant}/${key}`;
      const entry = counts.get(name) ?? { tenant, key, count: 0 };
      entry.count++;
      counts.set(name, entry);
    }
    const entries = [...counts.values()];
    const rows = await query<Stored & { tenant: number; key: string }>(
      this.#pool,
      `with locked as materialized (
         select i.tenant, i.key, x.count
           from idempotency i join unnest($1::int4[], $2::text[], $3::int4[]) as x (tenant, key, count)
             on i.tenant = x.tenant and i.key = x.key
          where i.expires_at > now()
          order by i.tenant, i.key -- everybody locks in the same order
            for update of i)
       update idempotency i set replays = i.replays + l.count
         from locked l where i.tenant = l.tenant and i.key = l.key
       returning i.tenant, i.key, i.fingerprint, i.operation, i.request_id, i.status, i.body, i.resume_by, i.sealed`,
      [entries.map((e) => e.tenant), entries.map((e) => e.key), entries.map((e) => e.count)],
      'replay',
    );
    const found = new Map(rows.map((row) => [`${row.tenant}/${row.key}`, row]));
    return wanted.map(({ tenant, key }) => found.get(`${tenant}/${key}`));
  }
}

function contextOf({ tenant, key }: KeyUse): string {
  return `answer of ${tenant}/${key}`;
}

/** The key was first used for something else, by the request with this id. */
export class KeyReused extends Error {
  readonly tenant: Tenant;
  readonly firstRequestId: string;
  readonly operation: string;

  constructor(tenant: Tenant, firstRequestId: string, operation: string) {
    super('idempotency key reused');
    this.tenant = tenant;
    this.firstRequestId = firstRequestId;
    this.operation = operation;
  }
}

/** What a key stands for: the operation, the object in its path, the parameters after coercion. Keyed, because it may cover a card. */
export function fingerprint(
  keyring: Keyring,
  operation: { name: string; input: object },
  id: string,
  parameters: Record<string, unknown>,
): Buffer {
  const compared = canonicalJson(comparable(parameters, operation.input));
  return keyring.hmac('fingerprint', `${operation.name}\n${id}\n${compared}`);
}
