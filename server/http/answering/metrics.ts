import type { Server } from 'node:http';
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';
import type { CommitObserver } from '../../base/commit/index.ts';
import { http } from '../../base/node_http.ts';
import type { CallReport } from '../../connectors/ask.ts';
import type { RefusedConnection } from '../transport/index.ts';
import { EventCounts } from './event_counts.ts';
import { RequestCounts } from './request_counts.ts';

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25];

export type Metrics = ReturnType<typeof createMetrics>;

/** Makes the metrics of one gateway. Each has its own registry, so that tests can start several in a process. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  // In the order in which the metrics port lists them.
  const { request, probe } = requestMetrics(registry);
  const events = new EventCounts(registry);
  const commit = commitMetrics(registers);
  const dropped = new Counter({
    name: 'tollgate_request_log_dropped_total',
    help: 'Requests that are missing from the request log because it could not be written fast enough.',
    registers,
  });
  const auditDropped = new Counter({
    name: 'tollgate_audit_dropped_total',
    help: 'Refused requests of people that are missing from the audit log: too many, or the database could not be written.',
    registers,
  });
  const deliveries = new Counter({
    name: 'tollgate_webhook_attempts_total',
    help: 'Webhook attempts, by the resulting status of the delivery: delivered, pending (to be retried), exhausted.',
    labelNames: ['outcome'],
    registers,
  });
  const notices = new Counter({
    name: 'tollgate_notices_received_total',
    help: 'Notices that processors have sent: stored, repeated (stored before), refused (without a valid signature).',
    labelNames: ['receipt'],
    registers,
  });
  return {
    registry,
    processorCall: processorMetrics(registers),
    request,
    probe,
    commit,
    events,
    requestLogDropped: (entries: number) => dropped.inc(entries),
    auditDropped: (entries: number) => auditDropped.inc(entries),
    delivery: (outcome: 'delivered' | 'pending' | 'exhausted') => deliveries.inc({ outcome }),
    notice: (receipt: 'stored' | 'repeated' | 'refused') => notices.inc({ receipt }),
    noticeUnmatched: unmatchedMetric(registers),
    connectionRefused: connectionRefusedMetric(registers),
    watchConnections: (count: () => number) => watchConnections(registers, count),
  };
}

function requestMetrics(registry: Registry) {
  const requests = new RequestCounts(registry, secondsBuckets, {
    count: { name: 'tollgate_requests_total', help: 'Requests answered, by operation and status.' },
    seconds: {
      name: 'tollgate_request_seconds',
      help: 'Time from the headers of a request to its answer, by operation.',
    },
  });
  const probes = new Counter({
    name: 'tollgate_probes_total',
    help: 'Health checks answered, by path and status. They are not among the requests.',
    labelNames: ['path', 'status'],
    registers: [registry],
  });
  return {
    request: (operation: string, status: number, seconds: number) => requests.add(operation, status, seconds),
    probe: (path: string, status: number) => probes.inc({ path, status }),
  };
}

function commitMetrics(registers: Registry[]): CommitObserver {
  const batches = new Counter({
    name: 'tollgate_commit_batches_total',
    help: 'Group commits, by the form that settled them: plain, claims (after a conflict), single (after an error).',
    labelNames: ['form'],
    registers,
  });
  const units = new Counter({
    name: 'tollgate_commit_units_total',
    help: 'Units of work in group commits.',
    registers,
  });
  const seconds = new Histogram({
    name: 'tollgate_commit_seconds',
    help: 'Duration of a group commit.',
    buckets: secondsBuckets,
    registers,
  });
  return {
    batch(count, form, duration) {
      batches.inc({ form });
      units.inc(count);
      seconds.observe(duration);
    },
  };
}

/** The health of each processor account. */
function processorMetrics(registers: Registry[]) {
  const calls = new Counter({
    name: 'tollgate_processor_calls_total',
    help: 'Calls to processors over the network, by processor account, verb and outcome. unknown: no answer, or none that could be understood.',
    labelNames: ['connector', 'processor_account', 'verb', 'outcome'],
    registers,
  });
  const times = new Histogram({
    name: 'tollgate_processor_call_seconds',
    help: 'Duration of these calls.',
    labelNames: ['connector', 'processor_account', 'verb'],
    buckets: secondsBuckets,
    registers,
  });
  return ({ connector, processor_account, verb, outcome, seconds }: CallReport) => {
    const labels = { connector, processor_account: processor_account ?? '', verb };
    calls.inc({ ...labels, outcome });
    times.observe(labels, seconds);
  };
}

function unmatchedMetric(registers: Registry[]) {
  const unmatched = new Counter({
    name: 'tollgate_notices_unmatched_total',
    help: 'Notices about payments that are not known here, by processor account. Others may use the same account at the processor.',
    labelNames: ['connector', 'processor_account'],
    registers,
  });
  return ({ connector, processor_account }: Pick<CallReport, 'connector' | 'processor_account'>) =>
    unmatched.inc({ connector, processor_account: processor_account ?? '' });
}

function connectionRefusedMetric(registers: Registry[]) {
  const refused = new Counter({
    name: 'tollgate_connections_refused_total',
    help: 'Connections closed immediately, by the limit that they would exceed: that of their address, or of the instance.',
    labelNames: ['limit'],
    registers,
  });
  return (limit: RefusedConnection) => refused.inc({ limit });
}

function watchConnections(registers: Registry[], count: () => number): void {
  new Gauge({
    name: 'tollgate_connections',
    help: 'Open client connections.',
    registers,
    collect() {
      this.set(count());
    },
  });
}

/** `refresh` is called before each collection. */
export type WatchedMetrics = { registry: Registry; refresh: () => Promise<void> };

/** Gauges of prom-client with the ending of a counter. Each is the sum of the gauge without that ending, over its types. */
const misnamed = ['handles', 'requests', 'resources'].map((kind) => `tollgate_nodejs_active_${kind}_total`);

/**
 * Returns the metrics of a moment, whenever it is called. Those of the process and of Node are watched from here on: where nobody
 * collects them, watching the event loop and the garbage collector would cost time for nothing.
 */
export async function collectMetrics({ registry, refresh }: WatchedMetrics): Promise<() => Promise<Registry>> {
  const { default: collectDefaultMetrics } = await import('prom-client/lib/defaultMetrics.js');
  collectDefaultMetrics({ register: registry, prefix: 'tollgate_' });
  for (const name of misnamed) registry.removeSingleMetric(name);
  return async () => {
    await refresh();
    return registry;
  };
}

/** Serves the metrics on a separate port, so that the public port never shows them. */
export async function serveMetrics(
  collect: () => Promise<Registry>,
  at: { port: number; host: string },
): Promise<Server> {
  const server = http.createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(404, { Allow: 'GET, HEAD' }).end();
    collect()
      .then(async (registry) => ({ type: registry.contentType, text: await registry.metrics() }))
      .then(
        ({ type, text }) => response.writeHead(200, { 'Content-Type': type }).end(text),
        () => response.writeHead(500).end(),
      );
  });
  return new Promise((resolve, reject) => {
    server.on('error', reject); // stays, so that a later failure to accept does not end the process
    server.listen(at.port, at.host, () => resolve(server));
  });
}
