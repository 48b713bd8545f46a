import type { Worker } from 'node:cluster';
import type { Clock } from '../base/clock.ts';
import { settlesWithin } from '../base/keyed_queue.ts';
import { after } from '../base/timers.ts';
import { StartError } from '../database.ts';
import type { CollectedMetrics, ProcessOrder, ProcessReport } from './messages.ts';

export type Listening = { host: string; port: number };
export type ProcessEnding = { code: number | null; signal: string | null };

/** A process stops by itself within 25 s. */
const killAfterMs = 26_000;
const metricsPatienceMs = 3_000;

/** One of the processes that serve, as its supervisor sees it. */
export class ServerProcess {
  /** Its number: the first is 1, and none is used again. */
  readonly number: number;
  readonly pid: number;
  /** Rejects when the process ends before it serves. */
  readonly serving: Promise<Listening>;
  readonly ended: Promise<ProcessEnding>;
  /** Undefined until it serves: a moment of the monotonic clock. */
  servesSince: number | undefined;
  isStopping = false;
  /** As last reported. */
  metrics: CollectedMetrics = [];
  readonly #worker: Worker;
  #collecting: PromiseWithResolvers<void> | undefined;

  constructor(worker: Worker, clock: Pick<Clock, 'monotonic'>, onReport: (report: ProcessReport) => void) {
    this.#worker = worker;
    this.number = worker.id;
    this.pid = worker.process.pid!;
    this.ended = new Promise((resolve) => {
      worker.once('exit', (code, signal) => resolve({ code, signal }));
    });
    const { promise, resolve, reject } = Promise.withResolvers<Listening>();
    this.serving = promise;
    this.serving.catch(() => {}); // the caller may wait for something else first
    void this.ended.then(() =>
      reject(new StartError('A server process could not be started, for the reason that it has printed.')),
    );
    worker.on('message', (report: ProcessReport) => {
      if (report.report === 'serving') {
        this.servesSince = clock.monotonic();
        resolve(report);
      } else if (report.report === 'metrics') {
        this.metrics = report.metrics;
        this.#collecting?.resolve();
        this.#collecting = undefined;
      }
      onReport(report);
    });
  }

  send(order: ProcessOrder): void {
    if (this.#worker.isConnected()) this.#worker.send(order, () => {}); // it may end at this moment
  }

  /** Requests in flight are finished. Resolves when the process has ended. */
  async stop(isReplaced: boolean): Promise<void> {
    this.isStopping = true;
    this.send({ order: 'stop', isReplaced });
    const killing = after(killAfterMs, () => this.kill());
    await this.ended;
    killing.cancel();
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }

  /** Resolves when `metrics` are those of this moment, or when the process does not answer in time. */
  async collect(): Promise<void> {
    this.#collecting ??= Promise.withResolvers();
    this.send({ order: 'collect metrics' });
    await settlesWithin(Promise.race([this.#collecting.promise, this.ended]), metricsPatienceMs);
  }
}
