import { Batcher } from '../../base/batcher.ts';
import { settlesWithin } from '../../base/keyed_queue.ts';
import { leaseDue, renewLease } from '../../base/lease.ts';
import type { Notice } from '../../connectors/contract.ts';
import type { Duty, Job } from '../duty.ts';
import type { NoticeHandler } from '../notice_handlers.ts';
import type { Services } from '../services.ts';
import { noticesDuty, openRequest } from './inbox.ts';
import { noticesTable, settleNotices } from './store.ts';
import { failedAgain, failuresMax, finished, kindOf, type NoticeState, type StoredNotice } from './stored_notice.ts';

type RecordServices = Pick<Services, 'leases' | 'clock' | 'keyring' | 'connectors' | 'wake' | 'log'>;

const batchNoticesMax = 500;
const readWithinMs = 30_000;

/** Records what is stored: finds out what each notice reports, and passes it to the resources that it concerns. */
export function recordNotices(services: RecordServices, handle: NoticeHandler): Duty {
  const recorder = new Recorder(services, handle);
  return { name: noticesDuty, lease: (limit) => recorder.lease(limit) };
}

/**
 * Neither leases nor outcomes are written durably: a notice whose outcome a crash of the database has lost is handled once more, and
 * handlers take a notice any number of times.
 */
class Recorder {
  readonly #services: RecordServices;
  readonly #handle: NoticeHandler;
  readonly #outcomes: Batcher<NoticeState, undefined>;

  constructor(services: RecordServices, handle: NoticeHandler) {
    this.#services = services;
    this.#handle = handle;
    this.#outcomes = new Batcher({
      itemsMax: batchNoticesMax,
      run: async (notices) => {
        await settleNotices(services.leases, notices);
        return notices.map(() => undefined);
      },
    });
  }

  async lease(limit: number): Promise<Job[]> {
    const { leases, clock, wake } = this.#services;
    const leased = await leaseDue(leases, noticesTable, limit, clock.ahead());
    const isFull = leased.length === limit; // then there may be more
    return leased.map((notice) => ({
      run: () => this.#record(notice).finally(() => isFull && wake(noticesDuty)),
      renew: () => renewLease(leases, noticesTable as never, notice),
    }));
  }

  async #record(stored: StoredNotice): Promise<void> {
    let reported: Notice[] | null = null;
    try {
      reported = await this.#read(stored);
      const { connector, processor_account } = stored;
      for (const notice of reported) await this.#handle(notice, { connector, processor_account });
    } catch (error) {
      const failed = failedAgain(stored, error, reported, this.#services.clock.now());
      await this.#outcomes.add(failed);
      if (failed.failures === failuresMax) this.#raise(failed);
      throw error;
    }
    await this.#outcomes.add(finished(stored));
    if (stored.flagged_at !== null)
      this.#services.log.info({ notice: stored.id }, 'a notice that had failed was recorded');
  }

  /** What a notice reports. A request is only a hint: its connector asks the processor. */
  async #read(stored: StoredNotice): Promise<Notice[]> {
    const { connectors, keyring, clock } = this.#services;
    if (stored.request === null) return stored.reported!;
    const { inbound } = await connectors.of(stored);
    if (inbound === undefined) throw new Error(`${stored.connector} takes no notices`);
    const reading = inbound.read(openRequest(keyring, stored, stored.request), clock.now());
    if (!(await settlesWithin(reading, readWithinMs))) {
      reading.catch(() => {});
      throw new Error('the processor did not say in time what the notice is about');
    }
    const reported = await reading;
    // The signature proves who has sent it, and that is the account of one tenant.
    if (reported.some(({ tenant }) => tenant !== stored.tenant)) throw new Error('the notice is about another account');
    return reported;
  }

  #raise(failed: NoticeState): void {
    const { id, connector, processor_account, event_id, reason } = failed;
    this.#services.log.error(
      { notice: id, connector, processor_account, event: event_id, kind: kindOf(failed), error: reason },
      'incident: a notice of a processor cannot be recorded; it is kept and retried, see "tollgate notices list"',
    );
  }
}
