import { Type } from '../../../base/schema.ts';
import { advices } from '../../../connectors/contract.ts';
import { hasRight } from '../../../operations/caller.ts';
import type { TimelineEntry, TimelineSource } from '../../../operations/extension_points/timeline.ts';
import { rightToRead } from '../../../operations/role.ts';
import { MaybeMoment, MaybeText, MaybeWhole, OneOf, Text, Whole } from '../../../operations/schemas.ts';
import { from, serializer } from '../../../operations/serializer.ts';
import type { EventRow } from '../../../outbox/event.ts';
import { findEventsOf, groupOf } from '../../../outbox/event.ts';
import { type Delivery, type DeliveryAttempt, deliveryStates } from '../webhook_endpoints/deliveries/delivery.ts';
import { type DeliveryWithAttempts, findDeliveriesOf } from '../webhook_endpoints/deliveries/of_events.ts';

const AttemptShape = Type.Object({
  at_ms: Whole('When it was made, in UTC epoch milliseconds.'),
  duration_ms: Whole('How long it took, in milliseconds.'),
  status: MaybeWhole('The HTTP status of the answer; absent when there was none.'),
  error: MaybeText('What went wrong; present when there was no complete answer.'),
});

const DeliveryShape = Type.Object(
  {
    id: Text('The id of the delivery.'),
    webhook_endpoint: Text('The id of the webhook endpoint.'),
    status: OneOf(deliveryStates, 'What became of it.'),
    next_attempt_at: MaybeMoment('When it is tried next; present while it is `pending`.'),
    attempts: Type.Array(AttemptShape, { description: 'The latest 10 attempts, oldest first.' }),
  },
  { title: 'TimelineDelivery', description: 'The event on its way to one webhook endpoint.' },
);

/** What words about a change need of the object, as it was after it. */
const factShapes = {
  amount: MaybeWhole('The amount of the object, in the smallest unit of the currency: of an invoice, what is due.'),
  currency: MaybeText('A three-letter ISO currency code in lower case.'),
  amount_refunded: MaybeWhole('Of a payment: how much of it is refunded.'),
  number: MaybeText('Of an invoice: its number.'),
  reason: MaybeText('Of a dispute or a refund: its reason. Of a payment: why it was canceled.'),
  decline_code: MaybeText('Of what has failed: why it was declined.'),
  advice: Type.Optional(OneOf(advices, 'Of what has failed: what to do after the decline.')),
  card: Type.Optional(
    Type.Object(
      { brand: MaybeText('Its brand.'), last4: MaybeText('Its last four digits.') },
      { description: 'Of a payment method: the card.' },
    ),
  ),
};

const schema = Type.Object(
  {
    id: Text('The id of the event.'),
    type: Text('What has happened.'),
    object_id: Text('The id of the object that it is about.'),
    status: MaybeText('The status of the object after it; absent for objects without one.'),
    previous_attributes: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'In an update: the members that have changed, with their previous values.',
        },
      ),
    ),
    ...factShapes,
    request: MaybeText(
      'The id of the request that has caused it, or of an act of the customer in the portal (`act_`); absent if it happened by itself.',
    ),
    deliveries: Type.Array(DeliveryShape, {
      description: 'To which webhook endpoints it goes, and what became of it.',
    }),
  },
  { title: 'TimelineEvent', description: 'A change of the object, and which endpoints it was sent to.' },
);

/**
 * The changes of an object, and which endpoints they were sent to. The changes are the object's own history; the requests and deliveries
 * are for those who may read events.
 */
export const eventsInTimelines: TimelineSource = {
  type: 'event',
  prefix: 'evt',
  rank: 4,
  schema,
  async find({ reads, tenant, caller }, wanted) {
    const rows = await findEventsOf(reads, tenant, wanted);
    if (!hasRight(caller, rightToRead('events:read')))
      return rows.map((row) => entryOf({ ...row, request_id: null }, [], groupOf(row)));
    const ids = rows.map(({ id }) => id);
    const deliveries = Map.groupBy(await findDeliveriesOf(reads, tenant, ids), ({ delivery }) => delivery.event);
    return rows.map((row) => entryOf(row, deliveries.get(row.id) ?? []));
  },
};

type PayloadMembers = Readonly<Record<string, unknown>>;
type Payload = { data: { object: PayloadMembers; previous_attributes?: object } };

/** The members of `factShapes`, of an object as the API returns it. */
function factsOf(object: PayloadMembers): PayloadMembers {
  const failure = (object.last_failure ?? {}) as PayloadMembers;
  const card = object.card as PayloadMembers | undefined;
  const { currency, amount_refunded, number } = object;
  return definedOf({
    amount: object.amount ?? object.amount_due,
    currency,
    amount_refunded,
    number,
    reason: object.cancellation_reason ?? object.failure_reason ?? object.reason,
    decline_code: object.failure_decline_code ?? object.failure_code ?? failure.decline_code ?? failure.code,
    advice: object.advice ?? failure.advice,
    card: card && definedOf({ brand: card.brand, last4: card.last4 }),
  });
}

function definedOf(members: PayloadMembers): PayloadMembers {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}

function entryOf(row: EventRow, deliveries: readonly DeliveryWithAttempts[], group = groupOf(row)): TimelineEntry {
  const { object, previous_attributes } = (JSON.parse(row.payload.toString()) as Payload).data;
  const { id, type, object_id, request_id } = row;
  const details = {
    id,
    type,
    object_id,
    ...(typeof object.status === 'string' && { status: object.status }),
    ...(previous_attributes !== undefined && { previous_attributes }),
    ...factsOf(object),
    ...(request_id !== null && { request: request_id }),
    deliveries: deliveries.map(({ delivery, attempts }) => serializeDelivery({ ...delivery, attempts })),
  };
  return { id, summary: summaryOf(type, previous_attributes), details, group };
}

function summaryOf(type: string, previous: object | undefined): string {
  const changed = Object.keys(previous ?? {});
  return changed.length === 0 ? type : `${type}: ${changed.join(', ')}`;
}

const serializeAttempt = serializer<DeliveryAttempt, typeof AttemptShape>(AttemptShape, {
  at_ms: from(['at'], ({ at }) => at.getTime()),
});

type AttemptedDelivery = Omit<Delivery, 'attempts'> & Pick<DeliveryWithAttempts, 'attempts'>;

/** Without what the receivers have answered, which needs another scope. */
const serializeDelivery = serializer<AttemptedDelivery, typeof DeliveryShape>(DeliveryShape, {
  webhook_endpoint: 'endpoint',
  status: 'state',
  next_attempt_at: 'due_at',
  attempts: from(['attempts'], ({ attempts }) => attempts.map(serializeAttempt)),
});
