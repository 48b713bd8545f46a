import { Type } from '../../../base/schema.ts';
import { timelineOfRows } from '../../../operations/extension_points/timeline.ts';
import { MaybeText, Text, Whole } from '../../../operations/schemas.ts';
import { from, serializer } from '../../../operations/serializer.ts';
import { durationMs, type StoredRequest } from './request.ts';
import { findChangesOf } from './store.ts';

/** Without its parameters and its address, which need another scope. */
const schema = Type.Object(
  {
    id: Text('The id of the request, by which the request log has it.'),
    method: Text('The method of the request.'),
    path: Text('The route.'),
    status: Whole('The status of the answer.'),
    error_code: MaybeText('The code of the refusal; absent if there was none.'),
    duration_ms: Whole('How long it took, in milliseconds.'),
    api_key: MaybeText('The id of the API key that it was sent with.'),
    user: MaybeText('The id of the user who has sent it from the dashboard.'),
  },
  { title: 'TimelineRequest', description: 'A request that was to create or change the object.' },
);

/** The requests that were to change an object. */
export const requestsInTimelines = timelineOfRows({
  scope: 'request_logs:read',
  type: 'request',
  prefix: 'req',
  rank: 1,
  schema,
  find: ({ reads, tenant }, wanted) => findChangesOf(reads, tenant, wanted),
  summaryOf,
  detailsOf: serializer<StoredRequest, typeof schema>(schema, {
    error_code: 'code',
    duration_ms: from(['duration_us'], durationMs),
    user: 'user_id',
  }),
});

function summaryOf({ method, path, status, code }: StoredRequest): string {
  return `${method} ${path} was answered with ${status}${code === null ? '' : ` ${code}`}`;
}
