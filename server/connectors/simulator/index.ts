import { type Clock, systemClock } from '../../base/clock.ts';
import type { Reads } from '../../base/reads.ts';
import type { Pool } from '../../base/sql.ts';
import type { Connector } from '../contract.ts';
import { type Challenges, createChallenges } from './challenges.ts';
import { authorizationOf, concede, contest } from './disputes.ts';
import { localRun } from './local.ts';
import { createNotices } from './notices.ts';
import { remoteRun } from './remote.ts';
import { statement } from './statement.ts';
import { authorize, cancel, capture, find, refund } from './steps.ts';
import type { Run } from './task.ts';

export type { ChallengePage } from './challenge_page.ts';
export type { ChallengePlace, Challenges } from './challenges.ts';

export type SimulatorOptions = {
  /** local: its rows commit with the gateway's. remote: it commits by itself, as behind a network, and faults apply. */
  place: 'local' | 'remote';
  /** For durable writes: the remote place commits on it, and in either place what cardholders and the processor itself decide. */
  pool: Pool;
  reads: Reads;
  clock?: Clock;
  /** Where browsers reach this gateway, without a slash at the end. */
  publicUrl: () => string;
  visibleAfterMs?: number;
};

export type Simulator = { connector: Connector; challenges: Challenges };

/** A processor like any other, with a ledger of its own. It decides by the number of the test card. */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { place, pool, reads, clock = systemClock, publicUrl, visibleAfterMs = 0 } = options;
  const run: Run = place === 'local' ? localRun({ reads, publicUrl }) : remoteRun({ pool, clock, publicUrl });
  const about = (request: { authorization: { attempt: string } }) => request.authorization.attempt;
  const connector: Connector = {
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
  return { connector, challenges: createChallenges({ pool, clock }) };
}
