import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Config, ConfigError, keyFileOf, type Purpose, readConfig, readProcessConfig } from './config.ts';

type Environment = Record<string, string>;

const dir = mkdtempSync(join(tmpdir(), 'tollgate-config-'));
afterAll(() => rmSync(dir, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
}

const masterKey = 'ab'.repeat(32);
const cert = file('cert.pem', 'the certificate');
const key = file('key.pem', 'its key');
const vaultKey = file('vault.key', `${Buffer.from(masterKey, 'hex').toString('base64')}\n`);
const gone = join(dir, 'gone');

/** The settings that `serve` requires. */
const needed: Environment = {
  DATABASE_URL: 'postgres://user:password@db/tollgate',
  TLS_CERT_FILE: cert,
  TLS_KEY_FILE: key,
  TOLLGATE_VAULT_KEY: masterKey,
};
const traced: Environment = { ...needed, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' };
const behindProxy: Environment = { ...needed, TLS: 'proxy', TRUSTED_PROXIES: '10.0.0.0/8' };

function without(environment: Environment, ...names: string[]): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)));
}

function problems(purpose: Purpose, environment: Environment): readonly string[] {
  try {
    readConfig(purpose, environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.message).toBe(error.problems.join('\n'));
    return error.problems;
  }
}

describe('the mail server', () => {
  const mailOf = (environment: Environment) => {
    const { mail } = readConfig('serve', { ...needed, MAIL_FROM: 'billing@shop.example', ...environment });
    return mail && { ...mail, server: { ...mail.server, login: undefined }, login: loginOf(mail.server.login) };
  };
  const loginOf = (login: { user: string; password: { open(): string } } | undefined) =>
    login && [login.user, login.password.open()];
  const starttls = { host: 'mail.example', port: 587, encryption: 'starttls', login: undefined };
  const settings = { from: 'billing@shop.example', perMinute: 0, login: undefined };

  test.each([
    ['smtp://mail.example', { ...settings, server: starttls }],
    ['smtp://Mail.Example:2525', { ...settings, server: { ...starttls, port: 2_525 } }],
    ['smtps://mail.example', { ...settings, server: { ...starttls, port: 465, encryption: 'tls' } }],
    [
      'smtp://127.0.0.1:25',
      { ...settings, server: { host: '127.0.0.1', port: 25, encryption: 'none', login: undefined } },
    ],
    ['smtp://[::1]', { ...settings, server: { host: '::1', port: 587, encryption: 'none', login: undefined } }],
    ['smtp://us%40er:pa%3Ass%2F@mail.example', { ...settings, server: starttls, login: ['us@er', 'pa:ss/'] }],
  ])('is read from %s', (url, read) => {
    expect(mailOf({ SMTP_URL: url })).toEqual(read);
  });

  test('gets its password from a file, without the end of the line', () => {
    const password = file('smtp-password', 'from a file \n');
    const environment = { SMTP_URL: 'smtp://user@mail.example', SMTP_PASSWORD_FILE: password, MAIL_PER_MINUTE: '60' };
    expect(mailOf(environment)).toEqual({
      ...settings,
      perMinute: 60,
      server: starttls,
      login: ['user', 'from a file '],
    });
  });

  const from = { MAIL_FROM: 'billing@shop.example' };
  const url = { SMTP_URL: 'smtp://mail.example' };
  test.each([
    [url, 'MAIL_FROM is missing: with SMTP_URL, set it to the address that mails come from.'],
    [from, 'MAIL_FROM is set but SMTP_URL is not: set SMTP_URL, or remove it.'],
    [
      { ...url, MAIL_FROM: 'Shop <billing@shop.example>' },
      'MAIL_FROM must be an email address alone, in ASCII, such as billing@example.com.',
    ],
    [
      { ...url, MAIL_FROM: 'billing' },
      'MAIL_FROM must be an email address alone, in ASCII, such as billing@example.com.',
    ],
    ...[
      'mail.example:587',
      'https://mail.example',
      'smtp://',
      'smtp://mail.example/path',
      'smtp://mail.example?secure=1',
      'smtp://u:secret@mail.example:99999',
    ].map((SMTP_URL): [Environment, string] => [
      { ...from, SMTP_URL },
      'SMTP_URL must be smtp://user:password@host:port or smtps://…, with nothing after the port.',
    ]),
    [
      { ...from, SMTP_URL: 'smtp://u:100%@mail.example' },
      'SMTP_URL has a user or a password that is not percent-encoded: write %25 for %, and %40 for @.',
    ],
    [
      { ...from, SMTP_URL: 'smtp://user@mail.example' },
      'There is a user of the mail server, and no password: write smtp://user@host, with the password there or in SMTP_PASSWORD_FILE.',
    ],
    [
      { ...from, SMTP_URL: 'smtp://u:p@mail.example', SMTP_PASSWORD_FILE: key },
      'The password of the mail server is in SMTP_URL and in SMTP_PASSWORD_FILE: keep one of them.',
    ],
    [{ ...from, ...url, MAIL_PER_MINUTE: '-1' }, 'MAIL_PER_MINUTE must be a whole number from 0 to 100000.'],
  ] as [Environment, string][])('%j is refused: %s', (environment, problem) => {
    expect(problems('serve', { ...needed, ...environment })).toEqual([problem]);
  });
});

describe('the defaults', () => {
  test('of dev cover every setting', () => {
    expect(readConfig('dev', {})).toEqual({
      purpose: 'dev',
      port: 8443,
      host: '127.0.0.1',
      processes: 1,
      dataDir: resolve('.tollgate'),
      database: { kind: 'embedded' },
      tls: { kind: 'local' },
      masterKey: undefined,
      previousMasterKey: undefined,
      keyFiles: [],
      logLevel: 'warn',
      metrics: undefined,
      traces: undefined,
      endpointRateLimits: new Map(),
      connectors: { test: 'simulator', live: 'none' },
      connectorSettings: {
        none: undefined,
        simulator: { place: 'local' },
        stripe: { allowedHosts: [], isDevelopment: true },
      },
      webhookRanges: ['127.0.0.0/8', '::1/128'],
      webhookLimits: { perEndpoint: 8, perInstance: 2_000 },
      connectionsPerAddress: 1_000,
      publicUrl: undefined,
      directoryGraceMs: 300_000,
      drainMs: 0,
      ownCardFields: false,
      notifySocket: undefined,
      retention: { eventDays: 90, requestLogDays: 30 },
    });
  });

  test('of serve leave out the settings that protect money, and suit a server otherwise', () => {
    const { masterKey: read, ...config } = readConfig('serve', needed);
    expect(config).toEqual({
      purpose: 'serve',
      port: 8443,
      host: '0.0.0.0',
      processes: 1,
      dataDir: resolve('.tollgate'),
      database: { kind: 'url', url: needed.DATABASE_URL },
      tls: { kind: 'files', cert: 'the certificate', key: 'its key' },
      previousMasterKey: undefined,
      keyFiles: [needed.TLS_KEY_FILE],
      logLevel: 'info',
      metrics: undefined,
      traces: undefined,
      endpointRateLimits: new Map(),
      connectors: { test: 'simulator', live: 'none' },
      connectorSettings: {
        none: undefined,
        simulator: { place: 'local' },
        stripe: { allowedHosts: [], isDevelopment: false },
      },
      webhookRanges: [],
      webhookLimits: { perEndpoint: 8, perInstance: 2_000 },
      connectionsPerAddress: 1_000,
      publicUrl: undefined,
      directoryGraceMs: 300_000,
      drainMs: 3_000,
      ownCardFields: false,
      notifySocket: undefined,
      retention: { eventDays: 90, requestLogDays: 30 },
    });
    expect(read!.open().toString('hex')).toBe(masterKey);
  });

  test('of the other commands are those of dev', () => {
    expect(readConfig('command', {})).toEqual({ ...readConfig('dev', {}), purpose: 'command' });
  });
});

describe('every setting', () => {
  const { TOLLGATE_VAULT_KEY: _, ...withoutKey } = needed;
  type Case = [Environment, (config: Config) => unknown, unknown];
  const cases: Case[] = [
    [{ ...needed, PORT: '0' }, (c) => c.port, 0],
    [{ ...needed, PORT: ' 9000 ' }, (c) => c.port, 9000],
    [{ ...needed, PORT: '' }, (c) => c.port, 8443],
    [{ ...needed, HOST: '::' }, (c) => c.host, '::'],
    [needed, (c) => c.connectionsPerAddress, 1_000],
    [{ ...needed, CONNECTIONS_PER_ADDRESS: '10000' }, (c) => c.connectionsPerAddress, 10_000],
    [{ ...needed, TOLLGATE_DATA_DIR: '/var/lib/tollgate' }, (c) => c.dataDir, '/var/lib/tollgate'],
    [{ ...needed, TOLLGATE_DATA_DIR: 'data' }, (c) => c.dataDir, resolve('data')],
    [{ ...needed, DATABASE_URL: 'postgresql://db/t' }, (c) => c.database, { kind: 'url', url: 'postgresql://db/t' }],
    ...['postgres://u@/t?host=/run', 'postgres:///t?host=/run', 'postgres://u:a b%zz@db/t'].map(
      (url): Case => [{ ...needed, DATABASE_URL: url }, (c) => c.database, { kind: 'url', url }],
    ),
    [
      { ...without(needed, 'DATABASE_URL'), TOLLGATE_EMBEDDED_POSTGRES: 'yes' },
      (c) => c.database,
      { kind: 'embedded' },
    ],
    [behindProxy, (c) => c.tls, { kind: 'proxy', trustedProxies: ['10.0.0.0/8'] }],
    [
      { ...behindProxy, TRUSTED_PROXIES: '10.0.0.1, fd00::/8 192.0.2.1' },
      (c) => c.tls,
      { kind: 'proxy', trustedProxies: ['10.0.0.1', 'fd00::/8', '192.0.2.1'] },
    ],
    [{ ...needed, TLS: 'direct' }, (c) => c.tls.kind, 'files'],
    [{ ...withoutKey, TOLLGATE_VAULT_KEY_FILE: vaultKey }, (c) => c.masterKey!.open().toString('hex'), masterKey],
    [
      { ...needed, TOLLGATE_VAULT_KEY_PREVIOUS: 'cd'.repeat(32) },
      (c) => c.previousMasterKey!.open().toString('hex'),
      'cd'.repeat(32),
    ],
    [
      { ...needed, TOLLGATE_VAULT_KEY_PREVIOUS_FILE: vaultKey },
      (c) => c.previousMasterKey!.open().toString('hex'),
      masterKey,
    ],
    [{ ...needed, LOG_LEVEL: 'debug' }, (c) => c.logLevel, 'debug'],
    [traced, (c) => c.traces?.url, 'http://127.0.0.1:4318/v1/traces'],
    [traced, (c) => c.traces?.service, 'tollgate'],
    [{ ...traced, OTEL_SERVICE_NAME: 'shop' }, (c) => c.traces?.service, 'shop'],
    [
      { ...traced, OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20abc=, x-shop=7' },
      (c) => c.traces?.headers.open(),
      { authorization: 'Bearer abc=', 'x-shop': '7' },
    ],
    [{ ...needed, METRICS_PORT: '9464' }, (c) => c.metrics, { port: 9464, host: '127.0.0.1' }],
    [{ ...needed, METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' }, (c) => c.metrics, { port: 9464, host: '0.0.0.0' }],
    [
      { ...needed, ENDPOINT_RATE_LIMITS: 'customers.create=20, payment_methods.create=5' },
      (c) => [...c.endpointRateLimits],
      [
        ['customers.create', 20],
        ['payment_methods.create', 5],
      ],
    ],
    [{ ...needed, DRAIN_SECONDS: '20' }, (c) => c.drainMs, 20_000],
    [needed, (c) => c.retention, { eventDays: 90, requestLogDays: 30 }],
    [
      { ...needed, EVENT_RETENTION_DAYS: '3650', REQUEST_LOG_DAYS: '400' },
      (c) => c.retention,
      { eventDays: 3_650, requestLogDays: 400 },
    ],
    [{ ...needed, WEB_CONCURRENCY: '4' }, (c) => c.processes, 4],
    [{ ...needed, LIVE_CONNECTOR: 'none' }, (c) => c.connectors.live, 'none'],
    [{ ...needed, SIMULATOR: 'local' }, (c) => (c.connectorSettings.simulator as { place: string }).place, 'local'],
    [{ ...needed, SIMULATOR: 'remote' }, (c) => (c.connectorSettings.simulator as { place: string }).place, 'remote'],
    [
      { ...needed, PROCESSOR_ALLOWED_HOSTS: 'a.example, b.example:8443' },
      (c) => c.connectorSettings.stripe,
      { allowedHosts: ['a.example', 'b.example:8443'], isDevelopment: false },
    ],
    [{ ...needed, PUBLIC_URL: 'https://pay.example.com' }, (c) => c.publicUrl, 'https://pay.example.com'],
    [{ ...needed, PUBLIC_URL: 'https://Pay.example.com:8443/' }, (c) => c.publicUrl, 'https://pay.example.com:8443'],
    [{ ...needed, PUBLIC_URL: ' ' }, (c) => c.publicUrl, undefined],
  ];
  const changed = (environment: Environment) =>
    Object.entries(environment)
      .filter(([name, value]) => needed[name] !== value)
      .map((entry) => entry.join('='))
      .join(' ');
  test.each(cases.map(([environment, look, value]) => [changed(environment), environment, look, value] as const))(
    '%s',
    (_, environment, look, value) => {
      expect(look(readConfig('serve', environment))).toEqual(value);
    },
  );
});

describe('a wrong setting', () => {
  const bad: [Environment, RegExp][] = [
    [{ ...needed, PORT: '65536' }, /^PORT must be a whole number from 0 to 65535\.$/],
    [{ ...needed, PORT: '-1' }, /^PORT must be/],
    [{ ...needed, PORT: '80.5' }, /^PORT must be/],
    [{ ...needed, PORT: 'https' }, /^PORT must be/],
    [{ ...needed, WEB_CONCURRENCY: '0' }, /^WEB_CONCURRENCY must be a whole number from 1 to 64\.$/],
    [{ ...needed, EVENT_RETENTION_DAYS: '29' }, /^EVENT_RETENTION_DAYS must be a whole number from 30 to 3650\.$/],
    [{ ...needed, REQUEST_LOG_DAYS: '1' }, /^REQUEST_LOG_DAYS must be a whole number from 2 to 400\.$/],
    [{ ...needed, DRAIN_SECONDS: '21' }, /^DRAIN_SECONDS must be a whole number from 0 to 20\.$/],
    [{ ...needed, LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of trace, debug, /],
    [{ ...needed, METRICS_PORT: 'x' }, /^METRICS_PORT must be/],
    [{ ...needed, OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /^OTEL_EXPORTER_OTLP_ENDPOINT must be an http/],
    [{ ...traced, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /^OTEL_EXPORTER_OTLP_PROTOCOL must be one of http\/json/],
    [{ ...traced, OTEL_EXPORTER_OTLP_HEADERS: 'secret' }, /^OTEL_EXPORTER_OTLP_HEADERS cannot be read: (?!.*secret)/],
    [{ ...traced, OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' }, /^OTEL_EXPORTER_OTLP_HEADERS cannot be read: (?!.*zz)/],
    [{ ...needed, CONNECTIONS_PER_ADDRESS: '0' }, /^CONNECTIONS_PER_ADDRESS must be a whole number from 1 to 10000/],
    [{ ...needed, DATABASE_URL: 'mysql://db/t' }, /^DATABASE_URL must begin with postgres:/],
    [{ ...needed, DATABASE_URL: 'postgres://u:pass#word@db/t' }, /^DATABASE_URL cannot be read: .* %23 for #/],
    [{ ...needed, DATABASE_URL: 'postgres://u:p@db:70000/t' }, /^DATABASE_URL cannot be read: /],
    [without(needed, 'DATABASE_URL'), /^DATABASE_URL is missing/],
    [{ ...needed, TOLLGATE_EMBEDDED_POSTGRES: 'true' }, /^TOLLGATE_EMBEDDED_POSTGRES must be one of yes, no\.$/],
    [without(needed, 'TLS_CERT_FILE', 'TLS_KEY_FILE'), /^TLS_CERT_FILE and TLS_KEY_FILE are missing/],
    [without(needed, 'TLS_KEY_FILE'), /^TLS_CERT_FILE and TLS_KEY_FILE belong together/],
    [without(needed, 'TLS_CERT_FILE'), /^TLS_CERT_FILE and TLS_KEY_FILE belong together/],
    [{ ...needed, TLS_CERT_FILE: gone }, /^TLS_CERT_FILE names .*gone, which cannot be read \(ENOENT\)\.$/],
    [{ ...needed, TLS: 'off' }, /^TLS must be one of direct, proxy\.$/],
    [without(behindProxy, 'TRUSTED_PROXIES'), /^TLS=proxy needs TRUSTED_PROXIES/],
    [{ ...behindProxy, TRUSTED_PROXIES: '10.0.0.0/33' }, /^TRUSTED_PROXIES has an entry that cannot be read/],
    [{ ...needed, TRUSTED_PROXIES: '10.0.0.1' }, /^TRUSTED_PROXIES is set but TLS is not proxy/],
    [without(needed, 'TOLLGATE_VAULT_KEY'), /^TOLLGATE_VAULT_KEY is missing/],
    [{ ...needed, TOLLGATE_VAULT_KEY: 'short' }, /^TOLLGATE_VAULT_KEY is not a key/],
    [{ ...needed, TOLLGATE_VAULT_KEY_FILE: vaultKey }, /^TOLLGATE_VAULT_KEY and TOLLGATE_VAULT_KEY_FILE are both set/],
    [
      { ...without(needed, 'TOLLGATE_VAULT_KEY'), TOLLGATE_VAULT_KEY_FILE: gone },
      /^TOLLGATE_VAULT_KEY_FILE names .*gone, which cannot be read/,
    ],
    [
      { ...without(needed, 'TOLLGATE_VAULT_KEY'), TOLLGATE_VAULT_KEY_FILE: cert },
      /^TOLLGATE_VAULT_KEY_FILE is not a key/,
    ],
    [{ ...needed, TOLLGATE_VAULT_KEY_PREVIOUS: 'short' }, /^TOLLGATE_VAULT_KEY_PREVIOUS is not a key/],
    [{ ...needed, TOLLGATE_VAULT_KEY_PREVIOUS_FILE: cert }, /^TOLLGATE_VAULT_KEY_PREVIOUS_FILE is not a key/],
    [
      { ...needed, TOLLGATE_VAULT_KEY_PREVIOUS: masterKey, TOLLGATE_VAULT_KEY_PREVIOUS_FILE: vaultKey },
      /^TOLLGATE_VAULT_KEY_PREVIOUS and TOLLGATE_VAULT_KEY_PREVIOUS_FILE are both set/,
    ],
    [{ ...needed, ENDPOINT_RATE_LIMITS: 'customers.create' }, /^ENDPOINT_RATE_LIMITS has "customers.create"/],
    [{ ...needed, ENDPOINT_RATE_LIMITS: 'customers.create=0' }, /^ENDPOINT_RATE_LIMITS has/],
    [{ ...needed, LIVE_CONNECTOR: 'stripe' }, /^LIVE_CONNECTOR must be one of none, simulator\.$/],
    [{ ...needed, LIVE_CONNECTOR: 'simulator' }, /^LIVE_CONNECTOR=simulator is for tollgate dev alone/],
    [
      { ...needed, PROCESSOR_ALLOWED_HOSTS: 'https://a.example' },
      /^PROCESSOR_ALLOWED_HOSTS: https:\/\/a\.example is not/,
    ],
    [{ ...needed, SIMULATOR: 'off' }, /^SIMULATOR must be one of local, remote\.$/],
    [{ ...needed, PUBLIC_URL: 'http://pay.example.com' }, /^PUBLIC_URL must be an https address without a path/],
    [{ ...needed, PUBLIC_URL: 'pay.example.com' }, /^PUBLIC_URL must be/],
    [{ ...needed, PUBLIC_URL: 'https://pay.example.com/tollgate' }, /^PUBLIC_URL must be/],
    [{ ...needed, PUBLIC_URL: 'https://pay.example.com/?a=1' }, /^PUBLIC_URL must be/],
    [{ ...needed, PUBLIC_URL: 'https://user@pay.example.com' }, /^PUBLIC_URL must be/],
    [{ ...needed, TOLLGATE_VALT_KEY: 'x' }, /^TOLLGATE_VALT_KEY is not a setting/],
    [{ ...needed, TOLLGATE_: 'x' }, /^TOLLGATE_ is not a setting/],
  ];
  test.each(bad.map(([environment, problem]) => [problem.source, environment, problem] as const))(
    'is the only problem when it is the only mistake: %s',
    (_, environment, problem) => {
      expect(problems('serve', environment)).toEqual([expect.stringMatching(problem)]);
    },
  );

  test('is reported together with all others', () => {
    const found = problems('serve', { PORT: 'x', LOG_LEVEL: 'loud', TOLLGATE_TYPO: '1', DRAIN_SECONDS: '99' });
    const names = [
      'PORT',
      'DATABASE_URL',
      'TLS_CERT_FILE',
      'TOLLGATE_VAULT_KEY',
      'LOG_LEVEL',
      'DRAIN_SECONDS',
      'TOLLGATE_TYPO',
    ];
    expect(found.map((problem) => problem.split(' ')[0])).toEqual(names);
  });

  test('is reported without its secret', () => {
    const secret = 'not-a-key-but-still-secret';
    const told = problems('serve', { ...needed, TOLLGATE_VAULT_KEY: secret, DATABASE_URL: `mysql://u:${secret}@db` });
    expect(told).toHaveLength(2);
    expect(told.join()).not.toContain(secret);
  });

  test('is never a variable of another program', () => {
    expect(problems('serve', { ...needed, PATH: '/bin', NODE_ENV: 'production', TOLLGATEX: '1' })).toEqual([]);
  });
});

test.each([
  [1, { connectionsPerAddress: 1_000, webhookLimits: { perEndpoint: 8, perInstance: 2_000 } }],
  [3, { connectionsPerAddress: 334, webhookLimits: { perEndpoint: 3, perInstance: 667 } }],
  [64, { connectionsPerAddress: 16, webhookLimits: { perEndpoint: 1, perInstance: 32 } }],
])('of %i processes, each has its share of the limits', (processes, share) => {
  const environment = { ...needed, WEB_CONCURRENCY: String(processes) };
  expect(readProcessConfig(environment)).toEqual({ ...readConfig('serve', environment), ...share });
});

test('the simulator can be the live connector in development, and never in production', () => {
  expect(readConfig('dev', { LIVE_CONNECTOR: 'simulator' }).connectors.live).toBe('simulator');
  expect(problems('serve', { ...needed, LIVE_CONNECTOR: 'simulator' })).toHaveLength(1);
});

test('a command is one of development where the master key is not in the environment, which production requires', () => {
  const stripeOf = (purpose: Purpose, environment: Environment) =>
    readConfig(purpose, environment).connectorSettings.stripe;
  expect(stripeOf('command', { DATABASE_URL: needed.DATABASE_URL! })).toMatchObject({ isDevelopment: true });
  expect(stripeOf('command', needed)).toMatchObject({ isDevelopment: false });
  const byFile = { ...without(needed, 'TOLLGATE_VAULT_KEY'), TOLLGATE_VAULT_KEY_FILE: vaultKey };
  expect(stripeOf('command', byFile)).toMatchObject({ isDevelopment: false });
  expect(stripeOf('dev', { TOLLGATE_VAULT_KEY: masterKey })).toMatchObject({ isDevelopment: true });
});

test('the master key of development is in the data directory', () => {
  expect(keyFileOf('/data')).toBe('/data/vault.key');
});
