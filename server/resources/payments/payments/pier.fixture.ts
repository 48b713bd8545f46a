import { insert } from '../../../base/commit/index.ts';
import { newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import { Secret } from '../../../base/secret.ts';
import type {
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
import { type ConnectorRegistration, connector } from '../../../connectors/registration.ts';
import type { Gateway } from '../../../main.ts';
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
};

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
  };
  const open = (account: ProcessorAccountId): Connector => {
    const found = new Map<string, Outcome>();
    return {
      name: 'pier',
      account,
      place: 'remote',
      visibleAfterMs: 0,
      describe: () => ({ ...capabilities, ...pier.able.get(account) }),
      async authorize(request) {
        pier.asked.push({ account, request });
        const answer = pier.answers.get(account) ?? approved;
        const outcome = typeof answer === 'function' ? await answer() : answer;
        found.set(request.attempt, outcome);
        return { attempt: request.attempt, outcome, exchange: {} };
      },
      capture: async ({ attempt }) => ({ attempt, outcome: approved, exchange: {} }),
      async cancel(request) {
        pier.canceled.push(request);
        const answer = pier.cancels.get(account) ?? approved;
        const outcome = typeof answer === 'function' ? await answer() : answer;
        return { attempt: request.attempt, outcome, exchange: {} };
      },
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
    writes: [await vault.sealSecret(tenant, id, new Secret('{}')), insert(processorAccountsTable, row)],
  });
  return id;
}
