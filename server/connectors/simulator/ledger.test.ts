import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tenant } from '../../base/reads.ts';
import { places } from '../../test/torture.ts';
import type { AttemptId, ProcessorOutcome } from '../contract.ts';
import { authorizationAt, cardOf, openWorld, plainCharge, type World } from '../processor.fixture.ts';
import { concede, contest } from './disputes.ts';
import { happening } from './happenings.ts';
import { type Entry, standingOf } from './ledger.ts';
import { newsOf } from './news.ts';
import type { SimulatorStep } from './step.ts';
import { authorize, cancel, capture, decision, refund } from './steps.ts';

const numbers = [
  '4242424242424242',
  '4000000000000002',
  '4000000000003220',
  '4000000000007726',
  '4000000000005126',
  '4000000000000259',
];

type Deed =
  | { verb: 'capture' | 'refund'; amount: number }
  | { verb: 'cancel' }
  | { verb: 'decide'; choice: 'approve' | 'refuse' }
  | { verb: 'contest'; text: string }
  | { verb: 'concede' }
  | { verb: 'dispute' | 'deadline' | 'verdict' };

const amounts = fc.integer({ min: -1, max: 120 });
const deeds: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ verb: fc.constantFrom('capture' as const, 'refund' as const), amount: amounts }),
  },
  { weight: 1, arbitrary: fc.constant({ verb: 'cancel' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ verb: fc.constant('decide' as const), choice: fc.constantFrom('approve', 'refuse') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ verb: fc.constantFrom('dispute', 'dispute', 'deadline', 'verdict', 'concede') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      verb: fc.constant('contest' as const),
      text: fc.constantFrom('winning_evidence', 'losing_evidence', 'a letter'),
    }),
  },
) as fc.Arbitrary<Deed>;

const tenant = 1 as Tenant;
const opened = 'att_0' as AttemptId;
const dispute = 'sim_dp_0';
const now = 1_700_000_000_000;

function open(number: string, takes: boolean): SimulatorStep {
  const money = { amount: 100, currency: 'eur' };
  const request = { tenant, attempt: opened, now, payment: 'pay_1', money, capture: takes };
  return authorize({ ...request, ...plainCharge, instrument: cardOf(number) }, []);
}

function act(deed: Deed, at: number, known: Entry[]): Entry[] {
  const attempt = `att_${at + 1}` as AttemptId;
  const request = { tenant, attempt, now, authorization: authorizationAt(opened) };
  switch (deed.verb) {
    case 'decide':
      return [decision(standingOf(opened, known), deed.choice, now)].filter((entry) => entry !== undefined);
    case 'cancel':
      return cancel(request, known).entries;
    case 'contest':
      return contest({ ...request, dispute, evidence: { uncategorized_text: deed.text } }, known).entries;
    case 'concede':
      return concede({ ...request, dispute }, known).entries;
    case 'dispute':
    case 'deadline':
    case 'verdict':
      return happen(deed.verb, known);
    default: {
      const money = { amount: deed.amount, currency: 'eur' };
      return (deed.verb === 'capture' ? capture : refund)({ ...request, money }, known).entries;
    }
  }
}

/** Only a card that disputes has news of a dispute. A verdict is about the latest evidence. */
function happen(kind: 'dispute' | 'deadline' | 'verdict', known: Entry[]): Entry[] {
  const evidence = known.findLast(({ verb, scenario }) => verb === 'contest' && scenario !== null);
  const cause = kind === 'verdict' ? evidence : known[0]?.scenario === 'dispute_fraudulent' ? known[0] : undefined;
  return cause === undefined ? [] : happening(newsOf(kind, cause, new Date(now)), known, now).entries;
}

test('for any sequence of verbs: refunded + disputed ≤ captured ≤ authorized, one capture, sequence numbers without gaps, no change after a cancel', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...numbers),
      fc.boolean(),
      fc.array(deeds, { maxLength: 12 }),
      (number, takes, list) => {
        const known = open(number, takes).entries;
        for (const [at, deed] of list.entries()) {
          const before = standingOf(opened, known);
          known.push(...act(deed, at, known));
          const { authorized, captured, refunded, disputed, dispute, state } = standingOf(opened, known);
          expect(refunded + disputed).toBeLessThanOrEqual(captured);
          if (before.dispute?.state === 'won' || before.dispute?.state === 'lost')
            expect(dispute).toEqual(before.dispute);
          if (before.disputed > 0) expect(refunded).toBe(before.refunded);
          expect(captured).toBeLessThanOrEqual(authorized);
          expect(authorized).toBeLessThanOrEqual(100);
          if (before.state === 'canceled')
            expect({ authorized, captured, refunded, state }).toMatchObject(sums(before));
        }
        const approved = known.filter(({ result }) => result === 'approved');
        expect(approved.filter(({ verb }) => verb === 'capture').length).toBeLessThanOrEqual(1);
        // An entry that skipped a number would not collide with a racing one.
        expect(known.map(({ sequence }) => sequence)).toEqual(known.map((_, at) => at));
      },
    ),
    { numRuns: 1_000 },
  );
});

function sums({ authorized, captured, refunded, state }: ReturnType<typeof standingOf>) {
  return { authorized, captured, refunded, state };
}

test('a repeated attempt gets its first answer and adds nothing', () => {
  fc.assert(
    fc.property(fc.constantFrom(...numbers), fc.array(amounts, { maxLength: 6 }), (number, list) => {
      const known = open(number, true).entries;
      for (const [at, amount] of list.entries()) {
        const attempt = `att_${at + 1}` as AttemptId;
        const authorization = authorizationAt(opened);
        const request = { tenant, attempt, now, authorization, money: { amount, currency: 'eur' } };
        const first = refund(request, known);
        known.push(...first.entries);
        expect(refund(request, known)).toEqual({ entries: [], outcome: first.outcome as ProcessorOutcome });
      }
    }),
  );
});

describe.each(places)('a simulator that is %s', (place) => {
  const name = `simulator, ${place}` as const;
  let world: World;
  beforeAll(async () => {
    world = await openWorld(name);
  });
  afterAll(() => world.stop());

  test('however verbs race, the ledger keeps its limits and agrees with the answers', async () => {
    const verbs = fc.record({
      verb: fc.constantFrom('capture' as const, 'refund' as const, 'cancel' as const),
      amount: fc.integer({ min: 1, max: 1_200 }),
    });
    const race = async (takes: boolean, list: { verb: 'capture' | 'refund' | 'cancel'; amount: number }[]) => {
      const processor = world.processor();
      const { attempt: of } = await processor.authorize({ capture: takes });
      const told = await Promise.all(
        list.map(async ({ verb, amount }) => ({
          verb,
          amount,
          outcome: (await processor[verb]({ of, amount })).outcome,
        })),
      );
      const sum = (verb: string) =>
        told
          .filter((one) => one.verb === verb && one.outcome.kind === 'approved')
          .reduce((a, { amount }) => a + amount, 0);
      const [charge] = await processor.charges();
      expect(charge).toMatchObject({ authorized: 1_000, captured: takes ? 1_000 : sum('capture') });
      expect(charge).toMatchObject({ refunded: sum('refund'), canceled: sum('cancel') > 0 });
      expect(charge!.refunded).toBeLessThanOrEqual(charge!.captured);
      expect(charge!.captured).toBeLessThanOrEqual(1_000);
    };
    await fc.assert(fc.asyncProperty(fc.boolean(), fc.array(verbs, { minLength: 2, maxLength: 6 }), race), {
      numRuns: 15,
    });
  });
});
