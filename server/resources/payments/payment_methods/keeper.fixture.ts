import type {
  AuthorizeRequest,
  Capabilities,
  Connector,
  InquiryOutcome,
  ProcessorAccountId,
  ProcessorOutcome,
  TokenizedMethod,
} from '../../../connectors/contract.ts';
import { type ConnectorRegistration, connector } from '../../../connectors/registration.ts';

type Asked =
  | { verb: 'retrieveToken' | 'attachToken'; account: ProcessorAccountId; id?: string }
  | { verb: 'authorize'; account: ProcessorAccountId; request: AuthorizeRequest; token: string | undefined };

/**
 * A remote processor with accounts that keeps cards. It acts and answers as the test says, and keeps lists of what it was asked.
 */
export type Keeper = {
  registration: ConnectorRegistration;
  /** By token. A card with a customer can be charged again and again. */
  cards: Map<string, TokenizedMethod>;
  /** Tokens that were charged. Those without a customer are not attached to one any more. */
  used: Set<string>;
  able: Partial<Capabilities>;
  asked: Asked[];
  /** The attempts whose outcome it was asked for. Apart, because recovery asks at times that no test chooses. */
  inquiries: string[];
  /** Before it acts, and after it has acted but not answered. */
  before: (verb: Asked['verb'] | 'find') => Promise<void>;
  after: (verb: Asked['verb'] | 'find') => Promise<void>;
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
  ...{ tokens: true, rawCards: false, setup: false },
};

export function openKeeper(): Keeper {
  const keeper = { asked: [] as Asked[], inquiries: [] as string[] } as Keeper;
  keeper.verbs = () => keeper.asked.map(({ verb }) => verb);
  keeper.reset = () => {
    keeper.asked.length = keeper.inquiries.length = 0;
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
  const acted = async <Answer>(verb: Asked['verb'] | 'find', act: () => Answer): Promise<Answer> => {
    await keeper.before(verb);
    const answer = act();
    await keeper.after(verb);
    return answer;
  };
  const asked = <Answer>(entry: Asked, act: () => Answer): Promise<Answer> => {
    keeper.asked.push(entry);
    return acted(entry.verb, act);
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
    find({ attempt }) {
      keeper.inquiries.push(attempt);
      return acted('find', () => ({ attempt, outcome: keeper.found, exchange: {} }));
    },
    retrieveToken: (token) => asked({ verb: 'retrieveToken', account }, () => keeper.cards.get(token.open())),
    attachToken: ({ token, id }) =>
      asked({ verb: 'attachToken', account, id }, () => {
        const refused = keeper.used.has(token.open()) ? 'It was charged before.' : keeper.refusal;
        if (refused !== undefined) return { refused };
        const customer = `customer of ${id}`;
        keeper.cards.set(token.open(), { ...keeper.cards.get(token.open())!, customer });
        return { customer };
      }),
    forget: async ({ customer, id }) => (customer === `customer of ${id}` ? 'forgotten' : 'not_ours'),
  };
}
