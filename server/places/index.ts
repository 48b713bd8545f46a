import type { Log } from '../base/log.ts';
import type { Patience } from '../base/patient_client.ts';
import { everyPlace, onePlace, type Places } from '../base/places/places.ts';
import { connect, type DatabaseAddress } from '../base/sql.ts';
import type { Tenant } from '../base/tenant.ts';
import { readTopology } from '../citus/shards.ts';
import { openCluster } from './cluster.ts';
import { openPlace, type Place, type PlaceOptions } from './place.ts';
import { wholeSizes } from './pools.ts';

/** The places of a running process. */
export type OpenPlaces = Places<Place> & {
  /** Where a tenant lives, as far as it is known. */
  of(tenant: Tenant): Place;
  /** Whether the directory is a place of its own, and tenants live at others. */
  readonly isCluster: boolean;
  close(): Promise<unknown>;
  /** Ends at once what is in flight. */
  abandon(): void;
};

export type PlacesOptions = {
  log: Log;
  patience?: Patience | undefined;
  committer: PlaceOptions['committer'];
};

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
    return (await readTopology(sql)) !== undefined;
  } finally {
    await sql.end().catch(() => {});
  }
}

/** Waits for the units that were handed in. */
export function closeCommitters(places: OpenPlaces): Promise<unknown> {
  return Promise.all(everyPlace(places).map(({ committer }) => committer.close()));
}

export async function closePlace(place: Place): Promise<void> {
  await place.committer.close();
  await place.close();
}

export function abandonPlace({ committer, abandon }: Place): void {
  committer.abandon();
  abandon();
}
