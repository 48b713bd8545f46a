import type { Tenant } from '../tenant.ts';

/**
 * Where the rows are. A place is a database server and a schema, in which the tables have their plain names. Each tenant lives at one
 * place; the directory, with the accounts, keys and people of all, is a place of its own. In one PostgreSQL, they are all the same.
 */
export type Places<Place> = {
  readonly directory: Place;
  /** The places of tenants. They change while a cluster grows. */
  all(): readonly Place[];
  /**
   * Runs work where the tenant lives. When the tenant has moved in the meantime, it runs again at the new place: nothing of the first run
   * was written.
   */
  at<T>(tenant: Tenant, work: (place: Place) => Promise<T>): Promise<T>;
};

/** One PostgreSQL: what is asked of any place runs there, and costs nothing more. */
export function onePlace<Place>(place: Place): Places<Place> {
  const all = [place];
  return { directory: place, all: () => all, at: (_, work) => work(place) };
}

/** Every place once, also where the directory is one of those that tenants live at. */
export function everyPlace<Place>(places: Pick<Places<Place>, 'directory' | 'all'>): Place[] {
  return [...new Set([places.directory, ...places.all()])];
}
