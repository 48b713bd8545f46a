import { createdSeconds } from '../../../base/id.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { partOf, type Range } from '../../../operations/range.ts';
import { from, serializer } from '../../../operations/serializer.ts';
import { refusedStatuses } from './filter.ts';
import { Group } from './schema.ts';
import { statusWay, timesOf } from './store.ts';

/** Of each status, the newest are counted. */
const countedMax = 20_000;
const groupsMax = 100;

type ErrorGroup = {
  code: string;
  status: number;
  method: string;
  path: string;
  operation: string | null;
  count: number;
  first: string;
  latest: string;
};

export type Grouped = { groups: ErrorGroup[]; isComplete: boolean };

/** The refused requests of a range, by error code and route; the most frequent first. */
export async function groupRefused(reads: Reads, tenant: Tenant, { bounds }: Pick<Range, 'bounds'>): Promise<Grouped> {
  const values: [Tenant, ...unknown[]] = [tenant];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const range: Range = { bounds, limit: countedMax, backwards: false };
  const parts = refusedStatuses.map((status) => {
    const { where, within } = statusWay(status);
    return `(select id, code, status, method, path, operation from requests
       where tenant = $1 and ${where} and code is not null ${timesOf(range, bind)} ${partOf(range, within, bind)})`;
  });
  const [found] = await reads.rows<{ groups: ErrorGroup[] | null; most: number | null }>(
    `with refused as materialized (${parts.join(' union all ')}),
     grouped as (
       select code, status, method, path, operation, count(*), min(id) as first, max(id) as latest
         from refused group by code, status, method, path, operation)
     select (select json_agg(g) from (select * from grouped order by count desc, latest desc limit ${groupsMax}) g) as groups,
            (select max(sum) from (select sum(count) from grouped group by status) s)::int8 as most`,
    values,
  );
  return { groups: found!.groups ?? [], isComplete: (found!.most ?? 0) <= countedMax };
}

export const serializeGroup = serializer<ErrorGroup, typeof Group>(Group, {
  error_code: 'code',
  first_created: from(['first'], ({ first }) => createdSeconds(first)),
  latest_created: from(['latest'], ({ latest }) => createdSeconds(latest)),
  latest_request: 'latest',
});
