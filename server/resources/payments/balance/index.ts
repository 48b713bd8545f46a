import { moneyText } from '../../../base/currency.ts';
import { idTime } from '../../../base/id.ts';
import { Type } from '../../../base/schema.ts';
import { type PostingKind, postingKinds } from '../../../ledger/chart.ts';
import { findPostingsOf, type PlacedPosting, postingsTable } from '../../../ledger/posting.ts';
import { unsealedSeconds } from '../../../ledger/seal.ts';
import { type Searchable, searchables } from '../../../operations/extension_points/search.ts';
import { figureSources } from '../../../operations/extension_points/statistics.ts';
import { timelineOfRows, timelineSources } from '../../../operations/extension_points/timeline.ts';
import { resource } from '../../../operations/resource.ts';
import { Currency, Flag, OneOf, Text, Whole } from '../../../operations/schemas.ts';
import { serializer } from '../../../operations/serializer.ts';
import { findGroups } from '../../../outbox/event.ts';
import { balanceOperations } from './operations.ts';
import { repairOperations } from './repair.ts';
import { Sealer } from './sealer.ts';
import { serializeTransaction } from './transaction.ts';

const searchTransactions: Searchable = {
  object: 'balance_transaction',
  prefix: 'txn',
  scope: 'balance:read',
  foundBy: 'id',
  table: postingsTable,
  columns: {},
  owners: [],
  async load({ reads, tenant }, ids) {
    const postings = await Promise.all(ids.map((id) => reads.one(postingsTable, tenant, id)));
    const documents = postings.flatMap((posting) => {
      const found = posting && serializeTransaction(posting, posting.available_on);
      if (!found) return [];
      const { id, type, created } = found;
      const summary = async () => ({ title: moneyText(found), subtitle: type.replaceAll('_', ' '), created });
      return [[id, { summary, texts: [] }] as const];
    });
    return new Map(documents);
  },
};

const PostingDetails = Type.Object(
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
const postingsInTimelines = timelineOfRows({
  scope: 'balance:read',
  type: 'posting',
  prefix: 'txn',
  rank: 3,
  schema: PostingDetails,
  find: ({ reads, tenant }, wanted) => findPostingsOf(reads, tenant, wanted),
  summaryOf: postingSummary,
  groupsOf: ({ reads, tenant }, rows) =>
    findGroups(
      reads,
      tenant,
      rows.map(({ id, source }) => ({ object: source, at: idTime(id) })),
    ),
  detailsOf: serializer<PlacedPosting, typeof PostingDetails>(PostingDetails, { sealed: 'is_sealed' }),
});

function postingSummary({ kind, amount, currency, debit, credit }: PlacedPosting): string {
  return `${kind.replaceAll('_', ' ')}: ${amount} ${currency} from ${debit} to ${credit}`;
}

export const balance = resource({
  name: 'balance',
  about: 'How much money there is in each currency, and the movements that add up to it.',
  place: { group: 'Payments', position: 70 },
  scopes: ['balance'],
  operations: [...balanceOperations, ...repairOperations],
  gauges: [
    {
      name: 'tollgate_ledger_unsealed_seconds',
      help: 'How long the oldest posting has waited to be sealed into the ledger; 0 when all are sealed.',
      read: unsealedSeconds,
    },
  ],
  loops: (services) => [new Sealer(services)],
  extensions: [
    figureSources.with({
      of: 'fees',
      prefix: 'txn',
      table: postingsTable,
      countedBy: { column: 'kind', values: ['fee', 'fee_correction'] satisfies PostingKind[] },
      amount: 'amount',
    }),
    timelineSources.with(postingsInTimelines),
    searchables.with(searchTransactions),
  ],
});
