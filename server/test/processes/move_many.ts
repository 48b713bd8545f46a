import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureLocalCertificate } from '../../base/certificates/index.ts';
import { needsCitus, withoutCitus } from '../../citus/cluster.fixture.ts';
import { DistributedWorld } from '../../citus/distributed.fixture.ts';
import { numbers } from '../numbers.ts';
import { Children, type NewAccount } from './children.ts';
import { MoveRun } from './move_run.ts';

/**
 * A part of `npm run torture`, or by hand: `node server/test/processes/move_many.ts [moves] [seed]`. Moves tenants between the workers of a
 * cluster as `move_run.ts` says. Needs CITUS_BIN.
 */
const moves = Number(process.argv[2] ?? 40);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 32));
const accountsCount = 6;

if (withoutCitus) {
  console.log(`skipped: ${needsCitus}`);
  process.exit(0);
}

const dir = mkdtempSync(join(tmpdir(), 'tollgate-move-'));
await ensureLocalCertificate(join(dir, 'tls'), new Date());
const home = join(dir, 'home');
mkdirSync(home);
const children = new Children();
const environment = {
  TLS_CERT_FILE: join(dir, 'tls', 'server.pem'),
  TLS_KEY_FILE: join(dir, 'tls', 'server-key.pem'),
  TOLLGATE_VAULT_KEY: 'ab'.repeat(32),
  ...{ PORT: '0', HOST: '127.0.0.1', DRAIN_SECONDS: '0', SIMULATOR: 'local', LOG_LEVEL: 'info' },
};
const accounts: NewAccount[] = [];
// The accounts are older than the cluster.
const world = await DistributedWorld.start({
  async fill(_, DATABASE_URL) {
    for (let made = 0; made < accountsCount; made++)
      accounts.push(await children.account({ ...environment, DATABASE_URL }));
  },
});
const ca = readFileSync(join(dir, 'tls', 'ca.pem'), 'utf8');
const all = { ...environment, DATABASE_URL: world.address.connectionString };
const run = new MoveRun({ world, children, environment: all, ca, home, accounts, random: numbers(seed) });
console.log(`${moves} moves with seed ${seed}`);
const began = performance.now();
try {
  await run.go(moves);
} catch (error) {
  run.violations.push(`the run itself: ${(error as Error).stack}`);
}
const times = run.answeredIn.toSorted((one, other) => one - other);
const [median, high, slowest] = [0.5, 0.999, 1].map((share) =>
  Math.round(times[Math.ceil(times.length * share) - 1] ?? 0),
);
console.log(
  `${Math.round((performance.now() - began) / 1_000)} s: ${JSON.stringify(run.counts, Object.keys(run.counts).sort(), 2)}`,
);
console.log(`answers in ms: median ${median}, 99.9% within ${high}, slowest ${slowest}`);
for (const late of run.late) console.log(`late: ${late}`);
for (const violation of run.violations.slice(0, 20)) console.log(`VIOLATION: ${violation}`);
console.log(`${run.violations.length} violations`);
await children.cleanUp();
await world.stop();
rmSync(dir, { recursive: true, force: true });
process.exit(run.violations.length === 0 ? 0 : 1);
