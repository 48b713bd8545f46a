import type { Secret } from '../../../base/secret.ts';
import type { AccountForm, OpenAccount } from '../../../connectors/registration.ts';
import { apiError } from '../../../operations/errors.ts';
import type { Context } from '../../../operations/operation.ts';
import { type Credentials, changedMembers, readCredentials, webhookEndpoint, webhookSecret } from './credentials.ts';
import { type MemberChanges, mergeMembers, readMembers, requireMembers } from './members.ts';
import type { ProcessorAccount } from './processor_account.ts';
import { ProcessorSilent, verifyCredentials } from './verification.ts';

export type AccountMembers = Pick<OpenAccount, 'credentials' | 'settings'>;

export type GivenMembers = {
  credentials?: Secret<Record<string, unknown>> | undefined;
  settings?: Readonly<Record<string, unknown>> | undefined;
};

/** Credentials and settings after a request, and the names of the members that differ. */
export type ChangedMembers = AccountMembers & { changedCredentials: string[]; changedSettings: string[] };

/** Merges what a request has given, and checks the result against the form of the connector. No processor is asked. */
export function changeMembers(
  { mode }: Context,
  form: AccountForm,
  before: AccountMembers,
  given: GivenMembers,
): ChangedMembers {
  const credentialChanges = readCredentials(form.credentials, given.credentials);
  const settingChanges = readMembers('settings', form.settings, given.settings ?? {});
  const credentials = mergeMembers<Secret>(before.credentials, credentialChanges);
  // A person who enters the secret, or removes it, arranges notices from then on.
  if (Object.hasOwn(credentialChanges, webhookSecret)) delete credentials[webhookEndpoint];
  const settings = mergeMembers(before.settings, settingChanges);
  requireMembers('credentials', form.credentials, credentials);
  requireMembers('settings', form.settings, settings);
  const changedSettings = Object.keys(settingChanges).filter((name) => before.settings[name] !== settings[name]);
  refuseRedirection(form, before.credentials, credentialChanges, changedSettings);
  const objection = form.objection({ mode, credentials, settings });
  if (objection !== undefined) throw apiError('parameter_invalid', objection);
  const changedCredentials = changedMembers(before.credentials, credentialChanges);
  return { credentials, settings, changedCredentials, changedSettings };
}

/** A caller who may change settings but does not know the credentials must not be able to have them sent to another host. */
function refuseRedirection(
  form: AccountForm,
  stored: Credentials,
  given: MemberChanges<Secret>,
  changedSettings: readonly string[],
): void {
  const directing = changedSettings.find((name) => directsCredentials(form, name));
  const ofNotices = [webhookSecret, webhookEndpoint];
  const kept = Object.keys(stored).filter((name) => !ofNotices.includes(name) && !Object.hasOwn(given, name));
  if (directing === undefined || kept.length === 0) return;
  throw apiError('parameter_invalid', {
    param: `settings.${directing}`,
    reason: `it decides where the credentials are sent, so send ${kept.map((name) => `credentials.${name}`).join(', ')} in the same request`,
  });
}

function directsCredentials({ settings }: AccountForm, name: string): boolean {
  return settings.some((field) => field.name === name && field.directsCredentials === true);
}

/** Whether the processor would see another caller: what only checks the signature of notices does not count. */
function concernsIdentity(form: AccountForm, { changedCredentials, changedSettings }: ChangedMembers): boolean {
  return (
    changedCredentials.some((name) => name !== webhookSecret) ||
    changedSettings.some((name) => directsCredentials(form, name))
  );
}

/** Other instances keep credentials for a second, and the change is committed some time after it began. */
const takenUpMs = 10_000;

/**
 * Asks the processor whether changed credentials are of the same account: only that account knows the payments that were made with it.
 * Returns what is known of them then.
 */
export async function reidentified(
  { connectors, now, mode }: Context,
  form: AccountForm,
  row: ProcessorAccount,
  changed: ChangedMembers,
): Promise<Pick<ProcessorAccount, 'identity' | 'last_verified_at' | 'credentials_since'>> {
  const { id, tenant, identity, last_verified_at, credentials_since } = row;
  if (!concernsIdentity(form, changed)) return { identity, last_verified_at, credentials_since };
  // It is not known whether they are of the same account: their answers about earlier attempts decide nothing.
  if (identity === null)
    return { identity: null, last_verified_at: null, credentials_since: new Date(now + takenUpMs) };
  const { credentials, settings } = changed;
  const opened = form.open({ id, tenant, mode, credentials, settings });
  const verified = await verifyCredentials(opened, connectors.limits.deadlineMs);
  if (!verified.isAnswered) throw new ProcessorSilent(`nothing was changed: ${verified.message}`);
  const invalid = (reason: string) => apiError('parameter_invalid', { param: 'credentials', reason });
  if (!verified.ok) throw invalid(`the processor does not accept them: ${verified.message.replace(/\.$/, '')}`);
  if (verified.identity !== undefined && verified.identity !== identity)
    throw invalid('they are of another account at the processor; create a processor account for it');
  return { identity, last_verified_at: new Date(now), credentials_since };
}
