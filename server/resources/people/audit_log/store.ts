import { idNumber, idTime, numberedId } from '../../../base/id.ts';
import type { Reads, RowReads } from '../../../base/reads.ts';
import type { Context } from '../../../operations/operation.ts';
import { partOf, type Range, type SortKey } from '../../../operations/range.ts';
import { type Bind, bindings, type FilteredScan, scan } from '../../../operations/scan.ts';
import { findTenantsOf } from '../../../operations/tenants.ts';

export type AuditRecord = {
  id: number;
  at: Date;
  actor: string;
  action: string;
  subject: string | null;
  details: object;
  user_id: string | null;
  address: string | null;
  request_id: string | null;
  refused: boolean;
};

export type AuditFilters = { user_id?: string; action?: string; subject?: string; refused?: boolean };

export const auditPrefix = 'aud';

const columns = 'id at actor action subject details user_id address request_id refused'.split(' ');

/** Entries sort by their time, then by their number. */
const byTime: SortKey = {
  columns: ['at', 'id'],
  valuesOf: (id, bind) => [`${bind(new Date(idTime(id)))}::timestamptz`, `${bind(idNumber(id))}::int8`],
};

/** Columns with their own index, the one that finds the fewest entries first. */
const indexed = ['subject', 'user_id', 'action'] as const;

/** The entries of a range that pass the filters: those in the directory, and those that were committed with the rows of a tenant. */
export async function findEntries(
  { reads, isLate }: Pick<Context, 'reads' | 'isLate'>,
  account: string,
  range: Range,
  filters: AuditFilters,
): Promise<AuditRecord[]> {
  const pages = await reads.inBoth(
    () => findTenantsOf(reads, account),
    (at) => entriesAt({ reads: at, isLate }, account, range, filters),
  );
  return merged(pages, { backwards: range.backwards, rowsMax: range.limit + 1 });
}

/** Pages of several places as one. An entry is on two where both tenants of the account are at one place. */
function merged<Entry extends { at: Date; id: number }>(
  pages: readonly Entry[][],
  { backwards, rowsMax }: { backwards: boolean; rowsMax: number },
): Entry[] {
  if (pages.length === 1) return pages[0]!;
  const unique = new Map(pages.flat().map((entry) => [`${entry.at.getTime()}/${entry.id}`, entry]));
  const sign = backwards ? 1 : -1;
  const inOrder = (one: Entry, other: Entry) => sign * (one.at.getTime() - other.at.getTime() || one.id - other.id);
  return [...unique.values()].sort(inOrder).slice(0, rowsMax);
}

/**
 * Those of one place. The index that finds the fewest is read, and its entries are compared with the other
 * filters in steps: an index for every combination would have to be written with every change that a person makes.
 */
async function entriesAt(
  { reads, isLate }: { reads: RowReads } & Pick<Context, 'isLate'>,
  account: string,
  range: Range,
  filters: AuditFilters,
): Promise<AuditRecord[]> {
  const lead = indexed.find((column) => filters[column] !== undefined);
  const compared = (Object.keys(filters) as (keyof AuditFilters)[]).filter((column) => column !== lead);
  const select = (shown: string, part: Range, bind: Bind) => {
    const equations = lead === undefined ? [] : [[lead, bind(filters[lead])] as const];
    return `select ${shown} from audit where account = $1 ${partOf(part, equations, bind, { key: byTime })}`;
  };
  if (compared.length === 0) {
    const { values, bind } = bindings(account);
    return reads.rows<AuditRecord>(select(columns.join(', '), range, bind), values);
  }
  const walked: FilteredScan = {
    rows: (part, bind) => {
      const page = select(['at', 'id', ...compared].join(', '), part, bind);
      return [`select ${placeText} as id, ${compared.join(', ')} from (${page}) as page`];
    },
    idOf: (place) => numberedId(auditPrefix, Number(place.slice(0, timeDigits)), Number(place.slice(timeDigits))),
    parts: 1,
    conditions: (bind) => compared.map((column) => `${column} = ${bind(filters[column])}`),
    shown: entryAtPlace,
  };
  return (await scan<AuditRecord>({ reads, owner: account }, range, walked, { isLate })).rows;
}

/** The place of an entry as a text that sorts like its id. */
const [timeDigits, numberDigits] = [15, 19];
const placeText = `lpad((extract(epoch from at) * 1000)::int8::text, ${timeDigits}, '0') || lpad(id::text, ${numberDigits}, '0')`;
const entryAtPlace = {
  columns: columns.map((column) => `shown.${column}`).join(', '),
  join: `left join lateral (
    select ${columns.join(', ')} from audit t
     where t.account = $1 and t.at = to_timestamp(left(found.id, ${timeDigits})::int8 / 1000.0)
       and t.id = right(found.id, ${numberDigits})::int8 limit 1) as shown on true`,
};

/** A change that the audit log has, with its number in it. */
export type AuditedChange = {
  id: number;
  /** To the millisecond. */
  at: Date;
  actor: string;
  action: string;
  subject: string;
  user_id: string | null;
  address: string | null;
  request_id: string | null;
};

type AuditedRange = { subjects: readonly string[]; before: { at: Date; id: number }; limit: number };

/** What people and operators of an account did to any of these objects, newest first. Of each object at most a page is read. */
export async function findAuditedOf(reads: Reads, account: string, range: AuditedRange): Promise<AuditedChange[]> {
  const pages = await reads.inBoth(
    () => findTenantsOf(reads, account),
    (at) => auditedAt(at, account, range),
  );
  return merged(pages, { backwards: false, rowsMax: range.limit });
}

function auditedAt(
  reads: RowReads,
  account: string,
  { subjects, before, limit }: AuditedRange,
): Promise<AuditedChange[]> {
  return reads.rows<AuditedChange>(
    `select found.* from unnest($2::text[]) as x (subject)
      cross join lateral (
        select id, at, actor, action, subject, user_id, address, request_id from audit a
         where a.account = $1 and (a.subject, a.at, a.id) < (x.subject, $3::timestamptz, $4::int8) and a.subject >= x.subject
         order by a.subject desc, a.at desc, a.id desc limit $5) found
      order by found.at desc, found.id desc limit $5`,
    [account, subjects, before.at, before.id, limit],
  );
}
