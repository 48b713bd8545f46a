import { resumePutOff } from '../base/lease.ts';
import type { ConnectionsAt } from '../base/places/connections.ts';
import { AccountMissing, findTenants } from '../operations/tenants.ts';
import { invoicesTable } from '../resources/billing/invoices/store.ts';
import { subscriptionsTable } from '../resources/billing/subscription_state/store.ts';
import { testClocksTable } from '../resources/payments/test_clocks/store.ts';
import { rateLimitOf, type Tier } from '../resources/people/accounts/account.ts';
import type { AccountWithKeys, ShownAccount } from '../resources/people/accounts/schema.ts';
import { operationCommand, withOperator } from './operator.ts';
import { print, table } from './print.ts';
import {
  type ChangeOptions,
  dunningInWords,
  feeInWords,
  mailsInWords,
  parseRateLimit,
  readChanges,
  settlementInWords,
} from './terms.ts';
import { UsageError } from './usage.ts';

const createAccount = operationCommand<AccountWithKeys>('accounts.create', {
  text: ({ id, test_secret_key, live_secret_key }) =>
    `Account   ${id}\nTest key  ${test_secret_key}\nLive key  ${live_secret_key}\n\nThe keys are shown this once: keep them where secrets are kept.`,
});

export async function create(options: { name: string; tier: Tier; rateLimit?: string; json?: boolean }): Promise<void> {
  const { name, tier, rateLimit } = options;
  if (tier === 'enterprise' && rateLimit === undefined)
    throw new UsageError('--tier enterprise needs --rate-limit: requests per minute, a whole number above zero');
  const limit = rateLimit === undefined ? {} : { rateLimit: parseRateLimit(rateLimit) };
  if (name.trim() === '' || name.length > 200) throw new UsageError('--name takes 1 to 200 characters');
  await createAccount({ ...options, ...limit });
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

const missing = (account: string) => new AccountMissing(account);
const update = operationCommand<ShownAccount>('accounts.update', { text: inFull, missing });

export const show = operationCommand<ShownAccount>('accounts.retrieve', { text: inFull, missing });
export const suspend = operationCommand<ShownAccount>('accounts.suspend', { text: statusInWords, missing });
export const resume = operationCommand<ShownAccount>('accounts.resume', {
  text: statusInWords,
  missing,
  after: ({ at }, account) => resumeAll(at, account),
});

export async function set(id: string, options: ChangeOptions & { json?: boolean }): Promise<void> {
  await update(id, { json: options.json, ...readChanges(options) });
}

/** What was due while the account was suspended is due now. A resumed account can be resumed again, if this was interrupted. */
async function resumeAll(at: ConnectionsAt, account: string): Promise<void> {
  for (const { tenant } of await findTenants(at.directory, account))
    for (const table of [invoicesTable, subscriptionsTable, testClocksTable])
      await at.at(tenant, ({ sql }) => resumePutOff(sql, table, tenant, 0));
}

function statusInWords({ id, status }: ShownAccount, isChanged: boolean): string {
  return `${id} ${isChanged ? 'is' : 'was already'} ${status}.`;
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
    `Mails       ${mailsInWords(account)}`,
  ].join('\n');
}
