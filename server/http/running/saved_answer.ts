import type { FindSavedAnswer } from '../../operations/services.ts';
import { hashedKey } from './idempotency.ts';

/**
 * An older request can have had the same key, and a later one can be a replay. The key of a request that was refused may belong to
 * another request.
 */
export const findSavedAnswer: FindSavedAnswer = async ({ reads, keyring, tenant }, { id, idempotencyKey, status }) => {
  const [saved] = await reads.rows<{ body: Buffer }>(
    `select body from idempotency where tenant = $1 and key = $2 and expires_at > now() and not sealed and body is not null
        and status = $4 and (request_id = $3 or (request_id < $3 and status = 200))`,
    [tenant, hashedKey(keyring, tenant, idempotencyKey), id, status],
  );
  return saved && JSON.parse(saved.body.toString());
};
