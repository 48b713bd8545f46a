import type { SetupAttempt } from '../../../connectors/contract.ts';
import type { Outcome, Part } from '../../../operations/operation.ts';
import { extensionPoint } from '../../../operations/resource.ts';
import type { EventDraft } from '../../../outbox/event.ts';
import type { Attempt } from '../attempts/attempt.ts';
import { failureError } from '../attempts/failure.ts';
import { requireAttempt, requireStored, saveAttempt } from '../attempts/store.ts';
import type { Reader, SettlingServices, Topic } from '../attempts/topic.ts';
import { namedMethodWrites } from '../payment_methods/named.ts';
import { apiError } from './errors.ts';
import { serializeSetup } from './schema.ts';
import { type LoadedSetup, type SettledSetup, settleSetup } from './settle.ts';
import type { Setup } from './setup.ts';
import { saveSetup, setupsTable } from './store.ts';

/** Further rows that are committed when an answer changes a setup, as those of a payment are. */
export type SetupHook = (
  services: SettlingServices,
  settled: SettledSetup,
  now: number,
  /** That of the setup's test clock; undefined for one that lives in real time. */
  time?: number,
) => Promise<Part>;

export const setupSettlements = extensionPoint<SetupHook>('setups.settled');

export type SetupTopic = Topic<LoadedSetup, SettledSetup>;

/** Setups as a topic of attempts. */
export function setupTopic(hooks: readonly SetupHook[]): SetupTopic {
  return {
    name: 'setup',
    flagMessage:
      'no answer about a setup for three days: ask the processor, and settle it with "tollgate payments settle"',
    read,
    successor,
    subject: ({ setup }) => setup,
    isOpen: ({ setup, attempt }) => setup.open_attempt === attempt.id,
    settle: settleSetup,
    answer: ({ setup, attempt }) => answerOf(setup, isRefused(attempt)),
    async part(services, settled, now, time) {
      const { setup, attempt, canceled, named } = settled;
      const writes = [
        saveSetup(setup),
        saveAttempt(attempt),
        ...(canceled === undefined ? [] : [saveAttempt(canceled)]),
      ];
      if (named !== undefined)
        writes.push(...(await namedMethodWrites(services, setup, named, attempt.processor_account, { now, time })));
      const events: EventDraft[] = [];
      for (const hook of hooks) {
        const part = await hook(services, settled, now, time);
        writes.push(...part.writes);
        events.push(...part.events);
      }
      return { writes, events };
    },
  };
}

async function read(reader: Reader, attempt: Attempt): Promise<LoadedSetup> {
  const setup = await requireStored(reader, setupsTable, attempt.setup!);
  if (attempt.verb === 'setup') return { setup, attempt };
  return { setup, attempt, canceled: await requireAttempt(reader, setup.setup_attempt!) };
}

/** The latest attempt to set up, where the given one has been passed on. */
async function successor(reader: Reader, attempt: Attempt): Promise<Attempt | undefined> {
  if (attempt.verb !== 'setup' || (attempt.state !== 'not_sent' && attempt.state !== 'declined')) return undefined;
  const { open_attempt, setup_attempt } = await requireStored(reader, setupsTable, attempt.setup!);
  const latest = setup_attempt ?? open_attempt;
  return latest === null || latest === attempt.id ? undefined : requireAttempt(reader, latest);
}

/** A cancel that the processor refused. */
function isRefused({ verb, state }: Attempt): boolean {
  return verb === 'cancel' && (state === 'declined' || state === 'not_sent');
}

/** The answer to the request that changed a setup. A failed setup is answered with a refusal that names it. */
export function answerOf(setup: Setup, refused = false): Outcome {
  const answer = { result: serializeSetup(setup), objectId: setup.id };
  const failed = { setup: setup.id };
  if (setup.status === 'failed') return { ...answer, error: failureError(failed, setup) };
  if (!refused) return answer;
  const message = 'The setup could not be canceled. The processor refused; the setup is as it was.';
  return { ...answer, error: apiError('processing_error', { reason: '', decline: failed }).saying(message) };
}

/** The setup as a cancel or an inquiry names it to the processor. */
export function setupAttemptOf(setup: Setup, { id, reference, page }: Attempt): SetupAttempt {
  return { attempt: id, reference: reference ?? undefined, setup: setup.id, ...(page && { page }) };
}
