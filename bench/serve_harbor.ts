import { openLog } from '../server/base/log.ts';
import { untilStopped } from '../server/commands/run.ts';
import { readConfig } from '../server/config.ts';
import { registrations } from '../server/connectors/index.ts';
import { startGateway } from '../server/main.ts';
import { harbor } from '../server/test/seams/harbor/index.ts';

/** `tollgate serve` with Harbor, a processor that sends signed notices and needs nobody else. */
const connectors = [...registrations, harbor];
const config = readConfig('serve', process.env, connectors);
const { log, flush } = openLog(config.logLevel);
const gateway = await startGateway(config, log, { connectors });
log.info({ port: gateway.port }, 'serving');
await untilStopped(gateway, log, []);
await flush();
process.exit(0);
