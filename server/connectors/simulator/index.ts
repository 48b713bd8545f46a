import { choiceSetting } from '../../base/setting.ts';
import type { Capabilities, Connector, ProcessorAccountId } from '../contract.ts';
import { type ConnectorTools, connector, type OpenAccount } from '../registration.ts';
import { accountPoll } from './account_notices.ts';
import { type AccountSettings, accountFields, places, settingsOf } from './accounts.ts';
import { type AccountBehaviour, reaching } from './behaves.ts';
import { createChallenges } from './challenges.ts';
import { authorizationOf, concede, contest } from './disputes.ts';
import { broken } from './exchange.ts';
import { createInbound } from './inbound.ts';
import { attemptOf, authorizationDays } from './ledger.ts';
import { createNotices } from './notices.ts';
import { pageCustomers } from './outcomes.ts';
import { cardholderPage } from './page.ts';
import { payPage } from './pay_page.ts';
import { createPayPages } from './pay_pages.ts';
import { remoteRun } from './remote.ts';
import { cancelSetup, declineSetupAsBusy, setup } from './setups.ts';
import { statement } from './statement.ts';
import { authorize, cancel, capture, declineAsBusy, find, refund, remembered } from './steps.ts';
import { localRun, type Run, type Through } from './task.ts';
import { tokenizedCard } from './wire.ts';

export type SimulatorSettings = {
  /** local: its rows commit with the gateway's. remote: it commits by itself, as behind a network, and faults apply. */
  place: 'local' | 'remote';
  visibleAfterMs?: number;
};

const placeSetting = choiceSetting({
  name: 'SIMULATOR',
  choices: places,
  default: 'local',
  meaning:
    '`remote`: the simulator behaves like a processor behind a network, and [faults](testing.md#faults-of-your-own) can be scripted.',
});

/** A processor like any other, with its own ledger. It decides by the number of the test card. */
export const simulator = connector<SimulatorSettings>({
  name: 'simulator',
  isPretend: true,
  declares: [placeSetting],
  settings: (reader) => ({ place: reader.choice(placeSetting) }),
  create(tools, settings) {
    const parts = { tools, runs: { local: localRun(tools), remote: remoteRun(tools) }, ...settings };
    return {
      connector: {
        ...createSimulator(parts, { account: null, place: settings.place, behaves: 'normal' }),
        ...createNotices(tools.durable),
      },
      accounts: { ...accountFields, open: (account) => openAccount(parts, account) },
      pages: [cardholderPage(createChallenges(tools), tools.report), payPage(createPayPages(tools), tools.report)],
    };
  },
});

type SimulatorParts = SimulatorSettings & { tools: ConnectorTools; runs: Record<SimulatorSettings['place'], Run> };

/** One account at the simulator. Its notices are reported by the simulator itself, too, which names the account. */
function openAccount(parts: SimulatorParts, opened: OpenAccount): Connector {
  const { id, tenant, credentials } = opened;
  const settings = settingsOf(opened, parts.place);
  const books = { durable: parts.tools.durable, tenant, account: id };
  const isReachable = settings.behaves !== 'unreachable';
  return {
    ...createSimulator(parts, { ...settings, account: id }),
    account: id,
    poll: accountPoll(books),
    inbound: createInbound(books, credentials.webhook_secret),
    verify: async () =>
      isReachable
        ? { ok: true, message: 'The simulator answers. It moves no money.', identity: `simulator ${id}` }
        : { ok: false, message: 'The simulator cannot be reached, because the account behaves as unreachable.' },
  };
}

const capabilities: Capabilities = {
  partialCapture: true,
  authorizationDays,
  challenge: true,
  tokens: true,
  rawCards: true,
  setup: true,
  page: { minMinutes: 30, maxMinutes: 24 * 60 },
};

type SimulatedAccount = AccountSettings & { account: ProcessorAccountId | null };

function createSimulator(
  { tools, runs, visibleAfterMs = 0 }: SimulatorParts,
  { account, place, behaves }: SimulatedAccount,
): Connector {
  const isLocal = place === 'local';
  const reach = reaching(behaves, runs[place]);
  const run: Through = (task) => reach({ ...task, account });
  return {
    name: 'simulator',
    place,
    visibleAfterMs,
    describe: () => capabilities,
    // A local request cannot arrive twice or late: there is nothing to look up, and a plain payment reads nothing.
    authorize: (request) =>
      run({
        verb: 'authorize',
        request,
        authorization: isLocal ? undefined : request.attempt,
        card: remembered(request),
        step: behaves === 'busy' ? declineAsBusy : authorize,
      }),
    capture: (request) =>
      run({ verb: 'capture', request, authorization: request.authorization.attempt, step: capture }),
    cancel: (request) => run({ verb: 'cancel', request, authorization: request.authorization.attempt, step: cancel }),
    refund: (request) => run({ verb: 'refund', request, authorization: request.authorization.attempt, step: refund }),
    contest: (request) =>
      run({ verb: 'contest', request, authorization: authorizationOf(request.dispute), step: contest }),
    concede: (request) =>
      run({ verb: 'concede', request, authorization: authorizationOf(request.dispute), step: concede }),
    setup: (request) =>
      run({
        verb: 'setup',
        request,
        authorization: isLocal ? undefined : request.attempt,
        card: remembered(request),
        step: behaves === 'busy' ? declineSetupAsBusy : setup,
      }),
    cancelSetup: (request) => run({ verb: 'cancel', request, authorization: request.setup.attempt, step: cancelSetup }),
    attemptOf,
    find: (request) => {
      // A refund that the gateway did not make is found by its name, among the entries of its authorization.
      const authorization = (request.verb === 'refund' ? request.authorization?.attempt : undefined) ?? request.attempt;
      return run({ verb: 'find', request, authorization, step: find });
    },
    ...tokenVerbs(behaves),
    statement: (range) => statement(tools.durable, account, { ...range, now: tools.clock.now() }),
  };
}

/** Tokens of the simulator: every account knows the same ones. */
function tokenVerbs(behaves: AccountBehaviour): Required<Pick<Connector, 'retrieveToken' | 'attachToken' | 'forget'>> {
  const reach = () => {
    if (behaves === 'unreachable') throw broken('ECONNREFUSED', 'connect ECONNREFUSED');
  };
  return {
    async retrieveToken(token) {
      reach();
      return tokenizedCard(token);
    },
    /** The same id gets the same customer: a repeated request has one effect. */
    async attachToken({ token, id }) {
      reach();
      const kept = tokenizedCard(token);
      if (kept === undefined) return { refused: 'The simulator keeps no card under this token.' };
      return { customer: kept.customer ?? `sim_cus_${id}` };
    },
    async forget({ customer, id }) {
      reach();
      return customer === `sim_cus_${id}` || customer.startsWith(pageCustomers) ? 'forgotten' : 'not_ours';
    },
  };
}
