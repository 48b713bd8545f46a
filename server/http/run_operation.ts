import type { Clock } from '../base/clock.ts';
import { type Committer, claim, table, type Write } from '../base/commit/index.ts';
import { errorBody, Refusal, refusal } from '../base/errors.ts';
import { KeyedQueue } from '../base/keyed_queue.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Reads, Tenant } from '../base/reads.ts';
import { type Pool, query } from '../base/sql.ts';
import { eventWrite } from '../outbox/event.ts';
import type { AnyOperation, Outcome } from '../resources/operation.ts';
import type { Exchange } from './exchange.ts';
import { fingerprint, type Idempotency, type KeyUse, type Replay, type Saved } from './idempotency.ts';

export type Call = {
  exchange: Exchange;
  operation: AnyOperation;
  tenant: Tenant;
  /** The object in the path. */
  id: string;
  parameters: Record<string, unknown>;
  /** A signature that is good for one request. */
  signature: Buffer | undefined;
};

export type Runtime = {
  clock: Clock;
  keyring: Keyring;
  reads: Reads;
  durable: Pool;
  committer: Committer;
  idempotency: Idempotency;
};

type UsedSignature = { tenant: Tenant; signature: Buffer; request_id: string };

const usedSignatures = table<UsedSignature>(
  'used_signatures',
  { tenant: 'int4', signature: 'bytea', request_id: 'text' },
  {
    key: ['tenant', 'signature'],
    identity: ['tenant', 'signature', 'request_id'],
    expiry: 'expires_at',
    filled: ['expires_at'],
  },
);

const attemptsMax = 3;
const rowPatienceMs = 20_000;

/** The one way from checked parameters to a committed answer; everything that cuts across operations happens here. */
export class OperationRunner {
  readonly #runtime: Runtime;
  readonly #rows = new KeyedQueue();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  async run(call: Call): Promise<Saved | Replay> {
    if (call.operation.method === 'GET') return this.#read(call);
    const key = call.exchange.idempotencyKey;
    if (key === undefined) return this.#inRowOrder(call, () => this.#change(call, undefined));
    const use: KeyUse = {
      tenant: call.tenant,
      key,
      fingerprint: fingerprint(this.#runtime.keyring, call.operation.name, call.id, call.parameters),
      operation: call.operation.name,
      requestId: call.exchange.requestId,
    };
    return this.#runtime.idempotency.once(use, () => this.#inRowOrder(call, () => this.#change(call, use)));
  }

  async #read(call: Call): Promise<Saved> {
    const outcome = await this.#decide(call);
    return { status: 200, body: JSON.stringify(outcome.result) };
  }

  /** Changes to one object queue in memory, so that a client that hammers it does not push everybody's batches into conflicts. */
  async #inRowOrder<T>(call: Call, work: () => Promise<T>): Promise<T> {
    if (call.id === '') return work();
    const release = await this.#rows.acquire(`${call.tenant}/${call.id}`, rowPatienceMs);
    if (release === undefined) throw lockTimeout();
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Decide, commit; on a conflict find the earlier answer or decide again on what is stored now. */
  async #change(call: Call, use: KeyUse | undefined): Promise<Saved | Replay> {
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      const decided = await this.#attempt(call);
      const writes = [...decided.writes, ...this.#claims(call, use, decided)];
      if (writes.length === 0) return decided.answer;
      if ((await this.#runtime.committer.commit({ writes })) === 'committed') return decided.answer;
      const earlier = use === undefined ? undefined : await this.#runtime.idempotency.replay(use);
      if (earlier !== undefined) return earlier;
      if (call.signature !== undefined) await this.#refuseUsedSignature(call, call.signature);
    }
    throw lockTimeout();
  }

  /** A refusal that follows from stored state is an answer like any other: under an idempotency key it is kept and repeated. */
  async #attempt(call: Call): Promise<{ answer: Saved; writes: Write[] }> {
    try {
      const outcome = await this.#decide(call);
      const writes = [...(outcome.writes ?? [])];
      for (const event of outcome.events ?? [])
        writes.push(eventWrite(call.tenant, call.exchange.requestId, this.#runtime.clock.now(), event));
      return { answer: { status: 200, body: JSON.stringify(outcome.result) }, writes };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { answer: { status: error.status, body: errorBody(error) }, writes: [] };
    }
  }

  async #decide(call: Call): Promise<Outcome> {
    const { clock, reads } = this.#runtime;
    const { tenant, id, exchange } = call;
    const context = { tenant, id, requestId: exchange.requestId, now: clock.now(), reads };
    const outcome = await call.operation.run(context, call.parameters as never);
    exchange.objectId = outcome.objectId;
    return outcome;
  }

  #claims(call: Call, use: KeyUse | undefined, decided: { answer: Saved; writes: Write[] }): Write[] {
    if (use !== undefined) return [this.#runtime.idempotency.claim(use, decided.answer)];
    if (call.signature === undefined || decided.writes.length === 0) return [];
    return [
      claim(usedSignatures, { tenant: call.tenant, signature: call.signature, request_id: call.exchange.requestId }),
    ];
  }

  async #refuseUsedSignature(call: Call, signature: Buffer): Promise<void> {
    const rows = await query(
      this.#runtime.durable,
      'select 1 from used_signatures where tenant = $1 and signature = $2 and expires_at > now()',
      [call.tenant, signature],
    );
    if (rows.length > 0)
      throw refusal('signature_replayed', { param: 'X-Service-Signature', headers: { 'WWW-Authenticate': 'Bearer' } });
  }
}

function lockTimeout(): Refusal {
  return refusal('lock_timeout', { headers: { 'Retry-After': '1' } });
}
