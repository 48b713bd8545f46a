import { openLog } from './log.ts';

/** Logs more than a pipe holds, and exits at once. */
const { log, flush } = openLog('info');
for (let line = 0; line < 1_400; line++) log.info({ line, filler: 'x'.repeat(120) }, 'a line');
await flush();
process.exit(0);
