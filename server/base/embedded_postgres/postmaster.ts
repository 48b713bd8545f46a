import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError, errorCode, explainingFailure } from './errors.ts';
import { openLogFile, readLogTail } from './log_file.ts';
import { spawnProgram } from './programs.ts';
import { type ServerOptions, type SocketAddress, serverCommand } from './server_command.ts';

/** A PostgreSQL that this process has started. */
export type Postmaster = {
  pid: number;
  /** How it ended, for a log line. Undefined while it runs. */
  ending(): string | undefined;
  ended: Promise<void>;
  /** The end of what it has written to the log. */
  logTail(): Promise<string>;
  /** Set when it has accepted us once: if it ends after that, it has crashed; before, it has failed to start. */
  served: boolean;
};

export async function startPostmaster(options: ServerOptions, address: SocketAddress): Promise<Postmaster> {
  return explainingFailure(
    `The built-in PostgreSQL cannot be started in ${options.places.cluster}`,
    'Correct that (disk space, file permissions or the limit of processes), then start again.',
    () => spawnPostmaster(options, address),
  );
}

async function spawnPostmaster(options: ServerOptions, address: SocketAddress): Promise<Postmaster> {
  const { logFile } = options.places;
  const { file, position } = await openLogFile(logFile);
  // Its channels are files, not pipes to us: it must be able to go on, or to stop cleanly, when we are gone.
  const child = spawnProgram(serverCommand(options, address), ['ignore', file.fd, file.fd]);
  let ending: string | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      ending = signal === null ? `exit code ${code}` : `signal ${signal}`;
      resolve();
    });
  });
  try {
    await once(child, 'spawn');
  } finally {
    await file.close();
  }
  return {
    pid: child.pid ?? 0,
    ending: () => ending,
    ended,
    logTail: () => readLogTail(logFile, position),
    served: false,
  };
}

/** From polite to final. The first is the fast shutdown: sessions are ended, the data is written, nothing needs recovery. */
const endingSteps: readonly { signal: NodeJS.Signals; patienceMs: number }[] = [
  { signal: 'SIGINT', patienceMs: 20_000 },
  { signal: 'SIGQUIT', patienceMs: 5_000 },
  { signal: 'SIGKILL', patienceMs: 5_000 },
];
const goneGapMs = 5;

/** Ends a PostgreSQL and returns when its process is gone. */
export async function endPostmaster(
  pid: number,
  isGone: () => Promise<boolean>,
  log: (message: string) => void,
): Promise<void> {
  for (const { signal, patienceMs } of endingSteps) {
    if (signal !== 'SIGINT') log(`PostgreSQL (process ${pid}) has not stopped yet and is sent ${signal}`);
    sendSignal(pid, signal);
    const deadline = performance.now() + patienceMs;
    while (performance.now() < deadline) {
      if (await isGone()) return;
      await sleep(goneGapMs);
    }
  }
  throw new EmbeddedPostgresError(`PostgreSQL (process ${pid}) does not end. Stop it by hand: kill -9 ${pid}`);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return;
    throw new EmbeddedPostgresError(
      `PostgreSQL (process ${pid}) runs as another user and cannot be stopped. Stop it as that user: kill -INT ${pid}`,
      { cause: error },
    );
  }
}
