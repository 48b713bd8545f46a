import { claim, type Table, table, type Write } from '../../base/commit/index.ts';
import { errorBody } from '../../base/errors.ts';
import type { Keyring } from '../../base/keyring.ts';
import type { Tenant } from '../../base/reads.ts';
import { type Pool, query } from '../../base/sql.ts';
import type { Executor, Once, Unfinished } from '../../resources/attempts/executor.ts';
import type { Asking, Outcome, Streaming } from '../../resources/operation.ts';
import { refusal } from '../errors.ts';
import type { RequestCall } from '../reading/request_call.ts';
import { fingerprint, type Idempotency, type KeyUse, type Replay, type Saved } from './idempotency.ts';

type UsedSignature = { tenant: Tenant; signature: Buffer; request_id: string };

const usedSignatures: Table<UsedSignature> = table('used_signatures', {
  int4: 'tenant',
  bytea: 'signature',
  text: 'request_id',
  key: ['tenant', 'signature'],
  identity: ['tenant', 'signature', 'request_id'],
  expiry: 'expires_at',
  filled: ['expires_at'],
});

/** Runs the operation of a request: once per idempotency key, or once per signature. */
export class RequestRunner {
  readonly #executor: Executor;
  readonly #idempotency: Idempotency;
  readonly #keyring: Keyring;
  readonly #durable: Pool;

  constructor(parts: { executor: Executor; idempotency: Idempotency; keyring: Keyring; durable: Pool }) {
    this.#executor = parts.executor;
    this.#idempotency = parts.idempotency;
    this.#keyring = parts.keyring;
    this.#durable = parts.durable;
  }

  run(call: RequestCall): Promise<Saved | Replay | Streaming> {
    if (call.operation.method === 'GET') return this.#read(call);
    const key = call.exchange.idempotencyKey;
    if (key === undefined) return this.#change(call, undefined);
    const use: KeyUse = {
      tenant: call.caller.tenant,
      key,
      fingerprint: fingerprint(this.#keyring, call.operation, call.id, call.parameters),
      operation: call.operation.name,
      requestId: call.requestId,
    };
    return this.#idempotency.once(use, () => this.#change(call, use));
  }

  async #read(call: RequestCall): Promise<Saved | Streaming> {
    const outcome = await this.#executor.read(call);
    if ('stream' in outcome) return outcome;
    call.exchange.objectId = outcome.objectId;
    return savedOf(outcome);
  }

  async #change(call: RequestCall, use: KeyUse | undefined): Promise<Saved | Replay> {
    const once = new RequestOnce(call, use, this.#idempotency, this.#durable);
    const done = await this.#executor.change<Replay>(call, once);
    return 'firstRequestId' in done ? done : (once.answer ?? savedOf(done));
  }
}

/** Makes a request take effect once: by its idempotency key, or by a signature that is accepted once. */
class RequestOnce implements Once<Replay> {
  /** The answer that was committed last. */
  answer: Saved | undefined;
  readonly #call: RequestCall;
  readonly #use: KeyUse | undefined;
  readonly #idempotency: Idempotency;
  readonly #durable: Pool;
  #isClaimed = false;

  constructor(call: RequestCall, use: KeyUse | undefined, idempotency: Idempotency, durable: Pool) {
    this.#call = call;
    this.#use = use;
    this.#idempotency = idempotency;
    this.#durable = durable;
  }

  claim(decided: Outcome | Asking): Write[] {
    this.#call.exchange.objectId = decided.objectId;
    if ('ask' in decided)
      return this.#use === undefined
        ? this.#signature()
        : [this.#idempotency.claimUnfinished(this.#use, decided.resumeBy)];
    this.answer = savedOf(decided);
    if (this.#use !== undefined) return [this.#idempotency.claim(this.#use, this.answer)];
    const { writes = [], events = [] } = decided;
    return writes.length + events.length === 0 ? [] : this.#signature();
  }

  finish(outcome: Outcome): Write[] {
    this.#isClaimed = true;
    this.#call.exchange.objectId = outcome.objectId;
    this.answer = savedOf(outcome);
    return this.#use === undefined ? [] : [this.#idempotency.finish(this.#use, this.answer)];
  }

  async stored(): Promise<Replay | Unfinished | undefined> {
    if (this.#use !== undefined) return this.#idempotency.replay(this.#use);
    if (this.#call.signature !== undefined && !this.#isClaimed) await this.#refuseUsed(this.#call.signature);
    return undefined;
  }

  #signature(): Write[] {
    const { signature, caller, requestId } = this.#call;
    if (signature === undefined) return [];
    return [claim(usedSignatures, { tenant: caller.tenant, signature, request_id: requestId })];
  }

  async #refuseUsed(signature: Buffer): Promise<void> {
    const rows = await query(
      this.#durable,
      'select 1 from used_signatures where tenant = $1 and signature = $2 and expires_at > now()',
      [this.#call.caller.tenant, signature],
    );
    if (rows.length > 0) throw refusal('signature_replayed', { param: 'X-Service-Signature' });
  }
}

function savedOf({ result, refusal: refused, confidential = false }: Outcome): Saved {
  if (refused !== undefined) return { status: refused.status, body: errorBody(refused) };
  return { status: 200, body: JSON.stringify(result), confidential };
}
