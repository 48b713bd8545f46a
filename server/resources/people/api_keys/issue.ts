import type { DirectoryWrite } from '../../../base/commit/index.ts';
import { newId } from '../../../base/id.ts';
import type { KeyRights } from '../../../operations/caller.ts';
import type { AuditEntry, Context } from '../../../operations/operation.ts';
import { type ApiKey, hintOf, kindOf, makeKey } from './api_key.ts';
import { addKey } from './store.ts';

/** A new key: its row, the key itself, which is shown once, and its entry in the audit log. */
export type IssuedKey = { row: ApiKey; shown: string; write: DirectoryWrite; audit: AuditEntry };

export function issueKey(
  { keyring, now, tenant, mode }: Pick<Context, 'keyring' | 'now' | 'tenant' | 'mode'>,
  rights: KeyRights,
): IssuedKey {
  const key = makeKey(kindOf(rights), mode);
  const shown = key.open();
  const row: ApiKey = {
    ...rights,
    tenant,
    id: newId('key', now),
    version: 1,
    hash: keyring.hmac('api_key', shown),
    hint: hintOf(key),
    revoked_at: null,
    rolled_to: null,
    scope_uses_since: new Date(now),
  };
  const { name, scopes } = rights;
  const audit = { action: 'key.created', subject: row.id, details: { mode, name, scopes } };
  return { row, shown, write: addKey(row), audit };
}
