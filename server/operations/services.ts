import type { Clock } from '../base/clock.ts';
import type { AnyUnit, Commits, Unit } from '../base/commit/index.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Log } from '../base/log.ts';
import type { SqlAt } from '../base/places/sql_at.ts';
import type { Mode, Reads, Tenant } from '../base/reads.ts';
import type { Tracing } from '../base/tracing/tracing.ts';
import type { Connectors } from '../connectors/index.ts';
import type { MailSender } from '../mail/sender.ts';
import type { SendRequest, Sent } from '../outbox/send.ts';
import type { Vault } from '../vault/index.ts';

/** Checks whether webhooks may be sent to a URL; gives the reason when they may not. */
export type Targets = { check(url: string, mode: Mode): Promise<string | undefined> };

/** Sends a webhook of a tenant: over the network, or to an inbox. It never rejects. */
export type WebhookSender = { send(request: SendRequest & { tenant: Tenant }): Promise<Sent>; close(): Promise<void> };

/** How webhooks are sent. */
export type WebhookSettings = {
  limits: {
    /** Requests to one endpoint at a time. */
    perEndpoint: number;
    /** Leased deliveries of one instance. */
    perInstance: number;
    /** Bytes of large payloads that one instance sends at a time. */
    bytesInFlight?: number;
  };
  /** Called with the outcome of each attempt, for the metrics. */
  onAttempt: (outcome: 'delivered' | 'pending' | 'exhausted') => void;
  tracing?: Tracing;
};

/**
 * The services that resources provide to operations and jobs, their own and those of others. A resource adds its members by declaration
 * merging, beside the `provides` that makes them: this file stays free of nouns.
 */
// biome-ignore lint/suspicious/noEmptyInterface: resources add members to it.
export interface ProvidedServices {}

/** What the metrics count for services of resources. They add members in the same way. */
// biome-ignore lint/suspicious/noEmptyInterface: resources add members to it.
export interface ServiceCounters {}

/** What the services of resources are made from. */
export type Foundation = {
  clock: Clock;
  log: Log;
  keyring: Keyring;
  reads: Reads;
  /** For rows whose loss in a crash of the database is harmless. */
  relaxed: SqlAt;
  vault: Vault;
  mail: MailSender;
  count: ServiceCounters;
  /** For how long what the directory said last is used while it is down; 0 where it is down with everything else. */
  directoryGraceMs: number;
};

/** A resource's services, and what has to happen for them. */
export type ResourceServices = {
  services: Partial<ProvidedServices>;
  /**
   * Called before each commit of this instance: gives the unit with further rows. Undefined: there are none, and nothing is waited for. It
   * must be cheap, and must not fail because of what is in the unit.
   */
  beforeCommit?(unit: Unit): Promise<Unit> | undefined;
  /** Called after each commit of this instance. */
  committed?(unit: AnyUnit): void;
  close?(): Promise<void>;
};

/** What an operation may use. The executor writes what it decides; some services keep counts and logs of their own. */
export type OperationServices = ProvidedServices & {
  reads: Reads;
  vault: Vault;
  keyring: Keyring;
  connectors: Connectors;
  /** Where browsers and processors reach this gateway, without a slash at the end. Never from a request's `Host`. */
  publicUrl: () => string;
  /** Whether customers type live card numbers into fields of this gateway: PCI SAQ D. */
  ownCardFields: boolean;
  targets: Targets;
  mail: MailSender;
};

/** What the running server offers to jobs, loops and notice handlers. */
export type Services = OperationServices & {
  clock: Clock;
  log: Log;
  /** For durable statements beside the committer: leases, steps of a recovery. */
  durable: SqlAt;
  /** For the leases of deliveries, which need not be durable. A separate pool: no request waits behind the deliverer. */
  leases: SqlAt;
  committer: Commits;
  sender: WebhookSender;
  webhooks: WebhookSettings;
  /** From 0 to 1. */
  random: () => number;
  /** Called after a commit of rows that become due at this moment, epoch milliseconds; for one job or loop, or for all. */
  onDue: (moment: number, name?: string) => void;
  /** Starts a run of the job or loop of this name: now, or right after the run in progress. */
  wake: (name: string) => void;
};
