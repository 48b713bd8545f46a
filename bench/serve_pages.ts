import { openLog } from '../server/base/log.ts';
import { untilStopped } from '../server/commands/run.ts';
import { readConfig } from '../server/config.ts';
import { startGateway } from '../server/main.ts';
import { resources } from '../server/resources/index.ts';

/** `tollgate serve`, whose checkout page answers one address more than 300 times a minute: all load comes from one. */
const uncounted = resources.map((one) => {
  const { pages } = one;
  if (one.name !== 'checkout_pages' || typeof pages !== 'function') return one;
  return {
    ...one,
    pages: (...given: Parameters<typeof pages>) => pages(...given).map((page) => ({ ...page, counted: false })),
  };
});
const config = readConfig('serve');
const { log, flush } = openLog(config.logLevel);
const gateway = await startGateway(config, log, { resources: uncounted });
log.info({ port: gateway.port }, 'serving');
await untilStopped(gateway, log, []);
await flush();
process.exit(0);
