import { assert } from '../../base/errors.ts';
import { type FakeCommandBody, type FakeCommands, numberIn, oneOfIn, textIn } from '../commands.ts';
import { byHand } from './by_hand.ts';
import { type FakeBehaviour, testCardOf } from './cards.ts';
import { declineOf } from './declines.ts';
import { closeDispute, openDispute } from './dispute.ts';
import { invalid } from './errors.ts';
import { payOutAvailable } from './payouts.ts';
import { named } from './route.ts';
import type { FakeCharge, FakeDispute, FakeIntent } from './shapes.ts';
import type { FakeWorld } from './world.ts';

/** The commands of this fake beside those of every fake. */
export function stripeCommands(world: FakeWorld): FakeCommands {
  const hand = byHand(world);
  return {
    'POST /cards': {
      // biome-ignore format: a list of words
      members: [
        'token', 'decline', 'declineAfterChallenge', 'declineCapture', 'isAttachable', 'challenge',
        'processing', 'dispute', 'isInquiry', 'refund', 'bypassesPending',
      ],
      run: (given) => teach(world, given),
    },
    'POST /disputes': {
      members: ['payment_intent', 'reason', 'amount', 'isInquiry'],
      run: (given) => dispute(world, given),
    },
    'POST /verdicts': {
      members: ['dispute', 'result'],
      run: (given) => {
        const found = named<FakeDispute>(world, 'dispute', textIn(given, 'dispute'), 'dispute');
        closeDispute(world, found, oneOfIn(given, 'result', ['won', 'lost']));
        return found;
      },
    },
    'POST /captures': {
      members: ['payment_intent', 'amount'],
      run: (given) => hand.capture(textIn(given, 'payment_intent'), amountIn(given)),
    },
    'POST /refunds': {
      members: ['payment_intent', 'amount'],
      run: (given) => hand.refund(textIn(given, 'payment_intent'), amountIn(given)),
    },
    'POST /cancels': {
      members: ['payment_intent'],
      run: (given) => hand.cancel(textIn(given, 'payment_intent')),
    },
    'POST /payouts': {
      members: ['currency'],
      run: (given) => ({ payout: payOutAvailable(world, textIn(given, 'currency')) ?? null }),
    },
  };
}

/**
 * Teaches a card, by the id of a payment method, by a name of your own that begins with `pm_card_`, or by a number. `decline` and its likes are
 * decline codes: any that Stripe has.
 */
export function teach(world: FakeWorld, given: FakeCommandBody): object {
  const { token, ...wishes } = given;
  const name = textIn({ token }, 'token');
  const behaviour = { ...wishes } as FakeBehaviour;
  for (const member of ['decline', 'declineAfterChallenge', 'declineCapture'] as const)
    if (wishes[member] !== undefined) behaviour[member] = declineOf(textIn(wishes, member));
  if (world.behaviours.has(name)) world.behaviours.set(name, behaviour);
  else if (/^\d{12,19}$/.test(name) || (name.startsWith('pm_card_') && testCardOf(name) === undefined))
    world.taught.set(name, behaviour);
  else
    throw invalid('token is the id of a payment method, a new name that begins with pm_card_, or a card number.', {
      param: 'token',
    });
  return { token: name, ...behaviour };
}

function dispute(world: FakeWorld, given: FakeCommandBody): object {
  const intent = named<FakeIntent>(world, 'payment_intent', textIn(given, 'payment_intent'), 'payment_intent');
  if (intent.status !== 'succeeded')
    throw invalid('Only a payment that has succeeded can be disputed.', { param: 'payment_intent' });
  assert(intent.latest_charge !== null, 'a payment that has succeeded has a charge');
  return openDispute(world, world.get<FakeCharge>(intent.latest_charge), {
    reason: given.reason === undefined ? 'fraudulent' : textIn(given, 'reason'),
    isInquiry: given.isInquiry === true,
    ...(given.amount === undefined ? {} : { amount: numberIn(given, 'amount') }),
  });
}

function amountIn(given: FakeCommandBody): number | undefined {
  return given.amount === undefined ? undefined : numberIn(given, 'amount');
}
