import type { Write } from '../../../base/commit/index.ts';
import { assert } from '../../../base/errors.ts';
import { newId } from '../../../base/id.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { AccountForm } from '../../../connectors/registration.ts';
import { apiError } from '../../../operations/errors.ts';
import { listPage } from '../../../operations/list.ts';
import { type AnyOperation, type Context, type Outcome, operation } from '../../../operations/operation.ts';
import { extensionPoint } from '../../../operations/resource.ts';
import { ListOf, listParameters, Parameters } from '../../../operations/schemas.ts';
import { type AccountMembers, type ChangedMembers, changeMembers, reidentified } from './change.ts';
import { listConnectors } from './connectors.ts';
import { destroyCredentials, resealed, sealNew, storedCredentials } from './credentials.ts';
import { apiError as accountError } from './errors.ts';
import { refuseControls } from './members.ts';
import { noticePath, type ProcessorAccount, processorAccountsMax } from './processor_account.ts';
import {
  DeletedProcessorAccountOutput,
  NewProcessorAccountInput,
  ProcessorAccountInput,
  ProcessorAccountOutput,
  serializeProcessorAccount,
  VerificationOutput,
} from './schema.ts';
import {
  addProcessorAccount,
  hasProcessorAccounts,
  processorAccountsTable,
  removeProcessorAccount,
  replaceProcessorAccount,
} from './store.ts';
import { unregisterNotices, verifyAndRegister } from './verification.ts';

/** An obstacle to deleting a processor account: objects that only it can serve. `noun` is their plural. */
export type ProcessorAccountUse = {
  noun: string;
  isUsed(reads: Reads, tenant: Tenant, id: string): Promise<boolean>;
};

export const usesOfProcessorAccounts = extensionPoint<ProcessorAccountUse>('processor_accounts');

const callers = ['key', 'operator'] as const;

/** The form of a connector that a request names. */
function requireForm({ connectors, mode }: Context, connector: string): AccountForm {
  const form = connectors.formOf(connector);
  if (form?.modes.includes(mode)) return form;
  const names = connectors.names.filter((name) => connectors.formOf(name)?.modes.includes(mode));
  const reason =
    names.length === 0
      ? `no connector has processor accounts in ${mode} mode`
      : `in ${mode} mode it must be one of ${names.join(', ')}`;
  throw apiError('parameter_invalid', { param: 'connector', reason });
}

function formOf({ connectors }: Context, { connector }: ProcessorAccount): AccountForm {
  const form = connectors.formOf(connector);
  assert(form, `the connector ${connector} has no accounts`);
  return form;
}

type WithMembers = { row: ProcessorAccount; members: AccountMembers };

/** The account with its credentials. Undefined: it was deleted since the row was read. */
async function withMembers(context: Context, row: ProcessorAccount): Promise<WithMembers | undefined> {
  const credentials = await storedCredentials(context, row);
  if (credentials !== undefined) return { row, members: { credentials, settings: row.settings } };
  const now = await context.reads.one(processorAccountsTable, context.tenant, row.id);
  assert(now?.version !== row.version, `the credentials of ${row.id} are missing`);
  return now && withMembers(context, now);
}

async function requireWithMembers(context: Context): Promise<WithMembers> {
  const found = await withMembers(context, await context.processorAccounts.require(context));
  if (found === undefined) throw noSuchAccount();
  return found;
}

const noSuchAccount = () => apiError('resource_missing', { param: 'id', resource: 'processor account' });

function connectorOf(context: Context, row: ProcessorAccount, members: AccountMembers) {
  const { id, tenant } = row;
  return formOf(context, row).open({ id, tenant, mode: context.mode, ...members });
}

function presented(context: Context, row: ProcessorAccount, members: AccountMembers): object {
  return serializeProcessorAccount(row, connectorOf(context, row, members).describe(), context.publicUrl());
}

/** The details for the audit log: of credentials the names alone. */
function audited(
  action: string,
  row: ProcessorAccount,
  { changedCredentials = [] }: Partial<ChangedMembers> = {},
  more: object = {},
) {
  const { id, connector, name, enabled, settings } = row;
  const details = { connector, name, enabled, settings, changed_credentials: changedCredentials, ...more };
  return [{ action: `processor_account.${action}`, subject: id, details }];
}

const create = operation({
  callers,
  right: 'settings',
  operatorInLive: 'tollgate processors add',
  name: 'processor_accounts.create',
  summary: 'Create a processor account',
  description:
    'Stores the credentials sealed, and never shows them again. The processor is not asked: verify the account afterwards. There can be 50 in each mode. In live mode only the operator can do this, on the command line.',
  route: 'POST /processor_accounts',
  input: NewProcessorAccountInput,
  output: ProcessorAccountOutput,
  check: ({ name }) => checkName(name),
  alsoChanges: () => 'processor_accounts', // how many there are
  async run(context, { connector, name, enabled = true, ...given }) {
    const { tenant, reads, vault, now } = context;
    const form = requireForm(context, connector);
    const members = changeMembers(context, form, { credentials: {}, settings: {} }, given);
    if (await hasProcessorAccounts(reads, tenant, processorAccountsMax)) throw tooMany();
    const identified = { tenant, id: newId('pa', now), version: 1 };
    const { secret, write } = await sealNew(vault, identified, members.credentials);
    const row: ProcessorAccount = {
      ...identified,
      connector,
      name,
      enabled,
      settings: members.settings,
      secret,
      previous_secret: null,
      previous_until: null,
      identity: null,
      last_verified_at: null,
      credentials_since: null,
      poll_cursor: null,
      due_at: null,
      lease_until: null,
    };
    // From now on it is asked for notices that were sent and never arrived.
    if (connectorOf(context, row, members).poll !== undefined) row.due_at = new Date(now);
    return {
      result: presented(context, row, members),
      objectId: row.id,
      writes: [addProcessorAccount(row), write],
      ...(row.due_at === null ? {} : { due: now }),
      audit: audited('created', row, members),
    };
  },
});

/** Requests to one server are queued; two servers that create an account at the same moment may exceed the limit by one. */
function tooMany() {
  const reason = `there are ${processorAccountsMax} processor accounts in this mode already, which is the limit; delete one that was never used`;
  return apiError('parameter_invalid', { param: 'connector', reason });
}

function checkName(name: string): void {
  if (name.trim() === '') throw apiError('parameter_invalid', { param: 'name', reason: 'it must not be blank' });
  refuseControls('name', name);
}

const retrieve = operation({
  callers,
  name: 'processor_accounts.retrieve',
  summary: 'Retrieve a processor account',
  description: 'Returns the account as it is now, without its credentials.',
  route: 'GET /processor_accounts/:id',
  output: ProcessorAccountOutput,
  async run(context) {
    const { row, members } = await requireWithMembers(context);
    return { result: presented(context, row, members), objectId: row.id };
  },
});

const list = operation({
  callers,
  name: 'processor_accounts.list',
  summary: 'List processor accounts',
  description: 'Returns processor accounts in pages, newest first, without their credentials.',
  route: 'GET /processor_accounts',
  input: Parameters(listParameters),
  output: ListOf(ProcessorAccountOutput),
  async run(context, input) {
    const source = { table: processorAccountsTable, prefix: 'pa', url: '/v1/processor_accounts' };
    const page = await listPage(context, input, { ...source, serialize: (row: ProcessorAccount) => row });
    const rows = page.data as ProcessorAccount[];
    const found = await Promise.all(rows.map((row) => withMembers(context, row)));
    const data = found.flatMap((one) => (one === undefined ? [] : [presented(context, one.row, one.members)]));
    return { result: { ...page, data } };
  },
});

const update = operation({
  callers,
  right: 'settings',
  operatorInLive: 'tollgate processors set',
  name: 'processor_accounts.update',
  summary: 'Update a processor account',
  description:
    'Changes only what it names; credentials and settings are merged member by member. New credentials apply on every instance within a second, and requests in flight finish with the old ones. Once the processor has said whose account it is, new credentials are checked there first: those of another account are refused. In live mode only the operator can do this, on the command line.',
  route: 'POST /processor_accounts/:id',
  input: ProcessorAccountInput,
  nulls: 'clear',
  output: ProcessorAccountOutput,
  errors: apiError.codes('parameter_missing'),
  check(input) {
    for (const param of ['name', 'credentials', 'settings', 'enabled'] as const)
      if (input[param] === null) throw apiError('parameter_invalid', { param, reason: 'it cannot be cleared' });
    if (typeof input.name === 'string') checkName(input.name);
  },
  async run(context, { name, enabled, credentials, settings }) {
    const { row: before, members: stored } = await requireWithMembers(context);
    const form = formOf(context, before);
    const given = { credentials: credentials ?? undefined, settings: settings ?? undefined };
    const changed = changeMembers(context, form, stored, given);
    const next: ProcessorAccount = {
      ...before,
      version: before.version + 1,
      name: name ?? before.name,
      enabled: enabled ?? before.enabled,
      settings: changed.settings,
    };
    const isSame =
      changed.changedCredentials.length + changed.changedSettings.length === 0 &&
      next.name === before.name &&
      next.enabled === before.enabled;
    if (isSame) return { result: presented(context, before, stored), objectId: before.id };
    const known = await reidentified(context, form, before, changed);
    return updated(context, { ...next, ...known }, stored, changed);
  },
});

/** The rows of an update, with the credentials sealed anew when they differ. */
async function updated(
  context: Context,
  row: ProcessorAccount,
  stored: AccountMembers,
  changed: ChangedMembers,
): Promise<Outcome> {
  let after = row;
  let writes: Write[] = [];
  if (changed.changedCredentials.length > 0) {
    const sealed = await resealed(context.vault, row, stored.credentials, changed.credentials, context.now);
    const { secret, previous_secret, previous_until } = sealed;
    after = { ...row, secret, previous_secret, previous_until };
    writes = sealed.writes;
  }
  return {
    result: presented(context, after, changed),
    objectId: after.id,
    writes: [replaceProcessorAccount(after), ...writes],
    audit: audited('updated', after, changed),
  };
}

const remove = (uses: readonly ProcessorAccountUse[]) =>
  operation({
    callers,
    right: 'settings',
    operatorInLive: 'tollgate processors remove',
    name: 'processor_accounts.delete',
    summary: 'Delete a processor account that was never used',
    description:
      'Deletes the account together with its credentials, and the webhook endpoint that verifying it has registered at the processor, if the processor answers. An account with a payment, a payment method or a routing rule cannot be deleted: disable it. In live mode only the operator can do this, on the command line.',
    route: 'DELETE /processor_accounts/:id',
    output: DeletedProcessorAccountOutput,
    errors: accountError.codes('processor_account_in_use'),
    async run(context) {
      const row = await context.processorAccounts.require(context);
      const { id, tenant } = row;
      for (const { noun, isUsed } of uses)
        if (await isUsed(context.reads, tenant, id))
          throw accountError('processor_account_in_use', { param: 'id', uses: noun });
      const isForgotten = await noticesEnd(context, row);
      return {
        result: { id, object: 'processor_account', deleted: true },
        objectId: id,
        writes: [removeProcessorAccount(row), ...destroyCredentials(context.vault, row)],
        audit: audited('deleted', row, {}, isForgotten ? {} : { left: noticesUrlOf(context, row) }),
      };
    },
  });

/** Whether the processor sends no more notices to this account. One that does not answer does not keep it from being deleted. */
async function noticesEnd(context: Context, row: ProcessorAccount): Promise<boolean> {
  const found = await withMembers(context, row);
  if (found === undefined) return true;
  const connector = connectorOf(context, row, found.members);
  return unregisterNotices(connector, noticesUrlOf(context, row), context.connectors.limits.deadlineMs);
}

const verify = operation({
  callers,
  right: 'settings',
  operatorInLive: 'tollgate processors verify',
  name: 'processor_accounts.verify',
  summary: 'Ask the processor whether the credentials work',
  description:
    'Asks the processor, and waits for 15 seconds at most. The answer is 200 in any case: `ok` says whether the credentials work. Where this gateway has a public address and no webhook secret was entered, the processor is told where to send its notices; otherwise `message` says what to enter where. In live mode only the operator can do this, on the command line.',
  route: 'POST /processor_accounts/:id/verify',
  output: VerificationOutput,
  async run(context) {
    const { row: before, members } = await requireWithMembers(context);
    const connector = connectorOf(context, before, members);
    const { ok, message, identity, registered } = await verifyAndRegister(
      connector,
      { noticesUrl: noticesUrlOf(context, before), credentials: members.credentials },
      { identity: before.identity, deadlineMs: context.connectors.limits.deadlineMs },
    );
    const objectId = before.id;
    if (!ok) return { result: { ok, message }, objectId };
    if (identity !== undefined && before.identity !== null && identity !== before.identity)
      return {
        result: { ok: false, message: 'The credentials are of another account at the processor than before.' },
        objectId,
      };
    const known = { identity: identity ?? before.identity, last_verified_at: new Date(context.now) };
    const after = { ...before, ...known, version: before.version + 1 };
    const result = { ok, message: [message, registered.message].filter((one) => one !== '').join(' ') };
    if (registered.credentials === undefined) return { result, objectId, writes: [replaceProcessorAccount(after)] };
    const credentials = { ...members.credentials, ...registered.credentials };
    const changedCredentials = Object.keys(registered.credentials);
    const changed = { ...members, credentials, changedCredentials, changedSettings: [] };
    return { ...(await updated(context, after, members, changed)), result };
  },
});

function noticesUrlOf({ publicUrl }: Context, { id }: ProcessorAccount): string {
  return `${publicUrl()}${noticePath(id)}`;
}

export function processorAccountOperations(uses: readonly ProcessorAccountUse[]): AnyOperation[] {
  return [create, retrieve, update, remove(uses), list, verify, listConnectors];
}
