import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../errors.ts';
import { EmbeddedPostgresError, explainingFailure } from './errors.ts';
import { openLogFile, readLogTail } from './log_file.ts';
import { spawnProgram } from './programs.ts';
import { type ServerOptions, type SocketAddress, serverCommand } from './server_command.ts';

/** A PostgreSQL that this process has started. */
export type Postmaster = {
  pid: number;
  /** Its exit code or signal, for a log line. Undefined while it runs. */
  ending(): string | undefined;
  ended: Promise<void>;
  /** Its last output in the log. */
  logTail(): Promise<string>;
  /** Set once it has accepted a connection: if it exits after that, it has crashed; before, it has failed to start. */
  served: boolean;
};

export async function startPostmaster(options: ServerOptions, address: SocketAddress): Promise<Postmaster> {
  return explainingFailure(
    `The built-in PostgreSQL cannot be started in ${options.paths.cluster}`,
    'Correct that (disk space, file permissions or the limit of processes), then start again.',
    () => spawnPostmaster(options, address),
  );
}

async function spawnPostmaster(options: ServerOptions, address: SocketAddress): Promise<Postmaster> {
  const { logFile } = options.paths;
  const { file, position } = await openLogFile(logFile);
  // Its output goes to files, not to pipes: it must be able to go on, or to stop cleanly, when this process is gone.
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

/** Fast shutdown first: sessions are ended, the data is written, nothing needs recovery. Then immediate shutdown, then kill. */
const endingSteps: readonly { signal: NodeJS.Signals; patienceMs: number }[] = [
  { signal: 'SIGINT', patienceMs: 20_000 },
  { signal: 'SIGQUIT', patienceMs: 5_000 },
  { signal: 'SIGKILL', patienceMs: 5_000 },
];
const goneGapMs = 5;

/** Stops a PostgreSQL and returns when its process is gone. */
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
