import { createServer, isIPv6 } from 'node:net';
import { errorCode } from '../../base/errors.ts';
import type { Config } from '../../config.ts';
import { type Finding, fine, wrong } from './finding.ts';

const answerMs = 2_000;

type PortPlace = { name: 'port' | 'metrics_port'; setting: string; hostSetting: string; port: number; host: string };

export function checkPort({ port, host }: Config): Promise<Finding> {
  // Plain HTTP is refused on this port, with a code that is Tollgate's own.
  return check(
    { name: 'port', setting: 'PORT', hostSetting: 'HOST', port, host },
    { path: '/version', says: 'https_required' },
  );
}

export async function checkMetricsPort({ metrics }: Config): Promise<Finding[]> {
  if (metrics === undefined) return [];
  const place = { name: 'metrics_port', setting: 'METRICS_PORT', hostSetting: 'METRICS_HOST', ...metrics } as const;
  return [await check(place, { path: '/metrics', says: 'tollgate_' })];
}

/** A port in use is fine if a running Tollgate uses it, and a problem for the next start otherwise. */
async function check(place: PortPlace, ours: { path: string; says: string }): Promise<Finding> {
  const { name, setting, hostSetting, port, host } = place;
  const words = name === 'port' ? `port ${port}` : `port ${port} for metrics`;
  const code = port === 0 ? undefined : await failureToListen(port, host);
  if (code === undefined) return fine(name, `${words} is free`);
  if (code === 'EADDRINUSE')
    return (await answers(place, ours))
      ? fine(name, `${words} is in use by Tollgate, which is running`)
      : wrong(name, `${words} is in use by another program: stop that program, or set ${setting} to another number.`);
  if (code === 'EACCES')
    return wrong(
      name,
      `${words} cannot be opened by this user: set ${setting} to a number above 1023, or grant CAP_NET_BIND_SERVICE.`,
    );
  return wrong(
    name,
    `${words} cannot be opened at ${host} (${code}): set ${hostSetting} to an address of this machine.`,
  );
}

function failureToListen(port: number, host: string): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error) => resolve(errorCode(error) ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

async function answers({ port, host }: PortPlace, { path, says }: { path: string; says: string }): Promise<boolean> {
  const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const name = everywhere[host] ?? host;
  const url = `http://${isIPv6(name) ? `[${name}]` : name}:${port}${path}`;
  try {
    return (await (await fetch(url, { signal: AbortSignal.timeout(answerMs) })).text()).includes(says);
  } catch {
    return false;
  }
}
