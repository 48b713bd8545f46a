import { logLevels } from '../base/log.ts';
import { Secret } from '../base/secret.ts';
import {
  choiceSetting,
  type NumberSetting,
  type Setting,
  type SettingsReader,
  type TextSetting,
} from '../base/setting.ts';

export const logLevel = choiceSetting({
  name: 'LOG_LEVEL',
  choices: logLevels,
  default: { serve: 'info', otherwise: 'warn' },
  meaning: 'The least severe [log lines](operations.md#logs) that are written.',
});

const metricsPort: NumberSetting = {
  name: 'METRICS_PORT',
  default: 0,
  defaultInWords: 'none',
  range: [0, 65_535],
  meaning: 'The port of the Prometheus [metrics](operations.md#metrics), at `/metrics` over plain HTTP.',
};

const metricsHost: TextSetting = {
  name: 'METRICS_HOST',
  default: '127.0.0.1',
  meaning: 'The address for `METRICS_PORT`.',
};

const tracesEndpoint: Setting = {
  name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
  meaning:
    'The address of an OpenTelemetry collector, which gets [traces](operations.md#traces) by OTLP over HTTP. Without it none are made.',
};

const tracesHeaders: Setting = {
  name: 'OTEL_EXPORTER_OTLP_HEADERS',
  meaning: 'Headers for the collector: `name=value`, percent-encoded, separated by commas.',
};

const tracesProtocol = choiceSetting({
  name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
  choices: ['http/json'],
  default: 'http/json',
  meaning: 'The protocol of the collector.',
});

const serviceName: TextSetting = {
  name: 'OTEL_SERVICE_NAME',
  default: 'tollgate',
  meaning: 'The name of this service in traces.',
};

export const observabilitySettings = [
  logLevel,
  metricsPort,
  metricsHost,
  tracesEndpoint,
  tracesHeaders,
  tracesProtocol,
  serviceName,
];

export function readMetrics(reader: SettingsReader): { port: number; host: string } | undefined {
  if (reader.given(metricsPort) === undefined) return undefined;
  return { port: reader.number(metricsPort), host: reader.text(metricsHost) };
}

export function readTraces(reader: SettingsReader) {
  const endpoint = reader.given(tracesEndpoint);
  if (endpoint === undefined) return undefined;
  const url = URL.parse(endpoint);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '')
    reader.problem('OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address, such as http://127.0.0.1:4318.');
  reader.choice(tracesProtocol);
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    service: reader.text(serviceName),
    headers: new Secret(readHeaders(reader)),
  };
}

/** `authorization=Bearer%20abc,x-tenant=7` */
function readHeaders(reader: SettingsReader): Record<string, string> {
  const entries = (reader.given(tracesHeaders) ?? '').split(',').filter((entry) => entry.trim() !== '');
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
