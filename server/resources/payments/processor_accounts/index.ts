import { createdSeconds } from '../../../base/id.ts';
import { type Searchable, searchables, textsOf } from '../../../operations/extension_points/search.ts';
import { resource } from '../../../operations/resource.ts';
import { processorAccountErrors } from './errors.ts';
import { healthOperation, healthSources } from './health.ts';
import { processorAccountOperations, usesOfProcessorAccounts } from './operations.ts';
import { cachedProcessorAccounts, type ProcessorAccounts } from './processors.ts';
import { destroyPreviousSecrets, processorAccountsTable } from './store.ts';

const searchProcessorAccounts: Searchable = {
  object: 'processor_account',
  prefix: 'pa',
  scope: 'processor_accounts:read',
  foundBy: 'few',
  table: processorAccountsTable,
  columns: {},
  owners: [],
  async load({ reads, tenant }, ids) {
    const rows = await Promise.all(ids.map((id) => reads.one(processorAccountsTable, tenant, id)));
    const documents = rows.flatMap((row) => {
      if (!row) return [];
      const { id, name, connector } = row;
      const summary = async () => ({ title: name, subtitle: connector, created: createdSeconds(id) });
      return [[id, { summary, texts: textsOf({ name }) }] as const];
    });
    return new Map(documents);
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
  maintenance: [{ name: 'earlier webhook secrets of processor accounts', home: 'tenant', run: destroyPreviousSecrets }],
  extensions: [searchables.with(searchProcessorAccounts)],
});
