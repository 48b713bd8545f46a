import { Type } from '../../../base/schema.ts';
import { advices } from '../../../connectors/contract.ts';
import { MaybeMoment, MaybeText, Moment, OneOf, Shown, Text } from '../../../operations/schemas.ts';
import { from, serializer, timeInId } from '../../../operations/serializer.ts';
import { type Attempt, resultOf } from './attempt.ts';

/** How the API shows states. An authorization that was undone shows what it was: the cancel that undid it is a separate attempt. */
const shownStates = [
  'open',
  'approved',
  'declined',
  'challenged',
  'canceled',
  'pending',
  'unknown',
  'lost',
  'not_sent',
] as const;

const states = [
  '`open`: it is in flight. `approved` and `declined`: the processor has decided.',
  '`challenged`: the cardholder must authenticate. `canceled`: it was canceled before it was decided. `pending`: the processor has not decided yet.',
  '`unknown`: there was no answer. `lost`: it never reached the processor. `not_sent`: the processor provably did not act.',
].join(' ');
const shownVerbs = ['authorize', 'capture', 'cancel', 'refund', 'contest', 'concede', 'setup'];

export const AttemptOutput = Shown('Attempt', 'attempt', 'One request to a processor.', {
  verb: OneOf(
    shownVerbs,
    'What was asked for. `contest` submits evidence, `concede` closes a dispute, `setup` verifies a payment method without a charge.',
  ),
  processor_account: MaybeText(
    'The id of the account that was asked; absent for the processor of a mode without accounts.',
  ),
  state: OneOf(shownStates, states),
  reference: MaybeText("The processor's own name for it."),
  decline_code: MaybeText('Why it was declined.'),
  advice: Type.Optional(OneOf(advices, 'What the processor advises after a decline.')),
  reason: Text('Why this processor was chosen, and which ones were passed over.'),
  created: Moment('When it was made.'),
  finished: MaybeMoment('When it was decided; absent until then.'),
});

export const serializeAttempt = serializer<Attempt, typeof AttemptOutput>(AttemptOutput, {
  verb: from(['verb'], ({ verb }) => (verb === 'reverse' ? 'cancel' : verb)),
  state: from(['state', 'decline_code', 'finished_at'], resultOf),
  reason: from(['reason', 'verb', 'connector', 'setup'], reasonOf),
  created: timeInId,
  finished: 'finished_at',
});

function reasonOf({
  reason,
  verb,
  connector,
  setup,
}: Pick<Attempt, 'reason' | 'verb' | 'connector' | 'setup'>): string {
  if (reason !== null) return reason;
  if (verb === 'authorize' || verb === 'setup') return `no processor account is enabled: ${connector}`;
  return setup === null ? 'it goes where the money is' : 'it goes where the setup is';
}
