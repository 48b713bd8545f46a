import type { Connector } from '../contract.ts';
import { type ConnectorTools, connector } from '../registration.ts';
import { createChallenges } from './challenges.ts';
import { authorizationOf, concede, contest } from './disputes.ts';
import { localRun } from './local.ts';
import { createNotices } from './notices.ts';
import { cardholderPage } from './page.ts';
import { remoteRun } from './remote.ts';
import { statement } from './statement.ts';
import { authorize, cancel, capture, find, refund } from './steps.ts';
import type { Run } from './task.ts';

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
    return { connector: createSimulator(tools, settings), pages: [cardholderPage(challenges, tools.report)] };
  },
});

function createSimulator(
  { pool, reads, clock, publicUrl }: ConnectorTools,
  { place, visibleAfterMs = 0 }: SimulatorSettings,
): Connector {
  const run: Run = place === 'local' ? localRun({ reads, publicUrl }) : remoteRun({ pool, clock, publicUrl });
  const about = (request: { authorization: { attempt: string } }) => request.authorization.attempt;
  return {
    name: 'simulator',
    place,
    visibleAfterMs,
    authorize: (request) =>
      run({
        verb: 'authorize',
        request,
        // Locally no request can arrive twice or late: there is nothing to know, and a plain payment reads nothing.
        authorization: place === 'local' ? undefined : request.attempt,
        decide: (known) => authorize(request, known),
      }),
    capture: (request) =>
      run({
        verb: 'capture',
        request,
        authorization: about(request),
        decide: (known) => capture(request, known),
      }),
    cancel: (request) =>
      run({
        verb: 'cancel',
        request,
        authorization: about(request),
        decide: (known) => cancel(request, known),
      }),
    refund: (request) =>
      run({
        verb: 'refund',
        request,
        authorization: about(request),
        decide: (known) => refund(request, known),
      }),
    contest: (request) =>
      run({
        verb: 'contest',
        request,
        authorization: authorizationOf(request.dispute),
        decide: (known) => contest(request, known),
      }),
    concede: (request) =>
      run({
        verb: 'concede',
        request,
        authorization: authorizationOf(request.dispute),
        decide: (known) => concede(request, known),
      }),
    find: (request) =>
      run({
        verb: 'find',
        request,
        authorization: request.attempt,
        decide: (known) => find(request, known),
      }),
    ...createNotices(pool),
    statement: (request) => statement(pool, request),
  };
}
