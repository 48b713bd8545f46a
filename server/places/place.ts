import { Committer, type CommitterOptions, type Home } from '../base/commit/index.ts';
import type { Numbering } from '../base/position.ts';
import { type SharedReads, sharedReads } from '../base/reads.ts';
import type { DatabaseAddress } from '../base/sql.ts';
import { openPools, type PlacePools, type PoolsOptions, withLockTimeout } from './pools.ts';

/** A database server and a schema, with all connections of this process to them. */
export type Place = PlacePools & {
  /** In metrics and logs. */
  readonly name: string;
  readonly homes: readonly Exclude<Home, 'both'>[];
  readonly sharedReads: SharedReads;
  /** Of its rows. */
  readonly numbering: Numbering;
  readonly committer: Committer;
};

export type PlaceOptions = Pick<Place, 'name' | 'homes'> &
  Partial<Pick<Place, 'numbering'>> &
  Omit<PoolsOptions, 'hasLedger'> & {
    address: DatabaseAddress;
    committer: Omit<CommitterOptions, 'onError' | 'watch' | 'check' | 'hold'>;
  };

export function openPlace({
  name,
  homes,
  numbering = 'own',
  address: given,
  committer: options,
  ...rest
}: PlaceOptions): Place {
  const address = withLockTimeout(given, rest.hold);
  const pools = openPools(address, { ...rest, hasLedger: homes.includes('tenant') });
  const { report: onError, watch, checkDurable: check } = pools;
  const { hold } = rest;
  const committer = new Committer(address, { ...options, ...(hold && { hold }), onError, watch, check });
  pools.alsoWatch(committer);
  return { ...pools, name, homes, sharedReads: sharedReads(rest.sizes.reads), numbering, committer };
}

/** Whether a place has the tables of a home. Each place has those that are in both. */
export function hasHome({ homes }: Pick<Place, 'homes'>, home: Home): boolean {
  return home === 'both' || homes.includes(home);
}

export async function closePlace(place: Place): Promise<void> {
  await place.committer.close();
  await place.close();
}

export function abandonPlace({ committer, abandon }: Place): void {
  committer.abandon();
  abandon();
}
