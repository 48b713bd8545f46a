import { BriefCache } from '../../../base/brief_cache.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Mode, Reads, Tenant } from '../../../base/reads.ts';
import type { Terms } from '../../../ledger/fee.ts';
import type { Foundation } from '../../../operations/services.ts';
import type { Dunning } from './account.ts';
import type { CardTestingLimits } from './card_testing.ts';
import type { MailSwitches } from './mail_kinds.ts';
import { findSettings, findTenantsWithMail, type TenantSettings } from './store.ts';

/** What an account pays, and when its money becomes available. */
export type TermsOf = (tenant: Tenant) => Promise<Terms>;

export type AccountServices = {
  terms: TermsOf;
  /** What the account is called. */
  accountName: (tenant: Tenant) => Promise<string>;
  accountMode: (tenant: Tenant) => Promise<Mode>;
  /** Whether no job may begin a charge. */
  isSuspended: (tenant: Tenant) => Promise<boolean>;
  /** When a failed charge of an invoice is tried again, and what happens to its subscription in the end. */
  dunningOf: (tenant: Tenant) => Promise<Dunning>;
  /** The limits against card testing at the checkout. */
  cardTestingLimitsOf: (tenant: Tenant) => Promise<CardTestingLimits & { isTestMode: boolean }>;
  /** Which kinds of mails customers get. */
  mailSwitchesOf: (tenant: Tenant) => Promise<MailSwitches>;
  /** Those that have switched a kind of mail on. */
  tenantsWithMail: (kind: string) => Promise<Tenant[]>;
};

declare module '../../../operations/services.ts' {
  interface ProvidedServices extends AccountServices {}
}

type SettingsSources = Pick<Foundation, 'directoryGraceMs'> & {
  reads: Pick<Reads, 'directory'>;
  clock: Pick<Clock, 'monotonic'>;
};

/**
 * The settings of accounts, which every payment that receives money needs. A change is known to all instances within a second. That an
 * account is suspended is never taken from the cache: a job that did so after the account was resumed would put its row off by a day.
 */
export function cachedSettings({ reads, clock, directoryGraceMs: staleMs }: SettingsSources): AccountServices {
  const cache = new BriefCache<Tenant, TenantSettings>({ clock, keptMs: 800, staleMs, entriesMax: 10_000 });
  const read = (tenant: Tenant) => findSettings(reads, tenant);
  const settingsOf = (tenant: Tenant) => cache.get(tenant, () => read(tenant));
  return {
    terms: async (tenant) => (await settingsOf(tenant)).terms,
    accountName: async (tenant) => (await settingsOf(tenant)).name,
    accountMode: async (tenant) => (await settingsOf(tenant)).mode,
    isSuspended: async (tenant) => (await settingsOf(tenant)).isSuspended && (await read(tenant)).isSuspended,
    dunningOf: async (tenant) => (await settingsOf(tenant)).dunning,
    cardTestingLimitsOf: async (tenant) => (await settingsOf(tenant)).cardTesting,
    tenantsWithMail: (kind) => findTenantsWithMail(reads, kind),
    mailSwitchesOf: async (tenant) => (await settingsOf(tenant)).mail,
  };
}
