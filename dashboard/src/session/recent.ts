import { dropOf } from './drafts.ts';

/** What somebody has opened last, which the search shows before anything is typed. The browser keeps it until they sign out. */
type RecentObject = { id: string; title: string };

const begins = 'tollgate.recent';
const recentMax = 8;

type Whose = { user: string; account: string; mode: string };

const keyOf = ({ user, account, mode }: Whose) => [begins, user, account, mode].join(' ');

export function recentObjects(whose: Whose): RecentObject[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(whose)) ?? '[]');
  } catch {
    return [];
  }
}

/** The newest first, each once. */
export function rememberObject(whose: Whose, object: RecentObject): void {
  const before = recentObjects(whose);
  const [newest] = before;
  if (newest?.id === object.id && newest.title === object.title) return;
  const others = before.filter(({ id }) => id !== object.id);
  localStorage.setItem(keyOf(whose), JSON.stringify([object, ...others].slice(0, recentMax)));
}

/** Of everybody else, or of everybody. */
export function dropRecent(kept: { except?: string } = {}): void {
  dropOf(begins, kept, localStorage);
}
