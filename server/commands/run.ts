import type { Log } from '../base/log.ts';
import type { Gateway } from '../main.ts';

const repeatMs = 500; // Ctrl-C under npm arrives twice within a millisecond: it counts once

/** Stops the gateway on the first signal; a later second one ends the process at once. Resolves when the gateway has stopped. */
export function untilStopped(gateway: Gateway, log: Log): Promise<void> {
  let firstAt: number | undefined;
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals) => {
      const now = performance.now();
      if (firstAt === undefined) {
        firstAt = now;
        log.info({ signal }, 'stopping');
        gateway.stop().then(resolve, (error) => {
          log.error({ error: String(error) }, 'stopping failed');
          process.exit(1);
        });
      } else if (now - firstAt > repeatMs) {
        log.warn({ signal }, 'stopped at once by a second signal');
        process.exit(1);
      }
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
    // A closed terminal stops the gateway too, unless the output goes elsewhere: then it is meant to keep running (nohup).
    process.on('SIGHUP', (signal) => {
      if (process.stdout.isTTY) onSignal(signal);
    });
  });
}
