import type { Tenant } from '../../../base/reads.ts';
import type { AttemptId, SetupAttempt } from '../../../connectors/contract.ts';
import type { NoticeSource } from '../../../connectors/index.ts';
import { dueRows, type Job } from '../../../operations/job.ts';
import type { NoticeHandler, NoticeHandlers } from '../../../operations/notice_handlers.ts';
import { type Attempt, isUnfinished, type ProcessorAnswer } from '../attempts/attempt.ts';
import {
  askAgain,
  carryOut,
  commitDue,
  conflictsMax,
  find,
  findNow,
  inquire,
  isFrom,
  settleAnswer,
  waitForCall,
} from '../attempts/inquire.ts';
import { attemptFor, perform } from '../attempts/perform.ts';
import { addAttempt, attemptsTable, replaceAttempt, requireAttempt, requireStored } from '../attempts/store.ts';
import { firstInquiry, undue } from '../attempts/subject.ts';
import { isDecided, isPageOver, nextLook, unanswered } from '../attempts/waiting.ts';
import { cancelCall } from './calls.ts';
import { type SetupServices, stepAfter } from './pass_on.ts';
import type { LoadedSetup } from './settle.ts';
import { isOver, type Setup, type SetupId } from './setup.ts';
import { replaceSetup, setupsTable } from './store.ts';
import { type SetupTopic, setupAttemptOf } from './topic.ts';

const soonMs = 5_000;

/** Settles setups without a request: inquires about unknown outcomes, passes on, lets them expire, and records what processors report. */
export class SetupJobs implements NoticeHandlers {
  readonly #services: SetupServices;
  readonly #topic: SetupTopic;

  constructor(services: SetupServices, topic: SetupTopic) {
    this.#services = services;
    this.#topic = topic;
  }

  job(): Job {
    return dueRows(this.#services, 'setups', setupsTable, (setup) => this.#settleDue(setup));
  }

  /** A processor reports that an attempt has changed, for example that the cardholder has decided. It is asked for the outcome. */
  readonly attempt_changed: NoticeHandler<'attempt_changed'> = async ({ tenant, attempt: id }, source) => {
    const attempt = await this.#services.reads.one(attemptsTable, tenant, id);
    if (!attempt?.setup || (isFrom(source, attempt) && !isUnfinished(attempt.state))) return;
    await this.#decide({ tenant, id, source }, ({ setup, attempt: asked, canceled = asked }) =>
      findNow(this.#services, asked, { setup: setupAttemptOf(setup, canceled) }),
    );
  };

  /** A processor reports the outcome of an attempt. */
  readonly payment_settled: NoticeHandler<'payment_settled'> = async ({ tenant, attempt: id, outcome }, source) => {
    const attempt = await this.#services.reads.one(attemptsTable, tenant, id);
    if (!attempt?.setup) return;
    // A method is named by the processor itself: no stored notice has a token.
    await this.#decide({ tenant, id, source }, async ({ setup, attempt: asked, canceled = asked }) =>
      setup.payment_method === null
        ? findNow(this.#services, asked, { setup: setupAttemptOf(setup, canceled) })
        : { outcome, exchange: { notice: outcome } },
    );
  };

  /** Settles a setup by an answer to its attempt, if the attempt is not settled yet. */
  async #decide(
    { tenant, id, source }: { tenant: Tenant; id: AttemptId; source: NoticeSource },
    answerOf: (loaded: LoadedSetup) => Promise<ProcessorAnswer>,
  ): Promise<void> {
    const { reads, clock, unmatchedNotices } = this.#services;
    for (let tries = 0; tries < conflictsMax; tries++) {
      const attempt = await requireAttempt({ reads, tenant }, id);
      if (!isFrom(source, attempt)) return unmatchedNotices.ignore(source, tenant, attempt, { attempt: id });
      waitForCall(attempt, clock.now());
      const loaded = await this.#topic.read({ reads, tenant }, attempt);
      const isAwaiting = isAwaitingCardholder(loaded);
      if (!this.#topic.isOpen(loaded) && !isAwaiting) return this.#askAboutCancel(loaded);
      const answer = await answerOf(loaded);
      if (isAwaiting && !isDecided(answer.outcome))
        return void (await this.#replace({ ...undue(loaded.setup), due_at: new Date(clock.now() + soonMs) }));
      if (await this.#settleOrPassOn(loaded, answer)) return;
    }
    throw new Error(`could not record the outcome of ${id}`);
  }

  /** A pending setup was decided while it is being canceled: the answer to the cancel comes first. Where none has come, it is asked for. */
  async #askAboutCancel({ setup, attempt }: LoadedSetup): Promise<void> {
    const { open_attempt } = setup;
    if (attempt.state !== 'pending' || open_attempt === null) return;
    waitForCall(await this.#attempt(setup, open_attempt), this.#services.clock.now());
    await this.#replace({ ...undue(setup), due_at: new Date(this.#services.clock.now()) });
  }

  async #settleDue(setup: Setup): Promise<void> {
    if (setup.open_attempt !== null) return this.#inquire(setup, setup.open_attempt);
    // It has failed because its cardholder would have to authenticate, and the processor still waits for that.
    if (isOver(setup.status)) return this.#end(setup, await this.#attempt(setup, setup.setup_attempt!), 'cancel');
    return this.#expire(setup);
  }

  async #inquire(before: Setup, open: AttemptId): Promise<void> {
    const setup = { ...before, inquiries: before.inquiries + 1 };
    const attempt = await this.#attempt(setup, open);
    const made = setup.setup_attempt === null || setup.setup_attempt === open ? attempt : undefined;
    const canceled = made === undefined ? await this.#attempt(setup, setup.setup_attempt!) : undefined;
    const about = setupAttemptOf(setup, canceled ?? attempt);
    const answer = await inquire(this.#services, attempt, { setup: about }, async () => {
      // Canceling twice is harmless, so what never arrived is sent again. A setup is not: its cardholder has gone.
      if (canceled !== undefined) return this.#cancel(attempt, about);
      await this.#end(setup, attempt, 'reverse');
      return undefined;
    });
    if (answer !== undefined) await this.#settleOrPassOn({ setup, attempt, canceled }, answer);
  }

  /**
   * Settles a setup by an answer. If the answer passes it on, the end of the attempt and the next attempt are one commit, and then the
   * next processor is asked. False after a conflict.
   */
  async #settleOrPassOn(loaded: LoadedSetup, answer: ProcessorAnswer): Promise<boolean> {
    const now = this.#services.clock.now();
    const next = await stepAfter(this.#services, loaded, answer, now);
    if (next === undefined) return (await settleAnswer(this.#services, this.#topic, loaded, answer)) !== undefined;
    const { tenant } = loaded.setup;
    return carryOut(this.#services, tenant, await perform({ ...this.#services, tenant, now }, this.#topic, next));
  }

  /** Ends a setup that waits for its cardholder, as a payment is: closed, set up before, or unknown. */
  async close(tenant: Tenant, id: SetupId): Promise<'closed' | 'paid' | 'unknown'> {
    const reader = { reads: this.#services.reads, tenant };
    const setup = await requireStored(reader, setupsTable, id);
    if (setup.status !== 'requires_action' || setup.open_attempt !== null) return closedAs(setup);
    await this.#end(setup, await this.#attempt(setup, setup.setup_attempt!), 'cancel');
    const after = await requireStored(reader, setupsTable, id);
    if (after.status !== 'requires_action' || after.open_attempt !== null) return closedAs(after);
    const attempt = await this.#attempt(after, after.setup_attempt!);
    const found = await find(this.#services, attempt, { setup: setupAttemptOf(after, attempt) });
    if (isDecided(found.outcome)) await this.#settleOrPassOn({ setup: after, attempt }, found);
    return closedAs(await requireStored(reader, setupsTable, id));
  }

  /** The cardholder has an hour, or the time of a page; then the setup is canceled. */
  async #expire(setup: Setup): Promise<void> {
    const attempt = await this.#attempt(setup, setup.setup_attempt!);
    const found = await find(this.#services, attempt, { setup: setupAttemptOf(setup, attempt) });
    if (isDecided(found.outcome)) return void (await this.#settleOrPassOn({ setup, attempt }, found));
    if (found.outcome.kind === 'unknown') return this.#unanswered(setup);
    const now = this.#services.clock.now();
    if (setup.expires_at!.getTime() > now && !isPageOver(found.outcome, now)) {
      const asked = { ...undue(setup), inquiries: setup.inquiries + 1 };
      return void (await this.#replace({ ...asked, due_at: nextLook(asked, now) }));
    }
    await this.#end(setup, attempt, 'cancel');
  }

  /**
   * Cancels a setup that has expired or failed, or blocks one that the processor has never received (`reverse`). The attempt is committed first, then
   * the processor is asked, then its answer is committed.
   */
  async #end(setup: Setup, made: Attempt, verb: 'cancel' | 'reverse'): Promise<void> {
    const { clock, connectors } = this.#services;
    const connector = await connectors.of(made);
    const context = { tenant: setup.tenant, now: clock.now(), connectors, requestId: null };
    const attempt = { ...attemptFor(context, connector, { setup: setup.id, verb, amount: null }), version: 1 };
    const due = firstInquiry(attempt);
    const begun: Setup = { ...undue(setup), open_attempt: attempt.id, setup_attempt: made.id, due_at: due };
    const lost: Attempt = { ...made, version: made.version + 1, state: 'lost', finished_at: new Date(context.now) };
    const canceled = verb === 'reverse' ? lost : made;
    const writes = [replaceSetup(begun), addAttempt(attempt), ...(verb === 'reverse' ? [replaceAttempt(lost)] : [])];
    if (!(await commitDue(this.#services, { tenant: setup.tenant, writes }, due))) return;
    const answer = await this.#cancel(attempt, setupAttemptOf(setup, canceled));
    await this.#settleOrPassOn({ setup: begun, attempt, canceled }, answer);
  }

  async #cancel(attempt: Attempt, about: SetupAttempt): Promise<ProcessorAnswer> {
    const { clock, connectors } = this.#services;
    const call = cancelCall(await connectors.of(attempt), attempt, about, clock.now());
    return askAgain(this.#services, attempt, call, { earlier: about });
  }

  /** The processor does not tell whether the cardholder has decided. After the hour it is asked with growing pauses, and the setup is flagged. */
  async #unanswered(setup: Setup): Promise<void> {
    const asked = unanswered(setup, undue(setup), this.#services.clock.now());
    if (!(await this.#replace(asked))) return;
    if (asked.flagged_at !== null && setup.flagged_at === null)
      this.#services.log.error(
        { setup: setup.id },
        'a processor has not reported the decision of a cardholder about a setup for three days; ask it, and have the setup canceled',
      );
  }

  /** Commits a setup alone. False after a conflict. */
  #replace(setup: Setup): Promise<boolean> {
    return commitDue(this.#services, { tenant: setup.tenant, writes: [replaceSetup(setup)] }, setup.due_at);
  }

  #attempt({ tenant }: Setup, id: AttemptId): Promise<Attempt> {
    return requireAttempt({ reads: this.#services.reads, tenant }, id);
  }
}

function closedAs({ status }: Setup): 'closed' | 'paid' | 'unknown' {
  if (status === 'canceled' || status === 'failed') return 'closed';
  return status === 'succeeded' ? 'paid' : 'unknown';
}

function isAwaitingCardholder({ setup, attempt }: LoadedSetup): boolean {
  const { status, open_attempt, setup_attempt } = setup;
  return status === 'requires_action' && open_attempt === null && setup_attempt === attempt.id;
}
