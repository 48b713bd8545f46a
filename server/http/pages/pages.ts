import { settlesWithin } from '../../base/keyed_queue.ts';
import type { Pool } from '../../base/sql.ts';
import { query } from '../../base/sql.ts';

export type PageMethod = 'GET' | 'HEAD' | 'POST';
export type PageRequest = { method: string; params: Readonly<Record<string, string>>; body: Buffer };

/** What answers without a key: health, documentation, a page for cardholders. */
export type Page = {
  /** May hold `:names`; what stands in their place is never logged. */
  path: string;
  /** GET and HEAD when not given. */
  methods?: readonly PageMethod[];
  /** Whether readers are counted by address. Health checks are not: a balancer must never be turned away. */
  counted: boolean;
  render(request: PageRequest): Promise<Rendered> | Rendered;
};

export type Rendered = { status: number; contentType: string; body: string; headers?: Record<string, string> };

const databasePatienceMs = 2_000;

export function healthPages(options: { version: string; reads: Pool; isDraining: () => boolean }): Page[] {
  return [
    { path: '/healthz', counted: false, render: () => json(200, { status: 'ok' }) },
    { path: '/readyz', counted: false, render: () => readiness(options.reads, options.isDraining()) },
    { path: '/version', counted: true, render: () => json(200, { version: options.version, api_versions: ['v1'] }) },
  ];
}

async function readiness(reads: Pool, draining: boolean): Promise<Rendered> {
  if (draining) return json(500, { status: 'stopping' });
  const asked = query(reads, 'select 1', []).then(
    () => true,
    () => false,
  );
  const ready = (await settlesWithin(asked, databasePatienceMs)) && (await asked);
  return ready ? json(200, { status: 'ready' }) : json(500, { status: 'database unreachable' });
}

/** Whether a path is a page's: exactly, or up to the first name in it. */
export function pageTest(pages: readonly Page[]): (path: string) => boolean {
  const exact = new Set(pages.map((page) => page.path));
  const starts = pages.filter(({ path }) => path.includes(':')).map(({ path }) => path.slice(0, path.indexOf(':')));
  return (path) => exact.has(path) || starts.some((start) => path.startsWith(start));
}

export function json(status: number, value: object): Rendered {
  return { status, contentType: 'application/json', body: JSON.stringify(value) };
}
