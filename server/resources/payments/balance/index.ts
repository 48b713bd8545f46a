import { moneyText } from '../../../base/currency.ts';
import { isId } from '../../../base/id.ts';
import { dayOf, postingsTable } from '../../../ledger/posting.ts';
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
  scope: 'balance:read',
  async find({ reads, tenant, now }, { text }) {
    const posting = isId('txn', text) ? await reads.one(postingsTable, tenant, text) : undefined;
    const found = posting && serializeTransaction(posting, dayOf(now));
    if (found === undefined) return [];
    const { id, object, type, status, created } = found;
    return [{ id, object, title: moneyText(found), subtitle: `${type.replaceAll('_', ' ')}, ${status}`, created }];
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
