import type { Log } from '../base/log.ts';
import { type DatabaseAddress, reasonOf } from '../base/sql.ts';
import { tidyNodes } from '../citus/leave.ts';
import type { UrlAddress } from '../citus/nodes.ts';
import type { BackgroundLoop } from '../operations/job.ts';
import type { OpenPlaces } from './open_places.ts';

/** As often as a place sweeps what has expired: security codes are not kept longer because their place has left. */
const everyMs = 60_000;

/** Removes what places have left on servers where they were. Nobody waits for that. */
export function leftoverPlaces({ isCluster }: OpenPlaces, address: DatabaseAddress, log: Log): BackgroundLoop[] {
  if (!isCluster) return [];
  const run = async () => {
    try {
      const removed = await tidyNodes(address as UrlAddress);
      if (removed.length > 0) log.info({ shards: removed }, 'places were removed from servers where they had been');
    } catch (error) {
      log.warn({ error: reasonOf(error) }, 'places could not be removed from servers where they had been');
    }
  };
  return [{ name: 'leftover places', everyMs, isWoken: false, run }];
}
