import { insert, type Write } from '../../../base/commit/index.ts';
import { newId } from '../../../base/id.ts';
import { type Descriptor, listOperation, requireRow, retrieveOperation } from '../../../operations/descriptor.ts';
import { type MetadataPatch, mergeMetadata } from '../../../operations/metadata.ts';
import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import { previousAttributes } from '../../../operations/previous.ts';
import { ListOf } from '../../../operations/schemas.ts';
import { newSigningSecret } from '../../../outbox/signature.ts';
import { allDeliveries } from './deliveries/all.ts';
import { deliveriesTable, newDelivery, testEvent } from './deliveries/delivery.ts';
import { listDeliveries, serializeDelivery } from './deliveries/serialize.ts';
import { EventChoice } from './enabled_events.ts';
import { apiError } from './errors.ts';
import type { EndpointRemoval } from './points.ts';
import { beginRecovery } from './recovery.ts';
import {
  DeletedEndpointOutput,
  DeliveriesInput,
  DeliveryOutput,
  EndpointInput,
  EndpointOutput,
  EndpointWithSecretOutput,
  endpointEvent,
  NewEndpointInput,
  RecoverInput,
  RecoveryOutput,
  RotateInput,
  serializeEndpoint,
} from './schema.ts';
import {
  addEndpoint,
  findTwin,
  forgetFailures,
  hasEndpoints,
  removeEndpoint,
  replaceEndpoint,
  type StoredEndpoint,
  webhookEndpointsTable,
} from './store.ts';
import { secretIds, type WebhookEndpoint, withNextSecret } from './webhook_endpoint.ts';

const overlapHoursUsual = 24;
const hourMs = 3_600_000;
/** In one account and mode, disabled ones included: the fan-out of every event is part of a commit that others wait for. */
export const endpointsMax = 50;
const recoverableSeconds = 30 * 24 * 3_600;
const graceSeconds = 60; // for a request that asks for exactly 30 days and takes a moment to arrive

export const endpointDescriptor: Descriptor<StoredEndpoint> = {
  resource: 'webhook_endpoints',
  noun: 'webhook endpoint',
  notes: { retrieve: 'Its secret is not shown.', list: 'Their secrets are not shown.' },
  prefix: 'we',
  table: webhookEndpointsTable,
  serialize: serializeEndpoint,
  output: EndpointOutput,
};
const requireEndpoint = requireRow(endpointDescriptor);

/** An endpoint that can be sent to. */
export async function requireEnabled(context: Context, id = context.id, param = 'id'): Promise<WebhookEndpoint> {
  const endpoint = await requireEndpoint(context, id, param);
  if (endpoint.status === 'disabled') throw apiError('endpoint_disabled', { param, endpoint: endpoint.id });
  return endpoint;
}

async function checkUrl({ targets, mode }: Context, url: string): Promise<void> {
  const reason = await targets.check(url, mode);
  if (reason !== undefined) throw apiError('endpoint_url_not_allowed', { param: 'url', reason });
}

/** An endpoint that leads into this gateway, such as that of an inbox, stays there: its destination would no longer receive anything. */
async function checkNewUrl(context: Context, before: WebhookEndpoint, url: string): Promise<void> {
  if (!/^https?:/i.test(before.url)) {
    const reason = `the endpoint leads to ${before.url}, which it belongs to; create another endpoint`;
    throw apiError('parameter_invalid', { param: 'url', reason });
  }
  await checkUrl(context, url);
}

/** Two servers may create the same endpoint concurrently: a unique index refuses the second, which then finds the first here. */
async function refuseTwin({ reads }: Context, endpoint: WebhookEndpoint): Promise<void> {
  const twin = await findTwin(reads, endpoint);
  if (twin !== undefined && twin !== endpoint.id) throw apiError('endpoint_exists', { param: 'url', endpoint: twin });
}

/** The response that shows a secret, once, and the write that stores it sealed. */
async function withSecret({ vault }: Context, endpoint: WebhookEndpoint) {
  const secret = newSigningSecret();
  return {
    result: { ...serializeEndpoint(endpoint), secret: secret.open() },
    sealed: await vault.sealSecret(endpoint.tenant, secretIds(endpoint)[0], secret),
  };
}

const create = (choice: EventChoice) =>
  operation({
    name: 'webhook_endpoints.create',
    summary: 'Create a webhook endpoint',
    description:
      'The answer has the secret that deliveries are signed with; it is not shown again. A second endpoint with the same address and the same events is refused. There can be 50 in each mode.',
    route: 'POST /webhook_endpoints',
    input: NewEndpointInput,
    output: EndpointWithSecretOutput,
    errors: apiError.codes('endpoint_url_not_allowed', 'endpoint_exists', 'endpoint_limit_reached'),
    check({ enabled_events }) {
      choice.check(enabled_events);
    },
    alsoChanges: () => 'webhook_endpoints', // how many there are
    async run(context, input) {
      await checkUrl(context, input.url);
      return newEndpoint(context, input);
    },
  });

/** An owner who sets the status has seen that the endpoint was disabled. */
const byOwner = { disabled_at: null, disabled_reason: null };

type EndpointFacts = Pick<WebhookEndpoint, 'url' | 'enabled_events'> & {
  description?: string | undefined;
  metadata?: MetadataPatch | undefined;
};

/** A new endpoint, whose URL was checked. Callers queue for `webhook_endpoints`. */
export async function newEndpoint(context: Context, facts: EndpointFacts) {
  const endpoint: WebhookEndpoint = {
    tenant: context.tenant,
    id: newId('we', context.now),
    version: 1,
    url: facts.url,
    enabled_events: facts.enabled_events,
    status: 'enabled',
    description: facts.description ?? null,
    metadata: mergeMetadata({}, facts.metadata),
    secret: 1,
    previous_until: null,
    ...byOwner,
  };
  await refuseTwin(context, endpoint);
  // Requests to one server are queued; two servers that create an endpoint at the same moment may exceed the limit by one.
  if (await hasEndpoints(context.reads, context.tenant, endpointsMax))
    throw apiError('endpoint_limit_reached', { max: endpointsMax, what: 'webhook endpoints' });
  const { sealed, ...answer } = await withSecret(context, endpoint);
  return { ...answer, objectId: endpoint.id, writes: [addEndpoint(endpoint), sealed] };
}

const update = (choice: EventChoice) =>
  operation({
    name: 'webhook_endpoints.update',
    summary: 'Update a webhook endpoint',
    description:
      'Changes only what it names. Running servers apply it within a second. The URL of an inbox stays. To enable an endpoint again does not send what it has missed: recover it.',
    route: 'POST /webhook_endpoints/:id',
    input: EndpointInput,
    nulls: 'clear',
    output: EndpointOutput,
    errors: apiError.codes('endpoint_url_not_allowed', 'endpoint_exists'),
    check(input) {
      for (const param of ['url', 'enabled_events', 'status'] as const)
        if (input[param] === null) throw apiError('parameter_invalid', { param, reason: 'it cannot be cleared' });
      if (input.enabled_events) choice.check(input.enabled_events);
    },
    async run(context, input) {
      const before = await requireEndpoint(context);
      const { url, enabled_events, status, description = before.description, metadata } = input;
      const after: WebhookEndpoint = {
        ...before,
        version: before.version + 1,
        url: url ?? before.url,
        enabled_events: enabled_events ?? before.enabled_events,
        status: status ?? before.status,
        ...(status === undefined ? {} : byOwner),
        description,
        metadata: mergeMetadata(before.metadata, metadata),
      };
      const result = serializeEndpoint(after);
      const changed = previousAttributes(serializeEndpoint(before), result);
      // An owner who enables the endpoint, or changes its URL, says that it works from now on.
      const anew = status === 'enabled' || after.url !== before.url ? [forgetFailures(after)] : [];
      if (changed === undefined) return { result, objectId: before.id, writes: anew };
      if (after.url !== before.url) await checkNewUrl(context, before, after.url);
      await refuseTwin(context, after);
      return { result, objectId: after.id, writes: [replaceEndpoint(after), ...anew] };
    },
  });

/** Its pending deliveries are canceled by the deliverer, which no longer finds the endpoint. */
const remove = (removals: readonly EndpointRemoval[]) =>
  operation({
    name: 'webhook_endpoints.delete',
    summary: 'Delete a webhook endpoint',
    description: 'Deletes its secrets too, and its inbox if it has one. What was not delivered is no longer sent.',
    route: 'DELETE /webhook_endpoints/:id',
    output: DeletedEndpointOutput,
    async run(context) {
      const endpoint = await requireEndpoint(context);
      const others = await Promise.all(removals.map((removal) => removal(context, endpoint)));
      return {
        result: { id: endpoint.id, object: 'webhook_endpoint', deleted: true },
        objectId: endpoint.id,
        writes: [...removalOf(context, endpoint), ...others.flat()],
        due: context.now,
      };
    },
  });

function removalOf({ tenant, vault }: Context, endpoint: WebhookEndpoint): Write[] {
  const secrets = secretIds(endpoint).map((id) => vault.destroySecret(tenant, id));
  return [removeEndpoint(endpoint), forgetFailures(endpoint), ...secrets];
}

/** Deletes an endpoint, unless it was deleted before. */
export async function withoutEndpoint(context: Context, id: string): Promise<Write[]> {
  const endpoint = await context.reads.one(webhookEndpointsTable, context.tenant, id);
  return endpoint === undefined ? [] : removalOf(context, endpoint);
}

const rotateSecret = operation({
  name: 'webhook_endpoints.rotate_secret',
  summary: 'Replace the secret of a webhook endpoint',
  description:
    'The answer has the new secret. During the overlap deliveries are signed with both secrets. With `overlap_hours` 0 the old one is deleted immediately. Only the latest two secrets are used.',
  route: 'POST /webhook_endpoints/:id/rotate_secret',
  input: RotateInput,
  output: EndpointWithSecretOutput,
  async run(context, { overlap_hours = overlapHoursUsual }) {
    const { now, tenant, vault } = context;
    const before = await requireEndpoint(context);
    const after = withNextSecret(before, now, overlap_hours * hourMs);
    const [current, ...previous] = secretIds(before);
    const obsolete = overlap_hours === 0 ? [...previous, current] : previous;
    const { sealed, ...answer } = await withSecret(context, after);
    return {
      ...answer,
      objectId: after.id,
      writes: [replaceEndpoint(after), sealed, ...obsolete.map((id) => vault.destroySecret(tenant, id))],
    };
  },
});

const deliveries = operation({
  name: 'webhook_endpoints.list_deliveries',
  summary: 'List the deliveries to a webhook endpoint',
  description:
    'Returns the deliveries of the last 90 days, or as many as the operator has set, newest first, each with its latest attempts.',
  route: 'GET /webhook_endpoints/:id/deliveries',
  right: 'read_activity',
  input: DeliveriesInput,
  output: ListOf(DeliveryOutput),
  async run(context, input) {
    const { id } = await requireEndpoint(context);
    return { result: await listDeliveries(context, id, input), objectId: id };
  },
});

const tryOut = operation({
  name: 'webhook_endpoints.test',
  summary: 'Send a test event to a webhook endpoint',
  description:
    'Creates an event `webhook_endpoint.test` for this endpoint alone, whatever it subscribes to. The answer is the new delivery.',
  route: 'POST /webhook_endpoints/:id/test',
  output: DeliveryOutput,
  errors: apiError.codes('endpoint_disabled'),
  async run(context) {
    const endpoint = await requireEnabled(context);
    const event = newId('evt', context.now);
    const delivery = newDelivery(context.tenant, context.now, event, endpoint.id);
    return {
      result: serializeDelivery(delivery, [], testEvent),
      objectId: endpoint.id,
      writes: [insert(deliveriesTable, delivery)],
      events: [{ ...endpointEvent(testEvent, endpoint), id: event }],
      due: context.now,
    };
  },
});

const recoverMissed = operation({
  name: 'webhook_endpoints.recover',
  summary: 'Send a webhook endpoint the events it has missed',
  description:
    'Sends the events since a time that match its subscriptions and were not delivered, also those from before it was created. It runs in the background, oldest first. Delivered and pending events are skipped, so a second call does no harm.',
  route: 'POST /webhook_endpoints/:id/recover',
  input: RecoverInput,
  output: RecoveryOutput,
  errors: apiError.codes('endpoint_disabled'),
  check({ since }, { now }) {
    const seconds = Math.floor(now / 1_000);
    const refuse = (reason: string) => apiError('parameter_invalid', { param: 'since', reason });
    if (since < seconds - recoverableSeconds - graceSeconds) throw refuse('it must be at most 30 days ago');
    if (since > seconds + graceSeconds) throw refuse('it must not be in the future');
  },
  async run(context, { since }) {
    const endpoint = await requireEnabled(context);
    return {
      result: { object: 'webhook_recovery', webhook_endpoint: endpoint.id, since },
      objectId: endpoint.id,
      writes: [await beginRecovery(context, endpoint.id, since)],
      due: context.now,
    };
  },
});

export function webhookEndpointOperations(
  eventTypes: readonly string[],
  removals: readonly EndpointRemoval[],
): AnyOperation[] {
  const choice = new EventChoice(eventTypes);
  return [
    create(choice),
    retrieveOperation(endpointDescriptor),
    update(choice),
    remove(removals),
    listOperation(endpointDescriptor),
    rotateSecret,
    deliveries,
    allDeliveries,
    tryOut,
    recoverMissed,
  ];
}
