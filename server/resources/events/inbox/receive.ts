import { newId } from '../../../base/id.ts';
import { pause } from '../../../base/timers.ts';
import type { Services, WebhookSender } from '../../../operations/services.ts';
import type { Sent } from '../../../outbox/send.ts';
import { fixedHeaders, type SendRequest } from '../../../outbox/send.ts';
import { isSigned } from '../../../outbox/signature.ts';
import { findSigningKeys } from '../webhook_endpoints/deliveries/receivers.ts';
import { inboxesTable, storeRequest } from './store.ts';
import { type InboxAnswer, type InboxId, inboxIn, type WebhookInbox } from './webhook_inbox.ts';

const keptBytesMax = 65_536;
const timeoutMsUsual = 15_000;

type TenantRequest = Parameters<WebhookSender['send']>[0];

export type ReceivingParts = Pick<Services, 'reads' | 'leases' | 'vault' | 'clock'> & {
  /** What a delivery to an inbox that does not answer waits for. */
  timeoutMs?: number;
};

/** The sender, beside which deliveries to inboxes are received in this process: nothing is sent. */
export function withInboxes(network: WebhookSender, parts: ReceivingParts): WebhookSender {
  return {
    send(request) {
      const inbox = request.mode === 'test' ? inboxIn(request.url) : undefined;
      return inbox === undefined ? network.send(request) : receive(parts, inbox, request);
    },
    close: () => network.close(),
  };
}

/** Never rejects, as every sender. */
async function receive(parts: ReceivingParts, id: InboxId, request: TenantRequest): Promise<Sent> {
  const began = parts.clock.monotonic();
  const answered = await take(parts, id, request).catch(() => failed('the inbox could not store it'));
  return {
    retryAfterSeconds: undefined,
    response: Buffer.alloc(0),
    ...answered,
    durationMs: Math.round(parts.clock.monotonic() - began),
  };
}

type InboxAnswered = Pick<Sent, 'status' | 'error'> & { response?: Buffer };

const failed = (error: string): InboxAnswered => ({ status: null, error });

async function take(parts: ReceivingParts, id: InboxId, request: TenantRequest): Promise<InboxAnswered> {
  const { reads, leases, clock } = parts;
  const inbox = await reads.one(inboxesTable, request.tenant, id);
  if (inbox === undefined) return failed('the inbox was deleted');
  const { headers, body } = request;
  const received = {
    tenant: inbox.tenant,
    id: newId('ibr', clock.now()),
    inbox: inbox.id,
    event: headers['webhook-id'] ?? '',
    headers: { ...headers, ...fixedHeaders },
    body: body.subarray(0, keptBytesMax),
    bytes: body.length,
    verified: await isVerified(parts, inbox, request),
    answer: inbox.answer,
  };
  await leases.at(inbox.tenant, (sql) => storeRequest(sql, received));
  return answerOf(inbox.answer, parts.timeoutMs ?? timeoutMsUsual);
}

/** As a receiver would that has been told the secret: by the secret as it is stored now, and not by what the sender holds. */
async function isVerified(
  parts: ReceivingParts,
  { tenant, endpoint }: WebhookInbox,
  { headers, body }: SendRequest,
): Promise<boolean> {
  const keys = await findSigningKeys(parts, tenant, endpoint);
  return isSigned(headers, body, keys, parts.clock.now());
}

async function answerOf(answer: InboxAnswer, timeoutMs: number): Promise<InboxAnswered> {
  if (answer !== 'timeout')
    return { status: Number(answer), error: null, response: Buffer.from(`The inbox answers ${answer}.`) };
  await pause(timeoutMs);
  return failed(`no answer within ${timeoutMs / 1_000} s`);
}
