import type { ConnectionsAt } from '../../base/places/connections.ts';
import { connectedServers } from '../../base/schema_lock.ts';
import { indexLagEverywhere, walksLeftEverywhere } from '../../resources/views/search/everywhere.ts';
import { type Finding, fine, wrong } from './finding.ts';

/** As `deploy/alerts.yaml` has it. */
const lagSecondsMax = 300;

/** Whether searches find the latest changes. Without a server nothing fills the index, and the next start goes on with it. */
export async function checkSearch(at: ConnectionsAt): Promise<Finding> {
  const lag = Math.ceil(await indexLagEverywhere(at));
  const walks = await walksLeftEverywhere(at);
  const isServed = (await connectedServers(at.directory)).length > 0;
  const state = lag === 0 ? 'the search index has every change' : `the search index is ${lag} s behind`;
  if (lag > lagSecondsMax && isServed)
    return wrong(
      'search_index',
      `${state}: a transaction does not end, see pg_stat_activity; or the log of the server says why the index cannot be filled.`,
    );
  const notes = [
    ...(walks === 0 ? [] : [`it is being rebuilt (kinds of objects left: ${walks}), and searches find what is there`]),
    ...(isServed || (lag === 0 && walks === 0) ? [] : ['a running server goes on with it']),
  ];
  return fine('search_index', [state, ...notes].join('; '));
}
