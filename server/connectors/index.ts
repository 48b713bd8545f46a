import { assert } from '../base/errors.ts';
import type { Mode } from '../base/reads.ts';
import type { CallLimits } from './ask.ts';
import type { Connector, Notice } from './contract.ts';
import { none } from './none/index.ts';
import type { ConnectorRegistration, ConnectorTools } from './registration.ts';
import { simulator } from './simulator/index.ts';

/** Every processor. A new one is a folder, and a line here. */
export const registrations: readonly ConnectorRegistration[] = [none, simulator];

/** The connector of each mode. Live payments need an operator's choice. */
export const defaultConnectors: Readonly<Record<Mode, string>> = { test: simulator.name, live: none.name };

type ConnectorOptions = {
  registrations: readonly ConnectorRegistration[];
  /** By name, as each registration has read them. */
  settings: Readonly<Record<string, unknown>>;
  /** The name of the connector for new payments, by mode. */
  modes: Readonly<Record<Mode, string>>;
  tools: Omit<ConnectorTools, 'report'>;
  report: (notice: Notice, connector: string) => Promise<void>;
  /** For every call. */
  limits: CallLimits;
};

export type Connectors = ReturnType<typeof createConnectors>;

export function createConnectors({ registrations, settings, modes, tools, report, limits }: ConnectorOptions) {
  const created = registrations.map(({ name, create }) =>
    create({ ...tools, report: (notice) => report(notice, name) }, settings[name]),
  );
  const all: readonly Connector[] = created.map(({ connector }) => connector);
  /** An attempt keeps the name of its connector: whatever the settings say later, only that processor knows the attempt. */
  const byName = (name: string): Connector => {
    const found = all.find((connector) => connector.name === name);
    assert(found, `there is no connector ${name}`);
    return found;
  };
  const byMode = { test: byName(modes.test), live: byName(modes.live) };
  /** The connector for a new payment. */
  const forMode = (mode: Mode): Connector => byMode[mode];
  return { all, forMode, byName, pages: created.flatMap(({ pages = [] }) => pages), limits };
}
