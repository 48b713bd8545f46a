import { moneyText } from '../../../base/currency.ts';
import { idTime } from '../../../base/id.ts';
import { Type } from '../../../base/schema.ts';
import { type PostingKind, postingKinds } from '../../../ledger/chart.ts';
import { findPostingsOf, type PlacedPosting, postingsTable } from '../../../ledger/posting.ts';
import { unsealedSeconds } from '../../../ledger/seal.ts';
import {
  type Attention,
  type AttentionSource,
  needsAttention,
} from '../../../operations/extension_points/needs_attention.ts';
import { type Searchable, searchables } from '../../../operations/extension_points/search.ts';
import { figureSources } from '../../../operations/extension_points/statistics.ts';
import { timelineOfRows, timelineSources } from '../../../operations/extension_points/timeline.ts';
import { resource } from '../../../operations/resource.ts';
import { Currency, Flag, OneOf, Text, Whole } from '../../../operations/schemas.ts';
import { serializer } from '../../../operations/serializer.ts';
import { findGroups } from '../../../outbox/event.ts';
import { differenceWords, findDifferences, type StoredDifference } from './differences.ts';
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

const reconciliationDifferences: AttentionSource = {
  kind: 'reconciliation_difference',
  about: 'a comparison of the ledger with the statement of a processor has found a difference',
  scope: 'balance:read',
  right: 'books',
  objects: ['payment', 'reconciliation_difference'],
  async find(reads, tenant, limit) {
    return (await findDifferences(reads, tenant, limit)).map(attentionTo);
  },
};

/** A day is compared by the operator, and so is one that was put right. */
function attentionTo(difference: StoredDifference): Attention {
  const { id, day, connector, processor_account, what, kind, reference, payment, ledger, processor } = difference;
  const date = new Date(day * 1_000).toISOString().slice(0, 10);
  const source = processor_account === null ? `--connector ${connector}` : `--processor-account ${processor_account}`;
  return {
    ...(payment === null ? { id, object: 'reconciliation_difference' } : { id: payment, object: 'payment' }),
    since: day,
    ...(processor ?? ledger ?? {}),
    reason: `In the books of ${date}, the ${kind} ${reference} of ${connector} is a difference: ${differenceWords[what]}.`,
    action: `Compare it with the statement of the processor. Once it is put right, the operator compares the day again, with --record. Once it is explained, the operator accepts it: tollgate reconcile ${source} --date ${date} --accept ${quoted(reference)}`,
  };
}

/** The processor has chosen the reference, and an operator pastes the command into a shell. */
function quoted(reference: string): string {
  return /^[\w.:-]+$/.test(reference) ? reference : `'${reference.replaceAll("'", "'\\''")}'`;
}

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
    needsAttention.with(reconciliationDifferences),
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
