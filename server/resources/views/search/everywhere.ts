import type { ConnectionsAt } from '../../../base/places/connections.ts';
import { indexLagSeconds } from './position.ts';
import { walksLeft } from './walks.ts';

/** How long the oldest change of all has waited. */
export async function indexLagEverywhere(at: ConnectionsAt): Promise<number> {
  return Math.max(...(await at.everywhere(({ sql }) => indexLagSeconds(sql))));
}

export async function walksLeftEverywhere(at: ConnectionsAt): Promise<number> {
  return (await at.everywhere(({ sql }) => walksLeft(sql))).reduce((sum, walks) => sum + walks, 0);
}
