import type { Id } from '../../base/id.ts';

export type AccountId = Id<'acct'>;

export const tiers = ['standard', 'premium', 'enterprise'] as const;
export type Tier = (typeof tiers)[number];

export type Account = {
  id: AccountId;
  name: string;
  tier: Tier;
  /** Requests per minute; the enterprise tier's own number, null for the others. */
  rate_limit: number | null;
  status: 'active' | 'suspended';
};

export const testSettlements = ['delayed', 'immediate'] as const;

/** What an account pays for a payment, and when it has its money. */
export type AccountTerms = {
  /** Of the amount received, in millionths: 29000 is 2.9%. */
  fee_ppm: number;
  /** Beside it, by currency, in its smallest unit. */
  fee_fixed: Readonly<Record<string, number>>;
  settlement_days: number;
  /** Whether it waits in test mode as well. */
  test_settlement: (typeof testSettlements)[number];
};

export const standardRate = 100; // requests per minute; also what a client without a key gets
const premiumRate = 500;

export function rateLimitOf(account: { tier: string; rate_limit: number | null }): number {
  if (account.tier === 'enterprise') return account.rate_limit ?? premiumRate;
  return account.tier === 'premium' ? premiumRate : standardRate;
}
