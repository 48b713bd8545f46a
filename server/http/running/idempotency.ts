import { claim, type Table, table, update, type Write } from '../../base/commit/index.ts';
import { assert } from '../../base/errors.ts';
import { settlesWithin } from '../../base/keyed_queue.ts';
import type { Keyring } from '../../base/keyring.ts';
import { PlacedBatcher } from '../../base/places/batchers.ts';
import type { SqlAt } from '../../base/places/sql_at.ts';
import type { Tenant } from '../../base/reads.ts';
import { type Pool, query, type Sql } from '../../base/sql.ts';
import { homeOf, type Unfinished } from '../../operations/executor.ts';
import type { Outcome } from '../../operations/operation.ts';
import { apiError } from '../errors.ts';
import { canonicalJson } from '../reading/canonical.ts';
import { comparable } from '../reading/confidential.ts';
import type { RequestCall } from '../reading/request_call.ts';

/** The parts of an answer that a replay repeats. All other headers are those of the replay itself. */
export type Saved = { status: number; body: string; confidential?: boolean; session?: Outcome['session'] };

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

const idempotencyTable: Table<IdempotencyRow, 'both'> = table('idempotency', {
  home: 'both',
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

/** The same table, for a request that gets its answer after it has claimed its key. */
const finishTable: Table<Finish, 'both'> = table('idempotency', {
  home: 'both',
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

/** What a key is used for. */
export type KeyedCall = Pick<RequestCall, 'operation' | 'caller' | 'id' | 'parameters' | 'requestId'>;

/** The use of a key by one request. */
export type KeyUse = {
  tenant: Tenant;
  /** Where its row is: with what the operation changes. */
  home: Tenant;
  /** As it is stored. */
  key: string;
  fingerprint: Buffer;
  operation: string;
  requestId: string;
};

export type Replay = Saved & { firstRequestId: string };

export class Idempotency {
  readonly #keyring: Keyring;
  readonly #running = new Map<string, Promise<void>>();
  readonly #replays: PlacedBatcher<KeyUse, IdempotencyRow | undefined>;

  /** `durable`: a replay is a write that must survive whatever the answer survives. */
  constructor(durable: SqlAt, keyring: Keyring) {
    this.#keyring = keyring;
    this.#replays = new PlacedBatcher(durable, {
      itemsMax: batchMax,
      tenantOf: ({ home }) => home,
      run: countReplays,
    });
  }

  useOf(call: KeyedCall, key: string): KeyUse {
    const { caller, operation, requestId } = call;
    const { tenant } = caller;
    const [stored, fingerprint] = [hashedKey(this.#keyring, tenant, key), this.#fingerprint(call)];
    return { tenant, home: homeOf(call), key: stored, fingerprint, operation: operation.name, requestId };
  }

  /** Covers the operation, the id in the path and the parameters, and the person, if it is one. It is keyed, because they may hold a card number. */
  #fingerprint({ operation, id, caller, parameters }: KeyedCall): Buffer {
    const compared = canonicalJson(comparable(parameters, operation.input));
    const person = caller.kind === 'person' ? `${caller.person.user}\n` : '';
    return this.#keyring.hmac('fingerprint', `${person}${operation.name}\n${id}\n${compared}`);
  }

  /**
   * Runs `work` while no other request in this process runs with the same key. Requests that arrive meanwhile wait, and get its answer.
   * Between processes the claim in the database decides. Nothing is read before the work.
   */
  async once(use: KeyUse, work: () => Promise<Saved>): Promise<Saved | Replay> {
    const name = nameOf(use);
    for (let running = this.#running.get(name); running !== undefined; running = this.#running.get(name)) {
      if (!(await settlesWithin(running, waitMaxMs)))
        throw apiError('idempotency_key_in_use', { param: 'Idempotency-Key', headers: { 'Retry-After': '1' } });
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

  /** The row to commit in the transaction of the effect. */
  claim(use: KeyUse, answer: Saved): Write<'both'> {
    return this.#claim(use, { ...this.#kept(use, answer), resume_by: null });
  }

  /** The row to commit before a processor is asked. A retry finds the outcome by `resumeBy`. */
  claimUnfinished(use: KeyUse, resumeBy: string): Write<'both'> {
    return this.#claim(use, { status: null, body: null, resume_by: resumeBy, sealed: false });
  }

  /** Gives an unfinished request its answer. Only one commit of it succeeds. */
  finish(use: KeyUse, answer: Saved): Write<'both'> {
    const { tenant, key } = use;
    return update(finishTable, { tenant, key, version: unfinishedVersion + 1, ...this.#kept(use, answer) });
  }

  /** An answer that holds a secret is kept sealed. */
  #kept(use: KeyUse, { status, body, confidential = false }: Saved): { status: number; body: Buffer; sealed: boolean } {
    const plain = Buffer.from(body);
    const kept = confidential ? this.#keyring.seal('answer', `answer of ${nameOf(use)}`, plain) : plain;
    return { status, body: kept, sealed: confidential };
  }

  #claim(use: KeyUse, answer: Pick<IdempotencyRow, 'status' | 'body' | 'resume_by' | 'sealed'>): Write<'both'> {
    const { tenant, key, fingerprint, operation, requestId } = use;
    return claim(idempotencyTable, { tenant, key, fingerprint, operation, request_id: requestId, ...answer });
  }

  /** The stored answer of a key; undefined when the key is free. Throws `KeyReused` when it was used for a different request. */
  async replay(use: KeyUse): Promise<Replay | Unfinished | undefined> {
    const stored = await this.#replays.add(use);
    if (stored === undefined) return undefined;
    if (!use.fingerprint.equals(stored.fingerprint)) throw new KeyReused(stored);
    const { status, body, sealed, resume_by, request_id } = stored;
    if (status === null || body === null) {
      assert(resume_by !== null, 'a request without an answer can be resumed');
      return { unfinished: resume_by };
    }
    const plain = sealed ? this.#keyring.unseal('answer', `answer of ${nameOf(use)}`, body) : body;
    return { status, body: plain.toString(), firstRequestId: request_id };
  }
}

async function countReplays(sql: Sql | Pool, uses: readonly KeyUse[]): Promise<(IdempotencyRow | undefined)[]> {
  const rows = await query<IdempotencyRow>(
    sql,
    `with used as (
       select tenant, key, count(*)::int4 as count from unnest($1::int4[], $2::text[]) as x (tenant, key) group by tenant, key),
     locked as materialized (
       select i.tenant, i.key, u.count
         from idempotency i join used u on i.tenant = u.tenant and i.key = u.key
        where i.expires_at > now()
        order by i.tenant, i.key -- every instance locks in the same order
          for update of i)
     update idempotency i set replays = i.replays + l.count
       from locked l where i.tenant = l.tenant and i.key = l.key
     returning i.tenant, i.key, i.fingerprint, i.operation, i.request_id, i.status, i.body, i.resume_by, i.sealed`,
    [uses.map(({ tenant }) => tenant), uses.map(({ key }) => key)],
    'replay',
  );
  const found = new Map(rows.map((row) => [nameOf(row), row]));
  return uses.map((use) => found.get(nameOf(use)));
}

/** The form in which a key is stored: it may contain a card number, and is the caller's own. */
export function hashedKey(keyring: Keyring, tenant: Tenant, key: string): string {
  return keyring.hmac('idempotency_key', `${tenant}\n${key}`).toString('base64url');
}

function nameOf({ tenant, key }: Pick<IdempotencyRow, 'tenant' | 'key'>): string {
  return `${tenant}/${key}`;
}

/** A key was used before, for a different request. `first` is the row of that request. */
export class KeyReused extends Error {
  readonly first: Pick<IdempotencyRow, 'tenant' | 'operation' | 'request_id'>;

  constructor(first: KeyReused['first']) {
    super('idempotency key reused');
    this.first = first;
  }
}
