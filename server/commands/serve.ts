import { openLog } from '../base/log.ts';
import { readConfig } from '../config.ts';
import { startGateway } from '../main.ts';
import { untilStopped } from './run.ts';
import { findWrappers } from './wrappers.ts';

/** Production: settings that protect money have no default, and every missing one is reported before anything starts. */
export async function serve(): Promise<void> {
  const config = readConfig('serve');
  const { log, flush, loudLines } = openLog(config.logLevel);
  const wrappers = await findWrappers();
  const gateway = await startGateway(config, log, { loudLines, buildsDashboard: true });
  const stopped = untilStopped(gateway, log, wrappers);
  log.info({ host: gateway.host, port: gateway.port }, 'serving');
  await stopped;
  log.info({}, 'stopped');
  await flush();
  process.exit(0);
}
