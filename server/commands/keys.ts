import { tenantOf } from '../resources/accounts/tenants.ts';
import type { ApiKey } from '../resources/api_keys/api_key.ts';
import { createKey, findKey, revokeKey, rollKey } from '../resources/api_keys/manage.ts';
import { listKeys } from '../resources/api_keys/store.ts';
import { type KeyWork, withTransaction } from './context.ts';
import { print, table } from './print.ts';
import { parseAddresses, parseMoment, parseScopes, parseSpan, UsageError } from './usage.ts';

type CreateOptions = {
  account: string;
  live?: boolean;
  name: string;
  scopes?: string;
  expires?: string;
  allowedIps?: string;
  requireSignature?: boolean;
  json?: boolean;
};

export async function create(options: CreateOptions): Promise<void> {
  const scopes = options.scopes === undefined ? null : parseScopes(options.scopes);
  const allowedIps = options.allowedIps === undefined ? null : parseAddresses(options.allowedIps);
  const mode = options.live ? 'live' : 'test';
  const made = await withTransaction(({ client, keyring, actor }) =>
    createKey(
      client,
      keyring,
      options.account,
      {
        mode,
        name: options.name,
        scopes,
        allowedIps,
        signatureRequired: options.requireSignature ?? false,
        expiresAt: options.expires === undefined ? null : parseMoment('--expires', options.expires, actor.now),
      },
      actor,
    ),
  );
  print(
    options.json,
    { id: made.id, mode, key: made.key.open() },
    () =>
      `Key id  ${made.id}\nKey     ${made.key.open()}\n\nThe key is shown this once: keep it where secrets are kept.`,
  );
}

export async function list(options: { account: string; json?: boolean }): Promise<void> {
  const keys = await withTransaction(async ({ client }) => {
    await tenantOf(client, options.account, 'test'); // says so when there is no such account
    return listKeys(client, options.account);
  });
  print(options.json, keys.map(describe), () =>
    table(
      ['id', 'mode', 'name', 'ends in', 'scopes', 'last used', 'state'],
      keys.map((key) => {
        const { scopes, last_used, state } = describe(key);
        return [key.id, key.mode, key.name, key.hint, scopes?.join(',') ?? 'all', last_used ?? 'never', state];
      }),
    ),
  );
}

function describe(key: ApiKey) {
  return {
    id: key.id,
    mode: key.mode,
    name: key.name,
    hint: key.hint,
    scopes: key.scopes,
    allowed_ips: key.allowed_ips,
    signature_required: key.signature_required,
    last_used: key.last_used?.toISOString() ?? null,
    expires_at: key.expires_at?.toISOString() ?? null,
    revoked_at: key.revoked_at?.toISOString() ?? null,
    rolled_to: key.rolled_to,
    state: stateOf(key),
  };
}

function stateOf(key: ApiKey): string {
  const now = new Date();
  if (key.revoked_at !== null) return key.revoked_at <= now ? 'revoked' : `works until ${key.revoked_at.toISOString()}`;
  return key.expires_at !== null && key.expires_at <= now ? 'expired' : 'active';
}

export async function roll(id: string, options: { account: string; overlap: string; json?: boolean }): Promise<void> {
  const overlap = parseSpan('--overlap', options.overlap);
  const made = await withTransaction(async (session) =>
    rollKey(
      session.client,
      session.keyring,
      await requireLivingKey(session, options.account, id),
      overlap,
      session.actor,
    ),
  );
  print(
    options.json,
    { id: made.id, key: made.key.open(), replaces: id },
    () => `Key id  ${made.id}\nKey     ${made.key.open()}\n\n${id} works for ${options.overlap} more.`,
  );
}

export async function revoke(id: string, options: { account: string; json?: boolean }): Promise<void> {
  await withTransaction(async (session) =>
    revokeKey(session.client, await requireActiveKey(session, options.account, id), session.actor),
  );
  print(options.json, { id, revoked: true }, () => `${id} is revoked: every instance refuses it within a second.`);
}

/** A successor has the rights of the old key, its end included: of one that has expired it would be dead at birth. */
async function requireLivingKey(session: KeyWork, account: string, id: string): Promise<ApiKey> {
  const key = await requireActiveKey(session, account, id);
  if (key.expires_at !== null && key.expires_at <= new Date(session.actor.now))
    throw new UsageError(`${id} has expired; make a new key with "tollgate keys create"`);
  return key;
}

async function requireActiveKey(session: KeyWork, account: string, id: string): Promise<ApiKey> {
  const key = await findKey(session.client, account, id);
  if (key === undefined)
    throw new UsageError(`account ${account} has no key ${id}; "tollgate keys list --account ${account}" shows them`);
  if (key.revoked_at !== null && key.revoked_at <= new Date(session.actor.now))
    throw new UsageError(`${id} is already revoked`);
  return key;
}
