import { claim, type Table, table, type Write } from '../../base/commit/index.ts';
import { ApiError, errorBody } from '../../base/errors.ts';
import type { SqlAt } from '../../base/places/sql_at.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
import { query } from '../../base/sql.ts';
import { type Executor, homeOf, type Once, type Unfinished } from '../../operations/executor.ts';
import type { Live } from '../../operations/feed.ts';
import type { FileAnswer, Outcome, RemoteCall, Streaming } from '../../operations/operation.ts';
import { namingOtherMode } from '../../operations/other_mode.ts';
import { apiError } from '../errors.ts';
import { showsConfidential } from '../reading/kept_copy.ts';
import type { RequestCall } from '../reading/request_call.ts';
import type { Idempotency, KeyUse, Replay, Saved } from './idempotency.ts';

type UsedSignature = { tenant: Tenant; signature: Buffer; request_id: string };

const usedSignatures: Table<UsedSignature, 'both'> = table('used_signatures', {
  home: 'both',
  int4: 'tenant',
  bytea: 'signature',
  text: 'request_id',
  key: ['tenant', 'signature'],
  identity: ['tenant', 'signature', 'request_id'],
  expiry: 'expires_at',
});

type RunnerParts = { executor: Executor; idempotency: Idempotency; durable: SqlAt; reads: Reads };

/** Runs the operation of a request: once per idempotency key, or once per signature. */
export class RequestRunner {
  readonly #parts: RunnerParts;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  async run(call: RequestCall): Promise<Saved | Replay | Streaming | Live | FileAnswer> {
    if (call.operation.method === 'GET') return this.#read(call);
    const { idempotency } = this.#parts;
    const key = call.idempotencyKey;
    if (key === undefined) return this.#change(call, undefined);
    const use = idempotency.useOf(call, key);
    const answer = await idempotency.once(use, () => this.#change(call, use));
    call.exchange.isReplayed = 'firstRequestId' in answer;
    return answer;
  }

  async #read(call: RequestCall): Promise<Saved | Streaming | Live | FileAnswer> {
    const outcome = await this.#parts.executor.read(call).catch(async (error) => {
      throw error instanceof ApiError ? await namingOtherMode(error, call.caller, this.#parts.reads) : error;
    });
    if ('stream' in outcome || 'live' in outcome) return outcome;
    call.exchange.objectId = outcome.objectId ?? call.exchange.objectId;
    if ('file' in outcome) return outcome;
    call.exchange.scopes = outcome.scopes ?? [];
    return savedOf(call, outcome);
  }

  async #change(call: RequestCall, use: KeyUse | undefined): Promise<Saved | Replay> {
    const once = new RequestOnce(call, use, this.#parts);
    const done = await this.#parts.executor.change<Replay>(call, once);
    if ('result' in done) call.exchange.scopes = done.scopes ?? [];
    if ('firstRequestId' in done) return done;
    // Only this answer says it: what is saved must not depend on the other mode.
    const error = done.error && (await namingOtherMode(done.error, call.caller, this.#parts.reads));
    return error === done.error ? (once.answer ?? savedOf(call, done)) : savedOf(call, { ...done, error: error! });
  }
}

/** Makes a request take effect once: by its idempotency key, or by a signature that is accepted once. */
class RequestOnce implements Once<Replay> {
  /** The answer that was committed last. */
  answer: Saved | undefined;
  readonly #call: RequestCall;
  readonly #use: KeyUse | undefined;
  readonly #parts: RunnerParts;
  #isClaimed = false;

  constructor(call: RequestCall, use: KeyUse | undefined, parts: RunnerParts) {
    this.#call = call;
    this.#use = use;
    this.#parts = parts;
  }

  claim(decided: Outcome | RemoteCall): Write<'both'>[] {
    this.#call.exchange.objectId = decided.objectId ?? this.#call.exchange.objectId;
    if ('ask' in decided)
      return this.#use === undefined
        ? this.#signature()
        : [this.#parts.idempotency.claimUnfinished(this.#use, decided.resumeBy)];
    this.answer = savedOf(this.#call, decided);
    // A signature is used up even if nothing was changed: later, a copy of the same request could change something.
    return this.#use === undefined ? this.#signature() : [this.#parts.idempotency.claim(this.#use, this.answer)];
  }

  finish(outcome: Outcome): Write<'both'>[] {
    this.#isClaimed = true;
    this.#call.exchange.objectId = outcome.objectId ?? this.#call.exchange.objectId;
    this.answer = savedOf(this.#call, outcome);
    return this.#use === undefined ? [] : [this.#parts.idempotency.finish(this.#use, this.answer)];
  }

  async stored(): Promise<Replay | Unfinished | undefined> {
    if (this.#use !== undefined) return this.#parts.idempotency.replay(this.#use);
    if (this.#call.signature !== undefined && !this.#isClaimed) await this.#refuseUsed(this.#call.signature);
    return undefined;
  }

  #signature(): Write<'both'>[] {
    const { signature, caller, requestId } = this.#call;
    if (signature === undefined) return [];
    return [claim(usedSignatures, { tenant: caller.tenant, signature, request_id: requestId })];
  }

  async #refuseUsed(signature: Buffer): Promise<void> {
    const text = 'select 1 from used_signatures where tenant = $1 and signature = $2 and expires_at > now()';
    const values = [this.#call.caller.tenant, signature];
    const rows = await this.#parts.durable.at(homeOf(this.#call), (sql) => query(sql, text, values));
    if (rows.length > 0) throw apiError('signature_replayed', { param: 'X-Service-Signature' });
  }
}

function savedOf({ operation }: RequestCall, { result, error: refused, session }: Outcome): Saved {
  if (refused !== undefined) return { status: refused.status, body: errorBody(refused) };
  const answer = {
    status: 200,
    body: JSON.stringify(result),
    confidential: showsConfidential(result, operation.output),
  };
  return session === undefined ? answer : { ...answer, session };
}
