import { createdSeconds } from '../../../base/id.ts';
import { Type } from '../../../base/schema.ts';
import { type Searchable, searchables } from '../../../operations/extension_points/search.ts';
import { timelineOfRows, timelineSources } from '../../../operations/extension_points/timeline.ts';
import { resource } from '../../../operations/resource.ts';
import { MaybeText, Text, Whole } from '../../../operations/schemas.ts';
import { from, serializer } from '../../../operations/serializer.ts';
import { requestLogOperations } from './operations.ts';
import { keepPartitions } from './partitions.ts';
import { durationMs, type StoredRequest } from './request.ts';
import { findChangesOf, findRequest } from './store.ts';

const searchRequests: Searchable = {
  object: 'request_log',
  prefix: 'req',
  scope: 'request_logs:read',
  foundBy: 'id',
  columns: {},
  owners: [],
  async load({ reads, tenant }, ids) {
    const rows = await Promise.all(ids.map((id) => findRequest(reads, tenant, id)));
    const documents = rows.flatMap((row) => {
      if (!row) return [];
      const { id, method, path, status } = row;
      const summary = async () => ({
        title: `${method} ${path}`,
        subtitle: String(status),
        created: createdSeconds(id),
      });
      return [[id, { summary, texts: [] }] as const];
    });
    return new Map(documents);
  },
};

/** Without its parameters and its address, which need another scope. */
const RequestDetails = Type.Object(
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
const requestsInTimelines = timelineOfRows({
  scope: 'request_logs:read',
  type: 'request',
  prefix: 'req',
  rank: 1,
  schema: RequestDetails,
  find: ({ reads, tenant }, wanted) => findChangesOf(reads, tenant, wanted),
  summaryOf: requestSummary,
  groupsOf: (_context, rows) => rows.map(({ id }) => id),
  byOf: ({ user_id, api_key }) => (user_id === null ? (api_key === null ? {} : { api_key }) : { user: user_id }),
  detailsOf: serializer<StoredRequest, typeof RequestDetails>(RequestDetails, {
    error_code: 'code',
    duration_ms: from(['duration_us'], durationMs),
    user: 'user_id',
  }),
});

function requestSummary({ method, path, status, code }: StoredRequest): string {
  return `${method} ${path} was answered with ${status}${code === null ? '' : ` ${code}`}`;
}

export const requestLogs = resource({
  name: 'request_logs',
  about:
    'Every request of the last 30 days, or as many as the operator has set, with its parameters, redacted, and its answer in short.',
  place: { group: 'Developers', position: 20 },
  scopes: ['request_logs'],
  operations: requestLogOperations,
  maintenance: [{ name: 'partitions of the request log', home: 'directory', run: keepPartitions }],
  extensions: [timelineSources.with(requestsInTimelines), searchables.with(searchRequests)],
});
