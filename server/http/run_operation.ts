import type { Clock } from '../base/clock.ts';
import { type Committer, claim, table, type Write } from '../base/commit/index.ts';
import { Busy, errorBody, Refusal, refusal, Unavailable } from '../base/errors.ts';
import { KeyedQueue } from '../base/keyed_queue.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Mode, Reads, Tenant } from '../base/reads.ts';
import { type Pool, query } from '../base/sql.ts';
import { pause } from '../base/timers.ts';
import type { Connectors } from '../connectors/index.ts';
import { eventWrite } from '../outbox/event.ts';
import type { AnyOperation, Asking, Context, Outcome, Streaming, Targets } from '../resources/operation.ts';
import type { Vault } from '../vault/index.ts';
import type { Exchange } from './exchange.ts';
import { fingerprint, type Idempotency, type KeyUse, type Replay, type Saved } from './idempotency.ts';

export type Call = {
  exchange: Exchange;
  operation: AnyOperation;
  tenant: Tenant;
  mode: Mode;
  /** The object in the path. */
  id: string;
  parameters: Record<string, unknown>;
  /** What the answer is to be, when it is not JSON. */
  media?: string | undefined;
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
  vault: Vault;
  connectors: Connectors;
  targets: Targets;
  terms: Context['terms'];
  /** Told when something was committed that the worker must see to at this moment (epoch milliseconds). */
  onDue: (moment: number) => void;
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
const patienceMs = 20_000; // how long a request waits for another one that has the object, or the idempotency key
const lookAgainMs = 50;
const lookAgainMaxMs = 1_000;

type Decided = { answer: Saved; writes: Write[]; due: number | undefined };

/** The one way from checked parameters to a committed answer; everything that cuts across operations happens here. */
export class OperationRunner {
  readonly #runtime: Runtime;
  readonly #rows = new KeyedQueue();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  async run(call: Call): Promise<Saved | Replay | Streaming> {
    if (call.operation.method === 'GET') return this.#read(call);
    const key = call.exchange.idempotencyKey;
    if (key === undefined) return this.#inRowOrder(call, () => this.#change(call, undefined));
    const use: KeyUse = {
      tenant: call.tenant,
      key,
      fingerprint: fingerprint(this.#runtime.keyring, call.operation, call.id, call.parameters),
      operation: call.operation.name,
      requestId: call.exchange.requestId,
    };
    return this.#runtime.idempotency.once(use, () => this.#inRowOrder(call, () => this.#change(call, use)));
  }

  async #read(call: Call): Promise<Saved | Streaming> {
    const outcome = await call.operation.run(this.#context(call), call.parameters as never);
    return 'stream' in outcome ? outcome : this.#decided(call, outcome as Outcome).answer;
  }

  /** Changes to one object queue in memory, so that a client that hammers it does not push everybody's batches into conflicts. */
  async #inRowOrder<T>(call: Call, work: () => Promise<T>): Promise<T> {
    const also = call.operation.alsoChanges?.(call.parameters as never);
    // In the same order by everybody, so that two that want the same two objects do not wait for each other.
    const ids = [...new Set([call.id, also ?? ''])].filter((id) => id !== '').sort();
    return this.#holding(call.tenant, ids, work);
  }

  async #holding<T>(tenant: Tenant, ids: readonly string[], work: () => Promise<T>): Promise<T> {
    const [first, ...rest] = ids;
    if (first === undefined) return work();
    const release = await this.#rows.acquire(`${tenant}/${first}`, patienceMs);
    if (release === undefined) throw lockTimeout();
    try {
      return await this.#holding(tenant, rest, work);
    } finally {
      release();
    }
  }

  /** Decide, commit; on a conflict find the earlier answer or decide again on what is stored now. */
  async #change(call: Call, use: KeyUse | undefined): Promise<Saved | Replay> {
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      const decided = await this.#attempt(call, use);
      if (decided === 'claimed') {
        const earlier = await this.#earlier(call, use!);
        if (earlier !== undefined) return earlier;
        continue;
      }
      const asking = 'ask' in decided ? decided : undefined;
      const writes = [...decided.writes, ...this.#claims(call, use, decided)];
      if (await this.#commit(writes, decided.due)) {
        return asking === undefined ? (decided as Decided).answer : this.#ask(call, use, asking);
      }
      const earlier = use === undefined ? undefined : await this.#earlier(call, use);
      if (earlier !== undefined) return earlier;
      if (call.signature !== undefined) await this.#refuseUsedSignature(call, call.signature);
    }
    throw lockTimeout();
  }

  /** Nothing of this holds a transaction open: what the processor is asked for was committed, its outcome is committed after. */
  async #ask(call: Call, use: KeyUse | undefined, asking: Asking): Promise<Saved | Replay> {
    const decide = await asking.ask();
    // The processor has spoken: whatever else happens to the rows meanwhile, this has to be written down.
    return this.#patiently(async () => {
      const { answer, writes, due } = this.#decided(call, await decide());
      const finish = use === undefined ? [] : [this.#runtime.idempotency.finish(use, answer)];
      if (await this.#commit([...writes, ...finish], due)) return answer;
      const stored = use && (await this.#runtime.idempotency.replay(use));
      if (stored === undefined || 'unfinished' in stored) return undefined;
      // A retry has answered for this request already. Its answer stands, and the outcome is committed without one.
      return (await this.#commit(writes, due)) ? stored : undefined;
    }, unsaid);
  }

  /** The answer that is stored for the key, or that a request which died owes; undefined when the key is free. */
  async #earlier(call: Call, use: KeyUse): Promise<Saved | Replay | undefined> {
    const look = async () => {
      const found = await this.#runtime.idempotency.replay(use);
      if (found === undefined) return 'free';
      return 'unfinished' in found ? this.#resume(call, use, found.unfinished) : found;
    };
    const found = await this.#patiently(look, keyInUse);
    return found === 'free' ? undefined : found;
  }

  /** Finishes what another request began, if that one is no longer at it. */
  async #resume(call: Call, use: KeyUse | undefined, resumeBy: string): Promise<Saved | undefined> {
    const outcome = await call.operation.resume?.(this.#context(call), resumeBy);
    if (outcome === undefined) return undefined;
    const { answer, writes, due } = this.#decided(call, outcome);
    const finish = use === undefined ? [] : [this.#runtime.idempotency.finish(use, answer)];
    return (await this.#commit([...writes, ...finish], due)) ? answer : undefined;
  }

  async #commit(writes: Write[], due: number | undefined): Promise<boolean> {
    if (writes.length === 0) return true;
    const held = (await this.#runtime.committer.commit({ writes })) === 'committed';
    if (held && due !== undefined) this.#runtime.onDue(due);
    return held;
  }

  /** A refusal that follows from stored state is an answer like any other: under an idempotency key it is kept and repeated. */
  async #attempt(call: Call, use: KeyUse | undefined): Promise<Decided | Asking | 'claimed'> {
    try {
      const outcome = await this.#decide(call, use);
      if (outcome === 'claimed') return outcome;
      if (!('ask' in outcome)) return this.#decided(call, outcome);
      call.exchange.objectId = outcome.objectId;
      return outcome;
    } catch (error) {
      if (!(error instanceof Refusal) || error.status === 429) throw error;
      return { answer: { status: error.status, body: errorBody(error) }, writes: [], due: undefined };
    }
  }

  /**
   * Waits while the object is at a processor for another request. When that other one has the same key, there is nothing to decide:
   * its answer is this one's too.
   */
  async #decide(call: Call, use: KeyUse | undefined): Promise<Outcome | Asking | 'claimed'> {
    const run = async () => {
      try {
        return (await call.operation.run(this.#context(call), call.parameters as never)) as Outcome | Asking;
      } catch (error) {
        if (!(error instanceof Busy)) throw error;
        const isClaimed = use !== undefined && (await this.#runtime.idempotency.replay(use)) !== undefined;
        return isClaimed ? 'claimed' : undefined;
      }
    };
    return this.#patiently(run, lockTimeout);
  }

  /** Looks again and again, less and less often, until there is something or patience ends. */
  async #patiently<T>(look: () => Promise<T | undefined>, late: () => Error): Promise<T> {
    for (
      let waited = 0, gap = lookAgainMs;
      waited < patienceMs;
      waited += gap, gap = Math.min(gap * 1.5, lookAgainMaxMs)
    ) {
      const found = await look();
      if (found !== undefined) return found;
      await pause(gap);
    }
    throw late();
  }

  #decided(call: Call, outcome: Outcome): Decided {
    call.exchange.objectId = outcome.objectId;
    const writes = [...(outcome.writes ?? [])];
    for (const event of outcome.events ?? [])
      writes.push(eventWrite(call.tenant, call.exchange.requestId, this.#runtime.clock.now(), event));
    const { refusal: refused } = outcome;
    const answer =
      refused === undefined
        ? { status: 200, body: JSON.stringify(outcome.result), confidential: outcome.confidential === true }
        : { status: refused.status, body: errorBody(refused) };
    return { answer, writes, due: outcome.due };
  }

  #context(call: Call): Context {
    const { clock, reads, vault, connectors, targets, terms } = this.#runtime;
    const { tenant, mode, id, exchange, media } = call;
    return {
      tenant,
      mode,
      id,
      media,
      requestId: exchange.requestId,
      now: clock.now(),
      reads,
      vault,
      connectors,
      targets,
      terms,
    };
  }

  #claims(call: Call, use: KeyUse | undefined, decided: Decided | Asking): Write[] {
    const { idempotency } = this.#runtime;
    if (use !== undefined)
      return [
        'ask' in decided ? idempotency.claimUnfinished(use, decided.resumeBy) : idempotency.claim(use, decided.answer),
      ];
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

function keyInUse(): Refusal {
  return refusal('idempotency_key_in_use', { param: 'Idempotency-Key', headers: { 'Retry-After': '1' } });
}

/** It was done, or may have been: not to be told that nothing was. */
function unsaid(): Unavailable {
  return new Unavailable('what a processor answered could not be written down');
}

function lockTimeout(): Refusal {
  return refusal('lock_timeout', { headers: { 'Retry-After': '1' } });
}
