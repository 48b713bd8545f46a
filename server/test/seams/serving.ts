import { openLog } from '../../base/log.ts';
import { untilStopped } from '../../commands/run.ts';
import { readConfig } from '../../config.ts';
import { registrations } from '../../connectors/index.ts';
import type { ConnectorRegistration } from '../../connectors/registration.ts';
import { type Overrides, startGateway } from '../../main.ts';

type Additions = Pick<Overrides, 'resources'> & { processor: ConnectorRegistration };

/** `tollgate serve` with one processor more, until it is stopped: the whole of a process. */
export async function serve({ processor, ...overrides }: Additions): Promise<void> {
  const connectors = [...registrations, processor];
  const config = readConfig('serve', process.env, connectors);
  const { log, flush } = openLog(config.logLevel);
  const gateway = await startGateway(config, log, { ...overrides, connectors });
  log.info({ port: gateway.port }, 'serving');
  await untilStopped(gateway, log, []);
  await flush();
  process.exit(0);
}
