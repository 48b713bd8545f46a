import type { Movement } from '../../../ledger/posting.ts';
import type { Reader } from '../attempts/topic.ts';
import { refundMovement } from './settle.ts';
import { findUnposted } from './store.ts';

/** The postings that refunds lack, of the oldest ones. */
export async function missingOfRefunds({ reads, tenant }: Reader, refundsMax: number): Promise<Movement[]> {
  const found = await findUnposted(reads, tenant, refundsMax);
  return found.flatMap(({ lacking, ...refund }) => lacking.map((kind) => refundMovement(kind, refund)));
}
