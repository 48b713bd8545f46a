import { createdSeconds, isId } from '../../../base/id.ts';
import type { Searchable } from '../../../operations/extension_points/search.ts';
import { processorAccountsTable } from './store.ts';

export const searchProcessorAccounts: Searchable = {
  scope: 'processor_accounts:read',
  async find({ reads, tenant }, { text }) {
    const row = isId('pa', text) ? await reads.one(processorAccountsTable, tenant, text) : undefined;
    if (row === undefined) return [];
    const { id, name, connector } = row;
    return [{ id, object: 'processor_account', title: name, subtitle: connector, created: createdSeconds(id) }];
  },
};
