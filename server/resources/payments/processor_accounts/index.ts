import { createdSeconds, isId } from '../../../base/id.ts';
import { type Searchable, searchables } from '../../../operations/extension_points/search.ts';
import { resource } from '../../../operations/resource.ts';
import { processorAccountErrors } from './errors.ts';
import { healthOperation, healthSources } from './health.ts';
import { processorAccountMaintenance } from './maintenance.ts';
import { processorAccountOperations, usesOfProcessorAccounts } from './operations.ts';
import { cachedProcessorAccounts, type ProcessorAccounts } from './processors.ts';
import { processorAccountsTable } from './store.ts';

const searchProcessorAccounts: Searchable = {
  scope: 'processor_accounts:read',
  async find({ reads, tenant }, { text }) {
    const row = isId('pa', text) ? await reads.one(processorAccountsTable, tenant, text) : undefined;
    if (row === undefined) return [];
    const { id, name, connector } = row;
    return [{ id, object: 'processor_account', title: name, subtitle: connector, created: createdSeconds(id) }];
  },
};

declare module '../../../operations/services.ts' {
  interface ProvidedServices {
    processorAccounts: ProcessorAccounts;
  }
}

export const processorAccounts = resource({
  name: 'processor_accounts',
  about: 'Your accounts at processors, with the credentials that the gateway uses there.',
  place: { group: 'Payments', position: 80 },
  scopes: ['processor_accounts'],
  errors: processorAccountErrors,
  provides: (foundation) => ({ services: { processorAccounts: cachedProcessorAccounts(foundation) } }),
  operations: (declared) => [
    ...processorAccountOperations(declared.extensionsOf(usesOfProcessorAccounts)),
    healthOperation(declared.extensionsOf(healthSources)),
  ],
  maintenance: processorAccountMaintenance,
  extensions: [searchables.with(searchProcessorAccounts)],
});
