import type { Write } from '../../../base/commit/index.ts';
import { callerAccount } from '../../../operations/caller.ts';
import type { Context } from '../../../operations/operation.ts';
import { type ApiKey, kindOf } from './api_key.ts';
import { keyCreatedMessage } from './key_message.ts';

/**
 * The mails about a new key: to the person who made it, and to all owners of the account. Somebody who has taken over
 * a session cannot make one unnoticed. `replaced`: the key that it replaces.
 */
export async function keyMails(context: Context, key: ApiKey, replaced?: ApiKey): Promise<Write<'both'>[]> {
  const { caller, tenant, mode, mail } = context;
  const account = callerAccount(caller);
  if (!mail.isSetUp || account === null) return [];
  const created_by = caller.kind === 'person' ? caller.person.email : null;
  const emails = new Set([...(await context.emailsOfOwners(account)), ...(created_by === null ? [] : [created_by])]);
  const message = keyCreatedMessage({
    account: await context.accountName(tenant),
    mode,
    kind: kindOf(key),
    name: key.name,
    hint: key.hint,
    replaced_hint: replaced?.hint ?? null,
    created_by,
    at: Math.floor(context.now / 1_000),
    url: `${context.publicUrl()}/dashboard/${account}/${mode}/api-keys`,
  });
  const about = { tenant, kind: 'key_created', cause: key.id, message } as const;
  return [...emails].flatMap((to) => context.mailToPerson({ ...about, to }));
}
