import { createHmac, timingSafeEqual } from 'node:crypto';
import { newId, randomBase62 } from '../../../base/id.ts';
import type { Page, PageRequest, Rendered } from '../../../base/page.ts';
import type { AttemptId, Connector, InquiryOutcome, ProcessorOutcome, Reply } from '../../../connectors/contract.ts';
import { type ConnectorTools, connector } from '../../../connectors/registration.ts';
import { harborAccounts } from './accounts.ts';
import { books } from './books.ts';

const secretSetting = { name: 'HARBOR_SECRET', default: 'unset', meaning: 'Signs the notices of the harbor.' };

/** A processor that decides late: most cards are pending until its notice comes, and some need the cardholder first. Few are decided immediately. */
export const harbor = connector({
  name: 'harbor',
  declares: [secretSetting],
  settings: (reader) => ({ secret: reader.text(secretSetting) }),
  create(tools, { secret }) {
    const forAll = createHarbor(tools);
    return {
      connector: forAll,
      accounts: harborAccounts(forAll),
      pages: [cardholderPage(tools), noticePage(tools, secret)],
    };
  },
});

export function signed(secret: string, body: string | Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

function createHarbor({ publicUrl }: ConnectorTools): Connector {
  const reply = <Outcome extends InquiryOutcome>(attempt: AttemptId, outcome: Outcome): Reply<Outcome> => {
    return { attempt, outcome, exchange: {} };
  };
  return {
    name: 'harbor',
    place: 'remote',
    visibleAfterMs: 0,
    describe: () => ({
      partialCapture: false,
      authorizationDays: 7,
      challenge: true,
      tokens: false,
      rawCards: true,
      setup: false,
    }),
    async authorize({ tenant, attempt, instrument, returnUrl }) {
      const token = randomBase62(22);
      const last4 = instrument.kind === 'card' ? instrument.number.open().slice(-4) : '';
      const url = `${publicUrl()}/harbor/cardholder/${token}`;
      const early: Record<string, ProcessorOutcome> = {
        '3220': { kind: 'requires_action', url },
        '4444': { kind: 'approved' },
      };
      const outcome = early[last4] ?? { kind: 'pending' };
      books.charges.set(attempt, { tenant, attempt, token, returnUrl, outcome });
      return reply(attempt, outcome);
    },
    async find({ attempt }) {
      return reply<InquiryOutcome>(attempt, books.charges.get(attempt)?.outcome ?? { kind: 'not_found' });
    },
  };
}

const html = (status: number, body: string, headers = {}): Rendered => {
  return { status, contentType: 'text/html; charset=utf-8', body, headers };
};

/** Where the cardholder approves a challenged charge. */
function cardholderPage({ report }: ConnectorTools): Page {
  return {
    path: '/harbor/cardholder/:token',
    methods: ['GET', 'POST'],
    counted: true,
    async render({ method, params }) {
      const charge = [...books.charges.values()].find(({ token }) => token === params.token);
      if (charge === undefined) return html(404, 'There is no such page.');
      if (method === 'GET') return html(200, '<form method="post"><button>Approve</button></form>');
      const { tenant, attempt, returnUrl } = charge;
      books.charges.set(attempt, { ...charge, outcome: { kind: 'approved', reference: 'harbor_1' } });
      await report({ id: newId('ntc', 0), tenant, kind: 'attempt_changed', attempt });
      return html(303, '', { Location: returnUrl });
    },
  };
}

/** Where the processor sends notices. The signature is checked before anything is parsed. */
function noticePage({ report }: ConnectorTools, secret: string): Page {
  return {
    path: '/harbor/notices',
    methods: ['POST'],
    counted: true,
    async render({ headers, query, body }: PageRequest) {
      const expected = Buffer.from(signed(secret, body));
      const sent = Buffer.from(String(headers['x-harbor-signature'] ?? ''));
      if (sent.length !== expected.length || !timingSafeEqual(sent, expected))
        return { status: 400, contentType: 'application/json', body: '{"error":"signature"}' };
      const { id, tenant, attempt, outcome } = JSON.parse(body.toString());
      await report({ id, tenant, kind: 'payment_settled', attempt, outcome });
      return {
        status: 200,
        contentType: 'application/json',
        body: JSON.stringify({ received: new URLSearchParams(query).get('batch') }),
      };
    },
  };
}
