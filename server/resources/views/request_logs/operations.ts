import { isId } from '../../../base/id.ts';
import { type Caller, mayRead } from '../../../operations/caller.ts';
import { requireFound } from '../../../operations/descriptor.ts';
import { apiError } from '../../../operations/errors.ts';
import { pageOf } from '../../../operations/list.ts';
import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import { rangeOf } from '../../../operations/range.ts';
import type { Declared } from '../../../operations/resource.ts';
import type { ListInput } from '../../../operations/schemas.ts';
import type { Scope } from '../../../operations/scope.ts';
import { findBodies } from './bodies.ts';
import { type RequestFilter, statusFilter } from './filter.ts';
import { groupRefused, serializeGroup } from './grouped.ts';
import type { StoredRequest } from './request.ts';
import {
  RequestErrorsInput,
  RequestErrorsOutput,
  RequestLogOutput,
  RequestLogsInput,
  RequestLogsOutput,
  serializeRequest,
} from './schema.ts';
import { findRequest, findRequests } from './store.ts';

const url = '/v1/request_logs';
const daySeconds = 86_400;

type Filters = {
  [Name in 'status' | 'method' | 'path' | 'operation' | 'api_key' | 'user' | 'object_id' | 'error_code']?:
    | string
    | undefined;
} & { sent_by?: RequestFilter['sender']; dashboard_reads?: boolean };

const list = (declared: Declared) =>
  operation({
    name: 'request_logs.list',
    summary: 'List requests',
    description:
      'Returns the requests of the last 30 days, or as many as the operator has set, in pages, newest first. A request is there within a second of its answer. With several filters a page can end before it is full; it then has `searched_to`.',
    route: 'GET /request_logs',
    answersByCaller: true,
    input: RequestLogsInput,
    output: RequestLogsOutput,
    check: ({ status }) => void statusesOf(status),
    async run({ reads, tenant }, input) {
      const range = rangeOf(input, 'req');
      const { rows, searchedTo } = await findRequests(reads, tenant, filterOf(input, declared), range);
      const page = pageOf(range, rows, { url, serialize: serializeRequest });
      return { result: searchedTo === undefined ? page : { ...page, has_more: true, searched_to: searchedTo } };
    },
  });

/** A route of the API is found by its operations, which have an index. */
function filterOf(input: Filters, declared: Declared): RequestFilter {
  const {
    status,
    method,
    path,
    operation: name,
    api_key,
    user,
    sent_by,
    dashboard_reads,
    object_id,
    error_code,
  } = input;
  const atPath = path === undefined ? [] : declared.operationsAt(path).map((one) => one.name);
  const names = name === undefined ? atPath : [name];
  return {
    ...statusesOf(status),
    ...(method !== undefined && { methods: [method.toUpperCase()] }),
    ...(path !== undefined && (atPath.length === 0 || name !== undefined) && { path }),
    ...(names.length > 0 && { operations: names }),
    ...(api_key !== undefined && { key: api_key }),
    ...(user !== undefined && { user }),
    ...(sent_by !== undefined && { sender: sent_by }),
    ...(dashboard_reads === false && { withoutDashboardReads: true as const }),
    ...(object_id !== undefined && { object: object_id }),
    ...(error_code !== undefined && { code: error_code }),
  };
}

function statusesOf(status: string | undefined): Pick<RequestFilter, 'statuses' | 'classes'> {
  if (status === undefined) return {};
  const found = statusFilter([status]);
  if (found !== undefined) return found;
  throw apiError('parameter_invalid', {
    param: 'status',
    reason: 'it must be a status such as 402, or a class such as 4xx',
  });
}

const requireRequest = requireFound('request', 'request_logs:read', async ({ reads, tenant }, id) =>
  isId('req', id) ? findRequest(reads, tenant, id) : undefined,
);

/** To those who may read what the operation is about, and whatever else its answer shows. */
async function bodiesOf(context: Context, { id, operation: name }: StoredRequest, declared: Declared) {
  const { caller, mode, reads, tenant, now } = context;
  if (mode !== 'test') return undefined;
  const asked = declared.everyOperation().find((one) => one.name === name);
  // Without an operation there is the refusal alone. One that an upgrade has removed tells no longer who may read.
  const isReadable = asked === undefined ? name === null : mayReadAnswersOf(asked, caller);
  if (!isReadable) return undefined;
  const bodies = await findBodies(reads, { tenant, id, now });
  return bodies?.scopes.every((scope) => mayRead(caller, scope as Scope)) ? bodies : undefined;
}

function mayReadAnswersOf({ scope, callers }: AnyOperation, caller: Caller): boolean {
  const isOwnKind = caller.kind !== 'key' || callers.includes('key');
  return isOwnKind && mayRead(caller, `${scope.split(':')[0]}:read` as Scope);
}

const retrieve = (declared: Declared) =>
  operation({
    name: 'request_logs.retrieve',
    summary: 'Retrieve a request',
    description:
      'Returns one request by the id that its answer had in `Request-Id`. Requests are kept for 30 days, or as many as the operator has set. Those without a valid key or session belong to no account, and are not shown.',
    route: 'GET /request_logs/:id',
    answersByCaller: true,
    output: RequestLogOutput,
    async run(context) {
      const request = await requireRequest(context);
      return { result: serializeRequest({ ...request, bodies: await bodiesOf(context, request, declared) }) };
    },
  });

const listErrors = operation({
  name: 'request_logs.list_errors',
  summary: 'Count refused requests by error code and route',
  description: 'Counts those of the last 24 hours, or of the time that `created` gives. The largest groups come first.',
  route: 'GET /request_logs/errors',
  input: RequestErrorsInput,
  output: RequestErrorsOutput,
  async run({ reads, tenant, now }, input) {
    const range = rangeOf({ created: sinceYesterday(input, now) }, 'req');
    const { groups, isComplete } = await groupRefused(reads, tenant, range);
    return { result: { object: 'request_errors', is_complete: isComplete, data: groups.map(serializeGroup) } };
  },
});

function sinceYesterday({ created = {} }: Pick<ListInput, 'created'>, now: number): NonNullable<ListInput['created']> {
  const isOpen = created.gt === undefined && created.gte === undefined;
  return isOpen && created.lt === undefined && created.lte === undefined
    ? { gte: Math.floor(now / 1_000) - daySeconds }
    : created;
}

export function requestLogOperations(declared: Declared): AnyOperation[] {
  return [list(declared), retrieve(declared), listErrors];
}
