import type { Clock } from '../../base/clock.ts';
import { settlesWithin } from '../../base/keyed_queue.ts';
import type { Log } from '../../base/log.ts';
import { failureLevel } from '../../base/sql.ts';
import { after } from '../../base/timers.ts';
import type { Connector, Notice } from '../../connectors/contract.ts';
import type { Duty, Job } from '../duty.ts';
import type { NoticeHandler } from '../notice_handlers.ts';

const patienceMs = 5_000;
/** The pause before the retry of a notice that could not be handled. It doubles each time. */
const againMs = 10_000;
const againMaxMs = 3_600_000;

export type NoticeParts = { connectors: readonly Connector[]; clock: Clock; log: Log; handle: NoticeHandler };

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

class Poller {
  readonly #connector: Connector;
  readonly #parts: NoticeParts;
  /** Notices in progress, and those that wait for a retry. The processor reports a notice until it is acknowledged. */
  readonly #running = new Set<string>();
  readonly #failures = new Map<string, number>();
  #asking: Promise<Notice[]> | undefined;

  constructor(connector: Connector, parts: NoticeParts) {
    this.#connector = connector;
    this.#parts = parts;
  }

  async poll(limit: number): Promise<Job[]> {
    const { log, clock } = this.#parts;
    // A processor that does not answer delays no other, and is not asked again while its answer may still come.
    if (this.#asking !== undefined) return [];
    const asking = this.#connector.notices!({ now: clock.now(), limit: limit + this.#running.size }).finally(() => {
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
    return notices.filter(({ id, tenant }) => !this.#running.has(`${tenant}/${id}`)).map((notice) => this.#job(notice));
  }

  #job(notice: Notice): Job {
    const name = `${notice.tenant}/${notice.id}`;
    this.#running.add(name);
    return {
      run: async () => {
        try {
          await this.#parts.handle(notice, this.#connector.name);
          await this.#connector.acknowledge?.([notice], this.#parts.clock.now());
          this.#failures.delete(name);
          this.#running.delete(name);
        } catch (error) {
          const failures = (this.#failures.get(name) ?? 0) + 1;
          this.#failures.set(name, failures);
          after(Math.min(againMs * 2 ** (failures - 1), againMaxMs), () => this.#running.delete(name));
          throw error;
        }
      },
      renew: async () => {},
    };
  }
}
