import type { AttemptId, InquiryOutcome, ProcessorOutcome, Reply } from '../../../connectors/contract.ts';
import { connector } from '../../../connectors/registration.ts';

const outcomes = new Map<AttemptId, ProcessorOutcome>();

/** A processor that takes vouchers, and nothing else. A voucher has 50.00 of its currency on it. */
export const office = connector({
  name: 'office',
  settings: () => undefined,
  create: () => ({
    connector: {
      name: 'office',
      place: 'remote',
      visibleAfterMs: 0,
      describe: () => ({
        partialCapture: false,
        authorizationDays: 7,
        challenge: false,
        tokens: false,
        rawCards: false,
        setup: false,
        instruments: ['voucher'],
      }),
      async authorize({ attempt, instrument, money }) {
        if (instrument.kind !== 'voucher') throw new Error(`the office was asked to charge a ${instrument.kind}`);
        const { issuer, code } = instrument;
        return recorded(
          attempt,
          money.amount > 5_000
            ? { kind: 'declined', code: 'card_declined', declineCode: 'insufficient_funds', advice: 'another_method' }
            : { kind: 'approved', reference: `${issuer}_${code.open().slice(-4)}_${money.amount}` },
        );
      },
      refund: async ({ attempt, money }) =>
        recorded(attempt, { kind: 'approved', reference: `refund_${money.amount}` }),
      async find({ attempt }): Promise<Reply<InquiryOutcome>> {
        return { attempt, outcome: outcomes.get(attempt) ?? { kind: 'not_found' }, exchange: {} };
      },
    },
  }),
});

function recorded(attempt: AttemptId, outcome: ProcessorOutcome): Reply {
  outcomes.set(attempt, outcome);
  return { attempt, outcome, exchange: {} };
}
