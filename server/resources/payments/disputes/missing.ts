import type { Movement } from '../../../ledger/posting.ts';
import type { Reader } from '../attempts/topic.ts';
import { disputeMovement } from './settle.ts';
import { findUnposted } from './store.ts';

/** The postings that disputes lack, of the oldest ones. */
export async function missingOfDisputes({ reads, tenant }: Reader, disputesMax: number): Promise<Movement[]> {
  const found = await findUnposted(reads, tenant, disputesMax);
  return found.flatMap(({ lacking, ...dispute }) => lacking.map((kind) => disputeMovement(kind, dispute)));
}
