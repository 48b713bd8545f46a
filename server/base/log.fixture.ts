import { openLog } from './log.ts';

/**
 * Logs more than a pipe holds, and exits immediately; with a number, as one of several processes. Its last line says how many were loud. The
 * pipe does not block: another process that shares it may have set it so.
 */
(process.stdout as unknown as { _handle: { setBlocking(on: boolean): void } })._handle.setBlocking(false);
const others = process.argv[2];
const { log, flush, loudLines } = openLog('info', others === undefined ? {} : { process: Number(others) });
for (let line = 0; line < 1_400; line++) log.info({ line, filler: 'x'.repeat(120) }, 'a line');
for (const level of ['debug', 'warn', 'error', 'error', 'fatal', 'fatal', 'fatal'] as const) log[level]('a line');
log.info({ loudLines }, 'the last line');
await flush();
process.exit(0);
