import { relative } from 'node:path';
import type { Command } from 'commander';
import { Secret } from '../base/secret.ts';
import { catalog } from '../catalog.ts';
import { apiSettings, readConfig } from '../config.ts';
import { createMetrics } from '../http/answering/metrics.ts';
import { type StateSources, watchState } from '../http/answering/state_metrics.ts';
import { httpMaintenance } from '../http/maintenance.ts';
import { found } from './frozen_text.ts';

/** Whatever is asked of it, it does nothing: for declarations that are made of the services of a running server. */
const inert: unknown = new Proxy(() => {}, { get: () => inert, apply: () => inert, construct: () => inert as object });

export function metricNames(): string[] {
  const { registry, events, watchConnections } = createMetrics();
  const { gauges } = catalog;
  watchConnections(() => 0);
  const state = { version: '', certificate: () => '', loudLines: {}, resourceGauges: gauges, events };
  watchState(registry, state as unknown as StateSources);
  const metrics = registry.getMetricsAsArray() as unknown as { name: string; labelNames?: readonly string[] }[];
  return [
    ...metrics.map(({ name, labelNames = [] }) => [name, ...labelNames].join(' ')),
    ...gauges.flatMap(({ name, labels = {} }) =>
      Object.entries(labels).map(([label, value]) => `${name} ${label}=${value}`),
    ),
  ];
}

export function backgroundWork(): string[] {
  const services = inert as Parameters<typeof catalog.jobs>[0];
  return [
    ...catalog.jobs(services).map(({ name }) => name),
    ...catalog.loops(services).map(({ name }) => name),
    ...[...httpMaintenance, ...catalog.maintenance].map(({ name }) => name),
    ...catalog.derived.flatMap(({ wakes }) => wakes ?? []),
    // Some is declared where the server is put together.
    ...found(/\bdueRows\([^']*'([^']+)'/g),
    ...found(/\bname: '([^']+)', (?:everyMs|run|isLong)\b/g),
    ...found(/\bconst \w*(?:Job|deliverer)\w* = '([^']+)'/g),
  ];
}

type ListedCommand = { usage: string; options: string[] };

/** The commands below one, and those below them. */
export function commandsOf(parent: Command, path = ''): ListedCommand[] {
  return parent.commands.flatMap((command) => {
    const name = `${path}${command.name()}`;
    const args = command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
    const options = command.options.map(({ flags }) => `${name} ${flags}`);
    return [{ usage: [name, ...args].join(' '), options }, ...commandsOf(command, `${name} `)];
  });
}

const production = {
  DATABASE_URL: 'postgres://localhost/tollgate',
  TLS: 'proxy',
  TRUSTED_PROXIES: '10.0.0.0/8',
  TOLLGATE_VAULT_KEY: '0'.repeat(64),
};

/** Every name that is looked up in the environment. */
export function settingNames(): string[] {
  const names = new Set<string>();
  const noted = (environment: Record<string, string>) =>
    new Proxy(environment, { get: (all, name: string) => names.add(name) && all[name] });
  apiSettings(noted({}));
  readConfig('serve', noted(production));
  // Further settings are looked up if these are set.
  readConfig('dev', noted({ METRICS_PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }));
  return [...names];
}

/** Those of development, and those of production that differ. */
export function defaultSettings(): string[] {
  const development = leavesOf(readConfig('dev', {}));
  const differing = leavesOf(readConfig('serve', production)).filter((leaf) => !development.includes(leaf));
  return [...development.map((leaf) => `dev ${leaf}`), ...differing.map((leaf) => `serve ${leaf}`)];
}

function leavesOf(value: unknown, path: readonly string[] = []): string[] {
  if (value === undefined || value instanceof Secret || value instanceof Map) return [];
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]));
  const shown = path.at(-1) === 'dataDir' ? relative('.', String(value)) : value;
  return [`${path.join('.')} = ${JSON.stringify(shown)}`];
}
