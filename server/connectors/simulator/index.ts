import type { Connector } from '../contract.ts';
import { type ConnectorTools, connector } from '../registration.ts';
import { createChallenges } from './challenges.ts';
import { authorizationOf, concede, contest } from './disputes.ts';
import { createNotices } from './notices.ts';
import { cardholderPage } from './page.ts';
import { remoteRun } from './remote.ts';
import { statement } from './statement.ts';
import { authorize, cancel, capture, find, refund, remembers } from './steps.ts';
import { localRun } from './task.ts';

export type SimulatorSettings = {
  /** local: its rows commit with the gateway's. remote: it commits by itself, as behind a network, and faults apply. */
  place: 'local' | 'remote';
  visibleAfterMs?: number;
};

/** A processor like any other, with a ledger of its own. It decides by the number of the test card. */
export const simulator = connector<SimulatorSettings>({
  name: 'simulator',
  isPretend: true,
  settings: (reader) => ({ place: reader.oneOf('SIMULATOR', ['local', 'remote'], 'local') }),
  create(tools, settings) {
    const challenges = createChallenges(tools);
    return {
      connector: createSimulator(tools, settings),
      accounts: {
        credentials: [],
        settings: [],
        modes: ['test'],
        objection: () => undefined,
        open: ({ id }) => ({ ...createSimulator(tools, settings), account: id }),
      },
      pages: [cardholderPage(challenges, tools.report)],
    };
  },
});

function createSimulator(tools: ConnectorTools, { place, visibleAfterMs = 0 }: SimulatorSettings): Connector {
  const isLocal = place === 'local';
  const run = isLocal ? localRun(tools) : remoteRun(tools);
  return {
    name: 'simulator',
    place,
    visibleAfterMs,
    describe: () => ({ partialCapture: true, authorizationDays: 7, challenge: true, tokens: false, rawCards: true }),
    // A local request cannot arrive twice or late: there is nothing to look up, and a plain payment reads nothing.
    authorize: (request) =>
      run({
        verb: 'authorize',
        request,
        authorization: isLocal ? undefined : request.attempt,
        remembers: remembers(request),
        step: authorize,
      }),
    capture: (request) =>
      run({ verb: 'capture', request, authorization: request.authorization.attempt, step: capture }),
    cancel: (request) => run({ verb: 'cancel', request, authorization: request.authorization.attempt, step: cancel }),
    refund: (request) => run({ verb: 'refund', request, authorization: request.authorization.attempt, step: refund }),
    contest: (request) =>
      run({ verb: 'contest', request, authorization: authorizationOf(request.dispute), step: contest }),
    concede: (request) =>
      run({ verb: 'concede', request, authorization: authorizationOf(request.dispute), step: concede }),
    find: (request) => run({ verb: 'find', request, authorization: request.attempt, step: find }),
    ...createNotices(tools.pool),
    statement: (request) => statement(tools.pool, request),
  };
}
