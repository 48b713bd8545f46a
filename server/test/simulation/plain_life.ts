import type { Crash, Step } from './action.ts';
import { SettleByHand } from './by_hand.ts';
import { CancelElsewhere, CaptureElsewhere, RefundElsewhere } from './elsewhere.ts';
import type { CardName, SetupCard } from './model.ts';
import { type ChallengeEnd, ChargeSetUp, SetUp, type SetUpBy } from './setups.ts';
import { Cancel, Capture, Close, Contest, Create, Refund, Retry, Update, Wait } from './steps.ts';
import type { Place } from './world.ts';

type Act = (crash: Crash) => Step;

/** What is refunded last differs by place, so that every card occurs. */
const lastCards: Record<Place, CardName> = { local: 'refund_bounces', remote: 'refund_pending', stripe: 'declined' };

const lastSetups: Record<Place, [SetupCard, SetUpBy, ChallengeEnd]> = {
  local: ['reply_lost', 'setup', 'leave'],
  remote: ['challenged', 'strict_trial', 'leave'],
  stripe: ['challenged_once', 'setup', 'leave'],
};

/**
 * The actions in which the gateway dies, by their index: each kind of action at one place. Not a payment that is disputed: if the gateway
 * dies before it has asked the processor, there is no payment to contest.
 */
const deaths: Record<Place, readonly number[]> = {
  local: [0, 6, 9, 17, 22],
  remote: [1, 12, 13, 18, 21, 22],
  stripe: [2, 3, 7, 17, 18, 21, 23],
};

/**
 * A life in which every action occurs, and the gateway dies in some. Payments are counted from zero: 0 is captured and refunded, 1 is
 * canceled, 2 is contested, 3 is conceded, 4 fails, 5 depends on the place. What happens to 6 and 7 happens at the processor, and the
 * operator settles 8. Cards that were set up are charged last.
 */
export function plainLife(place: Place): Step[] {
  const acts: Act[] = [
    (crash) => new Create('approved', 5_000, true, crash),
    (crash) => new Capture(0, 0.5, crash),
    (crash) => new Refund(0, 0.3, crash),
    (crash) => new Retry(2, crash),
    (crash) => new Create('reply_lost', 700, true, crash),
    () => new Wait(),
    (crash) => new Cancel(1, crash),
    (crash) => new Update(1, 7, crash),
    (crash) => new Create('disputed', 900, false, crash),
    (crash) => new Contest(2, 'winning_evidence', crash),
    (crash) => new Refund(2, 1.1, crash),
    (crash) => new Create('disputed', 800, false, crash),
    (crash) => new Close(3, crash),
    (crash) => new Create('never_received', 600, false, crash),
    (crash) => new Create(lastCards[place], 500, false, crash),
    (crash) => new Refund(5, 0.5, crash),
    (crash) => new Create('approved', 4_000, true, crash),
    (crash) => new CaptureElsewhere(6, 0.9, crash),
    (crash) => new RefundElsewhere(6, 0.3, crash),
    (crash) => new Create('approved', 300, true, crash),
    (crash) => new CancelElsewhere(7, crash),
    ...(place === 'local' ? [] : [(crash: Crash) => new SettleByHand('reply_lost', 900, false, crash)]),
    (crash) => new SetUp('challenged_once', 'trial', 'approve', crash),
    (crash) => new SetUp(...lastSetups[place], crash),
    (crash) => new ChargeSetUp(0, 700, crash),
    (crash) => new ChargeSetUp(1, 600, crash),
  ];
  return acts.map((act, at) => act(deaths[place].includes(at) ? at % 13 : undefined));
}
