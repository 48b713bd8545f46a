import cluster from 'node:cluster';
import type { Registry } from 'prom-client';
import { getOrMake } from '../base/get_or_make.ts';
import { after } from '../base/timers.ts';
import type { AddressCounts, CountKind } from '../http/admission/address_limit.ts';
import type { ProcessOrder, ProcessReport } from './messages.ts';
import type { Listening } from './server_process.ts';

/** Counts of one moment go together. */
const gatherMs = 20;

/** The end of a server process at which its supervisor is. */
export class SupervisorLink {
  /** Resolves when this process is to stop. */
  readonly stopAsked: Promise<void>;
  /** Another process has taken the place of this one, so the server as a whole stays ready. */
  isReplaced = false;
  /** What other processes have counted by address. */
  onCounts: (counts: AddressCounts) => void = () => {};
  /** Undefined while nobody reads the metrics of this process. */
  collectMetrics: (() => Promise<Registry>) | undefined;
  #counted = new Map<string, Record<CountKind, number>>();

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.stopAsked = promise;
    process.on('message', (order: ProcessOrder) => {
      if (order.order === 'collect metrics') void this.reportMetrics();
      else if (order.order === 'count') this.onCounts(order.counts);
      else {
        this.isReplaced = order.isReplaced;
        resolve();
      }
    });
    // The terminal and systemd send their signal to every process. Only the first request to stop counts: the supervisor kills those that
    // take too long.
    process.on('SIGTERM', resolve).on('SIGINT', resolve);
    process.on('SIGHUP', () => {});
    // Node ends a process whose supervisor was killed. Requests in flight are finished first.
    cluster.worker!.exitedAfterDisconnect = true;
    process.once('disconnect', resolve);
  }

  serving({ host, port }: Listening): void {
    this.#report({ report: 'serving', host, port });
  }

  async reportMetrics(): Promise<void> {
    const registry = await this.collectMetrics?.();
    await this.#report({ report: 'metrics', metrics: (await registry?.getMetricsAsJSON()) ?? [] });
  }

  /** A request without a valid key from this address, for a page, or its lookup, was counted here. */
  counted(address: string, counted: CountKind): void {
    if (this.#counted.size === 0) after(gatherMs, () => this.#reportCounts());
    getOrMake(this.#counted, address, () => ({ request: 0, page: 0, customer: 0, lookup: 0 }))[counted]++;
  }

  #reportCounts(): void {
    const counts: AddressCounts = [...this.#counted].map(([address, { request, lookup, page, customer }]) => [
      address,
      request,
      lookup,
      page,
      customer,
    ]);
    this.#counted.clear();
    void this.#report({ report: 'counted', counts });
  }

  /** Resolves when it was sent, or can no longer be sent. */
  #report(report: ProcessReport): Promise<void> {
    return new Promise((resolve) => {
      if (process.connected) process.send!(report, undefined, {}, () => resolve());
      else resolve();
    });
  }
}
