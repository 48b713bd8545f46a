import { leaseSeconds, putOff, renewLease } from '../../../base/lease.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { Declared, JobServices } from '../../../operations/resource.ts';
import { eventWrite } from '../../../outbox/event.ts';
import { SuspendedAccount } from '../../people/accounts/suspended.ts';
import { testClockEvent } from './schema.ts';
import { replaceTestClock, testClocksTable } from './store.ts';
import type { TestClock } from './test_clock.ts';
import type { ClockWork } from './work.ts';

/** How often one moment is visited before its work is taken to be stuck. */
const roundsMax = 1_000;
const stuckPauseMs = 60_000;

/**
 * One lease of an advance. From one due moment to the next, the clock is moved and everything that is due is done; at the target it is
 * ready. All of its state is in the rows: what a killed process has left, the next one continues.
 */
export class Advance {
  readonly #services: JobServices;
  readonly #declared: Declared;
  readonly #works: readonly ClockWork[];
  /** As this process has stored it last. */
  #clock: TestClock;

  constructor(services: JobServices, declared: Declared, works: readonly ClockWork[], leased: TestClock) {
    this.#services = services;
    this.#declared = declared;
    this.#works = works;
    this.#clock = leased;
  }

  get tenant(): Tenant {
    return this.#clock.tenant;
  }

  /** Beside the moves, which renew the lease too: the work of one moment may take longer than a lease. */
  renew(): Promise<boolean> {
    return this.#services.durable.at(this.tenant, (sql) => renewLease(sql, testClocksTable as never, this.#clock));
  }

  /** The clocks of a suspended account stand still: nothing is charged at any of their moments. */
  async run(stopping?: AbortSignal): Promise<void> {
    const { durable, clock, isSuspended } = this.#services;
    try {
      if (await isSuspended(this.tenant)) throw new SuspendedAccount(this.tenant);
      await this.#advance(stopping);
    } catch (error) {
      if (!(error instanceof SuspendedAccount)) throw error;
      await durable.at(this.tenant, (sql) => putOff(sql, testClocksTable as never, this.#clock, clock.ahead()));
    }
  }

  async #advance(stopping = new AbortController().signal): Promise<void> {
    for (let rounds = 1; ; ) {
      if (stopping.aborted) return this.#pause(0);
      const next = await this.#earliest();
      if (next === undefined) return this.#arrive();
      const isLater = next > this.#clock.frozen_time;
      rounds = isLater ? 1 : rounds + 1;
      if (rounds > roundsMax) return this.#reportStuck();
      // After a conflict another process has the lease, and goes on.
      if (isLater && !(await this.#store({ frozen_time: next, lease_until: this.#leaseEnd() }))) return;
      await this.#work(stopping);
    }
  }

  async #earliest(): Promise<Date | undefined> {
    const { tenant, id, target } = this.#clock;
    const asked = this.#works.map((work) => work.earliest(this.#services, tenant, id, target!));
    const found = (await Promise.all(asked)).filter((moment) => moment !== undefined);
    return found.length === 0 ? undefined : new Date(Math.min(...found.map(Number)));
  }

  async #work(stopping: AbortSignal): Promise<void> {
    const { tenant, id, frozen_time } = this.#clock;
    // One after the other: at one moment, open invoices are tried again before new ones are made.
    for (const work of this.#works)
      await work.run(this.#services, this.#declared, { tenant, id }, frozen_time, stopping);
  }

  async #arrive(): Promise<void> {
    const { target } = this.#clock;
    await this.#store({ status: 'ready', frozen_time: target!, target: null, due_at: null, lease_until: null });
  }

  /** Gives the lease back. The next process goes on after the pause. */
  async #pause(milliseconds: number): Promise<void> {
    await this.#store({ due_at: new Date(this.#services.clock.now() + milliseconds), lease_until: null });
  }

  async #reportStuck(): Promise<void> {
    const { id, frozen_time } = this.#clock;
    this.#services.log.error(
      { clock: id, at: frozen_time.toISOString() },
      'incident: the advance of a test clock does not get past one moment; it is tried again every minute',
    );
    await this.#pause(stuckPauseMs);
  }

  /** False after a conflict. */
  async #store(change: Partial<TestClock>): Promise<boolean> {
    const { committer, clock } = this.#services;
    const after: TestClock = { ...this.#clock, ...change, version: this.#clock.version + 1 };
    const writes = [replaceTestClock(after)];
    if (after.status === 'ready')
      writes.push(eventWrite(after.tenant, null, clock.now(), testClockEvent('test_clock.ready', after)));
    if ((await committer.commit({ tenant: after.tenant, writes })) !== 'committed') return false;
    this.#clock = after;
    return true;
  }

  /** By the database's own time, which leases are compared with. */
  #leaseEnd(): Date {
    const { clock } = this.#services;
    return new Date(clock.now() - clock.ahead() + leaseSeconds * 1_000);
  }
}
