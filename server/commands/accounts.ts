import { newId } from '../base/id.ts';
import type { Mode } from '../base/reads.ts';
import type { Secret } from '../base/secret.ts';
import { type AccountId, rateLimitOf, type Tier } from '../resources/accounts/account.ts';
import { recordAudit } from '../resources/accounts/audit.ts';
import {
  insertAccount,
  listAccounts,
  lockAccount,
  requireAccount,
  setAccountStatus,
  setTerms,
  type WholeAccount,
} from '../resources/accounts/store.ts';
import { createKey } from '../resources/api_keys/manage.ts';
import { type KeyWork, withTransaction } from './context.ts';
import { print, table } from './print.ts';
import { feeInWords, presentTerms, readTerms, settlementInWords, type TermsOptions } from './terms.ts';
import { UsageError } from './usage.ts';

export type NewAccount = { id: AccountId; testKey: Secret; liveKey: Secret };

export async function makeAccount(
  session: KeyWork,
  wish: { name: string; tier: Tier; rateLimit: number | null },
): Promise<NewAccount> {
  const { client, keyring, actor } = session;
  const id = newId('acct', actor.now);
  await insertAccount(client, { id, name: wish.name, tier: wish.tier, rate_limit: wish.rateLimit, status: 'active' });
  await recordAudit(client, {
    actor: actor.name,
    action: 'account.created',
    account: id,
    subject: id,
    details: { name: wish.name, tier: wish.tier, rate_limit: wish.rateLimit },
  });
  const key = (mode: Mode) =>
    createKey(
      client,
      keyring,
      id,
      { mode, name: 'first key', scopes: null, allowedIps: null, signatureRequired: false, expiresAt: null },
      actor,
    );
  const test = await key('test');
  const live = await key('live');
  return { id, testKey: test.key, liveKey: live.key };
}

export async function create(options: { name: string; tier: Tier; rateLimit?: string; json?: boolean }): Promise<void> {
  const rateLimit = readRateLimit(options.tier, options.rateLimit);
  if (options.name.trim() === '' || options.name.length > 200) throw new UsageError('--name takes 1 to 200 characters');
  const made = await withTransaction((session) =>
    makeAccount(session, { name: options.name, tier: options.tier, rateLimit }),
  );
  print(
    options.json,
    { account: made.id, test_secret_key: made.testKey.open(), live_secret_key: made.liveKey.open() },
    () =>
      `Account   ${made.id}\nTest key  ${made.testKey.open()}\nLive key  ${made.liveKey.open()}\n\nThe keys are shown this once: keep them where secrets are kept.`,
  );
}

function readRateLimit(tier: Tier, text: string | undefined): number | null {
  if (tier !== 'enterprise') {
    if (text !== undefined)
      throw new UsageError('--rate-limit belongs to --tier enterprise; the other tiers have fixed limits');
    return null;
  }
  if (text === undefined || !/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError('--tier enterprise needs --rate-limit: requests per minute, a whole number above zero');
  return Number(text);
}

export async function list(options: { json?: boolean }): Promise<void> {
  const accounts = await withTransaction(({ client }) => listAccounts(client));
  print(options.json, accounts.map(presented), () =>
    table(
      ['account', 'name', 'tier', 'status', 'fee', 'settlement'],
      accounts.map((account) => [
        ...[account.id, account.name, account.tier, account.status],
        ...[feeInWords(account), settlementInWords(account)],
      ]),
    ),
  );
}

export async function show(id: string, options: { json?: boolean }): Promise<void> {
  const account = await withTransaction(({ client }) => requireAccount(client, id));
  print(options.json, presented(account), () => inFull(account));
}

/** Running servers know it within a second. What was posted before stays as it is. */
export async function set(id: string, options: TermsOptions & { json?: boolean }): Promise<void> {
  const wanted = readTerms(options);
  const changed = await withTransaction(async ({ client, actor }) => {
    const before = await lockAccount(client, id);
    const after = { ...before, ...wanted };
    await setTerms(client, id, after);
    await recordAudit(client, {
      actor: actor.name,
      action: 'account.terms',
      account: id,
      subject: id,
      details: { from: presentTerms(before), to: presentTerms(after) },
    });
    return after;
  });
  print(options.json, presented(changed), () => inFull(changed));
}

function presented(account: WholeAccount) {
  const { id, name, tier, rate_limit, status } = account;
  return { id, name, tier, rate_limit, status, ...presentTerms(account) };
}

function inFull(account: WholeAccount): string {
  return [
    `Account     ${account.id}`,
    `Name        ${account.name}`,
    `Status      ${account.status}`,
    `Tier        ${account.tier}, ${rateLimitOf(account)} requests per minute`,
    `Fee         ${feeInWords(account)}`,
    `Settlement  ${settlementInWords(account)}`,
  ].join('\n');
}

export async function setStatus(account: string, status: 'active' | 'suspended'): Promise<void> {
  await withTransaction(async ({ client, actor }) => {
    await setAccountStatus(client, account, status);
    await recordAudit(client, {
      actor: actor.name,
      action: `account.${status}`,
      account,
      subject: account,
      details: {},
    });
  });
  console.log(`${account} is ${status}.`);
}
