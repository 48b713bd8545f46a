import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { isTorture } from '../torture.ts';
import { patienceMs, testMs, until } from './child.ts';
import { Children } from './children.ts';

vi.setConfig({ testTimeout: testMs });

const children = new Children();
const disk = join(children.directory('disk'), 'd');
mkdirSync(disk);

/** Why there is no small disk; undefined when it is mounted. In `npm test`, refusing_database.test.ts has a database that fails alike. */
const obstacle = (() => {
  if (!isTorture) return 'it runs only under TORTURE=1';
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', disk], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'only root can mount a small disk';
  }
})();
if (obstacle !== undefined) console.log(`skipped: a full disk, because ${obstacle}`);

afterAll(async () => {
  await children.cleanUp().catch(() => {}); // the mount point cannot be removed yet
  if (obstacle === undefined) execFileSync('umount', ['--lazy', disk]);
  rmSync(dirname(dirname(disk)), { recursive: true, force: true });
});

/** Takes all space that is left. */
function fill(): string {
  const ballast = join(disk, 'ballast');
  const { bavail, bsize } = statfsSync(disk);
  try {
    writeFileSync(ballast, Buffer.alloc(bavail * bsize));
  } catch {
    // PostgreSQL took some of it in the meantime: the disk is full all the same.
  }
  return ballast;
}

test.skipIf(obstacle !== undefined)(
  'a full disk (needs root, to mount a small one): not ready, one error line, and nothing is lost or half-done',
  async () => {
    const environment = children.embeddedEnvironment({ TOLLGATE_DATA_DIR: join(disk, 'data') });
    const server = await children.serve(environment);
    const client = server.client((await children.account(environment)).test_secret_key);
    const sql = await children.sql(environment.TOLLGATE_DATA_DIR!);
    const metadata = { filler: 'x'.repeat(500) };
    const create = () => client.post('/v1/customers', { name: 'Ada', metadata });
    const acknowledged: string[] = [];
    const ready = async () => (await server.client().get('/readyz')).json;
    expect(await ready()).toEqual({ status: 'ready' });

    const ballast = fill();
    const refused = await until('a change is refused', patienceMs, async () => {
      const answer = await create();
      if (answer.status === 200) acknowledged.push(answer.json.id);
      return answer.status !== 200 && answer;
    });
    expect([refused.status, refused.json.error.code]).toEqual([500, 'unavailable']);
    const red = { status: 'unavailable', reason: 'database refuses writes' };
    await until('it is not ready', patienceMs, async () => (await ready()).status !== 'ready');
    expect(await ready()).toEqual(red);
    for (let tries = 0; tries < 20; tries++) expect([200, 500]).toContain((await create()).status);

    rmSync(ballast);
    await until('it is ready', patienceMs, async () => (await ready()).status === 'ready');
    const made = await until('a change is made', patienceMs, async () => {
      const answer = await create();
      return answer.status === 200 && answer;
    });
    acknowledged.push(made.json.id);

    const { rows } = await sql.query(
      `select c.id, (select count(*)::int from events e where e.tenant = c.tenant and e.object_id = c.id) as events from customers c`,
    );
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
    expect(rows.filter(({ events }) => events !== 1)).toEqual([]);
    // The log is written a moment after the answers.
    await until('it says that the database is back', patienceMs, () =>
      server.child.stdout.includes('the database is back'),
    );
    const lines = server.child.stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    const serious = lines.filter(({ level }) => ['warn', 'error', 'fatal'].includes(level)).map(({ msg }) => msg);
    expect(serious[0]).toMatch(/^the disk of the database is full, so nothing can be changed; free space there/);
    expect(new Set(serious).size).toBe(1);
    expect(await server.child.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  },
);
