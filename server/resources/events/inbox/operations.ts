import { newId } from '../../../base/id.ts';
import { type Descriptor, listOperation, requireRow, retrieveOperation } from '../../../operations/descriptor.ts';
import { listPage } from '../../../operations/list.ts';
import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import { ListOf, listParameters, Parameters } from '../../../operations/schemas.ts';
import { EventChoice } from '../webhook_endpoints/enabled_events.ts';
import { apiError } from '../webhook_endpoints/errors.ts';
import { newEndpoint, withoutEndpoint } from '../webhook_endpoints/operations.ts';
import type { EndpointRemoval } from '../webhook_endpoints/points.ts';
import {
  DeletedInboxOutput,
  InboxInput,
  InboxOutput,
  InboxRequestOutput,
  InboxWithSecretOutput,
  NewInboxInput,
  serializeInbox,
  serializeRequest,
} from './schema.ts';
import {
  addInbox,
  findInboxOf,
  hasInboxes,
  inboxesTable,
  inboxRequestsTable,
  removeInbox,
  replaceInbox,
} from './store.ts';
import { type InboxRequest, inboxUrl, type WebhookInbox } from './webhook_inbox.ts';

const inboxesMax = 10;

const inboxDescriptor: Descriptor<WebhookInbox> = {
  resource: 'inbox',
  noun: 'inbox',
  prefix: 'ibx',
  table: inboxesTable,
  serialize: serializeInbox,
  output: InboxOutput,
};
const requireInbox = requireRow(inboxDescriptor);

const requestDescriptor: Descriptor<InboxRequest> = {
  resource: 'inbox_requests',
  noun: 'inbox request',
  prefix: 'ibr',
  table: inboxRequestsTable,
  serialize: serializeRequest,
  output: InboxRequestOutput,
};

const create = (choice: EventChoice) =>
  operation({
    name: 'inbox.create',
    summary: 'Create an inbox',
    description:
      'Makes a webhook endpoint whose deliveries can be looked at here, without a receiver of your own. They are signed and tried again as all others. There can be 10.',
    route: 'POST /inbox',
    input: NewInboxInput,
    output: InboxWithSecretOutput,
    errors: apiError.codes('endpoint_limit_reached'),
    check({ enabled_events }) {
      if (enabled_events !== undefined) choice.check(enabled_events);
    },
    alsoChanges: () => 'webhook_endpoints', // how many there are
    async run(context, { enabled_events = ['*'], answer = '200' }) {
      const { tenant, now, reads } = context;
      if (await hasInboxes(reads, tenant, inboxesMax))
        throw apiError('endpoint_limit_reached', { max: inboxesMax, what: 'inboxes' });
      const id = newId('ibx', now);
      const endpoint = await newEndpoint(context, { url: inboxUrl(id), enabled_events, description: 'Inbox' });
      const inbox: WebhookInbox = { tenant, id, version: 1, endpoint: endpoint.objectId, answer };
      return {
        result: { ...serializeInbox(inbox), secret: endpoint.result.secret },
        objectId: id,
        writes: [addInbox(inbox), ...endpoint.writes],
      };
    },
  });

const update = operation({
  name: 'inbox.update',
  summary: 'Change how an inbox answers',
  description:
    'Takes effect with the next delivery. An endpoint that a 410 has disabled is enabled by an update of the endpoint.',
  route: 'POST /inbox/:id',
  input: InboxInput,
  output: InboxOutput,
  async run(context, { answer }) {
    const before = await requireInbox(context);
    if (answer === undefined || answer === before.answer)
      return { result: serializeInbox(before), objectId: before.id };
    const after = { ...before, version: before.version + 1, answer };
    return { result: serializeInbox(after), objectId: after.id, writes: [replaceInbox(after)] };
  },
});

const remove = operation({
  name: 'inbox.delete',
  summary: 'Delete an inbox',
  description: 'Deletes what it has received, and its webhook endpoint.',
  route: 'DELETE /inbox/:id',
  output: DeletedInboxOutput,
  async run(context) {
    const inbox = await requireInbox(context);
    return {
      result: { id: inbox.id, object: 'inbox', deleted: true },
      objectId: inbox.id,
      writes: [...removeInbox(inbox), ...(await withoutEndpoint(context, inbox.endpoint))],
      due: context.now,
    };
  },
});

/** Without its endpoint an inbox receives nothing, and would only count as one of the ten. */
export const withItsEndpoint: EndpointRemoval = async ({ reads, tenant }, { id }) => {
  const inbox = await findInboxOf(reads, tenant, id);
  return inbox === undefined ? [] : removeInbox(inbox);
};

const listRequests = operation({
  name: 'inbox.list_requests',
  summary: 'List what an inbox has received',
  description: 'Returns the latest 100 requests of the last 24 hours, newest first.',
  route: 'GET /inbox/:id/requests',
  input: Parameters(listParameters),
  output: ListOf(InboxRequestOutput),
  async run(context, input) {
    const { id } = await requireInbox(context);
    const source = { ...requestDescriptor, url: `/v1/inbox/${id}/requests`, columns: ['inbox'] };
    return { result: await listPage(context, input, source, { inbox: id }), objectId: id };
  },
});

/** For people and the operator, in test mode: refused before anything is read. */
function forPeople(offered: AnyOperation): AnyOperation {
  const check = (input: never, context: { now: number; mode: Context['mode'] }) => {
    if (context.mode === 'live') throw apiError('test_mode_only', { what: 'Inboxes' });
    offered.check?.(input, context);
  };
  const errors = [...(offered.errors ?? []), ...apiError.codes('test_mode_only')];
  return { ...offered, callers: ['person', 'operator'], errors, check };
}

export const inboxOperations = (eventTypes: readonly string[]): AnyOperation[] =>
  [
    create(new EventChoice(eventTypes)),
    retrieveOperation(inboxDescriptor),
    update,
    remove,
    {
      ...listOperation(inboxDescriptor),
      summary: 'List inboxes',
      description: 'Returns a page of inboxes, newest first.',
    },
    listRequests,
  ].map(forPeople);

export const inboxRequestOperations: AnyOperation[] = [forPeople(retrieveOperation(requestDescriptor))];
