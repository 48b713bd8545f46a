import { Unavailable } from '../../../base/errors.ts';
import { countRunning, type Shares } from '../../../base/fair_lease.ts';
import { FairShare } from '../../../base/fair_share.ts';
import { inTime } from '../../../base/keyed_queue.ts';
import { renewLease } from '../../../base/lease.ts';
import { PlacedBatcher } from '../../../base/places/batchers.ts';
import { after } from '../../../base/timers.ts';
import type { Notice } from '../../../connectors/contract.ts';
import { sourceOf } from '../../../connectors/index.ts';
import { type DueRow, type Job, leasesOf } from '../../../operations/job.ts';
import { CallInFlight, type NoticeHandler } from '../../../operations/notice_handlers.ts';
import type { Services } from '../../../operations/services.ts';
import { type Inbox, noticesJob, openRequest } from './inbox.ts';
import { noticesTable, settleNotices } from './store.ts';
import {
  type DueNotice,
  failedAgain,
  failuresMax,
  finished,
  kindOf,
  type NoticeState,
  putOff,
} from './stored_notice.ts';

type RecordServices = Pick<Services, 'leases' | 'clock' | 'keyring' | 'connectors' | 'wake' | 'log'>;

const batchNoticesMax = 500;
const readWithinMs = 30_000;
const lookEveryMs = 500;
/** What is read and written for these is shared. Most notices report what is known already, and nobody is asked about them. */
const concurrency = 256;
/** Their requests are up to 256 KiB each. */
const leasedMax = 32;
/** How many calls may ask concurrently what a notice reports: in all, and at one account. */
const askedMax = {
  places: 32,
  each: 16,
  patienceMs: 2 * readWithinMs,
  refuse: () => new Unavailable('too many notices wait for an answer of their processor'),
};
const slowAfterMs = 1_000;
/** How many notices of one processor account may wait for its processor; further ones are put off, and delay no other account's. */
const slowMax = 8;

type FreshNotices = Pick<Inbox, 'takeFresh'>;

/** Records what is stored: finds out what each notice reports, and passes it to the resources that it concerns. */
export function recordNotices(services: RecordServices, inbox: FreshNotices, handle: NoticeHandler): Job {
  const recorder = new Recorder(services, inbox, handle);
  return { name: noticesJob, concurrency, lease: (limit, shares) => recorder.lease(limit, shares) };
}

/**
 * Neither leases nor outcomes are written durably: a notice whose outcome a crash of the database has lost is handled once more, and
 * handlers take a notice any number of times.
 */
class Recorder {
  readonly #services: RecordServices;
  readonly #inbox: FreshNotices;
  readonly #handle: NoticeHandler;
  readonly #outcomes: PlacedBatcher<NoticeState, undefined>;
  readonly #leases: (limit: number, shares?: Shares) => Promise<DueNotice[]>;
  readonly #slow = new SlowJobs();
  readonly #asking = new FairShare<string>(askedMax);
  #lookedAt = 0;

  constructor(services: RecordServices, inbox: FreshNotices, handle: NoticeHandler) {
    this.#services = services;
    this.#inbox = inbox;
    this.#handle = handle;
    this.#leases = leasesOf(services.leases, noticesTable, services.clock);
    this.#outcomes = new PlacedBatcher(services.leases, {
      itemsMax: batchNoticesMax,
      tenantOf: ({ tenant }) => tenant,
      run: async (sql, notices) => {
        await settleNotices(sql, notices);
        return notices.map(() => undefined);
      },
    });
  }

  async lease(limit: number, shares?: Shares): Promise<DueRow[]> {
    const { leases, wake } = this.#services;
    const fresh = this.#inbox.takeFresh(limit, shares);
    const left = shares && { ...shares, running: countRunning(shares.running, fresh) };
    const others = await this.#leaseOthers(Math.min(limit - fresh.length, leasedMax), fresh.length > 0, left);
    const leased = [...fresh, ...others];
    const isFull = leased.length === limit || others.length === leasedMax; // then there may be more
    return leased.map((notice) => ({
      tenant: notice.tenant,
      run: () => this.#record(notice).finally(() => isFull && wake(noticesJob)),
      renew: () => leases.at(notice.tenant, (sql) => renewLease(sql, noticesTable as never, notice)),
    }));
  }

  /** Retries, and what other instances have left. While this instance has its own notices to handle, it looks for others now and then. */
  async #leaseOthers(limit: number, isBusy: boolean, shares: Shares | undefined): Promise<DueNotice[]> {
    const now = this.#services.clock.monotonic();
    if (limit === 0 || (isBusy && now < this.#lookedAt + lookEveryMs)) return [];
    this.#lookedAt = now;
    return this.#leases(limit, shares);
  }

  async #record(stored: DueNotice): Promise<void> {
    let reported: Notice[] | null = null;
    try {
      reported = await this.#ask(stored);
      if (reported !== null) await this.#handleAll(stored, reported);
    } catch (error) {
      if (error instanceof CallInFlight) return this.#putOff(stored, error);
      const failed = failedAgain(stored, error, reported, this.#services.clock.now());
      await this.#outcomes.add(failed);
      if (failed.failures === failuresMax) this.#raise(failed);
      throw error;
    }
    if (reported === null) return this.#putOff(stored, 'the processor is slow');
    await this.#outcomes.add(finished(stored));
    if (stored.flagged_at !== null)
      this.#services.log.info({ notice: stored.id }, 'recorded a notice that had failed before');
  }

  async #putOff(stored: DueNotice, reason: unknown): Promise<void> {
    await this.#outcomes.add(putOff(stored, this.#services.clock.now()));
    this.#services.log.debug({ notice: stored.id, reason: String(reason) }, 'a notice was put off');
  }

  /** The report of a notice; null when so many of its account wait for the processor that this one is put off. */
  #ask(stored: DueNotice): Promise<Notice[] | null> {
    const name = nameOf(stored);
    const ask = async () =>
      this.#slow.count(name) >= slowMax ? null : this.#slow.watch(name, () => this.#read(stored));
    return stored.request === null ? ask() : this.#asking.run(name, ask);
  }

  async #handleAll(stored: DueNotice, reported: readonly Notice[]): Promise<void> {
    const { connector, processor_account } = stored;
    const sourceIs = (notice: Notice) =>
      processor_account === null ? sourceOf(connector, notice) : { connector, processor_account };
    await this.#slow.watch(nameOf(stored), async () => {
      for (const notice of reported) await this.#handle(notice, sourceIs(notice));
    });
  }

  /** The report of a notice. A request is only a hint: its connector asks the processor. */
  async #read(stored: DueNotice): Promise<Notice[]> {
    const { connectors, keyring, clock } = this.#services;
    if (stored.request === null) return stored.reported!;
    const { inbound } = await connectors.of(stored);
    if (inbound === undefined) throw new Error(`${stored.connector} takes no notices`);
    const request = Buffer.isBuffer(stored.request) ? openRequest(keyring, stored, stored.request) : stored.request;
    const reading = inbound.read(request, clock.now());
    const reported = await inTime(reading, readWithinMs, 'the processor did not say in time what the notice is about');
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

function nameOf({ connector, processor_account }: DueNotice): string {
  return processor_account ?? connector;
}

/** Counts the due rows whose job has been running for more than a second, by the name of what they wait for. */
class SlowJobs {
  readonly #counts = new Map<string, number>();

  count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  async watch<T>(name: string, run: () => Promise<T>): Promise<T> {
    let isSlow = false;
    const timer = after(slowAfterMs, () => {
      isSlow = true;
      this.#add(name, 1);
    });
    try {
      return await run();
    } finally {
      timer.cancel();
      if (isSlow) this.#add(name, -1);
    }
  }

  #add(name: string, change: 1 | -1): void {
    const count = this.count(name) + change;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}
