import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { databaseUser } from '../../base/embedded_postgres/roles.ts';
import { tester } from '../../base/embedded_postgres/superuser.fixture.ts';
import { connect } from '../../base/sql.ts';
import { adoptLedger, runMigrations } from '../../database.ts';

import { startServer } from '../harness.ts';
import { Clusters, type Programs } from '../postgres_cluster.ts';
import { testMs } from './child.ts';
import { Children } from './children.ts';
import { expectBooks, expectShop, openShop } from './shop.ts';

vi.setConfig({ testTimeout: testMs });

const embeddedMajor = 18;
const webhooks = { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' };
const clusters = new Clusters();
const children = new Children();
afterAll(async () => {
  await children.cleanUp();
  await clusters.cleanUp();
});

/** A server that the `pg_dump` on the PATH can read: the embedded one, or the one that was installed with it. */
function readable(): { reason: string } | { programs: Programs | undefined } {
  const { stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  const major = Number(/PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1]);
  if (Number.isNaN(major)) return { reason: 'there is no pg_dump on the PATH' };
  if (major >= embeddedMajor) return { programs: undefined };
  const folder = `/usr/lib/postgresql/${major}/bin`;
  const programs = { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
  if (major >= 15 && existsSync(programs.initdb)) return { programs };
  return { reason: `pg_dump ${major} cannot read PostgreSQL ${embeddedMajor}, and its own server is not installed` };
}

const found = readable();
if ('reason' in found) console.log(`skipped: a dump and its restore, because ${found.reason}`);

function run(program: string, args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}

test.skipIf('reason' in found)(
  'a dump is restored on another server: it is noticed, migrated, and complete',
  async () => {
    const source = await clusters.makeEmpty('programs' in found ? found.programs : undefined);
    const target = await clusters.backUp(source);
    await target.start();
    const sql = await connect(source.address(), 'test');
    await runMigrations(sql, source.address(), () => {});
    // The server has made more transactions than the other one will have made by the end of the restore.
    await sql.query(`do $$ begin for n in 1..5000 loop perform pg_current_xact_id(); commit; end loop; end $$`);
    await sql.end();
    const server = await startServer({ databaseUrl: source.url(), environment: webhooks });
    const { testKey } = await server.account();
    const shop = await openShop(server.client(testKey));
    await expectBooks(server.sql);
    await server.stop();

    const file = join(children.directory(), 'tollgate.dump');
    run('pg_dump', ['--no-unlogged-table-data', '--format=custom', `--file=${file}`, source.url()]);
    const restore = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges'];
    const url = target.url('restored');
    run('createdb', [`--maintenance-db=${target.url('postgres', tester.user)}`, `--owner=${databaseUser}`, 'restored']);
    run('pg_restore', [...restore, `--dbname=${url}`, file]);

    await expect(startServer({ databaseUrl: url, environment: webhooks })).rejects.toThrow(
      'The database was restored on another server',
    );
    const client = await connect(target.address('restored'), 'test');
    expect(await runMigrations(client, target.address('restored'), () => {})).toEqual([]);
    expect(await adoptLedger(client, target.address('restored'), () => {})).toBe(true);
    await client.end();
    const restored = await startServer({ databaseUrl: url, environment: webhooks });
    await expectShop(restored.client(testKey), shop);
    await expectBooks(restored.sql);
    await restored.stop();
  },
);
