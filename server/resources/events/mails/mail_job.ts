import type { Clock } from '../../../base/clock.ts';
import type { Commits, Table, Unit } from '../../../base/commit/index.ts';
import { type Leasable, renewLease, renewLeaseEveryMs } from '../../../base/lease.ts';
import type { SqlAt } from '../../../base/places/sql_at.ts';
import type { Tenant } from '../../../base/reads.ts';
import { isUnavailable } from '../../../base/sql.ts';
import { pause } from '../../../base/timers.ts';
import type { MailOutcome, OutgoingMail, SendingTerms } from '../../../mail/outgoing.ts';
import { type Job, leasesOf } from '../../../operations/job.ts';
import type { Services } from '../../../operations/services.ts';
import type { MailPlaces, Minute } from './places.ts';
import { release } from './store.ts';

type MailJob<Row> = {
  name: string;
  /** How many are sent at a time. Each has a connection to the mail server. */
  concurrency: number;
  table: Table<Row>;
  /** At whose place a mail is: that of its tenant, or the installation, whose rows are in the directory. */
  homeOf(mail: Row): Tenant;
  /** Sends a leased mail, and commits what became of it. False: it was not sent, and needs no place in the minute. */
  settle(mail: Row, terms: SendingTerms): Promise<boolean>;
};

/** Sends mails that are due. Two instances never lease the same one. */
export function mailJob<Row extends Leasable>(
  { durable, clock }: Pick<Services, 'durable' | 'clock'>,
  places: MailPlaces,
  { name, concurrency, table, homeOf, settle }: MailJob<Row>,
): Job {
  const leases = leasesOf(durable, table, clock);
  const dueRow = (mail: Row, minute: Minute) => {
    const lease = new MailLease({ durable, clock, table: table as never, mail, home: homeOf(mail) });
    return {
      tenant: mail.tenant,
      async run(stopping?: AbortSignal) {
        const isSent = await settle(mail, { stopping, isOurs: () => lease.isHeld() });
        if (!isSent) places.giveBack(minute);
      },
      renew: () => lease.renew(),
    };
  };
  return {
    name,
    concurrency,
    async lease(limit, shares) {
      if (places.areTaken) return [];
      // A lease answers in any order, and the mail that has waited longest goes first.
      const leased = (await leases(limit, shares)).sort((one, other) => dueAt(one) - dueAt(other));
      const { count, minute } = await places.take(leased.length);
      // If this fails, the leases end by themselves; the others are sent.
      await durable.each(leased.slice(count), homeOf, (sql, mails) => release(sql, table, mails)).catch(() => {});
      return leased.slice(0, count).map((mail) => dueRow(mail, minute));
    },
  };
}

const dueAt = ({ due_at }: Leasable): number => due_at?.getTime() ?? 0;

type LeasedMail = {
  durable: SqlAt;
  clock: Pick<Clock, 'monotonic'>;
  table: Table<never>;
  mail: Leasable;
  home: Tenant;
};

/**
 * The lease of one mail. It ends while this process stands still, or while the database is away, and then another instance sends the mail:
 * so a lease that was not renewed just now is asked for before the mail is handed over.
 */
class MailLease {
  readonly #leased: LeasedMail;
  #renewedAt: number;

  constructor(leased: LeasedMail) {
    this.#leased = leased;
    this.#renewedAt = leased.clock.monotonic();
  }

  async renew(): Promise<boolean> {
    const { durable, clock, table, mail, home } = this.#leased;
    const startedAt = clock.monotonic();
    const isHeld = await durable.at(home, (sql) => renewLease(sql, table, mail));
    this.#renewedAt = isHeld ? startedAt : Number.NEGATIVE_INFINITY;
    return isHeld;
  }

  /** False where nobody can say so. */
  async isHeld(): Promise<boolean> {
    if (this.#leased.clock.monotonic() - this.#renewedAt < renewLeaseEveryMs) return true;
    return this.renew().catch(() => false);
  }
}

/** An instance without a mail server leaves a mail to others so often, for 21 minutes: settings may be changing from one to the next. */
const triesWithoutServer = 3;

/** Whether a mail was left to others for long enough: nobody has a mail server. */
export function isUnsendable({ isSetUp }: Services['mail'], { attempts }: { attempts: number }): boolean {
  return !isSetUp && attempts >= triesWithoutServer;
}

/** A mail that cannot be put together would be tried again for ever: it is refused, and somebody must look into it. */
export async function sendOrRefuse(
  { mail: sender, log }: Pick<Services, 'mail' | 'log'>,
  { id }: { id: string },
  compose: () => OutgoingMail | Promise<OutgoingMail>,
  terms: SendingTerms,
): Promise<MailOutcome> {
  try {
    return await sender.send(await compose(), terms);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    log.error({ mail: id, error: String(error) }, 'could not put a mail together; it is not sent');
    return { kind: 'refused', reason: 'The mail could not be put together.' };
  }
}

const recordAgainMs = 500;
const recordTriesMax = 120; // a minute

/** Commits what became of an attempt. It cannot be made undone: while the database is away, it is tried again. */
export async function recordOutcome(
  committer: Commits,
  unit: Unit,
  { kind }: Pick<MailOutcome, 'kind'>,
  { stopping }: SendingTerms,
): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      await committer.commit(unit);
      return;
    } catch (error) {
      if (kind !== 'sent' || tries === recordTriesMax || stopping?.aborted || !isUnavailable(error)) throw error;
      await pause(recordAgainMs);
    }
}
