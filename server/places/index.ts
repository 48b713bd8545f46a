import { everyPlace, onePlace } from '../base/places/places.ts';
import { connect, type DatabaseAddress } from '../base/sql.ts';
import { isDistributed } from '../citus/shards.ts';
import { openCluster } from './cluster.ts';
import type { OpenPlaces, PlacesOptions } from './open_places.ts';
import { abandonPlace, closePlace, openPlace } from './place.ts';
import { wholeSizes } from './pools.ts';

/** One PostgreSQL, or the places of a Citus cluster whose coordinator is at this address. */
export async function openPlaces(address: DatabaseAddress, options: PlacesOptions): Promise<OpenPlaces> {
  if (await isCluster(address)) return openCluster(address as { connectionString: string }, options);
  const place = openPlace({ name: 'main', homes: ['directory', 'tenant'], sizes: wholeSizes, address, ...options });
  return {
    ...onePlace(place),
    of: () => place,
    isCluster: false,
    close: () => closePlace(place),
    abandon: () => abandonPlace(place),
  };
}

/** The embedded PostgreSQL is no cluster. */
async function isCluster(address: DatabaseAddress): Promise<boolean> {
  if (!('connectionString' in address)) return false;
  const sql = await connect(address, 'places');
  try {
    return await isDistributed(sql);
  } finally {
    await sql.end().catch(() => {});
  }
}

/** Waits for the units that were handed in. */
export function closeCommitters(places: OpenPlaces): Promise<unknown> {
  return Promise.all(everyPlace(places).map(({ committer }) => committer.close()));
}
