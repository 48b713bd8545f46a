import type { Clock } from './base/clock.ts';
import { DatabaseClock } from './base/database_clock.ts';
import { parseRanges } from './base/ip_range.ts';
import type { Log, LoudLines } from './base/log.ts';
import type { Patience } from './base/patient_client.ts';
import { commitsAt } from './base/places/commits.ts';
import { everyPlace } from './base/places/places.ts';
import { type Mode, Reads } from './base/reads.ts';
import { pathFromHere } from './base/shell.ts';
import type { DatabaseAddress } from './base/sql.ts';
import { noTracing, type Tracing } from './base/tracing/tracing.ts';
import { describedBy, refuseUnknownOperations, requestable, servedTo } from './catalog.ts';
import { PresentedCertificate, readCertificate, refuseUnusableCertificate } from './certificate.ts';
import { createAddressLimiter, drainWindowMs, type Supervised, supervisedMetrics } from './cluster/supervised.ts';
import { type Config, localUrl, readConfig } from './config.ts';
import { processorDeadlineMs } from './connectors/ask.ts';
import { createConnectors, registrations } from './connectors/index.ts';
import type { ConnectorRegistration } from './connectors/registration.ts';
import { type Announce, type Database, joinDatabase, openDatabase, prepareDatabase } from './database.ts';
import type { AddressLimiter } from './http/admission/address_limit.ts';
import { Authenticator } from './http/admission/authenticate.ts';
import { LastSeenKeys } from './http/admission/last_seen.ts';
import { admissionLoops } from './http/admission/loops.ts';
import { RateLimiter } from './http/admission/rate_limit.ts';
import { SessionLookup } from './http/admission/session_lookup.ts';
import { collectMetrics, createMetrics, type WatchedMetrics } from './http/answering/metrics.ts';
import { watchState } from './http/answering/state_metrics.ts';
import { httpMaintenance } from './http/maintenance.ts';
import { Dashboard } from './http/pages/dashboard/dashboard.ts';
import { documentationPages } from './http/pages/documentation.ts';
import { healthPages, Readiness } from './http/pages/health.ts';
import { sdkPages } from './http/pages/sdk/sdk.ts';
import { Idempotency } from './http/running/idempotency.ts';
import { RequestRunner } from './http/running/run_operation.ts';
import { HttpServer } from './http/server.ts';
import type { TransportOptions } from './http/transport/index.ts';
import { type MailSender, mailSender } from './mail/sender.ts';
import { metricsPort } from './metrics_port.ts';
import { Executor } from './operations/executor.ts';
import { NoticeDispatch } from './operations/notice_handlers.ts';
import { type Catalog, collect, type Resource } from './operations/resource.ts';
import type { Services } from './operations/services.ts';
import { nameLookup } from './outbox/resolve.ts';
import { Sender } from './outbox/send.ts';
import { checkTarget, ownAddresses, type TargetRules } from './outbox/target.ts';
import { type GatewayPart, type GatewayParts, openParts, type StopLimits } from './parts.ts';
import { type CommitFollowers, committerOptions } from './places/committer.ts';
import { closeCommitters, openPlaces } from './places/index.ts';
import { leftoverPlaces } from './places/leftovers.ts';
import { sqlAt } from './places/sql_at.ts';
import { withInboxes } from './resources/events/inbox/receive.ts';
import { executorHooks } from './resources/hooks.ts';
import { resources } from './resources/index.ts';
import { Inbox } from './resources/payments/notices/inbox.ts';
import { recordNotices } from './resources/payments/notices/jobs.ts';
import { noticePage } from './resources/payments/notices/page.ts';
import { pollNotices } from './resources/payments/notices/poll.ts';
import { accountLocator } from './resources/payments/processor_accounts/locate.ts';
import { pollAccounts } from './resources/payments/processor_accounts/poll.ts';
import { raiseLimitCommand } from './resources/people/accounts/account.ts';
import { makeFirstPartitions } from './resources/views/request_logs/partitions.ts';
import { RequestLog } from './resources/views/request_logs/writer.ts';
import { Vault } from './vault/index.ts';
import { packageVersion } from './version.ts';
import { maintenanceLoops } from './worker/maintenance.ts';
import { Scheduler } from './worker/scheduler.ts';

/** Requests in flight get 22 s; 3 s are left to close everything, so that the process ends within 25 s. */
const stopLimits: StopLimits = { abandonAfterMs: 22_000, endAfterMs: 25_000 };

/** What a caller has made already, and replacements for tests. */
export type Overrides = {
  /** Of a process that serves its port together with others. */
  supervised?: Supervised;
  loudLines?: LoudLines;
  announce?: Announce;
  /** Builds the dashboard in the background if its sources are newer. */
  buildsDashboard?: boolean;
  clock?: Clock;
  limits?: TransportOptions['limits'];
  processorDeadlineMs?: number;
  /** How long the database may be silent. */
  patience?: Patience & { commitMs: number };
  stopLimits?: StopLimits;
  resources?: readonly Resource[];
  connectors?: readonly ConnectorRegistration[];
  mail?: Partial<MailSender>;
};

export type Gateway = Awaited<ReturnType<typeof startGateway>>;

export async function startGateway(config: Config, log: Log, overrides: Overrides = {}) {
  const catalog = collect(overrides.resources ?? resources);
  refuseUnknownOperations(config, servedTo('key', catalog));
  refuseUnusableCertificate(config);
  /** `stop` reports not ready immediately, finishes requests and jobs in flight, then closes everything. */
  const { opened, stop } = await openParts(log, overrides.stopLimits ?? stopLimits, async (parts) => {
    const database = overrides.supervised
      ? await joinDatabase(config, false)
      : await openDatabase(config, (message) => log.info({}, message), {}, overrides.announce);
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
  const { keyring, places, pools, metrics, worker, place } = shared;
  const services = createServices(shared);
  const inbox = new Inbox(services);
  const edge = await createEdge(shared, services, inbox);
  addWork(shared, services, edge, inbox);
  const listening = { port: 0, host: config.host };
  const { sender } = services;
  await parts.add({ name: 'committers', stop: () => closeCommitters(places) });
  const { requestLog } = edge;
  await parts.add({
    name: 'request log',
    start: () => makeFirstPartitions(pools.relaxed, config.retention, places.isCluster ? log : undefined),
    stop: () => requestLog.close(),
  });
  await parts.add({ name: 'services of resources', stop: () => shared.provided.close() });
  await parts.add({ name: 'sender', stop: () => sender.close() });
  await parts.add({ name: 'mail', stop: async () => shared.mail.close() });
  await parts.add(edge.dashboard);
  await parts.add(
    metricsPart(config, { registry: metrics.registry, refresh: edge.refreshMetrics }, overrides.supervised),
  );
  await parts.add({
    name: 'server',
    async start() {
      Object.assign(listening, await edge.http.listen(config.port, config.host));
      place.publicUrl ||= localUrl(listening.port);
      worker.start();
    },
    // In parallel: each may have to wait for a processor.
    stop: () => worker.stop(edge.drain()),
  });
  /** The services are for operations that run in this process without a request. */
  const reload = () => edge.certificate.reload(() => readConfig(config.purpose));
  return { ...listening, caFile: edge.caFile, keyring, database: address, services, worker, reload };
}

type Shared = Awaited<ReturnType<typeof openShared>>;

type Given = { config: Config; log: Log; overrides: Overrides; catalog: Catalog; address: DatabaseAddress };

async function openShared(given: Given, parts: GatewayParts) {
  const { config, log, overrides, address } = given;
  const tracing = await openTracing(config, log, parts);
  const secrets = await prepareDatabase(address, config, overrides.announce);
  const metrics = createMetrics();
  const followers = {} as CommitFollowers; // complete before anything is committed
  const committer = committerOptions({ ...given, metrics, tracing, followers });
  const places = await openPlaces(address, { log, patience: overrides.patience, committer });
  await parts.add({ name: 'connections', stop: () => places.close(), abandon: () => places.abandon() });
  const pools = places.directory;
  const databaseClock = new DatabaseClock(pools.reads);
  await parts.add({ name: 'clock', stop: () => databaseClock.stop() });
  if (overrides.clock === undefined) await databaseClock.start();
  const clock = overrides.clock ?? databaseClock;
  const worker = new Scheduler({ clock, log, tracing });
  const notices = new NoticeDispatch(log);
  /** Where browsers reach this gateway: known once it listens, unless it is configured. */
  const place = { publicUrl: config.publicUrl ?? '' };
  const reads = new Reads(places);
  const at = {
    durable: sqlAt(places, 'durable'),
    relaxed: sqlAt(places, 'relaxed'),
    leases: sqlAt(places, 'leases'),
    connectors: sqlAt(places, 'connectors'),
  };
  const vault = new Vault({ ...secrets, durable: at.durable, clock });
  const sender = mailSender(config.mail, { isDevelopment: config.purpose === 'dev' });
  const mail = { ...sender, ...overrides.mail };
  // In one PostgreSQL, the directory is down when everything is.
  const directoryGraceMs = places.isCluster ? config.directoryGraceMs : 0;
  const foundation = {
    clock,
    log,
    keyring: secrets.keyring,
    reads,
    relaxed: at.relaxed,
    vault,
    mail,
    count: metrics,
    directoryGraceMs,
  };
  const provided = given.catalog.provide(foundation);
  Object.assign(followers, { provided, worker });
  const made = { places, at, pools, metrics, worker, notices, place, tracing, provided };
  return { ...given, ...secrets, ...foundation, ...made };
}

/** The code that sends traces is loaded only where somebody collects them. It stops last, with the spans of all others. */
async function openTracing({ traces }: Config, log: Log, parts: GatewayParts): Promise<Tracing> {
  if (traces === undefined) return noTracing;
  const { OtlpTracing } = await import('./base/tracing/otlp.ts');
  const tracing = new OtlpTracing({ ...traces, version: packageVersion }, log);
  await parts.add({ name: 'traces', stop: () => tracing.close() });
  return tracing;
}

/** The services of operations, jobs, loops and notice handlers. */
function createServices(shared: Shared): Services {
  const { config, log, overrides, keyring, places, at, clock, metrics, worker, notices, place, tracing } = shared;
  const { reads, vault, mail, provided } = shared;
  const allowed = parseRanges(config.webhookRanges);
  const addresses = ownAddresses(clock);
  const rulesFor = (mode: Mode): TargetRules => ({
    httpAllowed: mode === 'test' || config.purpose === 'dev',
    allowed,
    own: { addresses: addresses(), publicUrl: place.publicUrl },
  });
  const lookup = nameLookup();
  return {
    clock,
    log,
    keyring,
    reads,
    durable: at.durable,
    leases: at.leases,
    committer: commitsAt(places),
    vault,
    ...provided.services,
    publicUrl: () => place.publicUrl,
    ownCardFields: config.ownCardFields,
    connectors: createConnectors({
      registrations: overrides.connectors ?? registrations,
      settings: config.connectorSettings,
      modes: config.connectors,
      tools: { durable: at.connectors, reads, clock, publicUrl: () => place.publicUrl },
      report: notices.handle,
      openAccount: provided.services.processorAccounts.open,
      limits: {
        clock,
        deadlineMs: overrides.processorDeadlineMs ?? processorDeadlineMs,
        onLate: notices.late,
        onCall: metrics.processorCall,
        tracing,
      },
    }),
    targets: { check: (url: string, mode: Mode) => checkTarget(url, rulesFor(mode), lookup) },
    sender: withInboxes(new Sender({ rulesFor, clock, lookup }), { reads, vault, clock, leases: at.leases }),
    webhooks: { limits: config.webhookLimits, onAttempt: metrics.delivery, tracing },
    mail,
    random: Math.random,
    onDue: (moment, name) => worker.wakeAt(moment, name),
    wake: (name) => worker.wake(name),
  };
}

type Edge = Awaited<ReturnType<typeof createEdge>>;

/** The HTTP server, and the parts that a request passes. */
async function createEdge(shared: Shared, services: Services, inbox: Inbox) {
  const { config, log, overrides, catalog, keyring, places, at, pools, clock, metrics, tracing } = shared;
  const operations = requestable(catalog);
  const executor = new Executor(services, executorHooks(catalog));
  const idempotency = new Idempotency(at.durable, keyring);
  const addresses = createAddressLimiter(clock, overrides.supervised);
  const authenticator = createAuthenticator(shared, addresses);
  await authenticator.learnExisting();
  const sessions = new SessionLookup(keyring, pools.relaxed, clock, addresses);
  const requestLog = new RequestLog(at.relaxed, clock, metrics.requestLogDropped);
  const { tls, caFile } = await readCertificate(config, clock, overrides.announce);
  const dashboard = createDashboard(shared, caFile);
  let draining = false;
  const isDraining = () => draining && !overrides.supervised?.isReplaced;
  const readiness = new Readiness({ places, clock, isDraining });
  const http = new HttpServer({
    operations,
    pages: [
      ...healthPages(packageVersion, readiness),
      ...documentationPages(
        describedBy(catalog, services.publicUrl),
        config.purpose === 'serve' ? 'serve' : 'dev',
        pathFromHere(config.dataDir),
      ),
      ...sdkPages(log),
      ...dashboard.pages(),
      ...services.connectors.pages,
      ...catalog.pages({ ...services, executor }),
      noticePage({ ...services, locate: accountLocator(services), inbox, count: metrics.notice }),
    ],
    tls,
    limits: { connectionsPerAddressMax: config.connectionsPerAddress, ...overrides.limits },
    clock,
    keyring,
    log,
    metrics,
    admission: {
      keys: authenticator,
      rates: new RateLimiter(at.relaxed, clock, config.endpointRateLimits),
      addresses,
      sessions,
      publicUrl: services.publicUrl,
      // Places of tenants can serve while the directory is silent.
      database: places.isCluster ? { refusal: () => undefined } : pools.watch,
      ...(config.purpose === 'dev' && { limitHint }),
    },
    runner: new RequestRunner({ executor, idempotency, durable: at.durable, reads: services.reads }),
    requestLog,
    refusedActs: services.refusedActs,
    tracing,
  });
  const drain = () => {
    draining = true;
    const acceptForMs = drainWindowMs(config.drainMs, overrides.supervised);
    return http.close({ acceptForMs, deadlineMs: (overrides.stopLimits ?? stopLimits).abandonAfterMs });
  };
  const certificate = new PresentedCertificate(tls, (pair) => http.useCertificate(pair), log);
  const refreshMetrics = watchMetrics(shared, certificate, readiness);
  return { http, authenticator, sessions, executor, requestLog, dashboard, certificate, caFile, drain, refreshMetrics };
}

function createAuthenticator(
  { directoryGraceMs, keyring, places, clock }: Shared,
  addresses: AddressLimiter,
): Authenticator {
  const lastSeen = new LastSeenKeys(clock, directoryGraceMs);
  return new Authenticator(keyring, places.directory.relaxed, clock, { addresses, lastSeen });
}

function limitHint(account: string): string {
  return `To raise it on this machine: ${raiseLimitCommand(account)}`;
}

function createDashboard({ config, overrides, log, clock }: Shared, caFile: string | undefined): Dashboard {
  const builds = overrides.buildsDashboard ?? false;
  const sendsMail = config.mail !== undefined;
  return new Dashboard({ builds, watches: config.purpose === 'dev', caFile, sendsMail, log, clock });
}

function watchMetrics(
  { catalog, metrics, overrides, at, places }: Shared,
  certificate: PresentedCertificate,
  readiness: Readiness,
) {
  return watchState(metrics.registry, {
    version: packageVersion,
    certificate: () => certificate.pem,
    places: () => everyPlace(places).map((place) => ({ ...place, isUp: () => readiness.isUp(place) })),
    isCluster: places.isCluster,
    loudLines: overrides.loudLines ?? { warn: 0, error: 0, fatal: 0 },
    isReady: () => readiness.isReady(),
    resourceGauges: catalog.gauges,
    gaugesAt: at.relaxed,
    events: metrics.events,
  });
}

/** Jobs, loops and maintenance: everything that runs beside the requests. */
function addWork(
  { config, catalog, notices, worker, at, log, places, address }: Shared,
  offered: Services,
  edge: Edge,
  inbox: Inbox,
): void {
  const services = { ...offered, executor: edge.executor };
  notices.register(catalog.noticeHandlers(services));
  worker.add({
    jobs: [
      ...catalog.jobs(services),
      pollNotices({ ...services, connectors: services.connectors.all, inbox }),
      pollAccounts(services, (source, reported) => inbox.storeReported(source, reported)),
      recordNotices(services, inbox, notices.handle),
    ],
    loops: [
      ...catalog.loops(services),
      ...admissionLoops({ keys: edge.authenticator, sessions: edge.sessions, isCluster: places.isCluster }),
      ...maintenanceLoops([...httpMaintenance, ...catalog.maintenance], at.relaxed, log, config.retention),
      ...leftoverPlaces(places, address, log),
    ],
  });
}

function metricsPart({ metrics: at }: Config, watched: WatchedMetrics, supervised?: Supervised): GatewayPart {
  const open = () => collectMetrics(watched);
  if (at === undefined) return { name: 'metrics' };
  return supervised === undefined ? metricsPort(at, open) : supervisedMetrics(supervised, open);
}
