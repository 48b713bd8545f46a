import type { Clock } from '../base/clock.ts';
import type { Page } from '../base/page.ts';
import type { Reads } from '../base/reads.ts';
import type { Pool } from '../base/sql.ts';
import type { Connector, Notice } from './contract.ts';

/** How a connector reads its settings from the environment. Problems are reported before anything starts. */
export type SettingsReader = {
  text(name: string): string | undefined;
  number(name: string, otherwise: number, min: number, max: number): number;
  oneOf<T extends string>(name: string, allowed: readonly T[], otherwise: T): T;
  problem(text: string): void;
};

/** What the gateway offers to a connector. */
export type ConnectorTools = {
  /** For durable statements on tables of its own, on connections of its own. */
  pool: Pool;
  reads: Reads;
  clock: Clock;
  /** Where browsers and processors reach this gateway, without a slash at the end. */
  publicUrl: () => string;
  /** Handles a notice that arrived on one of its pages. Rejects when the notice could not be stored. */
  report: (notice: Notice) => Promise<void>;
};

export type CreatedConnector = {
  connector: Connector;
  /** Its own pages: for a cardholder's decision, for the processor's notices. */
  pages?: readonly Page[];
};

/** A processor as the gateway knows it: a folder, and a line in `index.ts`. */
export type ConnectorRegistration<Settings = unknown> = {
  name: string;
  /** Whether it only pretends to move money. Production does not accept such a connector for live mode. */
  isPretend?: boolean;
  settings(reader: SettingsReader): Settings;
  create(tools: ConnectorTools, settings: Settings): CreatedConnector;
};

/** The compiler checks that `create` takes the settings that `settings` reads. */
export function connector<Settings>(registration: ConnectorRegistration<Settings>): ConnectorRegistration {
  return registration;
}
