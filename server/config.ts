import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseUrlError, parseDatabaseUrl } from './base/database_url.ts';
import { parseRanges } from './base/ip_range.ts';
import { MasterKeyError, parseMasterKey } from './base/keyring.ts';
import { logLevels } from './base/log.ts';
import { Secret } from './base/secret.ts';
import { defaultConnectors, registrations } from './connectors/index.ts';
import type { ConnectorRegistration } from './connectors/registration.ts';
import { defaultRetention } from './operations/retention.ts';

/** dev: every setting has a default. serve: settings that protect money have none. command: the defaults of all other commands. */
export type Purpose = 'dev' | 'serve' | 'command';

export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

const portMax = 65_535;

type Environment = Readonly<Record<string, string | undefined>>;

const known = new Set([
  'TOLLGATE_DATA_DIR',
  'TOLLGATE_VAULT_KEY',
  'TOLLGATE_VAULT_KEY_FILE',
  'TOLLGATE_VAULT_KEY_PREVIOUS',
  'TOLLGATE_VAULT_KEY_PREVIOUS_FILE',
  'TOLLGATE_EMBEDDED_POSTGRES',
  'TOLLGATE_API_BASE',
  'TOLLGATE_API_KEY',
]);

export type Config = ReturnType<typeof readConfig>;

/** The only reader of the environment. All problems are reported at once, before anything starts. */
export function readConfig(
  purpose: Purpose,
  environment: Environment = process.env,
  processors: readonly ConnectorRegistration[] = registrations,
) {
  const reader = new EnvironmentReader(purpose, environment);
  const config = {
    purpose,
    port: reader.number('PORT', 8443, 0, portMax),
    host: reader.text('HOST') ?? (purpose === 'serve' ? '0.0.0.0' : '127.0.0.1'),
    /** How many processes serve the port. */
    processes: purpose === 'serve' ? reader.number('WEB_CONCURRENCY', 1, 1, 64) : 1,
    dataDir: resolve(reader.text('TOLLGATE_DATA_DIR') ?? '.tollgate'),
    database: readDatabase(reader, purpose),
    tls: readTls(reader, purpose),
    /** Undefined where the data directory holds the key: development only. */
    masterKey: readMasterKey(reader, purpose),
    /** The master key before this one, until `tollgate vault rotate` has finished. */
    previousMasterKey: readKey(reader, 'TOLLGATE_VAULT_KEY_PREVIOUS'),
    /** The files that hold a key in clear. */
    keyFiles: ['TLS_KEY_FILE', 'TOLLGATE_VAULT_KEY_FILE', 'TOLLGATE_VAULT_KEY_PREVIOUS_FILE'].flatMap(
      (name) => reader.text(name) ?? [],
    ),
    /** Where systemd waits to be notified that the server is ready; undefined: it does not. */
    notifySocket: reader.text('NOTIFY_SOCKET'),
    logLevel: reader.oneOf('LOG_LEVEL', logLevels, purpose === 'serve' ? 'info' : 'warn'),
    metrics: readMetrics(reader),
    /** The collector of OpenTelemetry that gets traces; undefined: none are made. */
    traces: readTraces(reader),
    /** Requests per minute for single operations, below the account's own limit. */
    endpointRateLimits: readEndpointLimits(reader),
    /** Open connections of one client address; trusted proxies have no such limit. */
    connectionsPerAddress: reader.number('CONNECTIONS_PER_ADDRESS', 1_000, 1, 10_000),
    /** The name of the connector for each mode. */
    connectors: { test: defaultConnectors.test, live: readLiveConnector(reader, purpose, processors) },
    /** The settings of each connector, by its name. */
    connectorSettings: Object.fromEntries(processors.map(({ name, settings }) => [name, settings(reader)])),
    /** Address ranges that webhooks may be sent to although they are not public. */
    webhookRanges: readWebhookRanges(reader, purpose),
    /** How many webhooks may be in flight at a time. */
    webhookLimits: {
      perEndpoint: reader.number('WEBHOOKS_PER_ENDPOINT', 8, 1, 100),
      perInstance: reader.number('WEBHOOKS_PER_INSTANCE', 2_000, 100, 20_000),
    },
    retention: {
      eventDays: reader.number('EVENT_RETENTION_DAYS', defaultRetention.eventDays, 30, 3_650),
      requestLogDays: reader.number('REQUEST_LOG_DAYS', defaultRetention.requestLogDays, 2, 400),
    },
    /** Where browsers reach this gateway; undefined: on this machine. */
    publicUrl: readPublicUrl(reader),
    /** How long a stopping server still accepts connections, until load balancers have noticed. */
    drainMs: 1_000 * reader.number('DRAIN_SECONDS', purpose === 'serve' ? 3 : 0, 0, 20),
  };
  for (const name of Object.keys(environment))
    if (name.startsWith('TOLLGATE_') && !known.has(name))
      reader.problem(`${name} is not a setting. Check its spelling.`);
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return config;
}

class EnvironmentReader {
  readonly problems: string[] = [];
  readonly isDevelopment: boolean;
  readonly #environment: Environment;

  constructor(purpose: Purpose, environment: Environment) {
    this.#environment = environment;
    // Production has its master key in the environment, which its commands share: `serve` does not start without it.
    const hasKey = ['TOLLGATE_VAULT_KEY', 'TOLLGATE_VAULT_KEY_FILE'].some((name) => this.text(name) !== undefined);
    this.isDevelopment = purpose === 'dev' || (purpose === 'command' && !hasKey);
  }

  problem(text: string): void {
    this.problems.push(text);
  }

  text(name: string): string | undefined {
    const value = this.#environment[name]?.trim();
    return value === '' ? undefined : value;
  }

  /** Values that are separated by commas or white space. */
  list(name: string, otherwise = ''): string[] {
    return (this.text(name) ?? otherwise).split(/[\s,]+/).filter(Boolean);
  }

  number(name: string, otherwise: number, min: number, max: number): number {
    const text = this.text(name);
    if (text === undefined) return otherwise;
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    this.problem(`${name} must be a whole number from ${min} to ${max}.`);
    return otherwise;
  }

  oneOf<T extends string>(name: string, allowed: readonly T[], otherwise: T): T {
    const text = this.text(name);
    if (text === undefined) return otherwise;
    if ((allowed as readonly string[]).includes(text)) return text as T;
    this.problem(`${name} must be one of ${allowed.join(', ')}.`);
    return otherwise;
  }

  file(name: string): string | undefined {
    const path = this.text(name);
    if (path === undefined) return undefined;
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      this.problem(`${name} names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`);
      return undefined;
    }
  }
}

function readDatabase(
  reader: EnvironmentReader,
  purpose: Purpose,
): { kind: 'embedded' } | { kind: 'url'; url: string } {
  const url = reader.text('DATABASE_URL');
  const embedded =
    reader.oneOf('TOLLGATE_EMBEDDED_POSTGRES', ['yes', 'no'], purpose === 'serve' ? 'no' : 'yes') === 'yes';
  if (url !== undefined) {
    checkDatabaseUrl(reader, purpose, url);
    return { kind: 'url', url };
  }
  if (!embedded)
    reader.problem(
      'DATABASE_URL is missing: set it to a PostgreSQL database (postgres://user:password@host/database), or set TOLLGATE_EMBEDDED_POSTGRES=yes to run one in TOLLGATE_DATA_DIR.',
    );
  return { kind: 'embedded' };
}

function checkDatabaseUrl(reader: EnvironmentReader, purpose: Purpose, url: string): void {
  try {
    const { target } = parseDatabaseUrl(url);
    if (purpose !== 'command' && (target === 'standby' || target === 'read-only'))
      reader.problem(
        `DATABASE_URL has target_session_attrs=${target}, but a server makes changes: use read-write, primary or prefer-standby.`,
      );
  } catch (error) {
    if (!(error instanceof DatabaseUrlError)) throw error;
    reader.problem(`DATABASE_URL ${error.message}.`);
  }
}

function readTls(
  reader: EnvironmentReader,
  purpose: Purpose,
): { kind: 'local' } | { kind: 'files'; cert: string; key: string } | { kind: 'proxy'; trustedProxies: string[] } {
  const proxies = reader.list('TRUSTED_PROXIES');
  if (reader.oneOf('TLS', ['direct', 'proxy'], 'direct') === 'proxy') {
    if (proxies.length === 0)
      reader.problem(
        'TLS=proxy needs TRUSTED_PROXIES: the addresses or ranges that may forward requests, such as 10.0.0.0/8.',
      );
    try {
      parseRanges(proxies);
    } catch (error) {
      reader.problem(`TRUSTED_PROXIES has an entry that cannot be read: ${(error as Error).message}.`);
    }
    return { kind: 'proxy', trustedProxies: proxies };
  }
  if (proxies.length > 0) reader.problem('TRUSTED_PROXIES is set but TLS is not proxy: set TLS=proxy, or remove it.');
  const cert = reader.file('TLS_CERT_FILE');
  const key = reader.file('TLS_KEY_FILE');
  if (cert !== undefined && key !== undefined) return { kind: 'files', cert, key };
  const named = ['TLS_CERT_FILE', 'TLS_KEY_FILE'].filter((name) => reader.text(name) !== undefined);
  if (named.length === 1) reader.problem('TLS_CERT_FILE and TLS_KEY_FILE belong together: set both.');
  else if (named.length === 0 && purpose === 'serve')
    reader.problem(
      'TLS_CERT_FILE and TLS_KEY_FILE are missing: set both, or set TLS=proxy behind a proxy that terminates TLS.',
    );
  return { kind: 'local' };
}

function readMasterKey(reader: EnvironmentReader, purpose: Purpose) {
  const name = 'TOLLGATE_VAULT_KEY';
  if (purpose === 'serve' && reader.text(name) === undefined && reader.text(`${name}_FILE`) === undefined)
    reader.problem(
      'TOLLGATE_VAULT_KEY is missing: set it, or TOLLGATE_VAULT_KEY_FILE, to 32 random bytes (openssl rand -base64 32), and keep a copy: without it the data cannot be read.',
    );
  return readKey(reader, name);
}

/** A key from the variable of this name, or from the file that `<name>_FILE` names. */
function readKey(reader: EnvironmentReader, name: string): Secret<Buffer> | undefined {
  const direct = reader.text(name);
  const file = reader.file(`${name}_FILE`);
  if (direct !== undefined && reader.text(`${name}_FILE`) !== undefined)
    reader.problem(`${name} and ${name}_FILE are both set: keep one.`);
  const text = direct ?? file;
  if (text === undefined) return undefined;
  try {
    return parseMasterKey(text);
  } catch (error) {
    if (!(error instanceof MasterKeyError)) throw error;
    reader.problem(`${direct === undefined ? `${name}_FILE` : name} is not a key: ${error.message}.`);
    return undefined;
  }
}

function readLiveConnector(
  reader: EnvironmentReader,
  purpose: Purpose,
  processors: readonly ConnectorRegistration[],
): string {
  const names = processors.filter(({ needsAccount = false }) => !needsAccount).map(({ name }) => name);
  const chosen = reader.oneOf('LIVE_CONNECTOR', names, defaultConnectors.live);
  if (purpose === 'serve' && processors.some(({ name, isPretend }) => name === chosen && isPretend))
    reader.problem(`LIVE_CONNECTOR=${chosen} is for tollgate dev alone: it only pretends to move money.`);
  return chosen;
}

/** Development also sends to this machine; production sends to public addresses only, unless the operator allows more. */
function readWebhookRanges(reader: EnvironmentReader, purpose: Purpose): readonly string[] {
  const ranges = reader.list('WEBHOOK_ALLOWED_RANGES', purpose === 'serve' ? '' : '127.0.0.0/8,::1/128');
  try {
    parseRanges(ranges);
  } catch (error) {
    reader.problem(`WEBHOOK_ALLOWED_RANGES has an entry that cannot be read: ${(error as Error).message}.`);
  }
  return ranges;
}

function readPublicUrl(reader: EnvironmentReader): string | undefined {
  const text = reader.text('PUBLIC_URL');
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && url.pathname === '/' && url.search === '' && url.username === '') return url.origin;
  reader.problem('PUBLIC_URL must be an https address without a path, such as https://pay.example.com.');
  return undefined;
}

function readMetrics(reader: EnvironmentReader) {
  if (reader.text('METRICS_PORT') === undefined) return undefined;
  return { port: reader.number('METRICS_PORT', 0, 0, portMax), host: reader.text('METRICS_HOST') ?? '127.0.0.1' };
}

/** The variables that OpenTelemetry names. */
function readTraces(reader: EnvironmentReader) {
  const endpoint = reader.text('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (endpoint === undefined) return undefined;
  const url = URL.parse(endpoint);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '')
    reader.problem('OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address, such as http://127.0.0.1:4318.');
  reader.oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/json'], 'http/json');
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    service: reader.text('OTEL_SERVICE_NAME') ?? 'tollgate',
    headers: new Secret(readOtlpHeaders(reader)),
  };
}

/** `authorization=Bearer%20abc,x-tenant=7` */
function readOtlpHeaders(reader: EnvironmentReader): Record<string, string> {
  const entries = (reader.text('OTEL_EXPORTER_OTLP_HEADERS') ?? '').split(',').filter((entry) => entry.trim() !== '');
  try {
    const named = entries.map((entry) => {
      const [, name, value] = /^\s*([\w.~-]+)\s*=(.*)$/.exec(entry)!;
      return [name!, decodeURIComponent(value!.trim())] as const;
    });
    return Object.fromEntries(new Headers([...named] as [string, string][]));
  } catch {
    // The value may be a secret, so it is not quoted.
    reader.problem(
      'OTEL_EXPORTER_OTLP_HEADERS cannot be read: write name=value, separated by commas, and %20 for a space.',
    );
    return {};
  }
}

/** `customers.create=20,events.list=10` */
function readEndpointLimits(reader: EnvironmentReader): Map<string, number> {
  const limits = new Map<string, number>();
  for (const entry of reader.list('ENDPOINT_RATE_LIMITS')) {
    const match = /^([a-z_]+\.[a-z_]+)=([1-9]\d{0,8})$/.exec(entry);
    if (match === null)
      reader.problem(
        `ENDPOINT_RATE_LIMITS has "${entry}"; write operation=requests per minute, such as customers.create=20.`,
      );
    else limits.set(match[1]!, Number(match[2]));
  }
  return limits;
}

/** A variable that a command names as the source of a secret; undefined when it is not set. */
export function environmentVariable(name: string): string | undefined {
  return process.env[name];
}

/** Which server the commands of the API ask, and with which key; undefined where the environment does not say. */
export function apiSettings(environment: Environment = process.env): { base?: string; key?: string } {
  const { TOLLGATE_API_BASE: base, TOLLGATE_API_KEY: key } = environment;
  return { ...(base ? { base } : {}), ...(key ? { key } : {}) };
}

/** The master key of development, in the data directory. */
export function keyFileOf(dataDir: string): string {
  return join(dataDir, 'vault.key');
}

export function hasKeyFile(dataDir: string): boolean {
  return existsSync(keyFileOf(dataDir));
}
