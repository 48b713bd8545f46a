import { moneyText } from '../../../base/currency.ts';
import { postingsTable } from '../../../ledger/posting.ts';
import { unsealedSeconds } from '../../../ledger/seal.ts';
import { needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { type Searchable, searchables } from '../../../operations/extension_points/search.ts';
import { timelineSources } from '../../../operations/extension_points/timeline.ts';
import { resource } from '../../../operations/resource.ts';
import { reconciliationDifferences } from './attention.ts';
import { balanceOperations } from './operations.ts';
import { repairOperations } from './repair.ts';
import { Sealer } from './sealer.ts';
import { postingsInTimelines } from './timeline.ts';
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
      return [[id, { title: moneyText(found), subtitle: type.replaceAll('_', ' '), texts: [], created }] as const];
    });
    return new Map(documents);
  },
};

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
    timelineSources.with(postingsInTimelines),
    searchables.with(searchTransactions),
  ],
});
