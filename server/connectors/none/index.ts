import type { Connector, ProcessorOutcome } from '../contract.ts';
import { connector } from '../registration.ts';

/** The answer where no processor is connected: it says so, and never pretends that money moved. */
const refused: ProcessorOutcome = {
  kind: 'declined',
  code: 'processing_error',
  declineCode: 'no_processor',
  advice: 'later', // once a processor is connected
  message:
    'No live processor is connected to this gateway, so nothing was charged. Use a test key to try payments; connect a processor before you take live ones.',
};

const refusing: Connector = {
  name: 'none',
  place: 'local',
  visibleAfterMs: 0,
  describe: () => ({
    partialCapture: false,
    authorizationDays: 0,
    challenge: false,
    tokens: false,
    rawCards: true,
    setup: false,
  }),
  async authorize({ attempt }) {
    return { attempt, outcome: refused, exchange: { request: null, response: null } };
  },
  async find({ attempt }) {
    return { attempt, outcome: { kind: 'not_found' }, exchange: { request: null, response: null } };
  },
};

export const none = connector({ name: 'none', settings: () => undefined, create: () => ({ connector: refusing }) });
