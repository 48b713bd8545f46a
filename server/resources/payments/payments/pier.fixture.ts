import type { VirtualClock } from '../../../base/clock.fixture.ts';
import { insert } from '../../../base/commit/index.ts';
import { newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import { Secret } from '../../../base/secret.ts';
import type {
  AttemptId,
  AuthorizeRequest,
  CancelRequest,
  Capabilities,
  Connector,
  FindRequest,
  InquiryOutcome,
  Notice,
  ProcessorAccountId,
  Reply,
} from '../../../connectors/contract.ts';
import { registrations } from '../../../connectors/index.ts';
import { type ConnectorRegistration, connector } from '../../../connectors/registration.ts';
import type { Gateway } from '../../../main.ts';
import { tenantOf } from '../../../operations/tenants.ts';
import { type ServerOptions, startServer, type TestServer } from '../../../test/harness.ts';
import { processorAccountsTable } from '../processor_accounts/store.ts';

type Outcome = Reply['outcome'];

/** A remote processor with accounts, which answers as the test says and keeps a list of what it was asked. */
export type Pier = {
  registration: ConnectorRegistration;
  /** What each account answers to an authorization; approved when nothing is said. */
  answers: Map<ProcessorAccountId, Outcome | (() => Promise<Outcome>)>;
  /** What an inquiry finds at each account; what was answered when nothing is said. */
  finds: Map<ProcessorAccountId, InquiryOutcome | ((request: FindRequest) => Promise<InquiryOutcome>)>;
  /** What each account answers to a cancel; approved when nothing is said. */
  cancels: Map<ProcessorAccountId, Outcome | (() => Promise<Outcome>)>;
  able: Map<ProcessorAccountId, Partial<Capabilities>>;
  asked: { account: ProcessorAccountId; request: AuthorizeRequest }[];
  canceled: CancelRequest[];
  found: FindRequest[];
  /** Reports something to the gateway. */
  report: (notice: Notice) => Promise<void>;
  /** Forgets what a test has said, and what was asked. */
  forget: () => void;
};

const method = { type: 'card', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040 } as const;

/** What tests have it answer to a customer who has chosen a card on its page. */
export const answersOfPier = {
  approved: { kind: 'approved', reference: 'pier_1', method },
  pending: { kind: 'pending', reference: 'pier_1' },
  declined: { kind: 'declined', code: 'card_declined', method },
  silent: { kind: 'unknown', reason: 'no answer' },
} as const;

const approved: Outcome = { kind: 'approved', reference: 'pier_1' };
const capabilities: Capabilities = {
  ...{ partialCapture: true, authorizationDays: 7, challenge: true },
  ...{ tokens: true, rawCards: true, setup: false },
};

export function openPier(): Pier {
  const pier: Pier = {
    registration: null!,
    answers: new Map(),
    finds: new Map(),
    cancels: new Map(),
    able: new Map(),
    asked: [],
    canceled: [],
    found: [],
    report: null!,
    forget() {
      for (const list of [pier.answers, pier.finds, pier.able, pier.cancels]) list.clear();
      for (const list of [pier.asked, pier.canceled, pier.found]) list.length = 0;
    },
  };
  const open = (account: ProcessorAccountId): Connector => {
    const found = new Map<string, Outcome>();
    async function answered({ attempt }: { attempt: AttemptId }): Promise<Reply> {
      const answer = pier.answers.get(account) ?? approved;
      const outcome = typeof answer === 'function' ? await answer() : answer;
      found.set(attempt, outcome);
      return { attempt, outcome, exchange: {} };
    }
    async function canceled({ attempt }: { attempt: AttemptId }): Promise<Reply> {
      const answer = pier.cancels.get(account) ?? approved;
      return { attempt, outcome: typeof answer === 'function' ? await answer() : answer, exchange: {} };
    }
    return {
      name: 'pier',
      account,
      place: 'remote',
      visibleAfterMs: 0,
      describe: () => ({ ...capabilities, ...pier.able.get(account) }),
      async authorize(request) {
        pier.asked.push({ account, request });
        return answered(request);
      },
      setup: answered,
      capture: async ({ attempt }) => ({ attempt, outcome: approved, exchange: {} }),
      async cancel(request) {
        pier.canceled.push(request);
        return canceled(request);
      },
      cancelSetup: canceled,
      async find(request) {
        pier.found.push(request);
        const { attempt } = request;
        const finds = pier.finds.get(account) ?? found.get(attempt) ?? { kind: 'not_found' };
        const outcome = typeof finds === 'function' ? await finds(request) : finds;
        return { attempt, outcome, exchange: {} };
      },
    };
  };
  const accounts = { credentials: [], settings: [], modes: ['test', 'live'] as const, objection: () => undefined };
  pier.registration = connector({
    name: 'pier',
    settings: () => undefined,
    create({ report }) {
      pier.report = report;
      return { accounts: { ...accounts, open: ({ id }) => open(id) } };
    },
  });
  return pier;
}

/** Stores a processor account, and gives its id. */
export async function addAccount(
  { services }: Gateway,
  tenant: Tenant,
  enabled = true,
  name = 'pier',
): Promise<ProcessorAccountId> {
  const { vault, committer, clock } = services;
  const id = newId('pa', clock.now());
  const row = {
    ...{ tenant, id, version: 1, connector: name, name: 'An account', enabled, settings: {}, secret: id },
    ...{
      identity: null,
      credentials_since: null,
      last_verified_at: null,
      previous_secret: null,
      previous_until: null,
      poll_cursor: null,
      due_at: null,
      lease_until: null,
    },
  };
  await committer.commit({
    tenant,
    writes: [await vault.sealSecret(tenant, id, new Secret('{}')), insert(processorAccountsTable, row)],
  });
  return id;
}

/** A gateway that knows the processor. */
export async function startWithPier(
  clock: VirtualClock,
  options: ServerOptions = {},
): Promise<{ server: TestServer; pier: Pier }> {
  const pier = openPier();
  return { server: await startServer({ ...options, clock, connectors: [...registrations, pier.registration] }), pier };
}

/** A new account whose customers choose a card on a page of the processor. What tests before have said is forgotten. */
export async function accountAtPier({ server, pier, clock }: { server: TestServer; pier: Pier; clock: VirtualClock }) {
  pier.forget();
  server.logged.length = 0;
  const account = await server.account();
  const tenant = await tenantOf(server.sql, account.id, 'test');
  clock.advance(5);
  const pa = await addAccount(server.gateway, tenant);
  pier.able.set(pa, { setup: true, page: { minMinutes: 30, maxMinutes: 1_440 } });
  return { account, tenant, pa };
}
