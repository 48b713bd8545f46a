import type { Write } from '../base/commit/index.ts';
import { ApiError, errorBody } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import type { SqlAt } from '../base/places/sql_at.ts';
import { apiError } from '../http/errors.ts';
import { Idempotency, type KeyedCall, KeyReused, type KeyUse, type Saved } from '../http/running/idempotency.ts';
import type { Once, Unfinished } from '../operations/executor.ts';
import type { Outcome, RemoteCall } from '../operations/operation.ts';

/** What an earlier command with the same key has done. */
export type Replayed = Outcome & { isReplay: true };

/**
 * Makes a command take effect once for its idempotency key, as a request does, for 24 hours. A refusal is not kept: it has changed
 * nothing, and the command may be right an hour later.
 */
export class OperatorOnce implements Once<Replayed> {
  readonly #idempotency: Idempotency;
  readonly #use: KeyUse;
  #isUnfinished = false;

  private constructor(idempotency: Idempotency, use: KeyUse) {
    this.#idempotency = idempotency;
    this.#use = use;
  }

  /** A key of an operator is never equal to one of the account's own, because no header has a line break. */
  static of({ durable, keyring }: { durable: SqlAt; keyring: Keyring }, call: KeyedCall, key: string): OperatorOnce {
    const idempotency = new Idempotency(durable, keyring);
    return new OperatorOnce(idempotency, idempotency.useOf(call, `operator\n${key}`));
  }

  claim(decided: Outcome | RemoteCall): Write<'both'>[] {
    if ('ask' in decided) return [this.#idempotency.claimUnfinished(this.#use, decided.resumeBy)];
    // A refusal may follow from what an interrupted command has begun. The claim conflicts with that one's, which is then resumed.
    if (decided.error !== undefined && !this.#isUnfinished) return [];
    return [this.#idempotency.claim(this.#use, savedOf(decided))];
  }

  finish(outcome: Outcome): Write<'both'>[] {
    return [this.#idempotency.finish(this.#use, savedOf(outcome))];
  }

  async stored(): Promise<Replayed | Unfinished | undefined> {
    const found = await this.#idempotency.replay(this.#use).catch((error: unknown) => {
      throw error instanceof KeyReused ? keyReused() : error;
    });
    if (found === undefined) return undefined;
    if ('unfinished' in found) {
      this.#isUnfinished = true;
      return found;
    }
    if (found.status !== 200) throw refusalIn(found);
    return { result: JSON.parse(found.body), isReplay: true };
  }
}

function refusalIn({ status, body }: Saved): ApiError {
  const { code, type, message, param } = JSON.parse(body).error;
  return new ApiError(code, { status: status as ApiError['status'], type }, message, { param });
}

function keyReused(): ApiError {
  return apiError('idempotency_key_reused', { param: 'Idempotency-Key', difference: '' });
}

function savedOf({ result, error: refused }: Outcome): Saved {
  if (refused !== undefined) return { status: refused.status, body: errorBody(refused) };
  return { status: 200, body: JSON.stringify(result) };
}
