import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ensureLocalCertificate } from '../base/certificates/index.ts';
import { startEmbeddedPostgres } from '../base/embedded_postgres/index.ts';
import { databaseUser } from '../base/embedded_postgres/roles.ts';
import { tester } from '../base/embedded_postgres/superuser.fixture.ts';
import { buildDashboard } from '../http/pages/dashboard/built.ts';
import { type BrowserProgram, findBrowser } from './browser.ts';
import { copyDirectory, type DataDirectories, makeDataDirectories } from './data_directories.ts';
import { type DistributedTemplate, isDistributedRun, startTemplateCluster } from './distributed_databases.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; port: number; user: string; password: string; database: string };
    browser: BrowserProgram;
    certificateDir: string;
    dataDirs: DataDirectories;
    distributed: DistributedTemplate | null;
  }
}

/** Thousands of connections are made by these two roles, and a third of the work of one is to prove that it knows the password. */
const admission = `local all ${databaseUser},${tester.user} trust\nlocal all all scram-sha-256\n`;

/**
 * Builds the dashboard if its sources have changed: afterwards no server of a test has to. A build that fails is reported by the tests of
 * the dashboard.
 */
async function provideDashboard(): Promise<void> {
  await buildDashboard().catch(() => {});
}

/** One real PostgreSQL for all test files; each makes its own databases in it, copied from a migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  // These databases do not outlive the run, so they need neither fsync nor vacuum. The crash tests run separate servers, with both.
  const settings = {
    ...{ max_connections: '200', fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
    ...{ autovacuum: 'off', jit: 'off' },
  };
  const [dataDirs, browser] = await Promise.all([makeDataDirectories(dir), findBrowser(), provideDashboard()]);
  const dataDir = join(dir, 'shared');
  copyDirectory(dataDirs.migrated, dataDir);
  writeFileSync(join(dataDir, 'postgres', 'pg_hba.conf'), admission);
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings });
  const cluster = isDistributedRun ? await startTemplateCluster() : undefined;
  const certificateDir = join(dir, 'tls');
  await ensureLocalCertificate(certificateDir, new Date());
  project.provide('postgres', { ...postgres.connection, database: 'postgres' }); // nobody may be connected to the template
  project.provide('browser', browser);
  project.provide('certificateDir', certificateDir);
  project.provide('dataDirs', dataDirs);
  project.provide('distributed', cluster?.template ?? null);
  return async () => {
    await postgres.stop();
    await cluster?.stop();
    rmSync(dir, { recursive: true, force: true });
  };
}
