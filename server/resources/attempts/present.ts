import { createdSeconds } from '../../base/id.ts';
import { Type } from '../../base/schema.ts';
import { advices } from '../../connectors/contract.ts';
import { Shown, Timestamp, timestampOf } from '../shapes.ts';
import type { Attempt, AttemptState } from './attempt.ts';

/** How the API shows states. An authorization that was undone was approved: the cancel that undid it is an attempt of its own. */
const shownStates = ['open', 'approved', 'declined', 'challenged', 'pending', 'unknown', 'lost', 'not_sent'] as const;

const shownState = (state: AttemptState) => (state === 'reversed' ? 'approved' : state);

export const AttemptOutput = Shown('Attempt', 'attempt', {
  verb: Type.String({ description: 'authorize, capture, cancel, refund, contest or concede' }),
  processor_account: Type.Optional(Type.String()),
  state: Type.String({ enum: [...shownStates] }),
  reference: Type.Optional(Type.String({ description: "The processor's own name for it" })),
  decline_code: Type.Optional(Type.String()),
  advice: Type.Optional(Type.String({ enum: [...advices] })),
  reason: Type.String({ description: 'Why this processor was chosen' }),
  created: Timestamp,
  finished: Type.Optional(Timestamp),
});

export function presentAttempt(attempt: Attempt): object {
  const { id, verb, processor_account, state, reference, decline_code, advice, finished_at } = attempt;
  return {
    id,
    object: 'attempt',
    verb: verb === 'reverse' ? 'cancel' : verb,
    ...(processor_account === null ? {} : { processor_account }),
    state: shownState(state),
    ...(reference === null ? {} : { reference }),
    ...(decline_code === null ? {} : { decline_code }),
    ...(advice === null ? {} : { advice }),
    reason: reasonOf(attempt),
    created: createdSeconds(id),
    ...(finished_at === null ? {} : { finished: timestampOf(finished_at) }),
  };
}

function reasonOf({ reason, verb, connector }: Attempt): string {
  if (reason !== null) return reason;
  return verb === 'authorize' ? `no processor account is enabled: ${connector}` : 'it goes where the money is';
}
