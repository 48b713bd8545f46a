import { newId } from '../../base/id.ts';
import type { Keyring } from '../../base/keyring.ts';
import type { Mode } from '../../base/reads.ts';
import type { Secret } from '../../base/secret.ts';
import type { Sql } from '../../base/sql.ts';
import { recordAudit } from '../accounts/audit.ts';
import { tenantOf } from '../accounts/tenants.ts';
import type { Scope } from '../scope.ts';
import { type ApiKey, type ApiKeyId, hintOf, makeKey } from './api_key.ts';
import { findKey, insertKey, revokeKeyAfter } from './store.ts';

/** Key management, as the command line and the dashboard offer it. Each call is one transaction of the caller's. */
export type KeyWish = {
  mode: Mode;
  name: string;
  /** Null makes a secret key. */
  scopes: Scope[] | null;
  allowedIps: string[] | null;
  signatureRequired: boolean;
  expiresAt: Date | null;
};

export type Actor = { name: string; now: number };

export async function createKey(
  sql: Sql,
  keyring: Keyring,
  account: string,
  wish: KeyWish,
  actor: Actor,
): Promise<{ id: ApiKeyId; key: Secret }> {
  const tenant = await tenantOf(sql, account, wish.mode);
  const key = makeKey(wish.scopes === null ? 'secret' : 'restricted', wish.mode);
  const id = newId('key', actor.now);
  await insertKey(sql, {
    id,
    tenant,
    name: wish.name,
    hint: hintOf(key),
    scopes: wish.scopes,
    allowed_ips: wish.allowedIps,
    signature_required: wish.signatureRequired,
    expires_at: wish.expiresAt,
    hash: keyring.hmac('api_key', key.open()),
  });
  await recordAudit(sql, {
    actor: actor.name,
    action: 'key.created',
    account,
    subject: id,
    details: { mode: wish.mode, name: wish.name, scopes: wish.scopes },
  });
  return { id, key };
}

/** A new key with the same rights; the old one works for `overlapSeconds` more. */
export async function rollKey(
  sql: Sql,
  keyring: Keyring,
  old: ApiKey,
  overlapSeconds: number,
  actor: Actor,
): Promise<{ id: ApiKeyId; key: Secret }> {
  const made = await createKey(
    sql,
    keyring,
    old.account,
    {
      mode: old.mode,
      name: old.name,
      scopes: old.scopes as Scope[] | null,
      allowedIps: old.allowed_ips,
      signatureRequired: old.signature_required,
      expiresAt: old.expires_at,
    },
    actor,
  );
  await revokeKeyAfter(sql, old.tenant, old.id, overlapSeconds, made.id);
  await recordAudit(sql, {
    actor: actor.name,
    action: 'key.rolled',
    account: old.account,
    subject: old.id,
    details: { to: made.id, overlap_seconds: overlapSeconds },
  });
  return made;
}

export async function revokeKey(sql: Sql, key: ApiKey, actor: Actor): Promise<void> {
  await revokeKeyAfter(sql, key.tenant, key.id, 0, null);
  await recordAudit(sql, {
    actor: actor.name,
    action: 'key.revoked',
    account: key.account,
    subject: key.id,
    details: {},
  });
}

export { findKey };
