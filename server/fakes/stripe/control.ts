import { assert } from '../../base/errors.ts';
import { after } from '../../base/timers.ts';
import { byHand } from './by_hand.ts';
import { type FakeBehaviour, testCardOf } from './cards.ts';
import { declineOf } from './declines.ts';
import { closeDispute, openDispute } from './dispute.ts';
import { type FakeFault, type FakeFaults, fakeFaultKinds } from './faults.ts';
import { payOutAvailable } from './payouts.ts';
import { FakeRefusal, invalid } from './refusal.ts';
import { named } from './route.ts';
import type { FakeCharge, FakeDispute, FakeIntent } from './shapes.ts';
import type { FakeDelivering, FakeWebhooks } from './webhooks.ts';
import type { FakeEffect, FakeWorld } from './world.ts';

export type FakeControls = {
  world: FakeWorld;
  faults: FakeFaults;
  webhooks: FakeWebhooks;
  /** Refuses connections for so long. */
  refuse(ms: number): Promise<void>;
};

/** So that this command is answered before its connection ends. */
const refuseAfterMs = 20;

type Commanded = Record<string, unknown>;
type FakeControl = (controls: FakeControls, given: Commanded) => object | Promise<object>;

/** What tests and people tell the fake, beside Stripe's API: `<method> <path below /_fake>`. Bodies are JSON. */
const controls: Readonly<Record<string, { members: readonly string[]; run: FakeControl }>> = {
  'GET /books': { members: [], run: ({ world }) => books(world) },
  'POST /faults': {
    members: ['kind', 'method', 'path', 'skip', 'times', 'probability', 'ms'],
    run: addFault,
  },
  'DELETE /faults': {
    members: [],
    run: ({ faults }) => {
      faults.clear();
      return {};
    },
  },
  'POST /cards': {
    members: [
      ...['token', 'decline', 'declineAfterChallenge', 'declineCapture', 'isAttachable', 'challenge'],
      ...['processing', 'dispute', 'isInquiry', 'refund', 'bypassesPending'],
    ],
    run: ({ world }, given) => teach(world, given),
  },
  'POST /clock': {
    members: ['advance_seconds'],
    run: ({ world }, given) => {
      world.advance(numberIn(given, 'advance_seconds') * 1_000);
      return { now: world.seconds() };
    },
  },
  'POST /webhooks': {
    members: ['url', 'copies', 'delayMs', 'isHeld', 'order', 'isDropped'],
    run: ({ webhooks }, { url, ...change }) => {
      if (url !== undefined) webhooks.register(textIn({ url }, 'url'));
      webhooks.deliver(change as Partial<FakeDelivering>);
      return {};
    },
  },
  'POST /disputes': { members: ['payment_intent', 'reason', 'amount', 'isInquiry'], run: dispute },
  'POST /verdicts': {
    members: ['dispute', 'result'],
    run: ({ world }, given) => {
      const found = named<FakeDispute>(world, 'dispute', textIn(given, 'dispute'), 'dispute');
      closeDispute(world, found, oneOfIn(given, 'result', ['won', 'lost']));
      return found;
    },
  },
  'POST /captures': {
    members: ['payment_intent', 'amount'],
    run: ({ world }, given) => byHand(world).capture(textIn(given, 'payment_intent'), amountIn(given)),
  },
  'POST /refunds': {
    members: ['payment_intent', 'amount'],
    run: ({ world }, given) => byHand(world).refund(textIn(given, 'payment_intent'), amountIn(given)),
  },
  'POST /cancels': {
    members: ['payment_intent'],
    run: ({ world }, given) => byHand(world).cancel(textIn(given, 'payment_intent')),
  },
  'POST /payouts': {
    members: ['currency'],
    run: ({ world }, given) => ({ payout: payOutAvailable(world, textIn(given, 'currency')) ?? null }),
  },
};

/** Runs a command. */
export async function control(tools: FakeControls, name: string, body: string): Promise<object> {
  const found = controls[name];
  if (found === undefined)
    throw new FakeRefusal(404, {
      type: 'invalid_request_error',
      message: `There is no ${name}. There are: ${Object.keys(controls).join(', ')}.`,
    });
  const given = readJson(body);
  const unknown = Object.keys(given).find((member) => !found.members.includes(member));
  if (unknown !== undefined)
    throw invalid(`${name} has no ${unknown}. It has: ${found.members.join(', ') || 'nothing'}.`, { param: unknown });
  tools.world.catchUp();
  return found.run(tools, given);
}

/** What the fake has done, for a test to compare with what it was asked for. */
export function books(world: FakeWorld): { effects: readonly FakeEffect[] } {
  return { effects: world.effects };
}

function addFault({ faults, refuse }: FakeControls, given: Commanded): object {
  if (given.kind === 'refuse') {
    const ms = numberIn(given, 'ms');
    after(refuseAfterMs, () => void refuse(ms));
    return {};
  }
  oneOfIn(given, 'kind', fakeFaultKinds);
  faults.add(given as FakeFault);
  return { seed: faults.seed };
}

/**
 * Teaches a card, by the id of a payment method, or by a name of your own that begins with `pm_card_`. `decline` and its likes are
 * decline codes: any that Stripe has.
 */
export function teach(world: FakeWorld, given: Commanded): object {
  const { token, ...wishes } = given;
  const name = textIn({ token }, 'token');
  const behaviour = { ...wishes } as FakeBehaviour;
  for (const member of ['decline', 'declineAfterChallenge', 'declineCapture'] as const)
    if (wishes[member] !== undefined) behaviour[member] = declineOf(textIn(wishes, member));
  if (world.behaviours.has(name)) world.behaviours.set(name, behaviour);
  else if (name.startsWith('pm_card_') && testCardOf(name) === undefined) world.taught.set(name, behaviour);
  else
    throw invalid('token is the id of a payment method, or a new name that begins with pm_card_.', { param: 'token' });
  return { token: name, ...behaviour };
}

function dispute({ world }: FakeControls, given: Commanded): object {
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

function readJson(text: string): Commanded {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Commanded;
  } catch {
    // said below
  }
  throw invalid('The body must be a JSON object.');
}

function textIn(given: Commanded, name: string): string {
  const value = given[name];
  if (typeof value === 'string' && value !== '') return value;
  throw invalid(`${name} must be a text.`, { param: name });
}

function numberIn(given: Commanded, name: string): number {
  const value = given[name];
  if (typeof value === 'number' && value >= 0) return value;
  throw invalid(`${name} must be a number that is not negative.`, { param: name });
}

function amountIn(given: Commanded): number | undefined {
  return given.amount === undefined ? undefined : numberIn(given, 'amount');
}

function oneOfIn<T extends string>(given: Commanded, name: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === given[name]);
  if (found !== undefined) return found;
  throw invalid(`${name} must be one of ${allowed.join(', ')}.`, { param: name });
}
