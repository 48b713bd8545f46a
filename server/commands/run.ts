import type { Log } from '../base/log.ts';
import { type Wrappers, watchWrappers } from './wrappers.ts';

const repeatMs = 500; // Ctrl-C under npm arrives twice within a millisecond: it counts once

/** What runs until a signal. */
type Running = {
  stop(): Promise<void>;
  /** What SIGHUP asks for, unless it means that a terminal was closed. */
  reload(): void;
};

/**
 * Stops what runs on the first signal, or when a process that wraps it has ended; a later second signal ends the process immediately.
 * Resolves when it has stopped.
 */
export function untilStopped(running: Running, log: Log, wrappers: Wrappers): Promise<void> {
  let firstAt: number | undefined;
  return new Promise((resolve) => {
    const stop = () => {
      firstAt = performance.now();
      running.stop().then(resolve, (error) => {
        log.error({ error: String(error) }, 'stopping failed');
        process.exit(1);
      });
    };
    const watch = watchWrappers(wrappers, () => {
      if (firstAt !== undefined) return;
      log.info({}, 'the process that started this server has ended: stopping');
      stop();
    });
    const onSignal = (signal: NodeJS.Signals) => {
      if (firstAt === undefined) {
        log.info({ signal }, 'stopping');
        stop();
      } else if (performance.now() - firstAt > repeatMs) {
        log.warn({ signal }, 'stopped immediately by a second signal');
        process.exit(1);
      }
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
    // A closed terminal stops the gateway too, unless the output goes elsewhere: then it is meant to keep running (nohup).
    process.on('SIGHUP', (signal) => {
      if (process.stdout.isTTY) onSignal(signal);
      else {
        watch.hungUp(); // npm does not survive a closed terminal, not even under nohup
        running.reload();
      }
    });
  });
}
