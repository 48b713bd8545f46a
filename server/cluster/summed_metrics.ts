import type { Registry } from 'prom-client';
import AggregatorRegistry from 'prom-client/lib/cluster.js';
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import RegistryOfOne from 'prom-client/lib/registry.js';
import type { LoudLines } from '../base/log.ts';
import { watchLog } from '../http/answering/state_metrics.ts';
import type { CollectedMetrics } from './messages.ts';
import type { ServerProcess } from './server_process.ts';

/** What ends with its process. A count goes on: Prometheus would take one that became smaller for a new start, and count it again. */
const endsWithProcess = 'gauge';

type WatchedProcesses = { readonly all: readonly ServerProcess[]; readonly crashes: number };

/** The metrics of all server processes as those of one server. */
export class SummedMetrics {
  /** Of processes that have ended. */
  #ended: Promise<CollectedMetrics> = Promise.resolve([]);
  readonly #own = new RegistryOfOne();
  readonly #processes: WatchedProcesses;

  /** `loudLines` are those of the supervisor. */
  constructor(processes: WatchedProcesses, loudLines: LoudLines) {
    this.#processes = processes;
    const registers = [this.#own];
    watchLog(registers, loudLines);
    new Gauge({
      name: 'tollgate_processes',
      help: 'Processes that serve this port.',
      registers,
      collect() {
        this.set(processes.all.filter(({ servesSince }) => servesSince !== undefined).length);
      },
    });
    new Counter({
      name: 'tollgate_process_crashes_total',
      help: 'Server processes that ended unexpectedly, and were replaced.',
      registers,
      collect() {
        this.reset();
        this.inc(processes.crashes);
      },
    });
  }

  /** What it reported last remains in the sums. */
  keep({ metrics }: ServerProcess): void {
    const counts = metrics.filter(({ type }) => String(type) !== endsWithProcess);
    this.#ended = this.#ended.then((before) => AggregatorRegistry.aggregate([before, counts]).getMetricsAsJSON());
  }

  /** Processes that do not answer in time are in the sums as they were last time. */
  async collect(): Promise<Registry> {
    await Promise.all(this.#processes.all.map((one) => one.collect()));
    // Of one moment: a process that ends is then in one of the two, and not in both.
    const [running, ended] = [this.#processes.all.map(({ metrics }) => metrics), this.#ended];
    return AggregatorRegistry.aggregate([...running, await ended, await this.#own.getMetricsAsJSON()]);
  }
}
