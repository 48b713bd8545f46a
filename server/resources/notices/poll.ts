import type { Clock } from '../../base/clock.ts';
import { settlesWithin } from '../../base/keyed_queue.ts';
import type { Log } from '../../base/log.ts';
import { failureLevel } from '../../base/sql.ts';
import { after } from '../../base/timers.ts';
import type { Connector, Notice } from '../../connectors/contract.ts';
import { sourceOf } from '../../connectors/index.ts';
import type { Duty, Job } from '../duty.ts';
import type { NoticeHandler } from '../notice_handlers.ts';
import { failuresMax, noticePause } from './failed_notice.ts';

const patienceMs = 5_000;

export type NoticeParts = {
  connectors: readonly Connector[];
  clock: Clock;
  log: Log;
  handle: NoticeHandler;
  /** Stores a notice that could not be handled. */
  keep: (connector: string, notice: Notice, error: unknown) => Promise<void>;
};

/** Asks processors for what they report of their own accord: a refund that came back, a dispute and its end. */
export function pollNotices(parts: NoticeParts): Duty {
  const pollers = parts.connectors
    .filter((connector) => connector.notices !== undefined)
    .map((connector) => new Poller(connector, parts));
  return {
    name: 'notices',
    lease: async (limit) => (await Promise.all(pollers.map((poller) => poller.poll(limit)))).flat(),
  };
}

type Failed = { failures: number; retryAt: number };

class Poller {
  readonly #connector: Connector;
  readonly #parts: NoticeParts;
  /** Notices in progress, and those that have failed. The processor reports a notice until it is acknowledged. */
  readonly #running = new Set<string>();
  readonly #failed = new Map<string, Failed>();
  #asking: Promise<Notice[]> | undefined;

  constructor(connector: Connector, parts: NoticeParts) {
    this.#connector = connector;
    this.#parts = parts;
  }

  async poll(limit: number): Promise<Job[]> {
    const { log, clock } = this.#parts;
    // A processor that does not answer delays no other, and is not asked again while its answer may still come.
    if (this.#asking !== undefined) return [];
    const now = clock.now();
    const waiting = [...this.#failed.values()].filter(({ retryAt }) => retryAt > now).length;
    const asking = this.#connector.notices!({ now, limit: limit + this.#running.size + waiting }).finally(() => {
      this.#asking = undefined;
    });
    this.#asking = asking;
    asking.catch((error) =>
      log[failureLevel(error)](
        { connector: this.#connector.name, error: String(error) },
        'a processor could not be asked for notices',
      ),
    );
    const isInTime = await settlesWithin(asking, patienceMs);
    const notices = isInTime ? await asking.catch(() => []) : [];
    return notices.filter((notice) => this.#isFree(nameOf(notice))).map((notice) => this.#job(notice));
  }

  #isFree(name: string): boolean {
    return !this.#running.has(name) && (this.#failed.get(name)?.retryAt ?? 0) <= this.#parts.clock.now();
  }

  #job(notice: Notice): Job {
    const name = nameOf(notice);
    this.#running.add(name);
    return {
      run: () => this.#handle(notice, name).finally(() => this.#running.delete(name)),
      renew: async () => {},
    };
  }

  async #handle(notice: Notice, name: string): Promise<void> {
    const { handle, clock } = this.#parts;
    try {
      await handle(notice, sourceOf(this.#connector.name, notice));
    } catch (error) {
      const failures = (this.#failed.get(name)?.failures ?? 0) + 1;
      const failed = { failures, retryAt: clock.now() + noticePause(failures) };
      this.#failed.set(name, failed);
      // Also if the clock of the database was set back in the meantime.
      after(noticePause(failures), () => Object.assign(failed, { retryAt: 0 }));
      if (failures < failuresMax) throw error;
      await this.#keep(notice, error);
    }
    await this.#connector.acknowledge?.([notice], clock.now());
    this.#failed.delete(name);
  }

  /** It is stored here before the processor is told that we have it: from then on it is retried from here. */
  async #keep(notice: Notice, error: unknown): Promise<void> {
    const { keep, log } = this.#parts;
    const { name: connector } = this.#connector;
    await keep(connector, notice, error);
    log.error(
      { connector, notice: notice.id, kind: notice.kind, error: String(error) },
      'incident: a notice of a processor cannot be recorded; it is kept and retried, see "tollgate notices list"',
    );
  }
}

function nameOf({ tenant, id }: Notice): string {
  return `${tenant}/${id}`;
}
