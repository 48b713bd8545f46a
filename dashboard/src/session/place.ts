import { createBrowserHistory } from '@tanstack/react-router';
import type { Mode } from './rights.ts';

/**
 * Account and mode stand in the address: `/dashboard/<account id>/<test|live>/payments`. Pages and links know nothing of that: the router
 * takes both out of an address before it looks for the page, and puts them into every address that it makes.
 */
export type Place = { account: string; mode: Mode };

export const basepath = '/dashboard';
export const history = createBrowserHistory();

const begins = /^\/(acct_[0-9A-Za-z]+)\/(test|live)(?=\/|$)/;
/** For those who have not signed in, or not yet. */
const outside = /^\/(sign-in|invitation|reset)\/?$/;

/** The place in an address below /dashboard; undefined in older addresses, and in those of the pages for visitors. */
export function placeIn(path: string): Place | undefined {
  const [, account, mode] = begins.exec(path) ?? [];
  return account === undefined ? undefined : { account, mode: mode as Mode };
}

/** An address of the browser, as it is below /dashboard. */
export function belowBase(href: string): string {
  return href.startsWith(basepath) ? href.slice(basepath.length) || '/' : href;
}

/** The whole address of a page in a place. */
export function addressIn({ account, mode }: Place, path: string): string {
  return `${basepath}/${account}/${mode}${path}`;
}

/** The page of an address, whatever its place. */
export function pageIn(path: string): string {
  return path.replace(begins, '') || '/';
}

/** For the router. What it gets and gives is below /dashboard. */
export const rewrite = {
  input({ url }: { url: URL }): URL {
    url.pathname = pageIn(url.pathname);
    return url;
  },
  output({ url }: { url: URL }): URL {
    const place = placeIn(belowBase(history.location.pathname));
    if (place !== undefined && !outside.test(url.pathname))
      url.pathname = `/${place.account}/${place.mode}${url.pathname}`;
    return url;
  },
};

/** Where somebody worked last: in this tab, or in another one of this browser. */
const storedAs = 'tollgate.place';

export function lastPlace(): Partial<Place> {
  try {
    return JSON.parse(sessionStorage.getItem(storedAs) ?? localStorage.getItem(storedAs) ?? '{}');
  } catch {
    return {};
  }
}

export function keepPlace(place: Partial<Place>): void {
  for (const storage of [sessionStorage, localStorage]) storage.setItem(storedAs, JSON.stringify(place));
}

/** Before the pages are shown: an address without a place leads to this account. */
export function beginIn(account: string): void {
  keepPlace({ ...lastPlace(), account });
}
