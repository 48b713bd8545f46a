import { spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { type Log, openLog } from '../base/log.ts';
import { ownCardFieldsMean, readConfig } from '../config.ts';
import { untilStopped } from './run.ts';
import { findWrappers } from './wrappers.ts';

/**
 * Production: settings that protect money have no default, and every missing one is reported before anything starts. With WEB_CONCURRENCY
 * this process supervises those that serve, so it does not load the code that serves.
 */
export async function serve(): Promise<void> {
  if (cluster.isWorker) return (await import('../cluster/serve_supervised.ts')).serveSupervised();
  const config = readConfig('serve');
  const isSupervisor = config.processes > 1;
  const { log, flush, loudLines } = openLog(config.logLevel, isSupervisor ? { process: 0 } : {});
  if (config.ownCardFields) log.warn({}, ownCardFieldsMean);
  const wrappers = await findWrappers();
  const server = isSupervisor
    ? await (await import('../cluster/supervise.ts')).supervise(config, log, loudLines)
    : await (await import('../main.ts')).startGateway(config, log, { loudLines, buildsDashboard: true });
  const stopped = untilStopped(server, log, wrappers);
  log.info({ host: server.host, port: server.port }, 'serving');
  notifySystemd(config, log);
  await stopped;
  log.info({}, 'stopped');
  await flush();
  process.exit(0);
}

/**
 * Reports to systemd that the server is ready (`Type=notify`), so that what is ordered after the unit starts when requests are answered.
 * Node has no datagram sockets of the kind that NOTIFY_SOCKET names, so systemd's own program sends the message.
 */
function notifySystemd({ notifySocket }: { notifySocket: string | undefined }, log: Log): void {
  if (notifySocket === undefined) return;
  const failed = (reason: string) =>
    log.error({ reason }, 'systemd was not notified that the server is ready, and will stop it: use Type=exec');
  const sender = spawn('systemd-notify', ['READY=1'], { stdio: 'ignore' });
  sender.once('error', (error) => failed(error.message));
  sender.once('exit', (code) => code !== 0 && failed(`systemd-notify exited with ${code}`));
}
