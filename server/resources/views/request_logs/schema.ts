import { redacted } from '../../../base/hidden_keys.ts';
import { idTime } from '../../../base/id.ts';
import { Type } from '../../../base/schema.ts';
import {
  Created,
  ListOf,
  listParameters,
  MaybeText,
  Moment,
  ObjectKind,
  OptionalChoice,
  OptionalId,
  Parameters,
  Shown,
  Text,
  Whole,
} from '../../../operations/schemas.ts';
import { from, serializer, timeInId } from '../../../operations/serializer.ts';
import type { KeptText, StoredBodies } from './bodies.ts';
import { senders } from './filter.ts';
import { durationMs, type StoredRequest } from './request.ts';

const OptionalText = (description: string) => Type.Optional(Type.String({ maxLength: 200, description }));

export const RequestLogsInput = Parameters({
  ...listParameters,
  status: OptionalText(
    'Only those that were answered with this status, such as 402, or with one of a class, such as 4xx.',
  ),
  method: OptionalText('Only those with this method: GET, POST or DELETE.'),
  path: OptionalText('Only those to this route, such as `/v1/payments/:id`.'),
  operation: OptionalText('Only those that asked for this operation, such as `payments.create`.'),
  api_key: OptionalId('The id of an API key: only those that were sent with it.'),
  user: OptionalId('The id of a user: only those of this person, in the dashboard.'),
  sent_by: OptionalChoice(
    senders,
    'Only those with an API key (`key`), or only those of people in the dashboard (`person`).',
  ),
  dashboard_reads: Type.Optional(
    Type.Boolean({ description: 'False leaves out what people have only read in the dashboard. True when not given.' }),
  ),
  object_id: OptionalId('The id of an object: only those that created, changed or retrieved it.'),
  error_code: OptionalText('Only those that were refused with this code.'),
});

const outcome = {
  status: Whole('The status of the answer.'),
  method: Text('The method of the request.'),
  path: Text(
    'The route, with `:id` in place of the id of an object; the path as it was sent, if there is no such route.',
  ),
  operation: MaybeText('The operation that was asked for; absent if there is none at this path.'),
};

const url = MaybeText('The path with the id that was sent. Present where `parameters` are as they were sent.');

export const RequestLogOutput = Shown('RequestLog', 'request_log', 'A request, and how it was answered.', {
  ...outcome,
  url,
  error_code: MaybeText('The code of the refusal; absent if there was none.'),
  error_param: MaybeText('The parameter that the refusal is about; absent if it is about none.'),
  error_message: MaybeText('The message of the refusal, up to 500 characters.'),
  duration_ms: Whole('How long it took, in milliseconds.'),
  api_key: MaybeText('The id of the API key that it was sent with.'),
  user: MaybeText('The id of the user who has sent it from the dashboard.'),
  address: Text('The IP address that it came from.'),
  idempotency_key: MaybeText('The idempotency key that it was sent with, as far as it may be shown.'),
  object_id: MaybeText('The id of the object that it created, changed or retrieved.'),
  parameters: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'What was sent, with `[redacted]` in place of personal data and secrets, and of what a parameter that does not exist was given. In test mode, when a single request is retrieved within 7 days: as it was sent, with `[redacted]` in place of what is confidential alone.',
      },
    ),
  ),
  parameters_start: MaybeText(
    'In place of the parameters as they were sent, if those have more than 8 KiB: how their JSON begins.',
  ),
  answer: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'The body of the answer, with `[redacted]` in place of what is shown once, such as a new key. Present when a single request is retrieved, in test mode, within 7 days, if the caller may read such objects.',
      },
    ),
  ),
  answer_start: MaybeText('In place of `answer`, if it has more than 8 KiB: how its JSON begins.'),
  created: Created,
  created_ms: Whole('The same in milliseconds.'),
});

const list = ListOf(RequestLogOutput);

export const RequestLogsOutput = Type.Object(
  {
    ...list.properties,
    searched_to: MaybeText(
      'Present if the search stopped before the page was full, because too many requests did not match all filters. Go on with it as `starting_after`, or as `ending_before` if the request had that.',
    ),
  },
  { title: 'RequestLogList', description: 'A page of the request log.' },
);

export const RequestErrorsInput = Parameters({ created: listParameters.created });

export const Group = Type.Object(
  {
    error_code: Text('The code of the refusals.'),
    ...outcome,
    count: Whole('How many there were.'),
    first_created: Moment('When the oldest of them was received.'),
    latest_created: Moment('When the newest of them was received.'),
    latest_request: Text('The id of the newest of them.'),
  },
  { title: 'RequestErrorGroup', description: 'Refusals with the same code at the same route.' },
);

export const RequestErrorsOutput = Type.Object(
  {
    object: ObjectKind('request_errors'),
    is_complete: Type.Boolean({
      description: 'False if there were more than 20,000 refusals of one status: then only the newest were counted.',
    }),
    data: Type.Array(Group, { description: 'The groups, the largest first, up to 100.' }),
  },
  { title: 'RequestErrors', description: 'The refused requests of a time, by error code and route.' },
);

/** A request, with what is kept of it in test mode, if that is to be shown. */
type ShownRequest = StoredRequest & { bodies?: StoredBodies | undefined };

export const serializeRequest = serializer<ShownRequest, typeof RequestLogOutput>(
  RequestLogOutput,
  {
    error_code: 'code',
    error_param: 'param',
    error_message: 'message',
    url: from(['path', 'bodies'], ({ path, bodies }) => bodies && path.replace(':id', bodies.path_id ?? ':id')),
    duration_ms: from(['duration_us'], durationMs),
    user: 'user_id',
    parameters: from(
      ['parameters', 'bodies'],
      ({ parameters, bodies }) => wholeOf(bodies?.parameters) ?? withoutDigests(parameters),
    ),
    parameters_start: from(['bodies'], ({ bodies }) => startOf(bodies?.parameters)),
    answer: from(['bodies'], ({ bodies }) => wholeOf(bodies?.answer)),
    answer_start: from(['bodies'], ({ bodies }) => startOf(bodies?.answer)),
    created: timeInId,
    created_ms: from(['id'], ({ id }) => idTime(id)),
  },
  { status: 'error_code' },
);

type ShownMembers = Record<string, unknown>;

function wholeOf(kept: KeptText | undefined): ShownMembers | undefined {
  return kept?.isWhole ? JSON.parse(kept.text) : undefined;
}

function startOf(kept: KeptText | undefined): string | undefined {
  return kept === undefined || kept.isWhole ? undefined : kept.text;
}

const digestForm = /^(?:digest:[0-9a-f]+|\[secret\])$/;

/** Digests are stored, because they say which parameters differ where an idempotency key is used again. They tell people nothing. */
function withoutDigests(parameters: ShownMembers | null): ShownMembers | null {
  return parameters && (shown(parameters) as ShownMembers);
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return digestForm.test(value) ? redacted : value;
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shown(one)]));
}
