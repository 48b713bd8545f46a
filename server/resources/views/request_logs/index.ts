import { createdSeconds } from '../../../base/id.ts';
import { type Searchable, searchables } from '../../../operations/extension_points/search.ts';
import { timelineSources } from '../../../operations/extension_points/timeline.ts';
import { resource } from '../../../operations/resource.ts';
import { requestLogOperations } from './operations.ts';
import { keepPartitions } from './partitions.ts';
import { findRequest } from './store.ts';
import { requestsInTimelines } from './timeline.ts';

const searchRequests: Searchable = {
  object: 'request_log',
  prefix: 'req',
  scope: 'request_logs:read',
  foundBy: 'id',
  columns: {},
  owners: [],
  async load({ reads, tenant }, ids) {
    const rows = await Promise.all(ids.map((id) => findRequest(reads, tenant, id)));
    const documents = rows.flatMap((row) => {
      if (!row) return [];
      const { id, method, path, status } = row;
      const summary = { title: `${method} ${path}`, subtitle: String(status) };
      return [[id, { ...summary, texts: [], created: createdSeconds(id) }] as const];
    });
    return new Map(documents);
  },
};

export const requestLogs = resource({
  name: 'request_logs',
  about:
    'Every request of the last 30 days, or as many as the operator has set, with its parameters, redacted, and its answer in short.',
  place: { group: 'Developers', position: 20 },
  scopes: ['request_logs'],
  operations: requestLogOperations,
  maintenance: [{ name: 'partitions of the request log', run: keepPartitions }],
  extensions: [timelineSources.with(requestsInTimelines), searchables.with(searchRequests)],
});
