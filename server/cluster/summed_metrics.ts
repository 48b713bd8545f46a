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

/** The metrics of all server processes as those of one server. */
export class SummedMetrics {
  /** Of processes that have ended. */
  #ended: Promise<CollectedMetrics> = Promise.resolve([]);
  readonly #own = new RegistryOfOne();

  /** `loudLines` are those of the supervisor. */
  constructor(processes: { readonly all: readonly ServerProcess[]; readonly crashes: number }, loudLines: LoudLines) {
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
  async collect(processes: readonly ServerProcess[]): Promise<Registry> {
    await Promise.all(processes.map((one) => one.collect()));
    const further = await Promise.all([this.#ended, this.#own.getMetricsAsJSON()]);
    return AggregatorRegistry.aggregate([...processes.map(({ metrics }) => metrics), ...further]);
  }
}
