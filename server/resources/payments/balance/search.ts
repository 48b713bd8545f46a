import { moneyText } from '../../../base/currency.ts';
import { isId } from '../../../base/id.ts';
import { dayOf, postingsTable } from '../../../ledger/posting.ts';
import type { Searchable } from '../../../operations/extension_points/search.ts';
import { serializeTransaction } from './transaction.ts';

export const searchTransactions: Searchable = {
  scope: 'balance:read',
  async find({ reads, tenant, now }, { text }) {
    const posting = isId('txn', text) ? await reads.one(postingsTable, tenant, text) : undefined;
    const found = posting && serializeTransaction(posting, dayOf(now));
    if (found === undefined) return [];
    const { id, object, type, status, created } = found;
    return [{ id, object, title: moneyText(found), subtitle: `${type.replaceAll('_', ' ')}, ${status}`, created }];
  },
};
