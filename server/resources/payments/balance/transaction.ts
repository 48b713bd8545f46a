import { createdSeconds } from '../../../base/id.ts';
import { type LedgerAccount, type PostingKind, postingKinds, transfers } from '../../../ledger/chart.ts';
import type { Posting } from '../../../ledger/posting.ts';

/** To a merchant, a refund that came back is a refund that failed. */
const shownAs: Partial<Record<PostingKind, PostingKind>> = { refund_bounce: 'refund_failure' };

const typeOf = (kind: PostingKind): PostingKind => shownAs[kind] ?? kind;

function touchesBalance(kind: PostingKind): boolean {
  const { debit, credit }: { debit: LedgerAccount; credit: LedgerAccount } = transfers[kind];
  return debit === 'balance' || credit === 'balance';
}

const shownKinds = postingKinds.filter(touchesBalance);

export const transactionTypes: readonly PostingKind[] = [...new Set(shownKinds.map(typeOf))];

/** The kinds of postings that are shown as this type; without a type, all that are shown. */
export function kindsOf(type: string | undefined): readonly PostingKind[] {
  return type === undefined ? shownKinds : shownKinds.filter((kind) => typeOf(kind) === type);
}

/** A posting as a change of the balance; undefined when it does not change it. `today` is a day, YYYY-MM-DD. */
export function serializeTransaction(posting: Posting, today: string) {
  const { id, kind, debit, amount, currency, source, payment, available_on } = posting;
  if (!touchesBalance(kind)) return undefined;
  return {
    id,
    object: 'balance_transaction',
    amount: debit === 'balance' ? -amount : amount,
    currency,
    type: typeOf(kind),
    source,
    payment: payment!, // only credit has none, and does not change the balance
    status: available_on <= today ? 'available' : 'pending',
    available_on: Date.parse(available_on) / 1_000, // a day alone is read as UTC
    created: createdSeconds(id),
  };
}

export type Transaction = NonNullable<ReturnType<typeof serializeTransaction>>;
