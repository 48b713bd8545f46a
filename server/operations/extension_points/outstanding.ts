import type { Table } from '../../base/commit/index.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
import { extensionPoint } from '../resource.ts';

/** An object that can be ended, with the test clock of its customer. */
export type Endable = { id: string; test_clock: string | null };

/** What a resource has that may not be over when the account is suspended. */
export type Outstanding = {
  /** Such as `open_invoices`. */
  kind: string;
  /** What happens to them, after their name: `are voided`, or what they wait for. */
  fate: string;
  count(reads: Reads, tenant: Tenant): Promise<number>;
  /** Only for kinds that can be ended: by this operation, which serves operators. */
  end?: { operation: string; find(reads: Reads, tenant: Tenant, page: EndablePage): Promise<Endable[]> };
};

/** Ids after one, oldest first. */
export type EndablePage = { after: string; limit: number };

export const outstandingWork = extensionPoint<Outstanding>('accounts');

type StatusRows = Pick<Outstanding, 'kind' | 'fate'> & {
  /** There is an index on (tenant, status, id). */
  table: Pick<Table, 'name'>;
  statuses: readonly string[];
  /** The operation that ends one. */
  endsBy?: string;
  /** SQL: which of them it can end; all when not given. */
  endable?: string;
};

/** Rows in some statuses. A page is a range of the index for each status, however many rows there are in others. */
export function rowsInStatus({ kind, fate, table, statuses, endsBy, endable = 'true' }: StatusRows): Outstanding {
  const { name } = table;
  const counted: Outstanding = {
    kind,
    fate,
    async count(reads, tenant) {
      const text = `select count(*) as count from ${name} where tenant = $1 and status = any($2)`;
      const [row] = await reads.rows<{ count: number }>(text, [tenant, statuses]);
      return row!.count;
    },
  };
  if (endsBy === undefined) return counted;
  const find = (reads: Reads, tenant: Tenant, { after, limit }: EndablePage) =>
    reads.rows<Endable>(
      `select found.id, found.test_clock from unnest($2::text[]) as wanted (status)
        cross join lateral (
          select id, test_clock from ${name}
           where tenant = $1 and status = wanted.status and id > $3 and ${endable} order by id limit $4) found
        order by found.id limit $4`,
      [tenant, statuses, after, limit],
    );
  return { ...counted, end: { operation: endsBy, find } };
}
