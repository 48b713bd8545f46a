import type {
  AuthorizeRequest,
  Capabilities,
  Connector,
  InquiryOutcome,
  KeptCard,
  ProcessorAccountId,
  ProcessorOutcome,
} from '../../connectors/contract.ts';
import { type ConnectorRegistration, connector } from '../../connectors/registration.ts';

type Asked =
  | { verb: 'lookUp' | 'keep' | 'find'; account: ProcessorAccountId; id?: string }
  | { verb: 'authorize'; account: ProcessorAccountId; request: AuthorizeRequest; token: string | undefined };

/** A remote processor with accounts that keeps cards. It acts and answers as the test says, and keeps a list of what it was asked. */
export type Keeper = {
  registration: ConnectorRegistration;
  /** By token. A card with a customer can be charged again and again. */
  cards: Map<string, KeptCard>;
  /** Tokens that were charged. Those without a customer are not attached to one any more. */
  used: Set<string>;
  able: Partial<Capabilities>;
  asked: Asked[];
  /** Before it acts, and after it has acted but not answered. */
  before: (verb: Asked['verb']) => Promise<void>;
  after: (verb: Asked['verb']) => Promise<void>;
  /** Of an authorization, and of what became of it. */
  outcome: ProcessorOutcome;
  found: InquiryOutcome;
  /** Why it does not attach cards to customers. */
  refusal: string | undefined;
  verbs(): string[];
  /** Knows no card, and approves everything. */
  reset(): void;
};

const capabilities: Capabilities = {
  ...{ partialCapture: true, authorizationDays: 7, challenge: true },
  ...{ tokens: true, rawCards: false },
};

export function openKeeper(): Keeper {
  const keeper = { asked: [] as Asked[] } as Keeper;
  keeper.verbs = () => keeper.asked.map(({ verb }) => verb);
  keeper.reset = () => {
    keeper.asked.length = 0;
    const quiet = async () => {};
    Object.assign(keeper, {
      cards: new Map(),
      used: new Set(),
      able: {},
      before: quiet,
      after: quiet,
      refusal: undefined,
    });
    Object.assign(keeper, { outcome: { kind: 'approved', reference: 'keeper_1' }, found: { kind: 'not_found' } });
  };
  keeper.reset();
  const accounts = { credentials: [], settings: [], modes: ['test', 'live'] as const, objection: () => undefined };
  keeper.registration = connector({
    name: 'keeper',
    settings: () => undefined,
    create: () => ({ accounts: { ...accounts, open: ({ id }) => open(keeper, id) } }),
  });
  return keeper;
}

function open(keeper: Keeper, account: ProcessorAccountId): Connector {
  const asked = async <Answer>(entry: Asked, act: () => Answer): Promise<Answer> => {
    keeper.asked.push(entry);
    await keeper.before(entry.verb);
    const answer = act();
    await keeper.after(entry.verb);
    return answer;
  };
  return {
    name: 'keeper',
    account,
    place: 'remote',
    visibleAfterMs: 0,
    describe: () => ({ ...capabilities, ...keeper.able }),
    authorize(request) {
      const { instrument, attempt } = request;
      const token = instrument.kind === 'token' ? instrument.token.open() : undefined;
      const entry: Asked = { verb: 'authorize', account, request, token };
      return asked(entry, () => {
        if (token !== undefined && keeper.outcome.kind !== 'not_sent') keeper.used.add(token);
        return { attempt, outcome: keeper.outcome, exchange: {} };
      });
    },
    find: ({ attempt }) =>
      asked({ verb: 'find', account, id: attempt }, () => ({ attempt, outcome: keeper.found, exchange: {} })),
    lookUp: (token) => asked({ verb: 'lookUp', account }, () => keeper.cards.get(token.open())),
    keep: ({ token, id }) =>
      asked({ verb: 'keep', account, id }, () => {
        const refused = keeper.used.has(token.open()) ? 'It was charged before.' : keeper.refusal;
        if (refused !== undefined) return { refused };
        const customer = `customer of ${id}`;
        keeper.cards.set(token.open(), { ...keeper.cards.get(token.open())!, customer });
        return { customer };
      }),
  };
}
