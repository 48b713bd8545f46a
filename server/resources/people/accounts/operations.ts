import { currencyOf } from '../../../base/currency.ts';
import { assert } from '../../../base/errors.ts';
import { newId } from '../../../base/id.ts';
import { type Caller, callerAccount } from '../../../operations/caller.ts';
import { apiError } from '../../../operations/errors.ts';
import { pageOf } from '../../../operations/list.ts';
import { type Context, type DirectoryOutcome, operation } from '../../../operations/operation.ts';
import { rangeOf } from '../../../operations/range.ts';
import { permits } from '../../../operations/role.ts';
import { ListOf, listParameters, Parameters } from '../../../operations/schemas.ts';
import { issueKey } from '../api_keys/issue.ts';
import {
  type Account,
  changeAccount,
  changeTier,
  firstKeyName,
  newAccount,
  serializeCardTesting,
  serializeDunning,
  serializeMail,
  serializeTerms,
  type TierChoice,
} from './account.ts';
import {
  AccountInput,
  AccountOutput,
  AccountWithKeysOutput,
  NewAccountInput,
  OwnAccountInput,
  serializeAccount,
} from './schema.ts';
import { addAccount, findAccount, findAccounts, replaceAccount, takeTenants } from './store.ts';

const firstKey = { name: firstKeyName, scopes: null, allowed_ips: null, signature_required: false, expires_at: null };

async function requireAccount({ reads }: Context, id: string): Promise<Account> {
  const account = await findAccount(reads, id);
  if (account === undefined) throw apiError('resource_missing', { param: 'id', resource: 'account' });
  return account;
}

function checkTier({ tier, rate_limit }: TierChoice): void {
  if (tier === 'enterprise' && rate_limit === null) throw apiError('parameter_missing', { param: 'rate_limit' });
  const reason = 'it belongs to the enterprise tier; the other tiers have fixed limits';
  if (tier !== 'enterprise' && rate_limit !== null)
    throw apiError('parameter_invalid', { param: 'rate_limit', reason });
}

function checkCurrencies(fixedFees: object): void {
  const reason = 'its keys must be three-letter codes of currencies in use, in lower case';
  if (Object.keys(fixedFees).some((code) => currencyOf(code) !== code))
    throw apiError('parameter_invalid', { param: 'fee_fixed', reason });
}

function checkDays(days: readonly number[]): void {
  const reason = 'it must be ascending, each day once, such as 1, 3, 5, 7';
  if (days.some((day, at) => at > 0 && day <= days[at - 1]!))
    throw apiError('parameter_invalid', { param: 'dunning_days', reason });
}

const create = operation({
  home: 'directory',
  callers: ['operator'],
  name: 'accounts.create',
  summary: 'Create an account with a secret key for each mode',
  route: 'POST /accounts',
  input: NewAccountInput,
  output: AccountWithKeysOutput,
  check({ tier = 'standard', rate_limit = null }) {
    checkTier({ tier, rate_limit });
  },
  async run(context, { name, tier = 'standard', rate_limit = null }) {
    const account = newAccount(newId('acct', context.now), { name, tier, rate_limit });
    const tenants = await takeTenants(context.reads, account.id);
    const keys = tenants.map((tenant) => issueKey({ ...context, ...tenant }, firstKey));
    const [test, live] = keys.map(({ shown }) => shown);
    const created = { action: 'account.created', subject: account.id, details: { name, tier, rate_limit } };
    return {
      result: { ...serializeAccount(account), test_secret_key: test, live_secret_key: live },
      objectId: account.id,
      writes: [...addAccount(account, tenants), ...keys.map(({ write }) => write)],
      audit: [created, ...keys.map(({ audit }) => audit)].map((entry) => ({ ...entry, accounts: [account.id] })),
    };
  },
});

const retrieve = operation({
  home: 'directory',
  callers: ['operator'],
  name: 'accounts.retrieve',
  summary: 'Retrieve an account',
  route: 'GET /accounts/:id',
  output: AccountOutput,
  async run(context) {
    const account = await requireAccount(context, context.id);
    return { result: serializeAccount(account), objectId: account.id };
  },
});

const list = operation({
  home: 'directory',
  callers: ['operator'],
  name: 'accounts.list',
  summary: 'List accounts',
  route: 'GET /accounts',
  input: Parameters(listParameters),
  output: ListOf(AccountOutput),
  async run({ reads }, input) {
    const range = rangeOf(input, 'acct');
    const rows = await findAccounts(reads, range);
    return { result: pageOf(range, rows, { url: '/v1/accounts', serialize: serializeAccount }) };
  },
});

type AccountChange = { action: string; details: object };

/** Running servers know a change within a second. */
function changed(account: Account, changes: readonly AccountChange[]): DirectoryOutcome {
  return {
    result: serializeAccount(account),
    objectId: account.id,
    writes: [replaceAccount(account)],
    audit: changes.map((change) => ({ ...change, accounts: [account.id], subject: account.id })),
  };
}

function recorded(action: string, serialize: (account: Account) => object, from: Account, to: Account) {
  return { action, details: { from: serialize(from), to: serialize(to) } };
}

const tierOf = ({ tier, rate_limit }: Account): TierChoice => ({ tier, rate_limit });

const update = operation({
  home: 'directory',
  callers: ['operator'],
  name: 'accounts.update',
  summary: 'Change the tier, the fees, the settlement, the dunning and the mails of an account',
  route: 'POST /accounts/:id',
  input: AccountInput,
  output: AccountOutput,
  check({ fee_fixed = {}, dunning_days = [] }) {
    checkCurrencies(fee_fixed);
    checkDays(dunning_days);
  },
  /** Earlier postings stay as they are: the terms hold for payments that receive their money from now on. */
  async run(context, { tier, rate_limit, dunning_days, dunning_end, mail, ...terms }) {
    const before = await requireAccount(context, context.id);
    const chosen = changeTier(before, { tier, rate_limit });
    checkTier(chosen);
    const dunning = {
      dunning_days: dunning_days ?? before.dunning_days,
      dunning_end: dunning_end ?? before.dunning_end,
    };
    const switches = { mail: { ...before.mail, ...mail } };
    const after = changeAccount(before, { ...terms, ...chosen, ...dunning, ...switches });
    const isTierGiven = tier !== undefined || rate_limit !== undefined;
    const isDunningGiven = dunning_days !== undefined || dunning_end !== undefined;
    return changed(after, [
      ...(Object.keys(terms).length > 0 ? [recorded('account.terms', serializeTerms, before, after)] : []),
      ...(isTierGiven ? [recorded('account.tier', tierOf, before, after)] : []),
      ...(isDunningGiven ? [recorded('account.dunning', serializeDunning, before, after)] : []),
      ...(mail === undefined ? [] : [recorded('account.mail', serializeMail, before, after)]),
    ]);
  },
});

const setStatus = (verb: 'suspend' | 'resume', summary: string, status: Account['status']) =>
  operation({
    home: 'directory',
    callers: ['operator'],
    name: `accounts.${verb}`,
    summary,
    route: `POST /accounts/:id/${verb}`,
    output: AccountOutput,
    async run(context) {
      const before = await requireAccount(context, context.id);
      if (before.status === status) return { result: serializeAccount(before), objectId: before.id };
      const account = changeAccount(before, { status });
      return changed(account, [{ action: `account.${status}`, details: {} }]);
    },
  });

/** The account that the caller acts for. */
async function ownAccount(context: Context): Promise<Account> {
  const id = callerAccount(context.caller);
  assert(id !== null, 'a person or an operator acts for an account here');
  return requireAccount(context, id);
}

const retrieveOwn = operation({
  home: 'directory',
  callers: ['person', 'operator'],
  name: 'account.retrieve',
  summary: 'Retrieve the account',
  description: 'Returns the account that the request is for, with the terms that the operator has agreed with it.',
  route: 'GET /account',
  output: AccountOutput,
  async run(context) {
    const account = await ownAccount(context);
    return { result: serializeAccount(account), objectId: account.id };
  },
});

const updateOwn = operation({
  home: 'directory',
  callers: ['person', 'operator'],
  name: 'account.update',
  summary: 'Update the account',
  description:
    'Changes only what it names, for both modes; running servers know it within a second. Tier, fees and settlement are terms that the operator sets.',
  route: 'POST /account',
  input: OwnAccountInput,
  output: AccountOutput,
  check({ name, dunning_days = [] }) {
    if (name?.trim() === '') throw apiError('parameter_invalid', { param: 'name', reason: 'it must not be blank' });
    checkDays(dunning_days);
  },
  async run(context, wanted) {
    const before = await ownAccount(context);
    if (wanted.totp_required !== undefined) checkTotpChange(context.caller, wanted.totp_required);
    if (wanted.card_testing !== undefined) checkOwner(context.caller, 'change the limits against card testing');
    if (wanted.mail !== undefined) checkOwner(context.caller, 'decide which mails customers get');
    const card_testing = { ...before.card_testing, ...wanted.card_testing };
    const mail = { ...before.mail, ...wanted.mail };
    const after = changeAccount(before, { ...wanted, card_testing, mail });
    const changes = ownSettings
      .map(([action, serialize]) => recorded(action, serialize, before, after))
      .filter(({ details: { from, to } }) => JSON.stringify(from) !== JSON.stringify(to));
    if (changes.length === 0) return { result: serializeAccount(before), objectId: before.id };
    return changed(after, changes);
  },
});

/** Who switches it on without an authenticator would lock themselves out. */
function checkTotpChange(caller: Caller, isRequired: boolean): void {
  if (caller.kind !== 'person') return;
  if (!permits(caller.role!, caller.mode, 'people'))
    throw apiError('role_missing', { reason: 'Only owners decide whether everybody needs an authenticator.' });
  if (isRequired && !caller.person.totpEnabled)
    throw apiError('parameter_invalid', { param: 'totp_required', reason: 'set up an authenticator yourself first' });
}

/** Of settings that are about live mode too, whatever mode somebody works in. */
function checkOwner(caller: Caller, what: string): void {
  if (caller.kind === 'person' && !permits(caller.role!, 'live', 'settings'))
    throw apiError('role_missing', { reason: `Only owners ${what}.` });
}

/** What an account can change, by the name that a change has in the audit log. */
const ownSettings = [
  ['account.renamed', ({ name }: Account) => ({ name })],
  ['account.terms', serializeTerms],
  ['account.dunning', serializeDunning],
  ['account.card_testing', serializeCardTesting],
  ['account.mail', serializeMail],
  ['account.totp_required', ({ totp_required }: Account) => ({ totp_required })],
] as const;

export const accountOperations = [
  retrieveOwn,
  updateOwn,
  create,
  retrieve,
  list,
  update,
  setStatus('suspend', 'Refuse all requests of an account', 'suspended'),
  setStatus('resume', 'Accept requests of a suspended account again', 'active'),
];
