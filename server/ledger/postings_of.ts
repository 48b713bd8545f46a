import type { Reads, Tenant } from '../base/reads.ts';
import { type Posting, postingsTable } from './posting.ts';

/** A posting, and its place in the chain. */
export type PlacedPosting = Posting & { position: number; is_sealed: boolean };

const columns = postingsTable.columns.map((column) => `p.${column}`).join(', ');

/** The postings that any of these objects has caused, before an id, newest first. Each has caused one of a kind at most. */
export function findPostingsOf(
  reads: Reads,
  tenant: Tenant,
  { ids, before, limit }: { ids: readonly string[]; before: string; limit: number },
): Promise<PlacedPosting[]> {
  return reads.rows<PlacedPosting>(
    `select ${columns}, p.position, p.position < s.sealed_to as is_sealed
       from postings p cross join ledger_sealer s
      where p.tenant = $1 and p.source = any($2::text[]) and p.id < $3 order by p.id desc limit $4`,
    [tenant, ids, before, limit],
  );
}
