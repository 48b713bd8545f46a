import type { Clock } from '../base/clock.ts';
import type { Committer } from '../base/commit/index.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Log } from '../base/log.ts';
import type { Mode, Reads, Tenant } from '../base/reads.ts';
import type { Pool } from '../base/sql.ts';
import type { Tracing } from '../base/tracing/tracing.ts';
import type { Connectors } from '../connectors/index.ts';
import type { Terms } from '../ledger/fee.ts';
import type { SendRequest, Sent } from '../outbox/send.ts';
import type { Dunning } from '../resources/billing/invoices/dunning.ts';
import type { Changes } from '../resources/events/changes/tails.ts';
import type { LaneLimits } from '../resources/events/webhook_endpoints/deliveries/lanes.ts';
import type { UnmatchedNotices } from '../resources/payments/attempts/unmatched.ts';
import type { ProcessorAccounts } from '../resources/payments/processor_accounts/processors.ts';
import type { RoutesOf } from '../resources/payments/routing/routes.ts';
import type { RefusedActRecorder } from '../resources/people/audit_log/refused.ts';
import type { SignInGuesses } from '../resources/people/sessions/guesses.ts';
import type { Vault } from '../vault/index.ts';

/** Checks whether webhooks may be sent to a URL; gives the reason when they may not. */
export type Targets = { check(url: string, mode: Mode): Promise<string | undefined> };

/** Sends a webhook of a tenant: over the network, or to an inbox. It never rejects. */
export type WebhookSender = { send(request: SendRequest & { tenant: Tenant }): Promise<Sent>; close(): Promise<void> };

/** What an account pays, and when its money becomes available. */
export type TermsOf = (tenant: Tenant) => Promise<Terms>;

/** How webhooks are sent. */
export type WebhookSettings = {
  limits: LaneLimits;
  /** Called with the outcome of each attempt, for the metrics. */
  onAttempt: (outcome: 'delivered' | 'pending' | 'exhausted') => void;
  tracing?: Tracing;
};

/** What the running server offers to operations, duties, loops and notice handlers. */
export type Services = {
  clock: Clock;
  log: Log;
  keyring: Keyring;
  reads: Reads;
  /** For durable statements beside the committer: leases, steps of a recovery. */
  durable: Pool;
  /** For the leases of deliveries, which need not be durable. A pool of its own: no request waits behind the deliverer. */
  leases: Pool;
  committer: Committer;
  vault: Vault;
  connectors: Connectors;
  processorAccounts: ProcessorAccounts;
  /** Where browsers and processors reach this gateway, without a slash at the end. Never from a request's `Host`. */
  publicUrl: () => string;
  /** The processor accounts of a tenant, and the rules by which they are chosen. */
  routes: RoutesOf;
  targets: Targets;
  sender: WebhookSender;
  webhooks: WebhookSettings;
  terms: TermsOf;
  /** When a failed charge of an invoice is tried again, and what happens to its subscription in the end. */
  /** Whether no job may begin a charge. */
  isSuspended: (tenant: Tenant) => Promise<boolean>;
  dunningOf: (tenant: Tenant) => Promise<Dunning>;
  /** Counts tries to sign in. */
  signIns: SignInGuesses;
  /** Tells the audit log what somebody was refused. */
  refusedActs: RefusedActRecorder;
  /** Takes notices about what is not known here. */
  unmatchedNotices: UnmatchedNotices;
  /** Tells those who look at an account what happens in it. */
  changes: Changes;
  /** From 0 to 1. */
  random: () => number;
  /** Called after a commit of rows that become due at this moment, epoch milliseconds; for one duty or loop, or for all. */
  onDue: (moment: number, name?: string) => void;
  /** Starts a run of the duty or loop of this name: now, or right after the run in progress. */
  wake: (name: string) => void;
};
