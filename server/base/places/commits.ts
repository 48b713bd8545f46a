import type { Commits } from '../commit/index.ts';
import type { Places } from './places.ts';

/** Commits each unit at the place of its tenant, and one without a tenant in the directory. */
export function commitsAt(places: Places<{ committer: Commits }>): Commits {
  return {
    commit(unit) {
      if (unit.tenant === undefined) return places.directory.committer.commit(unit);
      return places.at(unit.tenant, ({ committer }) => committer.commit(unit));
    },
  };
}
