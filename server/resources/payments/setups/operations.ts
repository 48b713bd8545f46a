import type { Write } from '../../../base/commit/index.ts';
import {
  type Descriptor,
  findRows,
  listOperation,
  requireRow,
  retrieveOperation,
} from '../../../operations/descriptor.ts';
import { mergeMetadata } from '../../../operations/metadata.ts';
import { type AnyOperation, type Context, type Outcome, operation } from '../../../operations/operation.ts';
import { OptionalChoices, OptionalId } from '../../../operations/schemas.ts';
import { settleOperation } from '../attempts/by_hand.ts';
import { declineCodes } from '../attempts/errors.ts';
import { attemptFor, perform, resumeAttempt, type Step } from '../attempts/perform.ts';
import { waitForSlot } from '../attempts/slot.ts';
import { requireAttempt } from '../attempts/store.ts';
import { methodCodes, apiError as methodError } from '../payment_methods/errors.ts';
import { apiError as returnError } from '../returns/errors.ts';
import { checkReturnUrl } from '../returns/url.ts';
import { clockCodes } from '../test_clocks/errors.ts';
import { clockedFor, guardedByClock } from '../test_clocks/time.ts';
import { beginSetup, type PreparedSetup, takeSlot } from './begin.ts';
import { cancelCall } from './calls.ts';
import { apiError } from './errors.ts';
import { NewSetupInput, SetupOutput, serializeSetup, setupEvent } from './schema.ts';
import { type LoadedSetup, settleSetupByHand } from './settle.ts';
import { type Setup, setupStatuses } from './setup.ts';
import { addSetup, replaceSetup, setupsTable } from './store.ts';
import { answerOf, type SetupTopic, setupAttemptOf } from './topic.ts';

export const setupDescriptor: Descriptor<Setup> = {
  resource: 'setups',
  scope: 'payment_methods',
  noun: 'setup',
  notes: { retrieve: 'To follow a setup that is not final, wait for its events, or retrieve it from time to time.' },
  prefix: 'set',
  table: setupsTable,
  serialize: serializeSetup,
  output: SetupOutput,
  event: setupEvent,
  csv: 'id created status payment_method customer failure_code failure_decline_code',
  changeGuard: guardedByClock,
};
export const requireSetup = requireRow(setupDescriptor);
export const findSetups = findRows(setupDescriptor);

/** A write that conflicts when the setup has changed. */
export function holdSetup(setup: Setup): Write {
  return replaceSetup({ ...setup, version: setup.version + 1 });
}

const create = (topic: SetupTopic) =>
  operation({
    name: 'setups.create',
    summary: 'Set up a payment method without a charge',
    description:
      'The card is verified, and its cardholder agrees to later charges without being there. Nothing is charged. A decline is answered with 402, and the failed setup is stored. An answer of 200 does not mean that the method is set up: look at `status`, which can also be `requires_action` or `processing`.',
    route: 'POST /setups',
    scope: 'payment_methods:write',
    input: NewSetupInput,
    output: SetupOutput,
    errors: [
      ...clockCodes,
      ...methodCodes,
      ...declineCodes,
      ...methodError.codes('customer_mismatch'),
      ...returnError.codes('return_url_invalid'),
    ],
    check({ return_url }, { mode }) {
      if (return_url !== undefined) checkReturnUrl(return_url, mode);
    },
    async run(context, input) {
      const metadata = input.metadata === undefined ? undefined : mergeMetadata({}, input.metadata);
      const begun = await beginSetup(context, { ...input, metadata });
      return 'step' in begun ? perform(context, topic, begun.step) : failedSetup(begun);
    },
    resume: resumeAttempt(topic),
  });

/** A setup that has failed before any processor was asked. */
export function failedSetup({ failed, writes }: Extract<PreparedSetup, { failed: Setup }>): Outcome {
  const events = [setupEvent('setup.failed', failed)];
  return { ...answerOf(failed), writes: [addSetup(failed), ...writes], events };
}

/** The step that cancels a setup that waits for its cardholder; `writes` hold its clock. */
export async function cancelStep(
  context: Context,
  setup: Setup,
  reason: string | null,
  writes: Write[],
): Promise<Step<LoadedSetup>> {
  const canceled = await requireAttempt(context, setup.setup_attempt!);
  const connector = await context.connectors.of(canceled);
  const attempt = attemptFor(context, connector, { setup: setup.id, verb: 'cancel', amount: null });
  const loaded = { setup: { ...setup, cancellation_reason: reason }, attempt, canceled };
  const call = cancelCall(connector, attempt, setupAttemptOf(setup, canceled), context.now);
  return { loaded, connector, call, begin: takeSlot(loaded), writes };
}

const cancel = (topic: SetupTopic) =>
  operation({
    name: 'setups.cancel',
    summary: 'Cancel a setup',
    description: 'Ends a setup that waits for its cardholder, who can no longer authenticate.',
    route: 'POST /setups/:id/cancel',
    scope: 'payment_methods:write',
    right: 'handle',
    callers: ['key', 'job', 'operator'],
    output: SetupOutput,
    errors: [...clockCodes, ...apiError.codes('setup_not_cancelable', 'processing_error')],
    async run(context) {
      const setup = await requireSetup(context);
      const { writes } = await clockedFor(context, setup.test_clock);
      waitForSlot(setup);
      if (setup.status !== 'requires_action')
        throw apiError('setup_not_cancelable', { param: 'id', status: setup.status });
      return perform(context, topic, await cancelStep(context, setup, null, writes));
    },
    resume: resumeAttempt(topic),
  });

const list = listOperation(
  setupDescriptor,
  {
    customer: OptionalId('Only those of this customer.'),
    payment_method: OptionalId('Only those of this payment method.'),
    checkout_session: OptionalId('Only the tries of this checkout session.'),
    status: OptionalChoices(setupStatuses, 'Only those in this status, or in one of these.'),
  },
  { merged: { column: 'status', values: setupStatuses }, narrow: ['payment_method', 'checkout_session'] },
);

/** No money rests on a setup, so that a wrong settlement needs no correction: another setup says how it is. */
const settleByHand = (topic: SetupTopic) =>
  settleOperation(
    setupDescriptor,
    { ...topic, settle: settleSetupByHand },
    {
      attemptOf: async (context, { open_attempt }) =>
        open_attempt === null ? undefined : requireAttempt(context, open_attempt),
      correction: ({ id }) => `A settled setup is not corrected, because no money rests on ${id}. Make a new one.`,
    },
  );

export function setupOperations(topic: SetupTopic): AnyOperation[] {
  return [create(topic), retrieveOperation(setupDescriptor), cancel(topic), list, settleByHand(topic)];
}
