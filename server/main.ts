import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { ensureLocalCertificate } from './base/certificates/index.ts';
import type { Clock } from './base/clock.ts';
import { Committer } from './base/commit/index.ts';
import { DatabaseClock } from './base/database_clock.ts';
import type { Keyring } from './base/keyring.ts';
import type { Log } from './base/log.ts';
import { type Mode, Reads } from './base/reads.ts';
import type { Masters } from './base/root_key.ts';
import { connect, type DatabaseAddress, openPool, type PoolUse } from './base/sql.ts';
import { every } from './base/timers.ts';
import { errorTable, operations } from './catalog.ts';
import { type Config, ConfigError } from './config.ts';
import { createConnectors } from './connectors/index.ts';
import { type Database, masterKeys, openDatabase, openKeyring, prepareSchema, StartError } from './database.ts';
import { KeyGate } from './http/authenticate.ts';
import { challengePage } from './http/challenge.ts';
import { documentationPages } from './http/documentation.ts';
import { Idempotency } from './http/idempotency.ts';
import { createMetrics, type Metrics, serveMetrics } from './http/metrics.ts';
import { healthPages } from './http/pages.ts';
import { AddressLimiter, RateLimiter } from './http/rate_limit.ts';
import { RequestLog } from './http/request_log.ts';
import { RequestRunner } from './http/run_operation.ts';
import { HttpServer } from './http/server.ts';
import type { TransportOptions } from './http/transport/index.ts';
import { refuseRestored } from './ledger/restored.ts';
import { nameLookup } from './outbox/resolve.ts';
import { Sender } from './outbox/send.ts';
import { checkTarget, parseRanges, type TargetRules } from './outbox/target.ts';
import { TermsCache } from './resources/accounts/terms.ts';
import { Executor } from './resources/attempts/executor.ts';
import type { Services } from './resources/services.ts';
import { Vault } from './vault/index.ts';
import { Deliverer } from './worker/deliver.ts';
import { Housekeeping, keepPartitions } from './worker/housekeeping.ts';
import { createWorker } from './worker/index.ts';
import type { Worker } from './worker/loop.ts';
import { Sealer } from './worker/seal.ts';

const flushKeyUsesEveryMs = 15_000;
const stopDeadlineMs = 25_000;
const connectionsFor: Record<PoolUse, number> = { reads: 4, durable: 2, relaxed: 2 };
const simulatorConnections = 2;
const processorDeadlineMs = 15_000;

/** What tests replace. */
export type Overrides = { clock?: Clock; limits?: TransportOptions['limits']; processorDeadlineMs?: number };

export type Gateway = {
  port: number;
  host: string;
  /** The certificate authority that signed the local certificate; undefined when the operator brought one. */
  caFile: string | undefined;
  keyring: Keyring;
  database: DatabaseAddress;
  /** What operations run on, for whoever runs them in this process without a request. */
  services: Services;
  worker: Worker;
  deliverer: Deliverer;
  /** Red at once, finishes what is under way, then closes everything. */
  stop(): Promise<void>;
};

export const packageVersion: string = JSON.parse(
  readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'),
).version;

/** The composition of the house: who knows whom is decided here and nowhere else. */
export async function startGateway(config: Config, log: Log, overrides: Overrides = {}): Promise<Gateway> {
  const database = await openDatabase(config, (message) => log.info({}, message));
  try {
    return await composeGateway(config, log, database, overrides);
  } catch (error) {
    await database.stop();
    throw error;
  }
}

async function composeGateway(config: Config, log: Log, database: Database, overrides: Overrides): Promise<Gateway> {
  refuseUnknownOperations(config);
  const { keyring, masters } = await prepare(database.address, config);
  let closing = false;
  const pool = (use: PoolUse, connectionsMax = connectionsFor[use]) =>
    openPool(database.address, {
      use,
      connectionsMax,
      // Connections that break because we are leaving are nobody's concern.
      onError: (error) => closing || log.warn({ error: error.message }, 'a database connection broke'),
    });
  const pools = {
    reads: pool('reads'),
    durable: pool('durable'),
    relaxed: pool('relaxed'),
    leases: pool('relaxed'), // apart, so that no request waits behind a look for webhooks
    simulator: pool('durable', simulatorConnections), // a processor of its own, as far as possible
  };
  const databaseClock = new DatabaseClock(pools.reads);
  if (overrides.clock === undefined) await databaseClock.start();
  const clock = overrides.clock ?? databaseClock;
  const closePools = () => {
    databaseClock.stop();
    closing = true;
    return Promise.allSettled(Object.values(pools).map((open) => open.end()));
  };

  const metrics = createMetrics();
  const committer = new Committer(
    database.address,
    { ...metrics.commit, derived: () => deliverer.wake() },
    refuseRestored,
  );
  const idempotency = new Idempotency(pools.durable, keyring);
  const keys = new KeyGate(keyring, pools.relaxed, clock);
  const requestLog = new RequestLog(pools.relaxed, clock, metrics.requestLogDropped);
  const housekeeping = new Housekeeping(pools.relaxed, log);
  const reads = new Reads(pools.reads);
  const vault = new Vault({ masters, keyring, pool: pools.durable, clock });
  let publicUrl = config.publicUrl ?? '';
  const connectors = createConnectors({
    live: config.liveConnector,
    patience: {
      clock,
      deadlineMs: overrides.processorDeadlineMs ?? processorDeadlineMs,
      onLate: (tenant, attempt, outcome) =>
        void care
          .answeredLate(tenant, attempt, outcome)
          .catch((error) => log.error({ attempt, error: String(error) }, 'a late answer could not be dealt with')),
    },
    simulator: { place: config.simulator, pool: pools.simulator, reads, clock, publicUrl: () => publicUrl },
  });
  const onDue = (moment: number) => {
    worker.wakeAt(moment);
    deliverer.wakeAt(moment);
  };
  const { durable } = pools;
  const terms = new TermsCache(reads, clock).of;
  const { worker, payments: care } = createWorker({
    ...{ reads, durable, committer, connectors, vault, terms, clock, log, onDue },
  });
  const allowed = parseRanges(config.webhookRanges);
  const rulesFor = (mode: Mode): TargetRules => ({ httpAllowed: mode === 'test' || config.purpose === 'dev', allowed });
  const lookup = nameLookup();
  const targets = { check: (url: string, mode: Mode) => checkTarget(url, rulesFor(mode), lookup) };
  const sender = new Sender({ rulesFor, clock, lookup });
  const deliverer = new Deliverer({
    ...{ reads, leases: pools.leases, committer, vault, sender, clock, log },
    limits: config.webhookLimits,
    random: Math.random,
    onAttempt: metrics.delivery,
  });
  const services = { clock, log, keyring, reads, durable, committer, vault, connectors, targets, terms, onDue };
  const runner = new RequestRunner({ executor: new Executor(services), idempotency, keyring, durable });
  const sealer = new Sealer({ pool: durable, keyring, log });
  let draining = false;

  const certificate = await readCertificate(config, clock);
  const http = new HttpServer({
    operations,
    pages: [
      ...healthPages({ version: packageVersion, reads: pools.reads, isDraining: () => draining }),
      ...documentationPages(operations, errorTable, packageVersion),
      challengePage({
        challenges: connectors.challenges,
        decided: (tenant, payment) => care.cardholderDecided(tenant, payment),
      }),
    ],
    tls: certificate.tls,
    ...(overrides.limits === undefined ? {} : { limits: overrides.limits }),
    clock,
    keyring,
    log,
    metrics,
    gates: {
      keys,
      rates: new RateLimiter(pools.relaxed, clock, config.endpointRateLimits),
      addresses: new AddressLimiter(clock),
    },
    runner,
    requestLog,
  });
  const listening = async () => {
    await keepPartitions(pools.relaxed);
    const metricsServer = config.metrics && (await openMetrics(metrics.registry, config.metrics));
    try {
      return { ...(await http.listen(config.port, config.host)), metricsServer };
    } catch (error) {
      metricsServer?.close();
      throw error;
    }
  };
  const { port, host, metricsServer } = await listening().catch(async (error) => {
    await closePools();
    throw error;
  });
  publicUrl ||= `https://localhost:${port}`;
  housekeeping.start();
  worker.start();
  deliverer.start();
  sealer.start();
  const flushKeyUses = every(flushKeyUsesEveryMs, () => void keys.flushUses().catch(() => {}));

  return {
    port,
    host,
    caFile: certificate.caFile,
    keyring,
    database: database.address,
    services,
    worker,
    deliverer,
    async stop() {
      draining = true;
      // Side by side: each may have to wait for a processor.
      await Promise.all([
        http.close({ acceptForMs: config.drainMs, deadlineMs: stopDeadlineMs }),
        worker.stop(),
        deliverer.stop(),
      ]);
      await sender.close();
      flushKeyUses.cancel();
      await Promise.allSettled([
        housekeeping.stop(),
        sealer.stop(),
        requestLog.close(),
        keys.flushUses(),
        committer.close(),
      ]);
      await closePools();
      metricsServer?.close();
      await database.stop();
    },
  };
}

/** A limit on an operation that does not exist would protect nothing. */
function refuseUnknownOperations(config: Config): void {
  const names = new Set(operations.map((operation) => operation.name));
  const unknown = [...config.endpointRateLimits.keys()].filter((name) => !names.has(name));
  if (unknown.length > 0)
    throw new ConfigError([
      `ENDPOINT_RATE_LIMITS names ${unknown.join(', ')}; the operations are ${[...names].join(', ')}.`,
    ]);
}

async function openMetrics(registry: Metrics['registry'], at: { port: number; host: string }): Promise<Server> {
  try {
    return await serveMetrics(registry, at.port, at.host);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const remedy = 'Stop that one, or set METRICS_PORT to another number';
    throw new StartError(`The port for metrics, ${at.port}, is in use by another program. ${remedy}`);
  }
}

async function prepare(address: DatabaseAddress, config: Config): Promise<{ keyring: Keyring; masters: Masters }> {
  const client = await connect(address, 'start');
  try {
    await prepareSchema(client, config);
    return { keyring: await openKeyring(client, config), masters: await masterKeys(client, config) };
  } finally {
    await client.end();
  }
}

async function readCertificate(
  config: Config,
  clock: Clock,
): Promise<{ tls: TransportOptions['tls']; caFile: string | undefined }> {
  if (config.tls.kind === 'proxy')
    return { tls: { kind: 'proxy', trustedProxies: config.tls.trustedProxies }, caFile: undefined };
  if (config.tls.kind === 'files')
    return { tls: { kind: 'direct', cert: config.tls.cert, key: config.tls.key }, caFile: undefined };
  const local = await ensureLocalCertificate(join(config.dataDir, 'tls'), new Date(clock.now()));
  return { tls: { kind: 'direct', cert: local.cert, key: local.key }, caFile: local.caFile };
}
