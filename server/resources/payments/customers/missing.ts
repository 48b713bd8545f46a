import type { Movement } from '../../../ledger/posting.ts';
import type { Context } from '../../../operations/operation.ts';
import { creditMovement } from './credit_transaction.ts';
import { findUnpostedCredit } from './store.ts';

/** The postings that credit transactions lack, of the oldest ones. */
export async function missingOfCredit(context: Pick<Context, 'reads' | 'tenant'>, max: number): Promise<Movement[]> {
  return (await findUnpostedCredit(context.reads, context.tenant, max)).map(creditMovement);
}
