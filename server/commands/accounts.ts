import { resumePutOff } from '../base/lease.ts';
import type { Sql } from '../base/sql.ts';
import type { Outcome } from '../operations/operation.ts';
import { AccountMissing, findTenants } from '../operations/tenants.ts';
import { invoicesTable } from '../resources/billing/invoices/store.ts';
import { subscriptionsTable } from '../resources/billing/subscription_state/store.ts';
import { testClocksTable } from '../resources/payments/test_clocks/store.ts';
import { rateLimitOf, type Tier } from '../resources/people/accounts/account.ts';
import type { AccountWithKeys, ShownAccount } from '../resources/people/accounts/schema.ts';
import { withConnection } from './context.ts';
import { type OperatorCall, RefusedCommand, withOperator } from './operator.ts';
import { print, table } from './print.ts';
import {
  type ChangeOptions,
  dunningInWords,
  feeInWords,
  parseRateLimit,
  readChanges,
  settlementInWords,
} from './terms.ts';
import { UsageError } from './usage.ts';

export async function create(options: { name: string; tier: Tier; rateLimit?: string; json?: boolean }): Promise<void> {
  const { name, tier } = options;
  if (tier === 'enterprise' && options.rateLimit === undefined)
    throw new UsageError('--tier enterprise needs --rate-limit: requests per minute, a whole number above zero');
  const rate_limit = options.rateLimit === undefined ? null : parseRateLimit(options.rateLimit);
  if (name.trim() === '' || name.length > 200) throw new UsageError('--name takes 1 to 200 characters');
  const made = await withOperator((operator) =>
    operator.run<AccountWithKeys>('accounts.create', { parameters: { name, tier, rate_limit } }),
  );
  const { id, test_secret_key, live_secret_key } = made;
  print(
    options.json,
    made,
    () =>
      `Account   ${id}\nTest key  ${test_secret_key}\nLive key  ${live_secret_key}\n\nThe keys are shown this once: keep them where secrets are kept.`,
  );
}

export async function list(options: { json?: boolean }): Promise<void> {
  const accounts = await withOperator((operator) => operator.all<ShownAccount>('accounts.list'));
  print(options.json, accounts, () =>
    table(
      ['account', 'name', 'tier', 'status', 'fee', 'settlement', 'dunning'],
      accounts.map((account) => {
        const { id, name, tier, status } = account;
        return [id, name, tier, status, feeInWords(account), settlementInWords(account), dunningInWords(account)];
      }),
    ),
  );
}

export async function show(id: string, options: { json?: boolean }): Promise<void> {
  const account = await onAccount('accounts.retrieve', { id });
  print(options.json, account, () => inFull(account));
}

export async function set(id: string, options: ChangeOptions & { json?: boolean }): Promise<void> {
  const account = await onAccount('accounts.update', { id, parameters: readChanges(options) });
  print(options.json, account, () => inFull(account));
}

export async function suspend(id: string, options: { json?: boolean }): Promise<void> {
  await setStatus(id, 'suspend', options);
}

export async function resume(id: string, options: { json?: boolean }): Promise<void> {
  await setStatus(id, 'resume', options);
}

async function setStatus(id: string, verb: 'suspend' | 'resume', options: { json?: boolean }): Promise<void> {
  const { result, audit = [] } = await outcomeOn(`accounts.${verb}`, { id });
  const account = result as ShownAccount;
  if (verb === 'resume') await withConnection(({ client }) => resumeAll(client, id));
  print(options.json, account, () => `${id} ${audit.length === 0 ? 'was already' : 'is'} ${account.status}.`);
}

/** What was due while the account was suspended is due now. A resumed account can be resumed again, if this was interrupted. */
async function resumeAll(client: Sql, account: string): Promise<void> {
  for (const { tenant } of await findTenants(client, account))
    for (const table of [invoicesTable, subscriptionsTable, testClocksTable])
      await resumePutOff(client, table, tenant, 0);
}

async function onAccount(name: string, call: OperatorCall & { id: string }): Promise<ShownAccount> {
  return (await outcomeOn(name, call)).result as ShownAccount;
}

async function outcomeOn(name: string, call: OperatorCall & { id: string }): Promise<Outcome> {
  try {
    return await withOperator((operator) => operator.outcome(name, call));
  } catch (error) {
    if (error instanceof RefusedCommand && error.code === 'resource_missing') throw new AccountMissing(call.id);
    throw error;
  }
}

function inFull(account: ShownAccount): string {
  const { id, name, status, tier, rate_limit = null } = account;
  return [
    `Account     ${id}`,
    `Name        ${name}`,
    `Status      ${status}`,
    `Tier        ${tier}, ${rateLimitOf({ tier, rate_limit })} requests per minute`,
    `Fee         ${feeInWords(account)}`,
    `Settlement  ${settlementInWords(account)}`,
    `Dunning     ${dunningInWords(account)}`,
  ].join('\n');
}
