import type { Connector, Outcome } from '../contract.ts';

/** What stands where no processor is connected. It says so, and never pretends that money moved. */
const refused: Outcome = {
  kind: 'declined',
  code: 'processing_error',
  declineCode: 'no_processor',
  message:
    'No live processor is connected to this gateway, so nothing was charged. Use a test key to try payments; connect a processor before you take live ones.',
};

export function createNone(): Connector {
  return {
    name: 'none',
    place: 'local',
    visibleAfterMs: 0,
    async authorize({ attempt }) {
      return { attempt, outcome: refused, exchange: { request: null, response: null } };
    },
    async find({ attempt }) {
      return { attempt, outcome: { kind: 'not_found' }, exchange: { request: null, response: null } };
    },
  };
}
