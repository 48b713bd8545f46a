import { isId } from '../../base/id.ts';
import { readRange } from '../../base/ip_range.ts';
import { isSpeakable } from '../../base/param_name.ts';
import { refusal } from '../errors.ts';
import { listPage } from '../list.ts';
import { type AnyOperation, type Context, operation } from '../operation.ts';
import { ListOf, listParameters, Parameters } from '../shapes.ts';
import { endKey, presentKey, statusOf, type UsedApiKey } from './api_key.ts';
import { type IssuedKey, issueKey } from './issue.ts';
import { IssuedKeyOutput, KeyOutput, NewKeyInput, RollInput } from './schema.ts';
import { findKey, keysView, replaceKey } from './store.ts';

const hourMs = 3_600_000;
const overlapHoursUsual = 24;

/** The answer that shows a new key, once. */
function issued({ mode, now }: Context, { row, shown }: IssuedKey) {
  return { result: { ...presentKey(row, mode, now), key: shown }, objectId: row.id, confidential: true };
}

const create = (grantable: readonly string[]) =>
  operation({
    callers: ['operator'],
    name: 'api_keys.create',
    summary: 'Create an API key',
    route: 'POST /api_keys',
    input: NewKeyInput,
    output: IssuedKeyOutput,
    check({ kind, scopes, allowed_ips = [], expires_at }, { now }) {
      if (kind === 'secret' && scopes !== undefined) throw invalid('scopes', 'it belongs to a restricted key');
      if (kind === 'restricted' && scopes === undefined) throw refusal('parameter_missing', { param: 'scopes' });
      for (const scope of scopes ?? []) checkScope(scope, grantable);
      for (const range of allowed_ips) checkAddress(range);
      if (expires_at !== undefined && expires_at * 1_000 <= now) throw invalid('expires_at', 'it lies in the past');
    },
    async run(context, { name, scopes = null, allowed_ips = null, signature_required = false, expires_at }) {
      const expiry = expires_at === undefined ? null : new Date(expires_at * 1_000);
      const key = issueKey(context, { name, scopes, allowed_ips, signature_required, expires_at: expiry });
      return { ...issued(context, key), writes: [key.write], audit: [key.audit] };
    },
  });

function checkScope(scope: string, grantable: readonly string[]): void {
  if (grantable.includes(scope)) return;
  throw invalid('scopes', `there is no scope ${quoted(scope)}; the scopes are ${grantable.join(', ')}`);
}

function checkAddress(range: string): void {
  if (/^::ffff:/i.test(range))
    throw invalid('allowed_ips', `write ${quoted(range)} as an IPv4 address: that is how clients are seen`);
  if (readRange(range) === undefined)
    throw invalid('allowed_ips', `${quoted(range)} is not an address or a range such as 203.0.113.0/24`);
}

/** A value in quotes; not repeated when it may be a card number in the wrong place. */
function quoted(value: string): string {
  return isSpeakable(value) ? `"${value}"` : '(value withheld)';
}

function invalid(param: string, reason: string) {
  return refusal('parameter_invalid', { param, reason });
}

const list = operation({
  callers: ['operator'],
  name: 'api_keys.list',
  summary: 'List API keys',
  route: 'GET /api_keys',
  input: Parameters(listParameters),
  output: ListOf(KeyOutput),
  async run(context, input) {
    const present = (key: UsedApiKey) => presentKey(key, context.mode, context.now);
    const source = { table: keysView, prefix: 'key', url: '/v1/api_keys', present };
    return { result: await listPage(context, input, source) };
  },
});

/** The key in the path, and the database's time. */
async function requireKey({ reads, tenant, id }: Context): Promise<{ key: UsedApiKey; now: number }> {
  const found = isId('key', id) ? await findKey(reads, tenant, id) : undefined;
  if (found === undefined) throw refusal('resource_missing', { param: 'id', resource: 'API key' });
  return found;
}

const roll = operation({
  callers: ['operator'],
  name: 'api_keys.roll',
  summary: 'Replace an API key by one with the same rights',
  route: 'POST /api_keys/:id/roll',
  input: RollInput,
  output: IssuedKeyOutput,
  async run(context, { overlap_hours = overlapHoursUsual }) {
    const { key: old, now } = await requireKey(context);
    if (statusOf(old, now) === 'revoked') throw invalid('id', 'it is already revoked');
    // The new key has the expiry of the old one, so it could never be used.
    if (statusOf(old, now) === 'expired') throw invalid('id', 'it has expired; create a new key');
    const overlapMs = Math.round(overlap_hours * hourMs);
    const { name, scopes, allowed_ips, signature_required, expires_at } = old;
    const key = issueKey(context, { name, scopes, allowed_ips, signature_required, expires_at });
    const details = { to: key.row.id, overlap_seconds: overlapMs / 1_000 };
    return {
      ...issued(context, key),
      writes: [key.write, replaceKey(endKey(old, now + overlapMs, key.row.id))],
      audit: [key.audit, { action: 'key.rolled', subject: old.id, details }],
    };
  },
});

const revoke = operation({
  callers: ['operator'],
  name: 'api_keys.revoke',
  summary: 'Revoke an API key',
  route: 'POST /api_keys/:id/revoke',
  output: KeyOutput,
  async run(context) {
    const { key: before, now } = await requireKey(context);
    if (statusOf(before, now) === 'revoked')
      return { result: presentKey(before, context.mode, now), objectId: before.id };
    const key = endKey(before, now);
    return {
      result: presentKey(key, context.mode, now),
      objectId: key.id,
      writes: [replaceKey(key)],
      audit: [{ action: 'key.revoked', subject: key.id, details: {} }],
    };
  },
});

export function apiKeyOperations(grantable: readonly string[]): AnyOperation[] {
  return [create(grantable), list, roll, revoke];
}
