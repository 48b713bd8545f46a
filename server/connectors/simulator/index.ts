import type { Connector, InquiryOutcome, Verb } from '../contract.ts';
import { type ConnectorTools, connector } from '../registration.ts';
import { createChallenges } from './challenges.ts';
import { authorizationOf, concede, contest } from './disputes.ts';
import type { Request } from './exchange.ts';
import type { Entry } from './ledger.ts';
import { localRun } from './local.ts';
import { createNotices } from './notices.ts';
import { cardholderPage } from './page.ts';
import { remoteRun } from './remote.ts';
import { statement } from './statement.ts';
import type { Step } from './step.ts';
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
  const task = <Told extends InquiryOutcome, Asked extends Request>(
    verb: Verb | 'find',
    request: Asked,
    authorization: string | undefined,
    decide: (request: Asked, known: readonly Entry[]) => Step<Told>,
  ) => run({ verb, request, authorization, decide: (known) => decide(request, known) });
  return {
    name: 'simulator',
    place,
    visibleAfterMs,
    // Locally no request can arrive twice or late: there is nothing to know, and a plain payment reads nothing.
    authorize: (asked) => task('authorize', asked, place === 'local' ? undefined : asked.attempt, authorize),
    capture: (asked) => task('capture', asked, asked.authorization.attempt, capture),
    cancel: (asked) => task('cancel', asked, asked.authorization.attempt, cancel),
    refund: (asked) => task('refund', asked, asked.authorization.attempt, refund),
    contest: (asked) => task('contest', asked, authorizationOf(asked.dispute), contest),
    concede: (asked) => task('concede', asked, authorizationOf(asked.dispute), concede),
    find: (asked) => task('find', asked, asked.attempt, find),
    ...createNotices(pool),
    statement: (request) => statement(pool, request),
  };
}
