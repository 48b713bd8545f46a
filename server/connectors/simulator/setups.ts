import type { CancelSetupRequest, Instrument, SetupRequest } from '../contract.ts';
import { type Behaviour, busy } from './cards.ts';
import { type Entry, newEntry, objectionToCancelSetup, objectionToReference, standingOf } from './ledger.ts';
import { undoneByCancel } from './outcomes.ts';
import { pageOf } from './pay_decision.ts';
import { followUp, idempotent, type SimulatorStep, stepOf } from './step.ts';
import { behaviourTowards } from './steps.ts';
import { type ReadCard, readCardToSetUp } from './wire.ts';

/** Verifies a card. Its entry counts as an approval of the card, as that of a charge does, and has no money. */
export const setup = idempotent<SetupRequest>((request, known) => {
  if (request.instrument.kind === 'page') return openPage(request, { ...request.instrument, save: true });
  const card = readCardToSetUp(request.instrument);
  const { declinesChallenge, authentication } = request;
  const towards = { initiator: 'cardholder', declinesChallenge, authentication } as const;
  return setUp(request, card, behaviourTowards(towards, card, known));
});

/** For an account that is always busy. */
export const declineSetupAsBusy = idempotent<SetupRequest>((request) =>
  setUp(request, readCardToSetUp(request.instrument), busy),
);

function setUp(request: SetupRequest, { last4, checks, card }: ReadCard, behaviour: Behaviour): SimulatorStep {
  if (behaviour.result === 'never_received')
    return { entries: [], outcome: { kind: 'unknown', reason: 'the request was lost on its way' } };
  const isDeclined = behaviour.result === 'declined';
  return stepOf(
    newEntry(request, {
      verb: 'setup',
      authorization_attempt: request.attempt,
      payment: request.setup,
      result: behaviour.result,
      code: isDeclined ? behaviour.code : null,
      decline_code: (isDeclined ? behaviour.declineCode : undefined) ?? null,
      last4,
      checks,
      scenario: (isDeclined ? undefined : behaviour.scenario) ?? null,
      card,
    }),
  );
}

/** The page of a setup: its cardholder chooses a card there. */
function openPage(request: SetupRequest, instrument: Instrument<'page'>): SimulatorStep {
  const facts = { verb: 'setup', authorization_attempt: request.attempt, payment: request.setup } as const;
  return stepOf(newEntry(request, { ...facts, ...pageOf(instrument, request) }));
}

export const cancelSetup = idempotent<CancelSetupRequest>((request, known) => {
  const { setup: canceled } = request;
  const standing = standingOf(canceled.attempt, known);
  const objection = objectionToReference(canceled) ?? objectionToCancelSetup(standing);
  const entry = followUp('cancel', request, standing, 0, objection);
  const step = stepOf(entry);
  if (standing.state !== 'none' || objection !== undefined) return step;
  return { ...step, entries: [blockedSetup(request), entry] };
});

/** The canceled setup has not arrived. This entry takes its place, so that it is declined if it still comes. */
function blockedSetup({ tenant, setup: { attempt }, now }: CancelSetupRequest): Entry {
  return newEntry({ tenant, attempt, now }, { verb: 'setup', authorization_attempt: attempt, ...undoneByCancel });
}
