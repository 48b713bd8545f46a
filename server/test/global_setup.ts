import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ensureLocalCertificate } from '../base/certificates/index.ts';
import { startEmbeddedPostgres } from '../base/embedded_postgres/index.ts';
import { makeCluster, tester, testerStatements } from '../base/embedded_postgres/superuser.fixture.ts';
import { connect } from '../base/sql.ts';
import { copyDirectory, type DataDirectories, makeDataDirectories } from './data_directories.ts';
import { templateDatabase } from './database_names.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; port: number; user: string; password: string; database: string };
    certificateDir: string;
    dataDirs: DataDirectories;
  }
}

/** One real PostgreSQL for all test files; each makes its own databases in it, copied from a migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  // These databases do not outlive the run, so they need neither fsync nor vacuum. The crash tests run servers of their own, with both.
  const settings = {
    ...{ max_connections: '200', fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
    ...{ autovacuum: 'off', jit: 'off' },
  };
  const dataDirs = await makeDataDirectories(dir);
  const dataDir = join(dir, 'shared');
  copyDirectory(dataDirs.migrated, dataDir);
  const template = `create database ${templateDatabase} owner tollgate template tollgate strategy file_copy`;
  await makeCluster(dataDir, [...testerStatements, template]);
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings });
  const admin = await connect({ ...postgres.connection, ...tester }, 'test');
  // Thousands of connections are made, and most of the work of one is hashing the password 4,096 times.
  await admin.query('set scram_iterations = 1');
  await admin.query(`alter role ${postgres.connection.user} password '${postgres.connection.password}'`);
  await admin.end();
  const certificateDir = join(dir, 'tls');
  await ensureLocalCertificate(certificateDir, new Date());
  project.provide('postgres', postgres.connection);
  project.provide('certificateDir', certificateDir);
  project.provide('dataDirs', dataDirs);
  return async () => {
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  };
}
