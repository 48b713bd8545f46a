import cluster from 'node:cluster';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { SingleFlight } from '../base/single_flight.ts';
import { pause } from '../base/timers.ts';
import type { ProcessReport } from './messages.ts';
import { type Listening, type ProcessEnding, ServerProcess } from './server_process.ts';

/** A process that has served for less than this is not restarted immediately: it would end again. */
const soundAfterMs = 10_000;
const retryAfterMs = 1_000;
const retryAfterMsMax = 30_000;

/**
 * Starts the processes that share the port, and starts another one for each that ends. The supervisor accepts connections and hands them
 * round: while a process is replaced, the port stays open, and no connection is refused.
 */
export class ServerProcesses {
  readonly #count: number;
  readonly #log: Log;
  readonly #onEnded: (ended: ServerProcess) => void;
  readonly #all = new Set<ServerProcess>();
  readonly #restarting = new SingleFlight(() => this.#restart());
  #isStopping = false;
  #port: number | undefined;
  /** Set once no process was left, and the port with it: where PORT=0 had let the system choose, those that follow keep its choice. */
  #fixed: { PORT?: string } = {};
  crashes = 0;

  /** `onEnded` is called for each process that has ended, whatever the reason. */
  constructor(count: number, log: Log, onEnded: (ended: ServerProcess) => void) {
    this.#count = count;
    this.#log = log;
    this.#onEnded = onEnded;
  }

  get all(): readonly ServerProcess[] {
    return [...this.#all];
  }

  /** The first is alone at first: what is wrong with the settings is then said once. */
  async start(): Promise<Listening> {
    const listening = await this.#fork().serving;
    this.#port = listening.port;
    await Promise.all(Array.from({ length: this.#count - 1 }, () => this.#fork().serving));
    return listening;
  }

  /** Replaces all processes, one by one, by new ones that read the certificates, key files and code of this moment. */
  restart(): void {
    if (!this.#isStopping) this.#restarting.request();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.all.map((one) => one.stop(false)));
  }

  kill(): void {
    for (const one of this.#all) one.kill();
  }

  #fork(): ServerProcess {
    if (this.#all.size === 0 && this.#port !== undefined) this.#fixed = { PORT: String(this.#port) };
    const started = new ServerProcess(cluster.fork(this.#fixed), systemClock, (report) => this.#relay(started, report));
    this.#all.add(started);
    const { number, pid } = started;
    started.serving.then(
      () => this.#log.info({ started: number, pid }, 'server process ready'),
      () => {},
    );
    void started.ended.then((ending) => {
      this.#all.delete(started);
      this.#onEnded(started);
      if (!started.isStopping && !this.#isStopping && started.servesSince !== undefined)
        void this.#replaceCrashed(started, ending);
    });
    return started;
  }

  /** What one process has counted by address, the others count too. */
  #relay(from: ServerProcess, report: ProcessReport): void {
    if (report.report !== 'counted') return;
    for (const one of this.#all) if (one !== from) one.send({ order: 'count', counts: report.counts });
  }

  async #replaceCrashed({ number, servesSince }: ServerProcess, { code, signal }: ProcessEnding): Promise<void> {
    this.crashes++;
    this.#log.error({ ended: number, code, signal }, 'server process ended unexpectedly; starting another one');
    let wait = systemClock.monotonic() - servesSince! < soundAfterMs ? retryAfterMs : 0;
    for (;;) {
      await pause(wait);
      if (this.#isStopping || (await this.#serves(this.#fork()))) return;
      wait = Math.min(Math.max(2 * wait, retryAfterMs), retryAfterMsMax);
      this.#log.error({ retryInSeconds: wait / 1_000 }, 'could not start a server process');
    }
  }

  #serves(started: ServerProcess): Promise<boolean> {
    return started.serving.then(
      () => true,
      () => false,
    );
  }

  async #restart(): Promise<void> {
    const old = this.all;
    this.#log.info({ processes: old.length }, 'restarting the server processes, one by one');
    for (const one of old) {
      if (this.#isStopping) return;
      if (!(await this.#serves(this.#fork()))) {
        this.#log.error({}, 'could not start a new server process; the running ones are kept');
        return;
      }
      await one.stop(true);
    }
    if (!this.#isStopping) this.#log.info({}, 'all server processes were restarted');
  }
}
