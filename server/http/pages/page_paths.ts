import type { Page } from '../../base/page.ts';

/** Whether a path belongs to a page: it is the page's own, or begins with the part of it before the first `:name`. */
export function pageTest(pages: readonly Page[]): (path: string) => boolean {
  const exact = new Set(pages.map(({ path }) => path));
  const prefixes = pages.filter(({ path }) => path.includes(':')).map(({ path }) => path.slice(0, path.indexOf(':')));
  return (path) => exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix));
}
