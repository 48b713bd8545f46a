import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { currentUser, nobody } from '../base/embedded_postgres/launcher.ts';
import { eventually } from './eventually.ts';
import { startServer, testMasterKey } from './harness.ts';
import { type Cluster, Clusters } from './postgres_cluster.ts';
import { Children } from './processes/children.ts';
import { unusedPort } from './unused_port.ts';

const program = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'pgbouncer'))
  .find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

// Where there is no pgbouncer, the small pooler of base/session.test.ts stands in for it.
describe.runIf(program !== undefined)('behind pgbouncer', () => {
  const clusters = new Clusters();
  const children = new Children();
  const poolers: ChildProcess[] = [];
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await clusters.make();
  });
  afterAll(async () => {
    for (const pooler of poolers) pooler.kill();
    await children.cleanUp();
    await clusters.cleanUp();
  });

  async function pooled(mode: 'transaction' | 'session'): Promise<string> {
    const port = await unusedPort();
    const { host } = cluster.address() as { host: string };
    const file = join(host, `${mode}.ini`); // readable for the user that PostgreSQL runs as
    writeFileSync(
      file,
      `[databases]
tollgate = host=${host} port=5432 dbname=tollgate user=tollgate
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
ignore_startup_parameters = options
`,
    );
    const user = currentUser().uid === 0 ? { uid: nobody.uid, gid: nobody.gid } : {}; // it refuses to run as root
    const pooler = spawn(program!, [file], { stdio: 'ignore', ...user });
    poolers.push(pooler);
    return `postgres://tollgate@127.0.0.1:${port}/tollgate`;
  }

  const doctor = (url: string) =>
    children.run(['doctor', '--for', 'serve', '--json'], {
      cwd: children.directory(),
      environment: children.serveEnvironment({ DATABASE_URL: url, PUBLIC_URL: 'https://localhost' }),
    });

  test('in transaction mode, doctor and serve refuse it', async () => {
    const url = await pooled('transaction');
    const message =
      /a pooler in transaction mode is in between: .* Set the pooler to session mode, or connect directly/;
    await eventually(async () => expect((await doctor(url)).stdout).toMatch(message));
    await expect(startServer({ databaseUrl: url })).rejects.toThrow(/^a pooler in transaction mode/);
  });

  test('in session mode, requests are served', async () => {
    const url = await pooled('session');
    const server = await eventually(() =>
      startServer({ databaseUrl: url, environment: { TOLLGATE_VAULT_KEY: testMasterKey } }),
    );
    const { test: client } = await server.account();
    expect((await client.post('/v1/customers', { name: 'Ada' })).status).toBe(200);
    expect((await client.get('/v1/customers')).status).toBe(200);
    expect((await doctor(url)).stdout).toMatch(/PostgreSQL 18\S* answers/);
    await server.stop();
  });
});
