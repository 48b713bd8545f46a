import fc from 'fast-check';
import { SettleByHand } from './by_hand.ts';
import { CancelElsewhere, CaptureElsewhere, RefundElsewhere } from './elsewhere.ts';
import { type CardName, cards, setupCards } from './model.ts';
import { type ChallengeEnd, ChargeSetUp, SetUp, type SetUpBy } from './setups.ts';
import { Cancel, Capture, Close, Contest, Create, Refund, Retry, Update, Wait } from './steps.ts';

/** Whatever a merchant, an operator, or somebody at the processor can do. */
export function randomLife(maxCommands: number) {
  const pick = fc.nat(2); // few objects, so that each sees many actions
  const part = fc.constantFrom(0.1, 0.3, 0.5, 0.9, 1, 1.1);
  const crash = fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined, freq: 8 });
  const card = fc.constantFrom(...(Object.keys(cards) as CardName[]));
  const unknown = fc.constantFrom('reply_lost', 'never_received');
  const amount = fc.integer({ min: 50, max: 100_000 }); // Stripe takes no less
  const evidence = fc.constantFrom('winning_evidence', 'losing_evidence', 'a letter') as fc.Arbitrary<
    Contest['evidence']
  >;
  const setupCard = fc.constantFrom(...setupCards);
  const by = fc.constantFrom<SetUpBy>('setup', 'trial', 'strict_trial');
  const end = fc.constantFrom<ChallengeEnd>('approve', 'refuse', 'cancel', 'leave');
  const create = fc.tuple(card, amount, fc.boolean(), crash).map((facts) => new Create(...facts));
  const refund = fc.tuple(pick, part, crash).map((facts) => new Refund(...facts));
  return fc.commands(
    [
      create,
      create,
      fc.tuple(pick, part, crash).map((facts) => new Capture(...facts)),
      fc.tuple(pick, crash).map((facts) => new Cancel(...facts)),
      refund,
      refund,
      fc.tuple(pick, fc.nat(99), crash).map((facts) => new Update(...facts)),
      fc.tuple(pick, evidence, crash).map((facts) => new Contest(...facts)),
      fc.tuple(pick, crash).map((facts) => new Close(...facts)),
      fc.tuple(pick, crash).map((facts) => new Retry(...facts)),
      fc.tuple(pick, part, crash).map((facts) => new CaptureElsewhere(...facts)),
      fc.tuple(pick, crash).map((facts) => new CancelElsewhere(...facts)),
      fc.tuple(pick, part, crash).map((facts) => new RefundElsewhere(...facts)),
      fc.tuple(unknown, amount, fc.boolean(), crash).map((facts) => new SettleByHand(...facts)),
      fc.tuple(setupCard, by, end, crash).map((facts) => new SetUp(...facts)),
      fc.tuple(pick, amount, crash).map((facts) => new ChargeSetUp(...facts)),
      fc.constant(new Wait()),
    ],
    { maxCommands, size: 'max' },
  );
}
