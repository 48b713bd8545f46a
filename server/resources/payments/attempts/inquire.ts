import type { TenantUnit, Write } from '../../../base/commit/index.ts';
import { assert } from '../../../base/errors.ts';
import { idTime } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import { type AskedCall, ask, oneOfSeveral } from '../../../connectors/ask.ts';
import type { Authorization, FindRequest, InquiryOutcome, Reply } from '../../../connectors/contract.ts';
import type { NoticeSource } from '../../../connectors/index.ts';
import { CallInFlight } from '../../../operations/notice_handlers.ts';
import type { Outcome, RemoteCall, Sequenced } from '../../../operations/operation.ts';
import type { Services } from '../../../operations/services.ts';
import { eventWrites, happenedAt } from '../../../outbox/event.ts';
import { clockTime } from '../test_clocks/time.ts';
import { type Attempt, askedCall, askedVerb, type ProcessorAnswer } from './attempt.ts';
import type { Settlement, Topic } from './topic.ts';

export type InquiryServices = Pick<
  Services,
  | 'reads'
  | 'durable'
  | 'committer'
  | 'connectors'
  | 'terms'
  | 'dunningOf'
  | 'sellerOf'
  | 'keyring'
  | 'publicUrl'
  | 'cardTesting'
  | 'vault'
  | 'clock'
  | 'log'
  | 'onDue'
  | 'unmatchedNotices'
>;

const notYet: ProcessorAnswer = { outcome: { kind: 'unknown', reason: 'not found yet' }, exchange: {} };

/** Whether a notice comes from the processor that was asked. */
export function isFrom({ connector, processor_account }: NoticeSource, asked: NoticeSource): boolean {
  return asked.connector === connector && asked.processor_account === processor_account;
}

/** The answer to the call itself decides. A notice that comes before it waits: when it is handled again, the outcome is known. */
export function waitForCall({ id, state, deadline_at }: Attempt, now: number): void {
  if (state === 'open' && deadline_at.getTime() > now) throw new CallInFlight(`the call of ${id} is in flight`);
}

/** How often a decision is repeated because of a conflict. */
export const conflictsMax = 5;

/** The object of an attempt: an authorization, a dispute, or a setup. */
export type About = Partial<Pick<FindRequest, 'authorization' | 'dispute' | 'setup'>>;

/** Asks the processor for the outcome of an attempt. */
export async function find(services: InquiryServices, attempt: Attempt, about: About): Promise<ProcessorAnswer> {
  const { clock, connectors } = services;
  const { tenant, id, reference } = attempt;
  const verb = askedVerb(attempt);
  const connector = await connectors.of(attempt);
  const request: FindRequest = {
    tenant,
    attempt: id,
    verb,
    now: clock.now(),
    reference: reference ?? undefined,
    authorization: about.authorization,
    dispute: about.dispute,
    setup: about.setup,
  };
  const earlier = about.authorization ?? about.setup;
  const asked = { verb: 'find', hasLocalPages: connector.hasLocalPages, earlier } as const;
  return askAgain(services, attempt, () => connector.find(request), asked);
}

/** Asks after a notice. The processor may not know the attempt yet: only an inquiry that is due decides that it never arrived. */
export async function findNow(services: InquiryServices, attempt: Attempt, about: About): Promise<ProcessorAnswer> {
  const found = await find(services, attempt, about);
  return found.outcome.kind === 'not_found' ? notYet : found;
}

const otherCredentials: ProcessorAnswer = {
  outcome: { kind: 'unknown', reason: 'the credentials are newer than the attempt, and may be of another account' },
  exchange: { failure: 'the credentials are newer than the attempt' },
};

/** The authorization or the setup that an attempt is about. */
type EarlierAttempt = Pick<Authorization, 'attempt' | 'reference'>;

/**
 * Whether the processor could only be asked by our own name for an attempt that was made before the credentials: if they are of another
 * account there, it has never heard of the attempt, and the answer "not found" would be wrong.
 */
function isOlderThan(since: number | undefined, attempt: Attempt, earlier: EarlierAttempt | undefined): boolean {
  if (since === undefined) return false;
  if (attempt.reference === null && idTime(attempt.id) < since) return true;
  return earlier !== undefined && earlier.reference === undefined && idTime(earlier.attempt) < since;
}

/**
 * A call about an attempt that may have been sent before: that this one was not sent tells nothing about it. A late answer is dropped,
 * because the next inquiry finds it.
 */
export async function askAgain(
  { connectors }: InquiryServices,
  attempt: Attempt,
  call: () => Promise<Reply<InquiryOutcome>>,
  {
    earlier,
    ...asked
  }: Partial<Pick<AskedCall, 'verb' | 'hasLocalPages'>> & { earlier?: EarlierAttempt | undefined } = {},
): Promise<ProcessorAnswer> {
  if (isOlderThan(await connectors.credentialsSince(attempt), attempt, earlier)) return otherCredentials;
  const limits = { ...connectors.limits, onLate: () => {} };
  return oneOfSeveral(await ask(limits, { ...askedCall(attempt), ...asked }, call));
}

/**
 * Inquires about an attempt. When its processor has never received it, and "not found" can no longer mean "not yet", `otherwise`
 * decides.
 */
export async function inquire(
  services: InquiryServices,
  attempt: Attempt,
  about: About,
  otherwise: () => Promise<ProcessorAnswer | undefined>,
): Promise<ProcessorAnswer | undefined> {
  const found = await find(services, attempt, about);
  if (found.outcome.kind !== 'not_found') return found;
  const { visibleAfterMs } = await services.connectors.of(attempt);
  const isEarly = services.clock.now() < attempt.deadline_at.getTime() + visibleAfterMs;
  return isEarly ? notYet : otherwise();
}

/**
 * Settles a subject by an answer, and commits. Undefined after a conflict, or if `isStill` says no once the rows of owners were read: then
 * nothing was written.
 */
export async function settleAnswer<Loaded extends { attempt: Attempt }, Settled extends Settlement>(
  services: InquiryServices,
  topic: Topic<Loaded, Settled>,
  loaded: Loaded,
  answer: ProcessorAnswer,
  isStill?: () => Promise<boolean>,
): Promise<Loaded | Settled | undefined> {
  const now = services.clock.now();
  const time = await clockTime({ reads: services.reads }, topic.subject(loaded));
  const settled = topic.settle(loaded, answer, now, time);
  if (settled === undefined) return loaded;
  return (await commitSettled(services, topic, loaded, settled, answer.writes, isStill)) ? settled : undefined;
}

/** Commits a settlement with its events. False after a conflict, or if `isStill` says no: then nothing was written. */
export async function commitSettled<Loaded extends { attempt: Attempt }, Settled extends Settlement>(
  services: InquiryServices,
  topic: Topic<Loaded, Settled>,
  loaded: Loaded,
  settled: Settled,
  more: readonly Write[] = [],
  isStill: () => Promise<boolean> = async () => true,
): Promise<boolean> {
  const now = services.clock.now();
  const time = await clockTime({ reads: services.reads }, topic.subject(loaded));
  const { tenant, id, due_at, flagged_at } = topic.subject(settled);
  const part = await topic.part(services, settled, now, time);
  if (!(await isStill())) return false;
  const events = eventWrites(tenant, null, now, happenedAt(time, [...part.events, ...settled.events]));
  const writes = [...part.writes, ...events, ...more];
  if (!(await commitDue(services, { tenant, writes }, due_at))) return false;
  if (flagged_at !== null && topic.subject(loaded).flagged_at === null)
    services.log.error({ [topic.name]: id, attempt: settled.attempt.id }, topic.flagMessage);
  return true;
}

/**
 * Commits what was decided without a request, and asks the processor in between if there is one to ask. False after a conflict: then nothing
 * was written. What cannot be written down after the processor has answered, an inquiry finds.
 */
export async function carryOut(
  services: Pick<InquiryServices, 'committer' | 'onDue' | 'clock'>,
  tenant: Tenant,
  decided: Outcome | RemoteCall | Sequenced,
): Promise<boolean> {
  assert(!('sequence' in decided), 'what is decided without a request needs no number');
  const { writes = [], due } = decided;
  const dueAt = due === undefined ? null : new Date(due);
  if (!('ask' in decided)) {
    const now = services.clock.now();
    const events = eventWrites(tenant, null, now, decided.events ?? []);
    return commitDue(services, { tenant, writes: [...writes, ...events] }, dueAt);
  }
  if (!(await commitDue(services, { tenant, writes }, dueAt))) return false;
  const decide = await decided.ask();
  for (let tries = 0; tries < conflictsMax; tries++) if (await carryOut(services, tenant, await decide())) return true;
  return true;
}

/** False after a conflict: then the process that changed the row is responsible for it. */
export async function commitDue(
  { committer, onDue }: Pick<InquiryServices, 'committer' | 'onDue'>,
  { tenant, writes }: TenantUnit,
  due: Date | null = null,
): Promise<boolean> {
  const held = (await committer.commit({ tenant, writes })) === 'committed';
  if (held && due !== null) onDue(due.getTime());
  return held;
}
