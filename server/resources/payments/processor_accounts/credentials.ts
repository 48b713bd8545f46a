import type { Write } from '../../../base/commit/index.ts';
import type { Reads } from '../../../base/reads.ts';
import { Secret } from '../../../base/secret.ts';
import type { AccountField } from '../../../connectors/registration.ts';
import type { Vault } from '../../../vault/index.ts';
import { type MemberChanges, readMembers } from './members.ts';
import type { ProcessorAccount } from './processor_account.ts';

/** By the names of their members. */
export type Credentials = Readonly<Record<string, Secret>>;

/** The member that a processor signs its notices with. */
export const webhookSecret = 'webhook_secret';
/** The processor's own name for the address that the gateway has registered there: then the webhook secret was not entered by a person. */
export const webhookEndpoint = 'webhook_endpoint';
/** The one before it, which a connector is handed too while notices may still be signed with it. */
const previousWebhookSecret = `${webhookSecret}_previous`;

const overlapMs = 24 * 3_600_000;

/** The credentials that a request has given, each wrapped so that it cannot be printed. */
export function readCredentials(
  fields: readonly AccountField[],
  given: Secret<Record<string, unknown>> | undefined,
): MemberChanges<Secret> {
  const members = Object.entries(readMembers('credentials', fields, given?.open() ?? {}));
  return Object.fromEntries(members.map(([name, value]) => [name, value === null ? null : new Secret(String(value))]));
}

/** The members that differ from those before. */
export function changedMembers(before: Credentials, changes: MemberChanges<Secret>): string[] {
  return Object.keys(changes).filter((name) => before[name]?.open() !== changes[name]?.open());
}

type Store = { reads: Reads; vault: Vault };

/** The stored credentials, without an earlier webhook secret. Undefined: the account was changed or deleted since it was read. */
export async function storedCredentials(
  { reads, vault }: Store,
  row: ProcessorAccount,
): Promise<Credentials | undefined> {
  const sealed = await vault.openSecret(reads, row.tenant, row.secret);
  if (sealed === undefined) return undefined;
  const values = Object.entries(JSON.parse(sealed.open()) as Record<string, string>);
  return Object.fromEntries(values.map(([name, value]) => [name, new Secret(value)]));
}

/** The credentials as a connector uses them at this moment. Undefined: the account was changed or deleted since it was read. */
export async function credentialsInUse(
  store: Store,
  row: ProcessorAccount,
  now: number,
): Promise<Credentials | undefined> {
  const { tenant, previous_secret, previous_until } = row;
  const credentials = await storedCredentials(store, row);
  if (credentials === undefined) return undefined;
  if (previous_secret === null || previous_until === null || previous_until.getTime() <= now) return credentials;
  const previous = await store.vault.openSecret(store.reads, tenant, previous_secret);
  return previous === undefined ? credentials : { ...credentials, [previousWebhookSecret]: previous };
}

type SecretIds = Pick<ProcessorAccount, 'secret' | 'previous_secret' | 'previous_until'>;

/** The id under which the credentials of this version of a row are sealed. */
function secretId({ id, version }: Pick<ProcessorAccount, 'id' | 'version'>): string {
  return `${id}/${version}`;
}

export async function sealNew(
  vault: Vault,
  row: Pick<ProcessorAccount, 'tenant' | 'id' | 'version'>,
  credentials: Credentials,
): Promise<{ secret: string; write: Write }> {
  const secret = secretId(row);
  const values = Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name, value.open()]));
  return { secret, write: await vault.sealSecret(row.tenant, secret, new Secret(JSON.stringify(values))) };
}

/**
 * Seals changed credentials under a new id and destroys the old ones. A webhook secret that was replaced stays usable for a day: the
 * processor may still sign with it.
 */
export async function resealed(
  vault: Vault,
  row: ProcessorAccount,
  before: Credentials,
  after: Credentials,
  now: number,
): Promise<SecretIds & { writes: Write[] }> {
  const { tenant, previous_secret, previous_until } = row;
  const { secret, write } = await sealNew(vault, row, after);
  const writes = [write, vault.destroySecret(tenant, row.secret)];
  const replaced = before[webhookSecret];
  if (replaced === undefined || after[webhookSecret]?.open() === replaced.open())
    return { secret, previous_secret, previous_until, writes };
  if (previous_secret !== null) writes.push(vault.destroySecret(tenant, previous_secret));
  // Without a new one, notices are refused immediately: the secret was removed on purpose.
  if (after[webhookSecret] === undefined) return { secret, previous_secret: null, previous_until: null, writes };
  const previous = `${secret}/previous`;
  writes.push(await vault.sealSecret(tenant, previous, replaced));
  return { secret, previous_secret: previous, previous_until: new Date(now + overlapMs), writes };
}

/** The writes that destroy everything that the vault has of an account. */
export function destroyCredentials(vault: Vault, { tenant, secret, previous_secret }: ProcessorAccount): Write[] {
  return [secret, ...(previous_secret === null ? [] : [previous_secret])].map((id) => vault.destroySecret(tenant, id));
}
