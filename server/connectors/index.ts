import { assert } from '../base/errors.ts';
import type { Page } from '../base/page.ts';
import type { Mode } from '../base/reads.ts';
import type { CallLimits } from './ask.ts';
import type { Connector, Notice } from './contract.ts';
import { none } from './none/index.ts';
import type { ConnectorRegistration, ConnectorTools } from './registration.ts';
import { simulator } from './simulator/index.ts';

export type { CallLimits } from './ask.ts';

/** Every processor. A new one is a folder, and a line here. */
export const registrations: readonly ConnectorRegistration[] = [none, simulator];

/** Who takes payments, by mode. Live payments are taken by nobody until an operator says by whom. */
export const defaultConnectors: Readonly<Record<Mode, string>> = { test: simulator.name, live: none.name };

export type Connectors = {
  /** Who is asked for a new payment. */
  forMode(mode: Mode): Connector;
  /** Who was asked: an attempt keeps the name, and whatever the settings say now, only that processor knows of it. */
  byName(name: string): Connector;
  all: readonly Connector[];
  pages: readonly Page[];
  /** Of every call. */
  limits: CallLimits;
};

export type ConnectorOptions = {
  registrations: readonly ConnectorRegistration[];
  /** By name, as each registration has read them. */
  settings: Readonly<Record<string, unknown>>;
  /** Who takes the payments of each mode. */
  modes: Readonly<Record<Mode, string>>;
  tools: Omit<ConnectorTools, 'report'>;
  report: (notice: Notice, connector: string) => Promise<void>;
  limits: CallLimits;
};

export function createConnectors({ registrations, settings, modes, tools, report, limits }: ConnectorOptions) {
  const created = registrations.map(({ name, create }) =>
    create({ ...tools, report: (notice) => report(notice, name) }, settings[name]),
  );
  const all = created.map(({ connector }) => connector);
  const byName = (name: string): Connector => {
    const found = all.find((connector) => connector.name === name);
    assert(found, `there is no connector ${name}`);
    return found;
  };
  const byMode = { test: byName(modes.test), live: byName(modes.live) };
  const pages = created.flatMap((one) => one.pages ?? []);
  return { all, forMode: (mode: Mode) => byMode[mode], byName, pages, limits } satisfies Connectors;
}
