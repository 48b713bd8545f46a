import type { Clock } from '../base/clock.ts';
import type { Committer } from '../base/commit/index.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Log } from '../base/log.ts';
import type { Mode, Reads, Tenant } from '../base/reads.ts';
import type { Pool } from '../base/sql.ts';
import type { Connectors } from '../connectors/index.ts';
import type { Terms } from '../ledger/fee.ts';
import type { Vault } from '../vault/index.ts';

/** Whether an address may be sent to; the reason when it may not. */
export type Targets = { check(url: string, mode: Mode): Promise<string | undefined> };

/** What an account pays, and when its money becomes available. */
export type TermsOf = (tenant: Tenant) => Promise<Terms>;

/** What the running server offers to operations, duties and notice handlers. */
export type Services = {
  clock: Clock;
  log: Log;
  keyring: Keyring;
  reads: Reads;
  /** For durable statements beside the committer: leases, steps of a recovery. */
  durable: Pool;
  committer: Committer;
  vault: Vault;
  connectors: Connectors;
  targets: Targets;
  terms: TermsOf;
  /** Told when something was committed that becomes due at this moment, epoch milliseconds. */
  onDue: (moment: number) => void;
};
