import cluster from 'node:cluster';
import { openLog } from '../base/log.ts';
import { readProcessConfig } from '../config.ts';
import { startGateway } from '../main.ts';
import { SupervisorLink } from './supervisor_link.ts';

/** One of the processes that serve, from its start to its end. */
export async function serveSupervised(): Promise<void> {
  const link = new SupervisorLink();
  const config = readProcessConfig();
  const { id } = cluster.worker!;
  const { log, flush, loudLines } = openLog(config.logLevel, { process: id });
  const gateway = await startGateway(config, log, { loudLines, supervised: link });
  link.serving(gateway);
  await link.stopAsked;
  await gateway.stop();
  await flush();
  process.exit(0);
}
