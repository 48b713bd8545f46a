import { copies } from '../../../operations/extension_points/erasure.ts';
import { searchables } from '../../../operations/extension_points/search.ts';
import { resource } from '../../../operations/resource.ts';
import { forgetObjects, SearchIndexer, searchIndexes } from './indexer.ts';
import { searchOperations } from './operations.ts';
import { indexLagSeconds } from './position.ts';
import { beginWalks, walksLeft } from './walks.ts';

export const search = resource({
  name: 'search',
  about: 'Objects of every kind, by what a person knows of them.',
  place: { group: 'Developers', position: 40 },
  operations: searchOperations,
  loops: (services, declared) => [searchIndexes(services, declared.extensionsOf(searchables))],
  gauges: [
    {
      name: 'tollgate_search_index_lag_seconds',
      help: 'How long the oldest change has waited to be found by a search; 0 when none waits.',
      read: indexLagSeconds,
    },
    {
      name: 'tollgate_search_walks_left',
      help: 'How many kinds of objects, of an account in a mode each, are still gone through to fill the search index; 0 when it is filled.',
      read: walksLeft,
    },
  ],
  extensions: [
    copies.with({
      forget: forgetObjects,
      renew: ({ leases, clock, log }, declared, tenant, ids) =>
        leases.at(tenant, (sql) => {
          const services = { sql, tenants: async () => [tenant], clock, log };
          return new SearchIndexer(services, declared.extensionsOf(searchables)).renew(tenant, ids);
        }),
      compare: ({ leases }, declared, tenant) =>
        leases.at(tenant, (sql) => beginWalks(sql, declared.extensionsOf(searchables), { tenants: [tenant] })),
    }),
  ],
});
