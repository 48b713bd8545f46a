import type { Clock } from '../../../base/clock.ts';
import { settlesWithin } from '../../../base/keyed_queue.ts';
import type { Log } from '../../../base/log.ts';
import { failureLevel } from '../../../base/sql.ts';
import type { Connector, Notice } from '../../../connectors/contract.ts';
import { installation } from '../../../operations/caller.ts';
import type { DueRow, Job } from '../../../operations/job.ts';
import type { Inbox } from './inbox.ts';

const patienceMs = 5_000;

type PollParts = {
  connectors: readonly Connector[];
  clock: Clock;
  log: Log;
  inbox: Pick<Inbox, 'storeReported'>;
};

/** Asks the processors without accounts for changes that the gateway did not request: a refund that came back, a dispute and its end. */
export function pollNotices(parts: PollParts): Job {
  const pollers = parts.connectors
    .filter((connector) => connector.notices !== undefined)
    .map((connector) => new Poller(connector, parts));
  return {
    name: 'asking for notices',
    lease: async (limit) => (await Promise.all(pollers.map((poller) => poller.poll(limit)))).flat(),
  };
}

class Poller {
  readonly #connector: Connector;
  readonly #parts: PollParts;
  /** A poll whose notices are not stored yet. */
  #isBusy = false;

  constructor(connector: Connector, parts: PollParts) {
    this.#connector = connector;
    this.#parts = parts;
  }

  /** A processor that does not answer delays no other, and is not asked again while its answer may still come. */
  async poll(limit: number): Promise<DueRow[]> {
    if (this.#isBusy) return [];
    this.#isBusy = true;
    const asking = this.#ask(limit);
    const isInTime = await settlesWithin(asking, patienceMs);
    if (!isInTime) {
      void asking.then(() => this.#rest());
      return [];
    }
    const notices = await asking;
    if (notices.length > 0)
      return [
        { tenant: installation, run: () => this.#keep(notices).finally(() => this.#rest()), renew: async () => {} },
      ];
    this.#rest();
    return [];
  }

  async #ask(limit: number): Promise<Notice[]> {
    const { clock, log } = this.#parts;
    try {
      return await this.#connector.notices!({ now: clock.now(), limit });
    } catch (error) {
      log[failureLevel(error)](
        { connector: this.#connector.name, error: String(error) },
        'could not poll a processor for notices',
      );
      return [];
    }
  }

  /** They are stored before they are acknowledged. The processor reports a notice until then. */
  async #keep(notices: Notice[]): Promise<void> {
    const { inbox, clock } = this.#parts;
    await inbox.storeReported({ connector: this.#connector.name, processor_account: null }, notices);
    await this.#connector.acknowledge?.(notices, clock.now());
  }

  #rest(): void {
    this.#isBusy = false;
  }
}
