import type { Log } from '../base/log.ts';
import type { Patience } from '../base/patient_client.ts';
import type { Places } from '../base/places/places.ts';
import type { Tenant } from '../base/tenant.ts';
import type { Place, PlaceOptions } from './place.ts';

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
  /** On a cluster, places are prepared when they are used, and not before anybody waits for them. */
  arrivesWhenUsed?: boolean;
};
