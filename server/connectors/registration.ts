import type { Clock } from '../base/clock.ts';
import type { Page } from '../base/page.ts';
import type { SqlAt } from '../base/places/sql_at.ts';
import type { Mode, Reads, Tenant } from '../base/reads.ts';
import type { Secret } from '../base/secret.ts';
import type { AnySetting, SettingsReader } from '../base/setting.ts';
import type { Connector, Notice, ProcessorAccountId, ProcessorFields } from './contract.ts';

export type { SettingsReader };

/** The services of the gateway for a connector. */
export type ConnectorTools = {
  /** For durable statements on the connector's own tables, on separate connections. */
  durable: SqlAt;
  reads: Reads;
  clock: Clock;
  /** Where browsers and processors reach this gateway, without a slash at the end. */
  publicUrl: () => string;
  /** Handles a notice that arrived on one of its pages. Rejects when the notice could not be stored. */
  report: (notice: Notice) => Promise<void>;
};

/** A value that an account at a processor needs. */
export type AccountField = {
  name: string;
  kind: 'text' | 'flag';
  isRequired: boolean;
  description: string;
  /** The values that a text can have; any when not given. */
  choices?: readonly string[];
  /** Of a setting that decides where the credentials are sent: changing it takes the credentials in the same request. */
  directsCredentials?: boolean;
};

type FieldValues = Readonly<Record<string, string | boolean>>;

/** An account at a processor, with its credentials in memory. */
export type OpenAccount = {
  id: ProcessorAccountId;
  tenant: Tenant;
  mode: Mode;
  credentials: Readonly<Record<string, Secret>>;
  settings: FieldValues;
};

/** An account, and since when its credentials are known to be of one account at the processor, in epoch milliseconds; undefined: always. */
export type OpenedAccount = OpenAccount & { credentialsSince?: number | undefined };

/** The parts of an account at a processor. A connector without it serves all tenants, and has no accounts. */
export type AccountForm = {
  credentials: readonly AccountField[];
  settings: readonly AccountField[];
  /** Test mode only: for a processor that only pretends to move money. */
  modes: readonly Mode[];
  /** The problem with the values, such as credentials of the other mode; undefined: nothing. No network is asked. */
  objection(account: Omit<OpenAccount, 'id' | 'tenant'>): { param: string; reason: string } | undefined;
  open(account: OpenAccount): Connector;
};

export type CreatedConnector = {
  /** For all tenants, without credentials. */
  connector?: Connector;
  accounts?: AccountForm;
  /** Its own pages: for a cardholder's decision. */
  pages?: readonly Page[];
};

/** A processor as the gateway knows it: a folder, and a line in `index.ts`. */
export type ConnectorRegistration<Settings = unknown> = {
  name: string;
  /** Whether it only pretends to move money. Production does not accept such a connector for live mode. */
  isPretend?: boolean;
  /** Whether it serves through processor accounts alone, so that it cannot be the connector of a mode. */
  needsAccount?: boolean;
  /** The settings of the environment that it reads. */
  declares?: readonly AnySetting[];
  /** Reads them. Problems are reported before anything starts. */
  settings(reader: SettingsReader): Settings;
  /** The fields that its accounts can have in our page, as the list of scripts of that page shows them. */
  fields?: Pick<ProcessorFields, 'script' | 'hosts'>;
  create(tools: ConnectorTools, settings: Settings): CreatedConnector;
};

/** The compiler checks that `create` takes the settings that `settings` reads. */
export function connector<Settings>(registration: ConnectorRegistration<Settings>): ConnectorRegistration {
  return registration;
}
