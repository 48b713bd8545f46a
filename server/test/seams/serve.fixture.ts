import { openLog } from '../../base/log.ts';
import { untilStopped } from '../../commands/run.ts';
import { readConfig } from '../../config.ts';
import { registrations } from '../../connectors/index.ts';
import { startGateway } from '../../main.ts';
import { resources } from '../../resources/index.ts';
import '../processes/crash_point.fixture.ts';
import { alarms } from './alarms/index.ts';
import { harbor } from './harbor/index.ts';
import { tabs } from './tabs/index.ts';

/** `tollgate serve` with the tabs, the alarms and Harbor, as a process that a test can kill. */
const connectors = [...registrations, harbor];
const config = readConfig('serve', process.env, connectors);
const { log, flush } = openLog(config.logLevel);
const gateway = await startGateway(config, log, { resources: [...resources, tabs, alarms], connectors });
log.info({ port: gateway.port }, 'serving');
await untilStopped(gateway, log, []);
await flush();
process.exit(0);
