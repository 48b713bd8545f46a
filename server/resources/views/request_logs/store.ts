import { idTime } from '../../../base/id.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { mergedParts, partOf, type Range } from '../../../operations/range.ts';
import { type Bind, bindings, type FilteredScan, type ScanResult, scan } from '../../../operations/scan.ts';
import { conditionsOf, type RequestFilter, refusedStatuses } from './filter.ts';
import type { StoredRequest } from './request.ts';

/** Of the rows that one index finds, this many are compared with the other filters for one page. */
const rowsMax = 100_000;

const aroundMs = 1_000; // the time of a row and that of its id are rounded differently

export const requestColumns = `id, method, path, operation, status, code, param, message, duration_us, address, api_key, user_id,
  object_id, idempotency_key, parameters`;

/** A part of an index: columns that equal values, in the order of the index. The value is a parameter or a constant. */
type IndexPart = { where?: string; within: readonly (readonly [column: string, value: string])[] };

/** The filters that an index sees to, and the parts of it. */
type Lead = { met: readonly (keyof RequestFilter)[]; ways: readonly IndexPart[] };

/**
 * The requests of a range that pass the filter. One filter alone is a range of its own index. Of several, the index that finds the fewest
 * rows is walked, in steps, and its rows are compared with the others: a request reads a hundred thousand rows at most, however
 * many there are.
 */
export async function findRequests(
  reads: Reads,
  tenant: Tenant,
  filter: RequestFilter,
  range: Range,
): Promise<ScanResult<StoredRequest>> {
  const { met } = leadOf(filter, String);
  if (conditionsOf(filter, String, met).length === 0) return { rows: await page(reads, tenant, filter, range) };
  return search(reads, tenant, filter, range);
}

function page(reads: Reads, tenant: Tenant, filter: RequestFilter, range: Range): Promise<StoredRequest[]> {
  const { values, bind } = bindings(tenant);
  return reads.rows<StoredRequest>(
    mergedParts(partsOf(filter, range, requestColumns, bind), requestColumns, range),
    values,
  );
}

async function search(
  reads: Reads,
  tenant: Tenant,
  filter: RequestFilter,
  range: Range,
): Promise<ScanResult<StoredRequest>> {
  const { rows: found, ...rest } = await scan<{ id: string }>({ reads, owner: tenant }, range, walkOf(filter), {
    rowsMax,
  });
  const ids = found.map(({ id }) => id);
  const rows = await readAll(reads, tenant, ids);
  if (range.backwards) rows.reverse();
  return { rows, ...rest };
}

function walkOf(filter: RequestFilter): FilteredScan {
  const { met, ways } = leadOf(filter, String);
  const columns = 'id, method, path, operation, status, code, api_key, user_id, object_id';
  return {
    rows: (range, bind) => partsOf(filter, range, columns, bind),
    parts: ways.length,
    conditions: (bind) => conditionsOf(filter, bind, met),
  };
}

/** Newest first. */
function readAll(reads: Reads, tenant: Tenant, ids: readonly string[]): Promise<StoredRequest[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const times = ids.map(idTime);
  const [from, to] = [Math.min(...times) - aroundMs, Math.max(...times) + aroundMs];
  return reads.rows<StoredRequest>(
    `select ${requestColumns} from requests
      where tenant = $1 and id = any($2::text[]) and at between $3 and $4 order by id desc`,
    [tenant, ids, new Date(from), new Date(to)],
  );
}

export async function findRequest(reads: Reads, tenant: Tenant, id: string): Promise<StoredRequest | undefined> {
  return (await readAll(reads, tenant, [id]))[0];
}

/** Requests that changed one of these objects, before an id, newest first. Reading an object changes nothing, and may be frequent. */
export function findChangesOf(
  reads: Reads,
  tenant: Tenant,
  { ids, before, limit }: { ids: readonly string[]; before: string; limit: number },
): Promise<StoredRequest[]> {
  return reads.rows<StoredRequest>(
    `select found.* from unnest($2::text[]) as x (object_id)
      cross join lateral (
        select ${requestColumns} from requests r
         where r.tenant = $1 and (r.object_id, (r.method = 'GET'), r.id) < (x.object_id, false, $3)
           and (r.object_id, (r.method = 'GET')) >= (x.object_id, false) and r.object_id is not null and r.at < $4
         order by r.object_id desc, (r.method = 'GET') desc, r.id desc limit $5) found
      order by found.id desc limit $5`,
    [tenant, ids, before, new Date(idTime(before) + aroundMs), limit],
  );
}

/** The statements that read the parts of the index that leads, each in the order of the range. */
function partsOf(filter: RequestFilter, range: Range, columns: string, bind: Bind): string[] {
  const times = timesOf(range, bind);
  return leadOf(filter, bind).ways.map(
    ({ where = 'true', within }) =>
      `select ${columns} from requests where tenant = $1 and ${where} ${times} ${partOf(range, within, bind)}`,
  );
}

/** The bounds of a range as times, which leave out the partitions of other days. */
export function timesOf({ bounds }: Range, bind: Bind): string {
  return bounds
    .map(([comparison, id]) => {
      const [sign, ms] = comparison === '<' ? ['<', idTime(id) + aroundMs] : ['>', idTime(id) - aroundMs];
      return `and at ${sign} ${bind(new Date(ms))}`;
    })
    .join(' ');
}

/** The index to walk, from the most telling filter to the least: the fewest rows have a certain object. */
function leadOf(filter: RequestFilter, bind: Bind): Lead {
  const { statuses = [], classes = [], operations, path, key, user, object, code } = filter;
  if (object !== undefined) {
    const way = (isRead: string): IndexPart => ({
      within: [
        ['object_id', bind(object)],
        [`(method = 'GET')`, isRead],
      ],
    });
    return { met: ['object'], ways: [way('true'), way('false')] };
  }
  if (code !== undefined) return { met: ['code'], ways: [{ within: [['code', bind(code)]] }] };
  if (user !== undefined) return { met: ['user'], ways: [{ within: [['user_id', bind(user)]] }] };
  const isRefused = [...statuses, ...classes.map((digit) => digit * 100)].every((status) => status >= 400);
  if (statuses.length + classes.length > 0 && isRefused) {
    const among = refusedStatuses.filter((status) => classes.includes(Math.floor(status / 100)));
    return { met: ['statuses', 'classes'], ways: [...new Set([...statuses, ...among])].map(statusWay) };
  }
  if (key !== undefined) return { met: ['key'], ways: [{ within: [['api_key', bind(key)]] }] };
  if (operations !== undefined)
    return { met: ['operations'], ways: operations.map((name) => ({ within: [['operation', bind(name)]] })) };
  // A path that no operation has: all its requests were refused.
  if (path !== undefined) return { met: [], ways: refusedStatuses.map(statusWay) };
  return { met: [], ways: [{ within: [] }] };
}

export function statusWay(status: number): IndexPart {
  return { where: 'status >= 400', within: [['status', String(status)]] };
}
