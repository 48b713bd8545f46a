import { createdSeconds, isId } from '../../../base/id.ts';
import { type Searchable, searchables } from '../../../operations/extension_points/search.ts';
import { timelineSources } from '../../../operations/extension_points/timeline.ts';
import { resource } from '../../../operations/resource.ts';
import { requestLogOperations } from './operations.ts';
import { keepPartitions } from './partitions.ts';
import { findRequest } from './store.ts';
import { requestsInTimelines } from './timeline.ts';

const searchRequests: Searchable = {
  scope: 'request_logs:read',
  async find({ reads, tenant }, { text }) {
    const row = isId('req', text) ? await findRequest(reads, tenant, text) : undefined;
    if (row === undefined) return [];
    const { id, method, path, status } = row;
    return [
      { id, object: 'request_log', title: `${method} ${path}`, subtitle: String(status), created: createdSeconds(id) },
    ];
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
