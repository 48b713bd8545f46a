import type { ConnectionsAt } from '../base/places/connections.ts';
import type { Mode } from '../base/reads.ts';
import { accountOf, findTenants } from '../operations/tenants.ts';
import { findAnywhere } from '../resources/payments/attempts/subject.ts';
import { serializeLeftover } from '../resources/payments/payment_methods/leftovers.ts';
import { findLeftovers, paymentMethodsTable } from '../resources/payments/payment_methods/store.ts';
import type { ShownProcessorAccount, ShownVerification } from '../resources/payments/processor_accounts/schema.ts';
import { findOwnerOf, findOwners } from '../resources/payments/processor_accounts/store.ts';
import { type CommandContext, withConnection } from './context.ts';
import { accountsByTenant, ownerShown } from './notices.ts';
import { type Operator, type OperatorCall, withOperator } from './operator.ts';
import { isoTime, print, table } from './print.ts';
import { readPairs, readSecrets, withQuestions } from './secret_sources.ts';
import { MissingError } from './usage.ts';

/** As the API shows it, with its owner: a command is not bound to one account and mode. */
type OwnedProcessorAccount = ShownProcessorAccount & { account: string; mode: Mode };

type MemberOptions = { credential?: string[]; setting?: string[] };
type JsonOption = { json?: boolean };

/** Refusals name members of credentials and settings by these options. */
const options = { credentials: '--credential', settings: '--setting' };

export async function list({ account, json }: JsonOption & { account?: string }): Promise<void> {
  const found = await withOperator(async (operator, { at, client }) => {
    const tenants = await findTenants(client, account);
    const owners = await findOwners(
      at,
      tenants.map(({ tenant }) => tenant),
    );
    const lists = tenants
      .filter(({ tenant }) => owners.has(tenant))
      .map(async ({ account, mode }) => {
        const rows = await operator.all<ShownProcessorAccount>('processor_accounts.list', { account, mode });
        return rows.map((row): OwnedProcessorAccount => ({ ...row, account, mode }));
      });
    return (await Promise.all(lists)).flat();
  });
  print(json, found, () =>
    table(
      ['id', 'account', 'mode', 'connector', 'name', 'state', 'last verified'],
      found.map(({ id, account, mode, connector, name, enabled, last_verified }) => {
        const state = enabled ? 'enabled' : 'disabled';
        return [id, account, mode, connector, name, state, timeOrNever(last_verified)];
      }),
    ),
  );
}

function timeOrNever(seconds: number | undefined): string {
  return seconds === undefined ? 'never' : isoTime(seconds);
}

type AddOptions = MemberOptions &
  JsonOption & { account: string; live?: boolean; connector: string; name: string; disabled?: boolean };

export async function add(given: AddOptions): Promise<void> {
  const { account, connector, name, json } = given;
  const mode: Mode = given.live ? 'live' : 'test';
  const parameters = { connector, name, enabled: given.disabled !== true, ...(await membersOf(given)) };
  const made = await withOperator((operator) =>
    operator.run<ShownProcessorAccount>('processor_accounts.create', { account, mode, parameters, options }),
  );
  print(json, owned(made, account, mode), () =>
    [
      inFull(owned(made, account, mode)),
      '',
      `Verify it:  tollgate processors verify ${made.id}`,
      `Register the webhook address with the processor; then store the secret that it gives you: tollgate processors set ${made.id} --credential webhook_secret=-`,
    ].join('\n'),
  );
}

const owned = (row: ShownProcessorAccount, account: string, mode: Mode): OwnedProcessorAccount => {
  return { ...row, account, mode };
};

async function membersOf({ credential = [], setting = [] }: MemberOptions) {
  const credentials = await withQuestions((ask) => readSecrets(credential, ask));
  return { credentials, settings: readPairs('--setting', setting) };
}

function inFull(row: OwnedProcessorAccount): string {
  const settings = Object.entries(row.settings).map(([name, value]) => `${name}=${value}`);
  return [
    `Processor account  ${row.id}`,
    `Of                 ${row.account}, ${row.mode} mode`,
    `Connector          ${row.connector}`,
    `Name               ${row.name}`,
    `State              ${row.enabled ? 'enabled' : 'disabled: it takes no new payments'}`,
    `Settings           ${settings.length === 0 ? 'none' : settings.join(', ')}`,
    `Webhook address    ${row.webhook_url}`,
    `Last verified      ${timeOrNever(row.last_verified)}`,
  ].join('\n');
}

export async function set(id: string, given: MemberOptions & JsonOption & { name?: string }): Promise<void> {
  const name = given.name === undefined ? {} : { name: given.name };
  await change(id, { ...name, ...(await membersOf(given)) }, given, inFull);
}

export async function enable(id: string, given: JsonOption): Promise<void> {
  await change(id, { enabled: true }, given, () => `${id} takes new payments, within a second on every instance.`);
}

export async function disable(id: string, given: JsonOption): Promise<void> {
  const effect = 'takes no new payments, within a second on every instance; captures, refunds and notices go on';
  await change(id, { enabled: false }, given, () => `${id} ${effect}.`);
}

async function change(
  id: string,
  parameters: object,
  { json }: JsonOption,
  inWords: (row: OwnedProcessorAccount) => string,
): Promise<void> {
  const call = { parameters: { ...parameters }, options };
  const { result, owner } = await onAccount<ShownProcessorAccount>('processor_accounts.update', id, call);
  const row = owned(result, owner.account, owner.mode);
  print(json, row, () => inWords(row));
}

export async function verify(id: string, { json }: JsonOption): Promise<void> {
  const { result } = await onAccount<ShownVerification>('processor_accounts.verify', id);
  print(json, result, () => `${result.ok ? 'ok   ' : 'WRONG'}  ${result.message}`);
  if (!result.ok) process.exitCode = 1;
}

export async function remove(id: string, { json }: JsonOption): Promise<void> {
  const { result } = await onAccount<object>('processor_accounts.delete', id);
  print(json, result, () => `${id} is removed, and its credentials are destroyed.`);
}

/** The command line names a processor account by its id alone. */
function onAccount<Result>(name: string, id: string, call: OperatorCall = {}) {
  return withOperator(async (operator: Operator, { at, client }: CommandContext) => {
    const tenant = /^pa_\w+$/.test(id) ? await findOwnerOf(at, id) : undefined;
    // What was given may be a secret in the wrong place, which must not be repeated.
    if (tenant === undefined)
      throw new MissingError('there is no such processor account; "tollgate processors list" shows them');
    const owner = await accountOf(client, tenant);
    const { account, mode } = owner;
    return { owner, result: await operator.run<Result>(name, { ...call, id, account, mode }) };
  });
}

/** `tollgate processors leftovers`: what a processor still has of payment methods that are gone here. */
export async function leftovers({ dismiss, json }: JsonOption & { dismiss?: string }): Promise<void> {
  if (dismiss !== undefined) return dismissOne(dismiss, json);
  const found = await withConnection(({ at }) => findLeftoversShown(at));
  const lines = found.map(
    ({ id, processor_account, processor_customer, state, since, account, mode }) =>
      `${id}  customer ${processor_customer} at ${processor_account}, ${account}, ${mode} mode  since ${isoTime(since)}  ${state === 'retrying' ? 'cannot be deleted there so far' : 'not made by Tollgate'}`,
  );
  print(json, found, () => (lines.length === 0 ? 'There are none.' : lines.join('\n')));
}

async function findLeftoversShown(at: ConnectionsAt) {
  const owners = await accountsByTenant(at.directory);
  const left = await findLeftovers(at);
  return left.map((method) => ({ ...serializeLeftover(method), ...ownerShown(owners.get(method.tenant)) }));
}

async function dismissOne(id: string, json: boolean | undefined): Promise<void> {
  const dismissed = await withOperator(async (operator, { at }) => {
    const found = await findAnywhere(at, paymentMethodsTable, id);
    if (found?.left_since == null)
      throw new MissingError(`${id} is not listed; "tollgate processors leftovers" shows what is.`);
    return operator.run<object>('payment_methods.dismiss_leftover', { id, parameters: { tenant: found.tenant } });
  });
  print(json, dismissed, () => `${id} is off the list. The audit log keeps the name of the customer at the processor.`);
}
