import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseRanges } from './base/ip_range.ts';
import {
  type AnySetting,
  choiceSetting,
  type Environment,
  givenIn,
  type NumberSetting,
  type Purpose,
  type Setting,
  SettingsReader,
} from './base/setting.ts';
import { databaseSettings, dataDirectory, readDatabase } from './config/database.ts';
import { mailSettings, readMail } from './config/mail.ts';
import { masterKeySettings, previousKeySettings, readMasterKey, readPreviousKey } from './config/master_key.ts';
import { logLevel, observabilitySettings, readMetrics, readTraces } from './config/observability.ts';
import { certificateKeyFile, readTls, tlsSettings } from './config/tls.ts';
import { defaultConnectors, registrations } from './connectors/index.ts';
import type { ConnectorRegistration } from './connectors/registration.ts';
import { defaultRetention } from './operations/retention.ts';

export type { Purpose };

export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** The settings that are not declared beside their reader in `config/`. A setting is added here, and read in `readConfig`. */
const settings = {
  port: { name: 'PORT', default: 8443, range: [0, 65_535], meaning: 'The port of the API. `0` takes a free one.' },
  host: {
    name: 'HOST',
    default: { serve: '0.0.0.0', otherwise: '127.0.0.1' },
    meaning: 'The address to listen on. `::` listens on IPv6 and IPv4.',
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    defaultInWords: '`https://localhost:<port>`',
    meaning: 'The [address](operations.md#public-address) at which browsers reach this gateway: https, without a path.',
  },
  connectionsPerAddress: {
    name: 'CONNECTIONS_PER_ADDRESS',
    default: 1_000,
    range: [1, 10_000],
    perProcess: 'divided',
    meaning:
      'How many connections a client address may have open. An IPv6 address counts as its /64 network; trusted proxies have no limit.',
  },
  endpointRateLimits: {
    name: 'ENDPOINT_RATE_LIMITS',
    meaning:
      'Requests per minute for [single operations](rate-limits.md#limits-for-single-operations), below the limit of the account: `customers.create=20,events.list=10`.',
  },
  webhookRanges: {
    name: 'WEBHOOK_ALLOWED_RANGES',
    default: { serve: '', otherwise: '127.0.0.0/8,::1/128' },
    meaning:
      'Addresses or ranges that are not public and to which [webhooks](operations.md#webhooks) may be sent, separated by commas.',
  },
  webhooksPerEndpoint: {
    name: 'WEBHOOKS_PER_ENDPOINT',
    default: 8,
    range: [1, 100],
    perProcess: 'divided',
    meaning: 'How many webhooks an instance sends to one endpoint at a time.',
  },
  webhooksPerInstance: {
    name: 'WEBHOOKS_PER_INSTANCE',
    default: 2_000,
    range: [100, 20_000],
    perProcess: 'divided',
    meaning: 'How many webhooks an instance leases at a time.',
  },
  eventRetentionDays: {
    name: 'EVENT_RETENTION_DAYS',
    default: defaultRetention.eventDays,
    range: [30, 3_650],
    meaning: 'For how many days events and their deliveries are kept.',
  },
  requestLogDays: {
    name: 'REQUEST_LOG_DAYS',
    default: defaultRetention.requestLogDays,
    range: [2, 400],
    meaning: 'For how many days the [request log](request-log.md) is kept.',
  },
  processes: {
    name: 'WEB_CONCURRENCY',
    default: 1,
    range: [1, 64],
    meaning: 'How many processes of `serve` [share the port](operations.md#more-than-one-processor).',
  },
  drainSeconds: {
    name: 'DRAIN_SECONDS',
    default: { serve: 3, otherwise: 0 },
    range: [0, 20],
    meaning: 'For how many seconds a stopping server accepts new connections, until load balancers have noticed.',
  },
  directoryGraceSeconds: {
    name: 'DIRECTORY_GRACE_SECONDS',
    default: 300,
    range: [0, 3_600],
    meaning:
      'On a [Citus cluster](scale.md): for how many seconds API keys that this instance has seen stay valid while the directory is down. A revoked key works for as long.',
  },
  notifySocket: {
    name: 'NOTIFY_SOCKET',
    meaning: 'Set by [systemd](operations.md#systemd), which waits there for the message that the server is ready.',
  },
  apiBase: {
    name: 'TOLLGATE_API_BASE',
    defaultInWords: 'that of `tollgate dev`',
    meaning: 'The address of the server that the [commands of the API](commands.md#commands-of-the-api) ask.',
  },
  apiKey: { name: 'TOLLGATE_API_KEY', defaultInWords: 'that of `tollgate dev`', meaning: 'The key of these commands.' },
  apiCa: {
    name: 'TOLLGATE_API_CA',
    defaultInWords: 'that of `tollgate dev`',
    meaning: 'The file of the certificate authority of that server, if this machine does not trust it: PEM.',
  },
} as const satisfies Record<string, Setting | NumberSetting>;

/** What this means, for the log and for the doctor. */
export const ownCardFieldsMean =
  'OWN_CARD_FIELDS=yes: card numbers are typed into this gateway, which is then assessed by PCI SAQ D';

const ownCardFields = choiceSetting({
  name: 'OWN_CARD_FIELDS',
  choices: ['yes', 'no'],
  default: 'no',
  meaning:
    '`yes`: customers type card numbers of live mode into fields of this gateway at the [checkout](checkout.md), which brings you into the scope of PCI SAQ D. In test mode these fields are there where no processor account serves the payment.',
});

function liveConnectorOf(processors: readonly ConnectorRegistration[]) {
  return choiceSetting({
    name: 'LIVE_CONNECTOR',
    choices: processors.filter(({ needsAccount = false }) => !needsAccount).map(({ name }) => name),
    default: defaultConnectors.live,
    meaning:
      'What takes live payments while no processor account does. `simulator`: the simulator takes them; `serve` refuses it.',
  });
}

/** Every setting, by theme. */
export function settingGroups(
  processors: readonly ConnectorRegistration[] = registrations,
): Readonly<Record<string, readonly AnySetting[]>> {
  const { port, host, publicUrl, connectionsPerAddress, endpointRateLimits, processes, drainSeconds } = settings;
  const { eventRetentionDays, requestLogDays, notifySocket, apiBase, apiKey, apiCa } = settings;
  return {
    'Address and TLS': [port, host, publicUrl, ...tlsSettings],
    'Database and master key': [
      ...databaseSettings,
      ...masterKeySettings,
      ...previousKeySettings,
      settings.directoryGraceSeconds,
    ],
    Processors: [liveConnectorOf(processors), ownCardFields, ...processors.flatMap(({ declares = [] }) => declares)],
    Mail: mailSettings,
    Webhooks: [settings.webhookRanges, settings.webhooksPerEndpoint, settings.webhooksPerInstance],
    'Limits and retention': [connectionsPerAddress, endpointRateLimits, eventRetentionDays, requestLogDays],
    'Logs, metrics and traces': observabilitySettings,
    Processes: [processes, drainSeconds, notifySocket],
    'Commands of the API': [apiBase, apiKey, apiCa],
  };
}

export type Config = ReturnType<typeof readConfig>;

/**
 * The only reader of the environment. All problems are reported together, before anything starts.
 * `part`: of one of the processes of a server, the limits that are divided among them are its share.
 */
export function readConfig(
  purpose: Purpose,
  environment: Environment = process.env,
  processors: readonly ConnectorRegistration[] = registrations,
  part: 'server' | 'process' = 'server',
) {
  const reader = readerOf(purpose, environment, part);
  const config = {
    purpose,
    port: reader.number(settings.port),
    host: reader.text(settings.host),
    /** How many processes serve the port. */
    processes: purpose === 'serve' ? reader.number(settings.processes) : 1,
    dataDir: resolve(reader.text(dataDirectory)),
    database: readDatabase(reader),
    tls: readTls(reader),
    /** Undefined where the data directory holds the key: development only. */
    masterKey: readMasterKey(reader),
    /** The master key before this one, until `tollgate vault rotate` has finished. */
    previousMasterKey: readPreviousKey(reader),
    /** The files that hold a key in clear. */
    keyFiles: [certificateKeyFile, masterKeySettings[1]!, previousKeySettings[1]!].flatMap(
      (setting) => reader.given(setting) ?? [],
    ),
    /** Where systemd waits to be notified that the server is ready; undefined: it does not. */
    notifySocket: reader.given(settings.notifySocket),
    logLevel: reader.choice(logLevel),
    metrics: readMetrics(reader),
    /** The collector of OpenTelemetry that gets traces; undefined: none are made. */
    traces: readTraces(reader),
    endpointRateLimits: readEndpointLimits(reader),
    connectionsPerAddress: reader.number(settings.connectionsPerAddress),
    /** The name of the connector for each mode. */
    connectors: { test: defaultConnectors.test, live: readLiveConnector(reader, processors) },
    /** The settings of each connector, by its name. */
    connectorSettings: Object.fromEntries(processors.map(({ name, settings: read }) => [name, read(reader)])),
    webhookRanges: readWebhookRanges(reader),
    webhookLimits: {
      perEndpoint: reader.number(settings.webhooksPerEndpoint),
      perInstance: reader.number(settings.webhooksPerInstance),
    },
    /** Undefined: no mails are sent. */
    mail: readMail(reader),
    retention: {
      eventDays: reader.number(settings.eventRetentionDays),
      requestLogDays: reader.number(settings.requestLogDays),
    },
    /** Where browsers reach this gateway; undefined: on this machine. */
    publicUrl: readPublicUrl(reader),
    directoryGraceMs: 1_000 * reader.number(settings.directoryGraceSeconds),
    ownCardFields: reader.choice(ownCardFields) === 'yes',
    drainMs: 1_000 * reader.number(settings.drainSeconds),
  };
  refuseUnknown(reader, environment, processors);
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return config;
}

/** The configuration of one of the processes of a server. */
export function readProcessConfig(environment: Environment = process.env): Config {
  return readConfig('serve', environment, registrations, 'process');
}

function readerOf(purpose: Purpose, environment: Environment, part: 'server' | 'process'): SettingsReader {
  // Production has its master key in the environment, which its commands share: `serve` does not start without it.
  const hasKey = masterKeySettings.some(({ name }) => givenIn(environment, name) !== undefined);
  const isDevelopment = purpose === 'dev' || (purpose === 'command' && !hasKey);
  const whole = new SettingsReader({ purpose, environment, isDevelopment, sharedBy: 1 });
  if (part === 'server') return whole;
  return new SettingsReader({ purpose, environment, isDevelopment, sharedBy: whole.number(settings.processes) });
}

/** A variable with our prefix that is no setting is probably a typing error. */
function refuseUnknown(
  reader: SettingsReader,
  environment: Environment,
  processors: readonly ConnectorRegistration[],
): void {
  const known = new Set(Object.values(settingGroups(processors)).flatMap((group) => group.map(({ name }) => name)));
  for (const name of Object.keys(environment))
    if (name.startsWith('TOLLGATE_') && !known.has(name))
      reader.problem(`${name} is not a setting. Check its spelling.`);
}

function readLiveConnector(reader: SettingsReader, processors: readonly ConnectorRegistration[]): string {
  const chosen = reader.choice(liveConnectorOf(processors));
  if (reader.purpose === 'serve' && processors.some(({ name, isPretend }) => name === chosen && isPretend))
    reader.problem(`LIVE_CONNECTOR=${chosen} is for tollgate dev alone: it only pretends to move money.`);
  return chosen;
}

/** Development also sends to this machine; production sends to public addresses only, unless the operator allows more. */
function readWebhookRanges(reader: SettingsReader): readonly string[] {
  const ranges = reader.list(settings.webhookRanges);
  try {
    parseRanges(ranges);
  } catch (error) {
    reader.problem(`WEBHOOK_ALLOWED_RANGES has an entry that cannot be read: ${(error as Error).message}.`);
  }
  return ranges;
}

/** Where a gateway on this machine is reached, unless PUBLIC_URL says otherwise. */
export const localUrl = (port: number = settings.port.default) => `https://localhost:${port}`;

function readPublicUrl(reader: SettingsReader): string | undefined {
  const text = reader.given(settings.publicUrl);
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && url.pathname === '/' && url.search === '' && url.username === '') return url.origin;
  reader.problem('PUBLIC_URL must be an https address without a path, such as https://pay.example.com.');
  return undefined;
}

/** `customers.create=20,events.list=10` */
function readEndpointLimits(reader: SettingsReader): Map<string, number> {
  const limits = new Map<string, number>();
  for (const entry of reader.list(settings.endpointRateLimits)) {
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
export function apiSettings(environment: Environment = process.env): { base?: string; key?: string; ca?: string } {
  const { [settings.apiBase.name]: base, [settings.apiKey.name]: key, [settings.apiCa.name]: ca } = environment;
  return { ...(base ? { base } : {}), ...(key ? { key } : {}), ...(ca ? { ca } : {}) };
}

/** Where programs keep what belongs to a user, whatever the working directory. */
export function userConfigFolder(environment: Environment = process.env): string {
  return environment.XDG_CONFIG_HOME || join(homedir(), '.config');
}

/** The master key of development, in the data directory. */
export function keyFileOf(dataDir: string): string {
  return join(dataDir, 'vault.key');
}

export function hasKeyFile(dataDir: string): boolean {
  return existsSync(keyFileOf(dataDir));
}
