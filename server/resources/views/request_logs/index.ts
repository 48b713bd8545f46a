import { searchables } from '../../../operations/extension_points/search.ts';
import { timelineSources } from '../../../operations/extension_points/timeline.ts';
import { resource } from '../../../operations/resource.ts';
import { requestLogOperations } from './operations.ts';
import { keepPartitions } from './partitions.ts';
import { searchRequests } from './search.ts';
import { requestsInTimelines } from './timeline.ts';

export const requestLogs = resource({
  name: 'request_logs',
  about:
    'Every request of the last 30 days, or as many as the operator has set, with its parameters, redacted, and its answer in short.',
  scopes: ['request_logs'],
  operations: requestLogOperations,
  maintenance: [{ name: 'partitions of the request log', run: keepPartitions }],
  extensions: [timelineSources.with(requestsInTimelines), searchables.with(searchRequests)],
});
