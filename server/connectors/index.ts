import { assert } from '../base/errors.ts';
import type { Mode, Tenant } from '../base/reads.ts';
import type { CallLimits } from './ask.ts';
import type { Connector, Notice, ProcessorAccountId } from './contract.ts';
import { none } from './none/index.ts';
import type { AccountForm, ConnectorRegistration, ConnectorTools, OpenAccount, OpenedAccount } from './registration.ts';
import { simulator } from './simulator/index.ts';
import { stripe } from './stripe/index.ts';

/** Every processor. A new one is a folder, and a line here. */
export const registrations: readonly ConnectorRegistration[] = [none, simulator, stripe];

/** The connector of each mode. Live payments need an operator's choice. */
export const defaultConnectors: Readonly<Record<Mode, string>> = { test: simulator.name, live: none.name };

/** The source of an attempt or of a dispute: a connector, and the processor account if there is one. */
export type ProcessorOf = { tenant: Tenant; connector: string; processor_account: ProcessorAccountId | null };

/** Where a notice comes from. */
export type NoticeSource = Omit<ProcessorOf, 'tenant'>;

/** Where a notice of a connector comes from: the processor account that it names, if it names one. */
export function sourceOf(connector: string, { account }: Pick<Notice, 'account'>): NoticeSource {
  return { connector, processor_account: account ?? null };
}

type ConnectorOptions = {
  registrations: readonly ConnectorRegistration[];
  /** By name, as each registration has read them. */
  settings: Readonly<Record<string, unknown>>;
  /** The name of the connector for new payments without a processor account, by mode. */
  modes: Readonly<Record<Mode, string>>;
  tools: Omit<ConnectorTools, 'report'>;
  report: (notice: Notice, source: NoticeSource) => Promise<void>;
  /** A processor account with its credentials. Rejects when there is none. */
  openAccount: (tenant: Tenant, id: ProcessorAccountId) => Promise<OpenedAccount>;
  /** For every call. */
  limits: CallLimits;
};

export type Connectors = ReturnType<typeof createConnectors>;

export function createConnectors(options: ConnectorOptions) {
  const { registrations, settings, modes, tools, report, openAccount, limits } = options;
  const created = new Map(
    registrations.map(({ name, create }) => {
      const named = (notice: Notice) => report(notice, sourceOf(name, notice));
      return [name, create({ ...tools, report: named }, settings[name])];
    }),
  );
  const all: readonly Connector[] = [...created.values()].flatMap(({ connector }) => connector ?? []);
  const byName = (name: string): Connector => {
    const found = created.get(name)?.connector;
    assert(found, `there is no connector ${name}`);
    return found;
  };
  const byMode = { test: byName(modes.test), live: byName(modes.live) };
  /** The parts of an account at a processor; undefined when the connector has no accounts. */
  const formOf = (name: string): AccountForm | undefined => created.get(name)?.accounts;
  const open = (name: string, account: OpenAccount): Connector => {
    const form = formOf(name);
    assert(form, `the connector ${name} has no accounts`);
    return form.open(account);
  };
  return {
    /** Those that serve without a processor account. */
    all,
    /** The names of those that have accounts. */
    names: [...created].filter(([, { accounts }]) => accounts !== undefined).map(([name]) => name),
    formOf,
    open,
    byName,
    /** The connector for a new payment without a processor account. */
    forMode: (mode: Mode): Connector => byMode[mode],
    /** Whatever the settings say later, only the processor that was asked knows an attempt. */
    of: async ({ tenant, connector, processor_account }: ProcessorOf): Promise<Connector> =>
      processor_account === null ? byName(connector) : open(connector, await openAccount(tenant, processor_account)),
    /**
     * Since when the credentials of a processor account are known to be of one account at the processor; undefined: always. Read after
     * the connector was opened, it is never older than the credentials in there.
     */
    credentialsSince: async ({ tenant, processor_account }: ProcessorOf): Promise<number | undefined> =>
      processor_account === null ? undefined : (await openAccount(tenant, processor_account)).credentialsSince,
    pages: [...created.values()].flatMap(({ pages = [] }) => pages),
    limits,
  };
}
