import { settlesWithin } from '../../base/keyed_queue.ts';
import { jsonPage, type Page, type Rendered } from '../../base/page.ts';
import { SchemaMismatch } from '../../base/schema_lock.ts';
import { type Pool, query } from '../../base/sql.ts';

const databaseTimeoutMs = 2_000;
const unreachable = 'database unreachable';

export function healthPages(options: { version: string; reads: Pool; isDraining: () => boolean }): Page[] {
  const { version, reads, isDraining } = options;
  return [
    { path: '/healthz', counted: false, isProbe: true, render: () => jsonPage(200, { status: 'ok' }) },
    { path: '/readyz', counted: false, isProbe: true, render: () => readiness(reads, isDraining()) },
    { path: '/version', counted: true, render: () => jsonPage(200, { version, api_versions: ['v1'] }) },
  ];
}

async function readiness(reads: Pool, draining: boolean): Promise<Rendered> {
  if (draining) return jsonPage(500, { status: 'stopping' });
  const asked = query(reads, 'select 1', []).then(
    () => 'ready',
    (error: Error) => (error.cause instanceof SchemaMismatch ? 'schema mismatch' : unreachable),
  );
  const status = (await settlesWithin(asked, databaseTimeoutMs)) ? await asked : unreachable;
  return jsonPage(status === 'ready' ? 200 : 500, { status });
}
