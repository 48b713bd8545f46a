import { unsealedSeconds } from '../../../ledger/seal.ts';
import { needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { searchables } from '../../../operations/extension_points/search.ts';
import { timelineSources } from '../../../operations/extension_points/timeline.ts';
import { resource } from '../../../operations/resource.ts';
import { reconciliationDifferences } from './attention.ts';
import { balanceOperations } from './operations.ts';
import { repairOperations } from './repair.ts';
import { Sealer } from './sealer.ts';
import { searchTransactions } from './search.ts';
import { postingsInTimelines } from './timeline.ts';

export const balance = resource({
  name: 'balance',
  about: 'How much money there is in each currency, and the movements that add up to it.',
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
