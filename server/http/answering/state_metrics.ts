import { X509Certificate } from 'node:crypto';
import type { Registry } from 'prom-client';
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import { settlesWithin } from '../../base/keyed_queue.ts';
import type { LoudLines } from '../../base/log.ts';
import type { SqlAt } from '../../base/places/sql_at.ts';
import { SingleFlight } from '../../base/single_flight.ts';
import type { Pool } from '../../base/sql.ts';
import { combined, type ResourceGauge, readGauge } from '../../operations/gauge.ts';
import type { EventCounts } from './event_counts.ts';
import { watchSizes } from './size_metrics.ts';

const readPatienceMs = 2_000;

/** A place, with its pools by their names in the metrics. */
export type CountedPlace = {
  readonly name: string;
  readonly byName: Readonly<Record<string, Pool>>;
  isUp(): Promise<boolean>;
};

export type StateSources = {
  version: string;
  /** The certificate that clients see, as PEM; undefined behind a proxy. */
  certificate: () => string | undefined;
  /** The directory and the places of tenants, which come and go; in one PostgreSQL, the only one. */
  places: () => readonly CountedPlace[];
  /** Whether there are several, which then have labels. */
  isCluster: boolean;
  loudLines: LoudLines;
  /** The answer of `/readyz`. */
  isReady: () => Promise<boolean>;
  /** Read for each scrape. */
  resourceGauges: readonly ResourceGauge[];
  gaugesAt: SqlAt;
  events: EventCounts;
};

/**
 * Adds what is a state and not a count of events. Call the returned function before the metrics are read. Where several processes serve
 * one port, their counts are summed, but not a state that all of them read in the same database.
 */
export function watchState(registry: Registry, sources: StateSources): () => Promise<void> {
  const registers = [registry];
  new Gauge({
    name: 'tollgate_build_info',
    help: 'Always 1; the labels are the versions that run.',
    labelNames: ['version', 'node'],
    registers,
    aggregator: 'max',
  }).set({ version: sources.version, node: process.version }, 1);
  watchCertificate(registers, sources.certificate);
  watchPools(registers, sources);
  watchLog(registers, sources.loudLines);
  const refreshes = [
    watchReadiness(registers, sources),
    watchPlaces(registers, sources),
    watchGauges(registers, sources),
  ];
  return async () => {
    await Promise.all(refreshes.map((refresh) => refresh()));
  };
}

/** While the database is away, or a disk is full, the server and its metrics still answer. */
function watchReadiness(registers: Registry[], { isReady }: StateSources): () => Promise<void> {
  const ready = new Gauge({
    name: 'tollgate_ready',
    help: 'Whether this server is ready, as /readyz answers.',
    registers,
    aggregator: 'min',
  });
  return async () => ready.set((await isReady()) ? 1 : 0);
}

function watchPlaces(registers: Registry[], { places, isCluster }: StateSources): () => Promise<void> {
  const up = new Gauge({
    name: 'tollgate_place_up',
    help: 'On a cluster: whether a place answers this server.',
    labelNames: ['place'],
    registers,
    aggregator: 'min',
  });
  if (!isCluster) return async () => {};
  return async () => {
    const answers = await Promise.all(places().map(async (place) => [place.name, await place.isUp()] as const));
    up.reset(); // a place whose shard was split is gone
    for (const [place, isUp] of answers) up.set({ place }, isUp ? 1 : 0);
  };
}

function watchCertificate(registers: Registry[], certificate: StateSources['certificate']): void {
  if (certificate() === undefined) return;
  new Gauge({
    name: 'tollgate_certificate_expiry_timestamp_seconds',
    help: 'When the TLS certificate of this server expires, as Unix time.',
    registers,
    aggregator: 'min',
    collect() {
      this.set(new X509Certificate(certificate()!).validToDate.getTime() / 1_000);
    },
  });
}

function watchPools(registers: Registry[], { places, isCluster }: StateSources): void {
  new Gauge({
    name: 'tollgate_database_connections',
    help: 'Connections to the database by pool and state; waiting: callers that no connection is free for.',
    labelNames: ['place', 'pool', 'state'],
    registers,
    collect() {
      this.reset();
      for (const { name, byName } of places())
        for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(byName)) {
          const labels = { ...(isCluster && { place: name }), pool };
          this.set({ ...labels, state: 'busy' }, totalCount - idleCount);
          this.set({ ...labels, state: 'idle' }, idleCount);
          this.set({ ...labels, state: 'waiting' }, waitingCount);
        }
    },
  });
}

export function watchLog(registers: Registry[], loudLines: LoudLines): void {
  new Counter({
    name: 'tollgate_log_lines_total',
    help: 'Lines logged at level warn and above, by level.',
    labelNames: ['level'],
    registers,
    collect() {
      this.reset(); // the log keeps the count: it exists before the metrics
      for (const [level, count] of Object.entries(loudLines)) this.inc({ level }, count);
    },
  });
}

/** The gauges are absent while the database does not answer: an old number would look like a good one. */
function watchGauges(
  registers: Registry[],
  { resourceGauges, gaugesAt, events, isCluster }: StateSources,
): () => Promise<void> {
  const up = new Gauge({
    name: 'tollgate_database_up',
    help: 'Whether the database answers this server.',
    registers,
    aggregator: 'min',
  });
  const gauges = new Map<string, Gauge>();
  for (const [name, same] of Map.groupBy(resourceGauges, (gauge) => gauge.name)) {
    const { help, labels = {} } = same[0]!;
    gauges.set(name, new Gauge({ name, help, labelNames: Object.keys(labels), registers, aggregator: 'max' }));
  }
  const sizes = watchSizes(registers, isCluster);
  const reading = new SingleFlight(async () => {
    await events.refresh(gaugesAt.directory);
    await sizes.refresh(gaugesAt);
    const values = await Promise.all(resourceGauges.map((gauge) => readGauge(gaugesAt, gauge)));
    const read = resourceGauges.map(({ name, labels = {} }, at) => ({ name, labels, value: values[at]! }));
    for (const same of Map.groupBy(read, ({ name, labels }) => JSON.stringify([name, labels])).values()) {
      const { name, labels } = same[0]!;
      gauges.get(name)!.set(
        labels,
        combined(
          name,
          same.map(({ value }) => value),
        ),
      );
    }
  });
  return async () => {
    for (const { name, labels = {} } of resourceGauges) gauges.get(name)!.remove(labels);
    sizes.clear();
    const read = reading.run().then(
      () => true,
      () => false,
    );
    up.set((await settlesWithin(read, readPatienceMs)) && (await read) ? 1 : 0);
  };
}
