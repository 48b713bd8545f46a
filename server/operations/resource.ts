import type { TSchema } from 'typebox';
import type { AnyUnit, Derived, Unit } from '../base/commit/index.ts';
import { assert, type ErrorRows } from '../base/errors.ts';
import type { Page } from '../base/page.ts';
import type { Executor } from './executor.ts';
import type { ResourceGauge } from './gauge.ts';
import type { BackgroundLoop, Job, MaintenanceTask } from './job.ts';
import type { MailKind, PersonMailSample } from './mail_kind.ts';
import type { NoticeHandlers } from './notice_handlers.ts';
import type { AnyOperation } from './operation.ts';
import type { Foundation, ProvidedServices, ResourceServices, Services } from './services.ts';

/** What jobs and pages are given: they run operations exactly as a request does. */
export type JobServices = Services & { executor: Executor };

/** The declarations of all resources, for operations and jobs that depend on those of others. */
export type Declared = {
  /** Every type of event that there is. */
  eventTypes: readonly string[];
  events: EventDeclarations;
  /** Every scope that a restricted key can have. */
  scopes: readonly string[];
  errors: ErrorRows;
  mailKinds: readonly MailKind[];
  personMailKinds: readonly PersonMailSample[];
  /** An operation by its name, for jobs that run one. */
  operation(name: string): AnyOperation;
  /** Every operation that there is, for what follows from all of them. It is known once all are declared. */
  everyOperation(): readonly AnyOperation[];
  /** The operations at a path, such as `/v1/payments/:id`. */
  operationsAt(path: string): readonly AnyOperation[];
  /** What resources contribute to an extension point. */
  extensionsOf<T>(point: ExtensionPoint<T>): readonly T[];
};

/**
 * A noun of the API, with everything that belongs to it. A member that depends on all resources, or on the running server, is a
 * function of those.
 */
export type Resource = ShownInReference & {
  name: string;
  /** What a restricted key can be granted: each name stands for `<name>:read` and `<name>:write`. */
  scopes?: readonly string[];
  errors?: ErrorRows;
  events?: EventDeclarations;
  /** The mails that customers get about it. */
  mails?: readonly MailKind[];
  /** The mails that people who work with the gateway get about it. */
  personMails?: readonly PersonMailSample[];
  /** Its services for operations and jobs, made from those of the resources before it. */
  provides?: (foundation: Foundation & ProvidedServices, declared: Declared) => ResourceServices;
  operations?: readonly AnyOperation[] | ((declared: Declared) => readonly AnyOperation[]);
  /** What happens to it later: rows that become due. */
  jobs?: (services: JobServices, declared: Declared) => readonly Job[];
  /** Work at its own interval, beside the jobs. */
  loops?: (services: Services, declared: Declared) => readonly BackgroundLoop[];
  /** Handlers of what processors report about it. */
  notices?: (services: Services, declared: Declared) => NoticeHandlers;
  /** Paths that are served without an API key. */
  pages?: (services: JobServices, declared: Declared) => readonly Page[];
  /** Housekeeping, once a minute. */
  maintenance?: readonly MaintenanceTask[];
  /** What an operator should see of its rows in the metrics. */
  gauges?: readonly ResourceGauge[];
  /** Rows that are derived from the rows of other tables, and the loop or job that new ones wake. */
  derived?: readonly DerivedRows[];
  /** What it adds to resources that it builds on. */
  extensions?: readonly Extension[];
};

/** The groups of the reference, in their order. */
export const referenceGroups = ['Payments', 'Billing', 'Webhooks', 'Developers', 'People'] as const;

/** Where the reference shows a resource. In its group, resources are in the order of their positions. */
export type ReferencePlace = { group: (typeof referenceGroups)[number]; position: number };

/** A resource that the reference shows says in one sentence what it is, and where it belongs. */
type ShownInReference = { about: string; place: ReferencePlace } | { about?: undefined; place?: undefined };

/** Types of events, each with the sentence that says when it happens and the schema of the object in it. */
export type EventDeclarations = Readonly<Record<string, { when: string; schema: TSchema }>>;

/** Declares types of events by when they happen. Their objects have one schema, except those that `others` names. */
export function eventsOf<Type extends string>(
  descriptions: Readonly<Record<Type, string>>,
  schema: TSchema,
  others: { readonly [Name in Type]?: TSchema } = {},
): EventDeclarations {
  const types = Object.keys(descriptions) as Type[];
  return Object.fromEntries(types.map((type) => [type, { when: descriptions[type], schema: others[type] ?? schema }]));
}

/** `wakes`: the loop or job that works on them, if one does. */
export type DerivedRows = Derived & { wakes?: string };

export function resource(definition: Resource): Resource {
  return definition;
}

/** A question that a resource asks of those that build on it. Imports go one way, so the answers are passed in. */
export type ExtensionPoint<T> = { readonly name: string; with(extension: T): Extension };
export type Extension = { point: string; value: unknown };

export function extensionPoint<T>(name: string): ExtensionPoint<T> {
  return { name, with: (value) => ({ point: name, value }) };
}

/** The services of all resources. */
export type AllProvided = {
  services: ProvidedServices;
  beforeCommit(unit: Unit): Promise<Unit> | undefined;
  committed(unit: AnyUnit): void;
  close(): Promise<void>;
};

export type Catalog = Declared & {
  provide(foundation: Foundation): AllProvided;
  resources: readonly Resource[];
  operations: readonly AnyOperation[];
  jobs(services: JobServices): readonly Job[];
  loops(services: Services): readonly BackgroundLoop[];
  noticeHandlers(services: Services): readonly NoticeHandlers[];
  pages(services: JobServices): readonly Page[];
  maintenance: readonly MaintenanceTask[];
  gauges: readonly ResourceGauge[];
  derived: readonly DerivedRows[];
};

export function collect(resources: readonly Resource[]): Catalog {
  const extensions = resources.flatMap((one) => one.extensions ?? []);
  const events = Object.assign({}, ...resources.map((one) => one.events ?? {})) as EventDeclarations;
  const declared: Declared = {
    eventTypes: Object.keys(events),
    events,
    scopes: resources.flatMap(({ scopes = [] }) => scopes.flatMap((scope) => [`${scope}:read`, `${scope}:write`])),
    errors: joined(resources.map(({ errors = {} }) => errors)),
    mailKinds: resources.flatMap(({ mails = [] }) => mails),
    personMailKinds: resources.flatMap(({ personMails = [] }) => personMails),
    operation(name) {
      const found = operations.find((operation) => operation.name === name);
      assert(found, `there is no operation ${name}`);
      return found;
    },
    everyOperation: () => operations,
    operationsAt: (path) => operations.filter(({ route }) => `/v1${route}` === path),
    extensionsOf: <T>({ name }: ExtensionPoint<T>) =>
      extensions.filter(({ point }) => point === name).map(({ value }) => value as T),
  };
  const operations = resources.flatMap(({ operations: own = [] }) => (typeof own === 'function' ? own(declared) : own));
  return {
    ...declared,
    resources,
    operations,
    provide: (foundation) => provideAll(resources, foundation, declared),
    jobs: (services) => resources.flatMap(({ jobs }) => jobs?.(services, declared) ?? []),
    loops: (services) => resources.flatMap(({ loops }) => loops?.(services, declared) ?? []),
    noticeHandlers: (services) => resources.flatMap(({ notices }) => notices?.(services, declared) ?? []),
    pages: (services) => resources.flatMap(({ pages }) => pages?.(services, declared) ?? []),
    maintenance: resources.flatMap(({ maintenance = [] }) => maintenance),
    gauges: resources.flatMap(({ gauges = [] }) => gauges),
    derived: resources.flatMap(({ derived = [] }) => derived),
  };
}

/** Each resource may use the services of those before it. */
function provideAll(resources: readonly Resource[], foundation: Foundation, declared: Declared): AllProvided {
  const services = {} as ProvidedServices;
  const all: ResourceServices[] = [];
  for (const { provides } of resources) {
    if (provides === undefined) continue;
    const provided = provides({ ...foundation, ...services }, declared);
    Object.assign(services, provided.services);
    all.push(provided);
  }
  const observers = all.flatMap(({ committed }) => committed ?? []);
  const extenders = all.flatMap(({ beforeCommit }) => beforeCommit ?? []);
  return {
    services,
    beforeCommit: (unit) =>
      extenders.reduce<Promise<Unit> | undefined>(
        (extended, extend) =>
          extended === undefined ? extend(unit) : extended.then((whole) => extend(whole) ?? whole),
        undefined,
      ),
    committed(unit) {
      for (const observe of observers) observe(unit);
    },
    async close() {
      for (const { close } of all) await close?.();
    },
  };
}

/** The error tables of several folders as one. A code means one thing. */
export function joined(tables: readonly ErrorRows[]): ErrorRows {
  const all: Record<string, ErrorRows[string]> = {};
  for (const table of tables)
    for (const [code, row] of Object.entries(table)) {
      assert(all[code] === undefined, `the error ${code} is declared twice`);
      all[code] = row;
    }
  return all;
}
