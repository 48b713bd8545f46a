import { isId } from '../../../base/id.ts';
import { readRange } from '../../../base/ip_range.ts';
import { isSpeakable } from '../../../base/param_name.ts';
import type { Mode } from '../../../base/reads.ts';
import { apiError } from '../../../operations/errors.ts';
import { listPage } from '../../../operations/list.ts';
import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import type { Declared } from '../../../operations/resource.ts';
import { permits, type Role } from '../../../operations/role.ts';
import { ListOf, listParameters, Parameters } from '../../../operations/schemas.ts';
import { allows, type Scope } from '../../../operations/scope.ts';
import { endKey, statusOf, type UsedApiKey, usesFrom } from './api_key.ts';
import { type IssuedKey, issueKey } from './issue.ts';
import { keyMails } from './key_mails.ts';
import { IssuedKeyOutput, KeyInput, KeyOutput, NewKeyInput, RollInput, serializeKey } from './schema.ts';
import { findKey, findUsedScopes, keysView, replaceKey } from './store.ts';

const hourMs = 3_600_000;
const overlapHoursUsual = 24;
const callers = ['person', 'operator'] as const;

type Everything = Pick<Declared, 'everyOperation' | 'scopes'>;

/** The answer that shows a new key, once. */
function issued({ mode, now }: Context, { row, shown }: IssuedKey) {
  const result = { ...serializeKey(row, mode, now, { scopes: [], since: now }), key: shown };
  return { result, objectId: row.id };
}

/**
 * A scope that lets a key do what a role does not permit, in this mode; undefined when there is none. It follows from the operations: each
 * says which scope a key needs and which right a person needs. Null is a secret key, which has all scopes. What no key may do in live mode
 * does not count there.
 */
export function scopeBeyond(
  operations: readonly AnyOperation[],
  scopes: readonly string[] | null,
  role: Role,
  mode: Mode,
): Scope | undefined {
  const isBeyond = ({ callers, operatorInLive, scope, right }: AnyOperation) =>
    callers.includes('key') &&
    !(mode === 'live' && operatorInLive !== undefined) &&
    allows(scopes, scope) &&
    !permits(role, mode, right);
  return operations.find(isBeyond)?.scope;
}

/** Nobody gets a key that can do more than their role. The operator may make any. */
function refuseBeyondRole({ caller, mode }: Context, { everyOperation }: Everything, scopes: string[] | null): void {
  if (caller.kind !== 'person') return;
  const role = caller.role!;
  const scope = scopeBeyond(everyOperation(), scopes, role, mode);
  if (scope === undefined) return;
  const key = scopes === null ? 'A secret key has' : 'The key would have';
  const reason = `${key} ${scope}, which permits more than your role, ${role}, does in ${mode} mode.`;
  throw apiError('role_missing', { reason });
}

const create = (declared: Everything) =>
  operation({
    home: 'directory',
    callers,
    name: 'api_keys.create',
    summary: 'Create an API key',
    description:
      'The answer shows the key, once. Nobody can create a key that permits more than their role: the refusal, `role_missing`, names a scope that does.',
    route: 'POST /api_keys',
    input: NewKeyInput,
    output: IssuedKeyOutput,
    check({ name, kind, scopes, allowed_ips = [], expires_at }, { now }) {
      checkName(name);
      if (kind === 'secret' && scopes !== undefined) throw invalid('scopes', 'it belongs to a restricted key');
      if (kind === 'restricted' && scopes === undefined) throw apiError('parameter_missing', { param: 'scopes' });
      for (const scope of scopes ?? []) checkScope(scope, declared.scopes);
      for (const range of allowed_ips) checkAddress(range);
      if (expires_at !== undefined && expires_at * 1_000 <= now) throw invalid('expires_at', 'it lies in the past');
    },
    async run(context, { name, scopes = null, allowed_ips = null, signature_required = false, expires_at }) {
      refuseBeyondRole(context, declared, scopes);
      const expiry = expires_at === undefined ? null : new Date(expires_at * 1_000);
      const key = issueKey(context, { name, scopes, allowed_ips, signature_required, expires_at: expiry });
      return {
        ...issued(context, key),
        writes: [key.write, ...(await keyMails(context, key.row))],
        audit: [key.audit],
      };
    },
  });

function checkName(name: string | undefined): void {
  if (name?.trim() === '') throw invalid('name', 'it must not be blank');
}

function checkScope(scope: string, grantable: readonly string[]): void {
  if (grantable.includes(scope)) return;
  throw invalid('scopes', `there is no scope ${quoted(scope)}; the scopes are ${grantable.join(', ')}`);
}

/** Scopes are only ever taken away from a key: the holder of a key must not gain rights by a change that they did not ask for. */
function checkNarrower(before: readonly string[] | null, scopes: readonly string[]): void {
  const further = scopes.find((scope) => !allows(before, scope as Scope));
  if (further !== undefined) throw invalid('scopes', `the key does not have ${further}; create another key`);
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
  return apiError('parameter_invalid', { param, reason });
}

/** Keys as they are shown, with the scopes that they have used. */
async function serialize({ reads, tenant, mode }: Context, keys: readonly UsedApiKey[], now: number) {
  const known = keys.map((key) => ({ id: key.id, since: usesFrom(key, now) }));
  const used = await findUsedScopes(reads, tenant, known);
  return keys.map((key, at) =>
    serializeKey(key, mode, now, { scopes: used.get(key.id) ?? [], since: known[at]!.since }),
  );
}

const list = operation({
  home: 'directory',
  callers,
  name: 'api_keys.list',
  summary: 'List API keys',
  description: 'Returns API keys in pages, newest first, without the keys themselves.',
  route: 'GET /api_keys',
  input: Parameters(listParameters),
  output: ListOf(KeyOutput),
  async run(context, input) {
    const source = { table: keysView, prefix: 'key', url: '/v1/api_keys', serialize: (key: UsedApiKey) => key };
    const page = await listPage(context, input, source);
    return { result: { ...page, data: await serialize(context, page.data as UsedApiKey[], context.now) } };
  },
});

/** The key in the path, and the database's time. */
async function requireKey({ reads, tenant, id }: Context): Promise<{ key: UsedApiKey; now: number }> {
  const found = isId('key', id) ? await findKey(reads, tenant, id) : undefined;
  if (found === undefined) throw apiError('resource_missing', { param: 'id', resource: 'API key' });
  return found;
}

const retrieve = operation({
  home: 'directory',
  callers,
  name: 'api_keys.retrieve',
  summary: 'Retrieve an API key',
  description: 'Returns what is known about the key: the key itself is kept nowhere.',
  route: 'GET /api_keys/:id',
  output: KeyOutput,
  async run(context) {
    const { key, now } = await requireKey(context);
    const [result] = await serialize(context, [key], now);
    return { result: result!, objectId: key.id };
  },
});

const update = (declared: Everything) =>
  operation({
    home: 'directory',
    callers,
    name: 'api_keys.update',
    summary: 'Rename an API key, or take scopes away from it',
    description:
      'Changes only what it names. Every instance knows the scopes within a second. A secret key has no scopes that could be taken away: roll it with `scopes`.',
    route: 'POST /api_keys/:id',
    input: KeyInput,
    output: KeyOutput,
    check({ name, scopes = [] }) {
      checkName(name);
      for (const scope of scopes) checkScope(scope, declared.scopes);
    },
    async run(context, { name, scopes }) {
      const { key: before, now } = await requireKey(context);
      if (scopes !== undefined && before.scopes === null)
        throw invalid('scopes', 'a secret key has none; roll it with scopes, which makes a restricted key');
      checkNarrower(before.scopes, scopes ?? []);
      const after = { ...before, name: name ?? before.name, scopes: scopes ?? before.scopes };
      const [from, to] = [changeable(before), changeable(after)];
      const isSame = JSON.stringify(from) === JSON.stringify(to);
      const [result] = await serialize(context, [after], now);
      if (isSame) return { result: result!, objectId: after.id };
      return {
        result: result!,
        objectId: after.id,
        writes: [replaceKey({ ...after, version: before.version + 1 })],
        audit: [{ action: 'key.updated', subject: after.id, details: { from, to } }],
      };
    },
  });

const changeable = ({ name, scopes }: UsedApiKey) => ({ name, scopes });

const roll = (declared: Everything) =>
  operation({
    home: 'directory',
    callers,
    name: 'api_keys.roll',
    summary: 'Replace an API key',
    description:
      'The new key has the name, the addresses, the signature rule, the expiry and, unless `scopes` names fewer, the scopes of the old one, which goes on working for the overlap. Nobody can roll a key that permits more than their role.',
    route: 'POST /api_keys/:id/roll',
    input: RollInput,
    output: IssuedKeyOutput,
    check({ scopes = [] }) {
      for (const scope of scopes) checkScope(scope, declared.scopes);
    },
    async run(context, { overlap_hours = overlapHoursUsual, scopes: fewer }) {
      const { key: old, now } = await requireKey(context);
      refuseBeyondRole(context, declared, old.scopes);
      checkNarrower(old.scopes, fewer ?? []);
      if (statusOf(old, now) === 'revoked') throw invalid('id', 'it is already revoked');
      // The new key has the expiry of the old one, so it could never be used.
      if (statusOf(old, now) === 'expired') throw invalid('id', 'it has expired; create a new key');
      const overlapMs = Math.round(overlap_hours * hourMs);
      const { name, scopes, allowed_ips, signature_required, expires_at } = old;
      const rights = { name, scopes: fewer ?? scopes, allowed_ips, signature_required, expires_at };
      const key = issueKey(context, rights);
      const details = { to: key.row.id, overlap_seconds: overlapMs / 1_000 };
      return {
        ...issued(context, key),
        writes: [
          key.write,
          replaceKey(endKey(old, now + overlapMs, key.row.id)),
          ...(await keyMails(context, key.row, old)),
        ],
        audit: [key.audit, { action: 'key.rolled', subject: old.id, details }],
      };
    },
  });

const revoke = operation({
  home: 'directory',
  callers,
  name: 'api_keys.revoke',
  summary: 'Revoke an API key',
  description: 'Every instance refuses the key within a second. Revoking it again changes nothing.',
  route: 'POST /api_keys/:id/revoke',
  output: KeyOutput,
  async run(context) {
    const { key: before, now } = await requireKey(context);
    const isOver = statusOf(before, now) === 'revoked';
    const key = isOver ? before : endKey(before, now);
    const [result] = await serialize(context, [key], now);
    if (isOver) return { result: result!, objectId: key.id };
    return {
      result: result!,
      objectId: key.id,
      writes: [replaceKey(key)],
      audit: [{ action: 'key.revoked', subject: key.id, details: {} }],
    };
  },
});

export function apiKeyOperations(declared: Everything): AnyOperation[] {
  return [create(declared), retrieve, list, update(declared), roll(declared), revoke];
}
