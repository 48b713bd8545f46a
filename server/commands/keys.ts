import type { Outcome } from '../operations/operation.ts';
import type { NewKeyShown, ShownKey } from '../resources/people/api_keys/schema.ts';
import { type Operator, type OperatorCall, RefusedCommand, withOperator } from './operator.ts';
import { isoTime, print, table } from './print.ts';
import { MissingError, parseList, parseMoment, parseSpan, UsageError } from './usage.ts';

const modes = ['test', 'live'] as const;

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
  const { account, name, scopes, expires, allowedIps, requireSignature } = options;
  const mode = options.live ? 'live' : 'test';
  const made = await withOperator((operator, { actor }) =>
    operator.run<NewKeyShown>('api_keys.create', {
      account,
      mode,
      parameters: {
        name,
        kind: scopes === undefined ? 'secret' : 'restricted',
        scopes: scopes === undefined ? null : parseList('--scopes', scopes),
        // The key works for the whole of its last second.
        expires_at: expires === undefined ? null : Math.ceil(parseMoment('--expires', expires, actor.now) / 1_000),
        allowed_ips: allowedIps === undefined ? null : parseList('--allowed-ips', allowedIps),
        signature_required: requireSignature ?? false,
      },
    }),
  );
  print(
    options.json,
    made,
    () => `Key id  ${made.id}\nKey     ${made.key}\n\nThe key is shown this once: keep it where secrets are kept.`,
  );
}

export async function list({ account, json }: { account: string; json?: boolean }): Promise<void> {
  const keys = await withOperator(async (operator) => {
    const byMode = modes.map((mode) => operator.all<ShownKey>('api_keys.list', { account, mode }));
    return (await Promise.all(byMode)).flat().sort((a, b) => (a.id < b.id ? -1 : 1));
  });
  print(json, keys, () =>
    table(['id', 'mode', 'name', 'ends in', 'scopes', 'allowed from', 'last used', 'state'], keys.map(cellsOf)),
  );
}

function cellsOf(key: ShownKey): string[] {
  const { id, mode, name, hint, scopes, allowed_ips, last_used, revoked_at, status } = key;
  const from = allowed_ips?.join(',') ?? 'anywhere';
  const used = last_used === undefined ? 'never' : isoTime(last_used);
  const state = status === 'active' && revoked_at !== undefined ? `works until ${isoTime(revoked_at)}` : status;
  return [id, mode, name, hint, scopes?.join(',') ?? 'all', from, used, state];
}

export async function roll(id: string, options: { account: string; overlap: string; json?: boolean }): Promise<void> {
  const overlap_hours = parseSpan('--overlap', options.overlap) / 3_600;
  const call = { id, account: options.account, parameters: { overlap_hours }, options: { overlap_hours: '--overlap' } };
  const { result } = await withOperator((operator) => inItsMode(operator, 'api_keys.roll', call));
  const made = result as NewKeyShown;
  print(
    options.json,
    made,
    () => `Key id  ${made.id}\nKey     ${made.key}\n\n${id} works for ${options.overlap} more.`,
  );
}

export async function revoke(id: string, { account, json }: { account: string; json?: boolean }): Promise<void> {
  const call = { id, account };
  const { result, audit = [] } = await withOperator((operator) => inItsMode(operator, 'api_keys.revoke', call));
  print(json, result, () =>
    audit.length === 0 ? `${id} was already revoked.` : `${id} is revoked: every instance refuses it within a second.`,
  );
}

/** The command line names a key by its id alone, so both modes are tried. */
async function inItsMode(
  operator: Operator,
  name: string,
  call: OperatorCall & { id: string; account: string },
): Promise<Outcome> {
  // What was given may be the key itself, which must not be repeated.
  if (!/^key_\w+$/.test(call.id))
    throw new UsageError(
      `that is not the id of a key, which begins with key_; "tollgate keys list --account ${call.account}" shows the ids`,
    );
  for (const mode of modes)
    try {
      return await operator.outcome(name, { ...call, mode });
    } catch (error) {
      if (!(error instanceof RefusedCommand && error.code === 'resource_missing')) throw error;
    }
  const { id, account } = call;
  throw new MissingError(`account ${account} has no key ${id}; "tollgate keys list --account ${account}" shows them`);
}
