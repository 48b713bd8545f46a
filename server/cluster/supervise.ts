import { systemClock } from '../base/clock.ts';
import type { Log, LoudLines } from '../base/log.ts';
import { operatorPatience } from '../base/patient_client.ts';
import { connect, type DatabaseAddress } from '../base/sql.ts';
import { keepAlive } from '../base/timers.ts';
import type { Config } from '../config.ts';
import { openDatabase, prepareDatabase } from '../database.ts';
import { Dashboard } from '../http/pages/dashboard/dashboard.ts';
import { metricsPort } from '../metrics_port.ts';
import { type GatewayPart, type GatewayParts, openParts } from '../parts.ts';
import { neededConnections, requireConnections } from './needed_connections.ts';
import { ServerProcesses } from './server_processes.ts';
import { SummedMetrics } from './summed_metrics.ts';

/** Longer than any server process takes: those that do not stop are killed before. */
const stopLimits = { abandonAfterMs: 27_000, endAfterMs: 29_000 };

/** Runs the processes that serve, and what they share: the embedded PostgreSQL, the port, and the metrics. It answers no request. */
export async function supervise(config: Config, log: Log, loudLines: LoudLines) {
  const { opened, stop } = await openParts(log, stopLimits, async (parts) => {
    await parts.add(alive());
    await addDatabase(config, log, parts);
    await parts.add(new Dashboard({ builds: true, watches: false, log, clock: systemClock }));
    const processes = new ServerProcesses(config.processes, log, (ended) => metrics.keep(ended));
    const metrics = new SummedMetrics(processes, loudLines);
    if (config.metrics) await parts.add(metricsPort(config.metrics, async () => () => metrics.collect()));
    let listening = { host: config.host, port: config.port };
    await parts.add({
      name: 'server processes',
      async start() {
        listening = await processes.start();
      },
      stop: () => processes.stop(),
      abandon: () => processes.kill(),
    });
    return { ...listening, reload: () => processes.restart() };
  });
  return { ...opened, stop };
}

/** While all processes have ended, and others are about to be started, nothing else keeps the supervisor from ending too. */
function alive(): GatewayPart {
  const timer = keepAlive();
  return { name: 'supervisor', stop: () => timer.cancel() };
}

async function addDatabase(config: Config, log: Log, parts: GatewayParts): Promise<void> {
  const settings = { max_connections: String(Math.max(100, neededConnections(config.processes) + 10)) };
  const database = await openDatabase(config, (message) => log.info({}, message), settings);
  await parts.add({ name: 'database', stop: () => database.stop() });
  await prepareDatabase(database.address, config);
  await checkConnections(database.address, config);
}

async function checkConnections(address: DatabaseAddress, config: Config): Promise<void> {
  const client = await connect(address, 'start', operatorPatience);
  try {
    await requireConnections(client, address, config);
  } finally {
    await client.end();
  }
}
