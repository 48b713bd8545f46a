import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { ensureLocalCertificate } from './base/certificates/index.ts';
import { type Clock, systemClock } from './base/clock.ts';
import { Committer } from './base/commit/index.ts';
import type { Keyring } from './base/keyring.ts';
import type { Log } from './base/log.ts';
import { Reads } from './base/reads.ts';
import { connect, type DatabaseAddress, openPool, type PoolUse } from './base/sql.ts';
import { every } from './base/timers.ts';
import { type Config, ConfigError } from './config.ts';
import { type Database, openDatabase, openKeyring, prepareSchema, StartError } from './database.ts';
import { KeyGate } from './http/authenticate.ts';
import { documentationPages } from './http/documentation.ts';
import { Idempotency } from './http/idempotency.ts';
import { createMetrics, type Metrics, serveMetrics } from './http/metrics.ts';
import { healthPages } from './http/pages.ts';
import { AddressLimiter, RateLimiter } from './http/rate_limit.ts';
import { RequestLog } from './http/request_log.ts';
import { OperationRunner } from './http/run_operation.ts';
import { HttpServer } from './http/server.ts';
import type { TransportOptions } from './http/transport/index.ts';
import { operations } from './resources/index.ts';
import { Housekeeping, keepPartitions } from './worker/housekeeping.ts';

const flushKeyUsesEveryMs = 15_000;
const stopDeadlineMs = 25_000;
const connectionsFor: Record<PoolUse, number> = { reads: 4, durable: 2, relaxed: 2 };

export type Gateway = {
  port: number;
  host: string;
  /** The certificate authority that signed the local certificate; undefined when the operator brought one. */
  caFile: string | undefined;
  keyring: Keyring;
  database: DatabaseAddress;
  /** Red at once, finishes what is under way, then closes everything. */
  stop(): Promise<void>;
};

export const packageVersion: string = JSON.parse(
  readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'),
).version;

/** The composition of the house: who knows whom is decided here and nowhere else. */
export async function startGateway(
  config: Config,
  log: Log,
  overrides: { clock?: Clock; limits?: TransportOptions['limits'] } = {},
): Promise<Gateway> {
  const database = await openDatabase(config, (message) => log.info({}, message));
  try {
    return await composeGateway(config, log, database, overrides);
  } catch (error) {
    await database.stop();
    throw error;
  }
}

async function composeGateway(
  config: Config,
  log: Log,
  database: Database,
  overrides: { clock?: Clock; limits?: TransportOptions['limits'] },
): Promise<Gateway> {
  refuseUnknownOperations(config);
  const clock = overrides.clock ?? systemClock;
  const keyring = await prepare(database.address, config);
  let closing = false;
  const pool = (use: PoolUse) =>
    openPool(database.address, {
      use,
      connectionsMax: connectionsFor[use],
      // Connections that break because we are leaving are nobody's concern.
      onError: (error) => closing || log.warn({ error: error.message }, 'a database connection broke'),
    });
  const pools = { reads: pool('reads'), durable: pool('durable'), relaxed: pool('relaxed') };
  const closePools = () => {
    closing = true;
    return Promise.allSettled(Object.values(pools).map((open) => open.end()));
  };

  const metrics = createMetrics();
  const committer = new Committer(database.address, metrics.commit);
  const idempotency = new Idempotency(pools.durable);
  const keys = new KeyGate(keyring, pools.relaxed, clock);
  const requestLog = new RequestLog(pools.relaxed, clock, metrics.requestLogDropped);
  const housekeeping = new Housekeeping(pools.relaxed, log);
  const reads = new Reads(pools.reads);
  const runner = new OperationRunner({ clock, keyring, reads, durable: pools.durable, committer, idempotency });
  let draining = false;

  const certificate = await readCertificate(config, clock);
  const http = new HttpServer({
    operations,
    pages: [
      ...healthPages({ version: packageVersion, reads: pools.reads, isDraining: () => draining }),
      ...documentationPages(operations, packageVersion),
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
  housekeeping.start();
  const flushKeyUses = every(flushKeyUsesEveryMs, () => void keys.flushUses().catch(() => {}));

  return {
    port,
    host,
    caFile: certificate.caFile,
    keyring,
    database: database.address,
    async stop() {
      draining = true;
      await http.close({ acceptForMs: config.drainMs, deadlineMs: stopDeadlineMs });
      flushKeyUses.cancel();
      await Promise.allSettled([housekeeping.stop(), requestLog.close(), keys.flushUses(), committer.close()]);
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

async function prepare(address: DatabaseAddress, config: Config): Promise<Keyring> {
  const client = await connect(address, 'start');
  try {
    await prepareSchema(client, config);
    return await openKeyring(client, config);
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
