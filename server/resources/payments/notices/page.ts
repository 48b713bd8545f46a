import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../../base/clock.ts';
import { isId } from '../../../base/id.ts';
import { jsonPage, type Page, type PageRequest } from '../../../base/page.ts';
import type { Connector, InboundRequest, ProcessorAccountId } from '../../../connectors/contract.ts';
import type { Connectors, ProcessorOf } from '../../../connectors/index.ts';
import { apiError } from './errors.ts';
import type { Inbox } from './inbox.ts';

/** The result of a notice that was sent to us. */
export type Receipt = 'stored' | 'repeated' | 'refused';

type NoticePageParts = {
  connectors: Connectors;
  /** The processor account with this id; undefined when there is none. */
  locate: (id: ProcessorAccountId) => Promise<ProcessorOf | undefined>;
  inbox: Pick<Inbox, 'store'>;
  clock: Clock;
  /** For the metrics. */
  count: (receipt: Receipt) => void;
};

/** Where processors send their notices: stored first, then answered, then handled by the job. A forged one leaves nothing behind. */
export function noticePage(parts: NoticePageParts): Page {
  return {
    path: '/processors/:account',
    methods: ['POST'],
    counted: 'refused',
    logged: 'refused', // an accepted one is a row of the inbox
    async render(request) {
      const receipt = await receive(parts, request);
      parts.count(receipt);
      if (receipt === 'refused') throw apiError('notice_signature_invalid', {});
      return jsonPage(200, { received: true });
    },
  };
}

/** Everything that is wrong is refused alike: who has no secret learns nothing about accounts. */
async function receive({ connectors, locate, inbox, clock }: NoticePageParts, request: PageRequest): Promise<Receipt> {
  const id = request.params.account!;
  const account = isId('pa', id) ? await locate(id) : undefined;
  const inbound = account && (await connectors.of(account)).inbound;
  if (account === undefined || inbound === undefined) return 'refused';
  const sent: InboundRequest = { headers: flat(request.headers), body: request.body };
  const accepted = acceptedBy(inbound, sent, clock.now());
  if (accepted === undefined) return 'refused';
  const { tenant, connector, processor_account } = account;
  return inbox.store({ tenant, source: { connector, processor_account }, event: accepted.id, request: sent });
}

/** A body that makes a connector throw is not one that its processor has sent. */
function acceptedBy(inbound: NonNullable<Connector['inbound']>, sent: InboundRequest, now: number) {
  try {
    return inbound.accept(sent, now);
  } catch {
    return undefined;
  }
}

/** Node gives a header that was sent several times as a list only where that is usual. */
function flat(headers: IncomingHttpHeaders): Record<string, string> {
  const pairs = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]));
}
