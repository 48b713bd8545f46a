import { isDeepStrictEqual } from 'node:util';
import { isAnyId } from '../../base/id.ts';
import type { Keyring } from '../../base/keyring.ts';
import { type Caller, refuseWithout } from '../../operations/caller.ts';
import type { Call } from '../../operations/executor.ts';
import { ownParameters } from '../../operations/expand.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import type { Admitted } from '../admission/admission.ts';
import { type Exchange, headerOf } from '../exchange.ts';
import { preferredMedia } from '../media.ts';
import { checkIdempotencyKey, shownKey } from './idempotency_key.ts';
import { readParameters } from './read_parameters.ts';
import { checkSignature } from './signature.ts';

/** A request whose parameters are checked. */
export type RequestCall = Call & {
  exchange: Exchange;
  requestId: string;
  idempotencyKey: string | undefined;
  /** A signature that is accepted once. */
  signature: Buffer | undefined;
};

/** Turns the bytes of an admitted request into the call of its operation. The signature is checked before anything is parsed. */
export function readCall(
  exchange: Exchange,
  { caller, operation }: Admitted,
  sent: { id: string; body: Buffer; now: number; keyring: Keyring; isLate: () => boolean },
): RequestCall {
  const { id, body, now, keyring, isLate } = sent;
  const { requestId, request } = exchange;
  // A refused request is filed under the object in its path too.
  if (isAnyId(id)) exchange.objectId = id;
  const signature = checkSignature(exchange, {
    signatureRequired: caller.kind === 'key' && caller.key.signature_required,
    body,
    now,
  });
  const parameters = readParameters(operation, exchange, body, { id, now, mode: caller.mode, keyring });
  refuseBeyond(operation, caller, parameters);
  const idempotencyKey = idempotencyKeyOf(exchange, operation);
  exchange.shownIdempotencyKey = idempotencyKey && shownKey(keyring, idempotencyKey);
  const media = preferredMedia(request.headers.accept, operation.offers);
  return { exchange, operation, caller, id, requestId, parameters, media, isLate, idempotencyKey, signature };
}

/** A person who was admitted for the lesser right of an operation may send the parameters that it covers, and no others. */
function refuseBeyond({ right, lesser }: AnyOperation, caller: Caller, parameters: Record<string, unknown>): void {
  if (lesser === undefined) return;
  const isCovered = isDeepStrictEqual(ownParameters(parameters), lesser.parameters);
  refuseWithout(caller, isCovered ? lesser.right : right);
}

/** Ignored for GET, which needs none, and for signing in, whose answer must not be kept. */
function idempotencyKeyOf(exchange: Exchange, operation: AnyOperation): string | undefined {
  const key = headerOf(exchange, 'idempotency-key');
  if (key === undefined || operation.method === 'GET' || operation.ignoresKey) return undefined;
  checkIdempotencyKey(key);
  return key;
}
