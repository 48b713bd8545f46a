import type { Id } from '../../../base/id.ts';
import { type CardTestingLimits, limitsWith } from './card_testing.ts';
import { type MailSwitches, switchesWith } from './mail_kinds.ts';

export type AccountId = Id<'acct'>;

export const tiers = ['standard', 'premium', 'enterprise'] as const;
export type Tier = (typeof tiers)[number];

export const accountStatuses = ['active', 'suspended'] as const;
export const testSettlements = ['delayed', 'immediate'] as const;
export const dunningEnds = ['canceled', 'unpaid', 'past_due'] as const;

/** What an account pays for a payment, and when its money becomes available. */
export type AccountTerms = {
  /** Of the amount received, in millionths: 29000 is 2.9%. */
  fee_ppm: number;
  /** In addition, by currency, in its smallest unit. */
  fee_fixed: Readonly<Record<string, number>>;
  settlement_days: number;
  /** Whether money becomes available with the same delay in test mode, or immediately. */
  test_settlement: (typeof testSettlements)[number];
};

/** When a failed charge of an invoice is tried again, and what happens to its subscription in the end. */
export type AccountDunning = {
  /** Days after the first failure, ascending. */
  dunning_days: readonly number[];
  dunning_end: (typeof dunningEnds)[number];
};

/** The same, as billing uses it. */
export type Dunning = { days: AccountDunning['dunning_days']; end: AccountDunning['dunning_end'] };

export type Account = AccountTerms &
  AccountDunning & {
    id: AccountId;
    version: number;
    name: string;
    tier: Tier;
    /** Requests per minute: the enterprise tier's own number, null for the others. */
    rate_limit: number | null;
    status: (typeof accountStatuses)[number];
    /** Whether a member without an authenticator can do nothing but set one up. */
    totp_required: boolean;
    /** The limits against card testing that it has changed. */
    card_testing: Partial<CardTestingLimits>;
    /** The kinds of mails to customers that it has switched on or off. */
    mail: Partial<MailSwitches>;
  };

/** The name of the keys that a new account gets. */
export const firstKeyName = 'first key';

const firstTerms: AccountTerms = { fee_ppm: 0, fee_fixed: {}, settlement_days: 2, test_settlement: 'delayed' };
const firstDunning: AccountDunning = { dunning_days: [1, 3, 5, 7], dunning_end: 'canceled' };

export function newAccount(id: AccountId, chosen: TierChoice & Pick<Account, 'name'>): Account {
  return {
    id,
    version: 1,
    ...chosen,
    status: 'active',
    totp_required: false,
    card_testing: {},
    mail: {},
    ...firstTerms,
    ...firstDunning,
  };
}

export function changeAccount(before: Account, change: Partial<Account>): Account {
  return { ...before, ...change, version: before.version + 1 };
}

export type TierChoice = Pick<Account, 'tier' | 'rate_limit'>;

/** The enterprise tier keeps its rate limit until another one is chosen. The other tiers have fixed ones. */
export function changeTier(
  before: TierChoice,
  { tier = before.tier, rate_limit }: { tier: Tier | undefined; rate_limit: number | undefined },
): TierChoice {
  return { tier, rate_limit: rate_limit ?? (tier === 'enterprise' ? before.rate_limit : null) };
}

export type ShownTerms = ReturnType<typeof serializeTerms>;

export function serializeTerms({ fee_ppm, fee_fixed, settlement_days, test_settlement }: AccountTerms) {
  return { fee_percent: percentOf(fee_ppm), fee_fixed, settlement_days, test_settlement };
}

export function serializeDunning({ dunning_days, dunning_end }: AccountDunning) {
  return { dunning_days, dunning_end };
}

export function serializeCardTesting({ card_testing }: Pick<Account, 'card_testing'>) {
  return { card_testing: limitsWith(card_testing) };
}

export function serializeMail({ mail }: Pick<Account, 'mail'>) {
  return { mail: switchesWith(mail) };
}

export const ppmOfPercent = 10_000;

/** As text, because that is exact. */
export function percentOf(ppm: number): string {
  const decimals = String(ppm % ppmOfPercent)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return `${Math.floor(ppm / ppmOfPercent)}${decimals === '' ? '' : `.${decimals}`}`;
}

export const standardRate = 100; // requests per minute; also what a client without a key gets
const premiumRate = 500;

export function rateLimitOf(account: { tier: string; rate_limit: number | null }): number {
  if (account.tier === 'enterprise') return account.rate_limit ?? premiumRate;
  return account.tier === 'premium' ? premiumRate : standardRate;
}

/** The command that gives an account on a developer's machine room to try things. */
export function raiseLimitCommand(account: string): string {
  return `npx tollgate accounts set ${account} --tier enterprise --rate-limit 10000`;
}
