import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { ensureLocalCertificate } from './base/certificates/index.ts';
import { CertificateError, readPair } from './base/certificates/pair.ts';
import type { Clock } from './base/clock.ts';
import { Committer } from './base/commit/index.ts';
import { DatabaseClock } from './base/database_clock.ts';
import type { Log } from './base/log.ts';
import { type Mode, Reads } from './base/reads.ts';
import { connect, type DatabaseAddress, openPool, type PoolUse } from './base/sql.ts';
import { errorTableOf, servedTo } from './catalog.ts';
import { type Config, ConfigError } from './config.ts';
import { createConnectors, registrations } from './connectors/index.ts';
import type { ConnectorRegistration } from './connectors/registration.ts';
import { type Database, masterKeys, openDatabase, openKeyring, prepareSchema, StartError } from './database.ts';
import { AddressLimiter } from './http/admission/address_limit.ts';
import { Authenticator } from './http/admission/authenticate.ts';
import { RateLimiter } from './http/admission/rate_limit.ts';
import { createMetrics, type Metrics, serveMetrics } from './http/answering/metrics.ts';
import { RequestLog } from './http/answering/request_log.ts';
import { httpChores, keepPartitions } from './http/chores.ts';
import { documentationPages } from './http/pages/documentation.ts';
import { healthPages } from './http/pages/health.ts';
import { Idempotency } from './http/running/idempotency.ts';
import { RequestRunner } from './http/running/run_operation.ts';
import { HttpServer } from './http/server.ts';
import type { TransportOptions } from './http/transport/index.ts';
import { refuseRestored } from './ledger/restored.ts';
import { nameLookup } from './outbox/resolve.ts';
import { Sender } from './outbox/send.ts';
import { checkTarget, parseRanges, type TargetRules } from './outbox/target.ts';
import { type GatewayPart, type GatewayParts, openParts } from './parts.ts';
import { cachedTerms } from './resources/accounts/terms.ts';
import { Executor } from './resources/attempts/executor.ts';
import { pollNotices } from './resources/attempts/notices.ts';
import type { Loop } from './resources/duty.ts';
import { resources } from './resources/index.ts';
import { NoticeDispatch } from './resources/notice_handlers.ts';
import type { AnyOperation } from './resources/operation.ts';
import { type Catalog, collect, type Resource } from './resources/resource.ts';
import type { Services } from './resources/services.ts';
import { Vault } from './vault/index.ts';
import { choreLoops } from './worker/chores.ts';
import { Scheduler } from './worker/scheduler.ts';

const flushKeyUsesEveryMs = 15_000;
const stopDeadlineMs = 25_000;
const connectionsFor: Record<PoolUse, number> = { reads: 4, durable: 2, relaxed: 2 };
const connectorConnections = 2;
const processorDeadlineMs = 15_000;

/** Replacements for tests. */
export type Overrides = {
  clock?: Clock;
  limits?: TransportOptions['limits'];
  processorDeadlineMs?: number;
  resources?: readonly Resource[];
  connectors?: readonly ConnectorRegistration[];
};

export type Gateway = Awaited<ReturnType<typeof startGateway>>;

export const packageVersion: string = JSON.parse(
  readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'),
).version;

export async function startGateway(config: Config, log: Log, overrides: Overrides = {}) {
  const catalog = collect(overrides.resources ?? resources);
  refuseUnknownOperations(config, servedTo('key', catalog));
  refuseUnusableCertificate(config);
  /** `stop` reports not ready at once, finishes requests and jobs in flight, then closes everything. */
  const { opened, stop } = await openParts(log, async (parts) => {
    const database = await openDatabase(config, (message) => log.info({}, message));
    await parts.add({ name: 'database', stop: () => database.stop() });
    return compose(config, log, overrides, catalog, database, parts);
  });
  return { ...opened, stop };
}

/** All dependencies are wired here. The parts start in the order in which they are added. */
async function compose(
  ...[config, log, overrides, catalog, { address }, parts]: [Config, Log, Overrides, Catalog, Database, GatewayParts]
) {
  const shared = await openShared({ config, log, overrides, catalog, address }, parts);
  const { keyring, pools, metrics, worker, place } = shared;
  const services = createServices(shared);
  const edge = await createEdge(shared, services);
  addWork(shared, services, edge);
  const listening = { port: 0, host: config.host };
  await parts.add({ name: 'committer', stop: () => services.committer.close() });
  const { requestLog } = edge;
  await parts.add({ name: 'request log', start: () => keepPartitions(pools.relaxed), stop: () => requestLog.close() });
  await parts.add({ name: 'sender', stop: () => services.sender.close() });
  await parts.add(metricsPart(config, metrics));
  await parts.add({
    name: 'server',
    async start() {
      Object.assign(listening, await edge.http.listen(config.port, config.host));
      place.publicUrl ||= `https://localhost:${listening.port}`;
      worker.start();
    },
    // In parallel: each may have to wait for a processor.
    stop: () => worker.stop(edge.drain()),
  });
  /** The services are for operations that run in this process without a request. */
  return { ...listening, caFile: edge.caFile, keyring, database: address, services, worker };
}

type Shared = Awaited<ReturnType<typeof openShared>>;

type Given = { config: Config; log: Log; overrides: Overrides; catalog: Catalog; address: DatabaseAddress };

async function openShared(given: Given, parts: GatewayParts) {
  const { config, log, overrides, address } = given;
  const secrets = await prepare(address, config);
  const pools = openPools(address, log);
  await parts.add({ name: 'connections', stop: () => pools.close() });
  const databaseClock = new DatabaseClock(pools.reads);
  await parts.add({ name: 'clock', stop: () => databaseClock.stop() });
  if (overrides.clock === undefined) await databaseClock.start();
  const clock = overrides.clock ?? databaseClock;
  const metrics = createMetrics();
  const worker = new Scheduler({ clock, log });
  const notices = new NoticeDispatch(log);
  /** Where browsers reach this gateway: known once it listens, unless it is configured. */
  const place = { publicUrl: config.publicUrl ?? '' };
  return { ...given, ...secrets, pools, clock, metrics, worker, notices, place };
}

function openPools(address: DatabaseAddress, log: Log) {
  let closing = false;
  const pool = (use: PoolUse, connectionsMax = connectionsFor[use]) =>
    openPool(address, {
      use,
      connectionsMax,
      // While the server is stopping, broken connections are expected.
      onError: (error) => closing || log.warn({ error: error.message }, 'a database connection broke'),
    });
  const pools = {
    reads: pool('reads'),
    durable: pool('durable'),
    relaxed: pool('relaxed'),
    leases: pool('relaxed'), // separate, so that no request waits behind webhook deliveries
    connectors: pool('durable', connectorConnections), // separate, as a processor would be
  };
  const close = () => {
    closing = true;
    return Promise.allSettled(Object.values(pools).map((open) => open.end()));
  };
  return { ...pools, close };
}

/** The services of operations, duties, loops and notice handlers. */
function createServices(shared: Shared): Services {
  const { config, log, overrides, catalog, keyring, masters, pools, clock, metrics, worker, notices, place } = shared;
  const reads = new Reads(pools.reads);
  const allowed = parseRanges(config.webhookRanges);
  const rulesFor = (mode: Mode): TargetRules => ({ httpAllowed: mode === 'test' || config.purpose === 'dev', allowed });
  const lookup = nameLookup();
  return {
    clock,
    log,
    keyring,
    reads,
    durable: pools.durable,
    leases: pools.leases,
    committer: new Committer(shared.address, {
      observer: metrics.commit,
      check: refuseRestored,
      derived: catalog.derived,
      onDerived: () => {
        for (const { wakes } of catalog.derived) worker.wake(wakes);
      },
    }),
    vault: new Vault({ masters, keyring, pool: pools.durable, clock }),
    connectors: createConnectors({
      registrations: overrides.connectors ?? registrations,
      settings: config.connectorSettings,
      modes: config.connectors,
      tools: { pool: pools.connectors, reads, clock, publicUrl: () => place.publicUrl },
      report: notices.handle,
      limits: { clock, deadlineMs: overrides.processorDeadlineMs ?? processorDeadlineMs, onLate: notices.late },
    }),
    targets: { check: (url: string, mode: Mode) => checkTarget(url, rulesFor(mode), lookup) },
    sender: new Sender({ rulesFor, clock, lookup }),
    webhooks: { limits: config.webhookLimits, onAttempt: metrics.delivery },
    terms: cachedTerms(reads, clock),
    random: Math.random,
    onDue: (moment, name) => worker.wakeAt(moment, name),
    wake: (name) => worker.wake(name),
  };
}

type Edge = Awaited<ReturnType<typeof createEdge>>;

/** The HTTP server, and the parts that a request passes. */
async function createEdge(shared: Shared, services: Services) {
  const { config, log, overrides, catalog, keyring, pools, clock, metrics } = shared;
  const operations = servedTo('key', catalog);
  const executor = new Executor(services);
  const idempotency = new Idempotency(pools.durable, keyring);
  const authenticator = new Authenticator(keyring, pools.relaxed, clock);
  const requestLog = new RequestLog(pools.relaxed, clock, metrics.requestLogDropped);
  const certificate = await readCertificate(config, clock);
  let draining = false;
  const http = new HttpServer({
    operations,
    pages: [
      ...healthPages({ version: packageVersion, reads: pools.reads, isDraining: () => draining }),
      ...documentationPages(operations, errorTableOf(catalog), packageVersion),
      ...services.connectors.pages,
    ],
    tls: certificate.tls,
    ...(overrides.limits === undefined ? {} : { limits: overrides.limits }),
    clock,
    keyring,
    log,
    metrics,
    admission: {
      keys: authenticator,
      rates: new RateLimiter(pools.relaxed, clock, config.endpointRateLimits),
      addresses: new AddressLimiter(clock),
    },
    runner: new RequestRunner({ executor, idempotency, durable: pools.durable }),
    requestLog,
  });
  const drain = () => {
    draining = true;
    return http.close({ acceptForMs: config.drainMs, deadlineMs: stopDeadlineMs });
  };
  return { http, authenticator, executor, requestLog, caFile: certificate.caFile, drain };
}

/** Duties, loops and chores: everything that runs beside the requests. */
function addWork({ catalog, notices, worker, pools, clock, log }: Shared, offered: Services, edge: Edge): void {
  const services = { ...offered, executor: edge.executor };
  notices.register(catalog.noticeHandlers(services));
  worker.add({
    duties: [
      ...catalog.duties(services),
      pollNotices({ connectors: services.connectors.all, clock, log, handle: notices.handle }),
    ],
    loops: [
      ...catalog.loops(services),
      keyUses(edge.authenticator),
      ...choreLoops([...httpChores, ...catalog.chores], pools.relaxed, log),
    ],
  });
}

/** Failures are ignored: the time of a key's last use is not worth a log line. */
function keyUses(keys: Authenticator): Loop {
  const flush = () => keys.flushUses().catch(() => {});
  return { name: 'key uses', everyMs: flushKeyUsesEveryMs, isWoken: false, run: flush, finish: flush };
}

/** A limit on an operation that does not exist protects nothing, so it is an error. */
function refuseUnknownOperations(config: Config, operations: readonly AnyOperation[]): void {
  const names = new Set(operations.map((operation) => operation.name));
  const unknown = [...config.endpointRateLimits.keys()].filter((name) => !names.has(name));
  if (unknown.length > 0)
    throw new ConfigError([
      `ENDPOINT_RATE_LIMITS names ${unknown.join(', ')}; the operations are ${[...names].join(', ')}.`,
    ]);
}

function refuseUnusableCertificate({ tls }: Config): void {
  if (tls.kind !== 'files') return;
  try {
    readPair(tls.cert, tls.key);
  } catch (error) {
    throw error instanceof CertificateError ? new ConfigError([error.message]) : error;
  }
}

function metricsPart({ metrics: at }: Config, { registry }: Metrics): GatewayPart {
  let server: Server | undefined;
  return {
    name: 'metrics',
    async start() {
      if (at === undefined) return;
      try {
        server = await serveMetrics(registry, at.port, at.host);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
        const remedy = 'Stop that program, or set METRICS_PORT to another number';
        throw new StartError(`The port for metrics, ${at.port}, is in use by another program. ${remedy}`);
      }
    },
    stop: () => server?.close(),
  };
}

async function prepare(address: DatabaseAddress, config: Config) {
  await using opened = new AsyncDisposableStack();
  const client = await connect(address, 'start');
  opened.defer(() => client.end());
  await prepareSchema(client, config);
  return { keyring: await openKeyring(client, config), masters: await masterKeys(client, config) };
}

async function readCertificate(
  { tls, dataDir }: Config,
  clock: Clock,
): Promise<{ tls: TransportOptions['tls'] /** Of the local certificate. */; caFile?: string }> {
  if (tls.kind === 'proxy') return { tls };
  if (tls.kind === 'files') return { tls: { ...tls, kind: 'direct' } };
  const { cert, key, caFile } = await ensureLocalCertificate(join(dataDir, 'tls'), new Date(clock.now()));
  return { tls: { kind: 'direct', cert, key }, caFile };
}
