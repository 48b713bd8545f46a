import { Type } from '../../../base/schema.ts';
import { postingKinds } from '../../../ledger/chart.ts';
import { findPostingsOf, type PlacedPosting } from '../../../ledger/posting.ts';
import { timelineOfRows } from '../../../operations/extension_points/timeline.ts';
import { Currency, Flag, OneOf, Text, Whole } from '../../../operations/schemas.ts';
import { serializer } from '../../../operations/serializer.ts';

const schema = Type.Object(
  {
    id: Text('The id of the posting. If it changes the balance, it is also that of the balance transaction.'),
    kind: OneOf(postingKinds, 'What has moved the money.'),
    debit: Text('The account of the ledger that it takes from.'),
    credit: Text('The account of the ledger that it adds to.'),
    amount: Whole('How much, in the smallest unit of the currency.'),
    currency: Currency,
    source: Text('The id of the object that has caused it.'),
    position: Whole('Its place in the order in which postings are sealed. Those of one commit have the same.'),
    sealed: Flag('Whether it is sealed into the chain of the ledger, which takes about a second.'),
  },
  { title: 'TimelinePosting', description: 'A movement of money in the ledger.' },
);

/** The postings of an object. */
export const postingsInTimelines = timelineOfRows({
  scope: 'balance:read',
  type: 'posting',
  prefix: 'txn',
  rank: 3,
  schema,
  find: ({ reads, tenant }, wanted) => findPostingsOf(reads, tenant, wanted),
  summaryOf,
  detailsOf: serializer<PlacedPosting, typeof schema>(schema, { sealed: 'is_sealed' }),
});

function summaryOf({ kind, amount, currency, debit, credit }: PlacedPosting): string {
  return `${kind.replaceAll('_', ' ')}: ${amount} ${currency} from ${debit} to ${credit}`;
}
