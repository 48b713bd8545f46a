import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureLocalCertificate } from '../../base/certificates/index.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../base/embedded_postgres/index.ts';
import { makeCluster, tester, testerStatements } from '../../base/embedded_postgres/superuser.fixture.ts';
import { connect } from '../../base/sql.ts';
import { runMigrations } from '../../database.ts';
import { numbers } from '../numbers.ts';
import { Children } from './children.ts';
import { type KillPlace, KillRun } from './kill_run.ts';
import { killedSimulator } from './killed_simulator.ts';
import { KilledStripe } from './killed_stripe.ts';

/**
 * A part of `npm run torture`, or by hand: `node server/test/processes/kill_many.ts [kills] [seed] [processor]`. Kills servers as
 * `kill_run.ts` says: with a local processor, with a remote one, which has faults as well, and with Stripe's connector before two fakes of
 * Stripe with faults, which get half of all kills.
 */
const kills = Number(process.argv[2] ?? 400);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 32));
const shares = { local: kills / 4, remote: kills / 4, stripe: kills / 2 };
type KilledMode = keyof typeof shares;
const modes = process.argv[4] === undefined ? (Object.keys(shares) as KilledMode[]) : [process.argv[4] as KilledMode];

/** The rules read every row. Ten thousand kills leave half a million payments. */
const checkerPatience = { connectMs: 5_000, statementMs: 900_000 };

async function openPlace(postgres: EmbeddedPostgres, dir: string, mode: KilledMode): Promise<KillPlace> {
  const address = { ...postgres.connection, database: `kill_${mode}` };
  const admin = await connect({ ...postgres.connection, ...tester }, 'test');
  await admin.query(`create database ${address.database} owner ${address.user}`);
  await admin.end();
  const sql = await connect(address, 'test', checkerPatience);
  await runMigrations(sql, address, () => {});
  const { host, port, user, password, database } = address;
  const [home, crashes] = [join(dir, `home-${mode}`), join(dir, `crashes-${mode}`)];
  for (const path of [home, crashes]) mkdirSync(path);
  const environment = {
    DATABASE_URL: `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    TLS_CERT_FILE: join(dir, 'tls', 'server.pem'),
    TLS_KEY_FILE: join(dir, 'tls', 'server-key.pem'),
    TOLLGATE_VAULT_KEY: 'ab'.repeat(32),
    ...{
      PORT: '0',
      HOST: '127.0.0.1',
      DRAIN_SECONDS: '0',
      SIMULATOR: mode === 'remote' ? mode : 'local',
      CRASH_DIR: crashes,
    },
  };
  const caFile = join(dir, 'tls', 'ca.pem');
  return { children: new Children(), sql, environment, caFile, ca: readFileSync(caFile, 'utf8'), home };
}

type Open = { run: KillRun; close: () => Promise<void> };

async function openRun(place: KillPlace, mode: KilledMode, random: (below: number) => number): Promise<Open> {
  if (mode !== 'stripe') return { run: new KillRun(place, killedSimulator(place.sql, mode), random), async close() {} };
  const { place: own, processor } = await KilledStripe.start(place);
  return { run: new KillRun(own, processor, random), close: () => processor.close() };
}

const dir = mkdtempSync(join(tmpdir(), 'tollgate-kill-'));
await makeCluster(dir, testerStatements);
const postgres = await startEmbeddedPostgres({ dataDir: dir, log: () => {} });
await ensureLocalCertificate(join(dir, 'tls'), new Date());
console.log(`${kills} kills with seed ${seed}`);
let isGood = true;
for (const [at, mode] of modes.entries()) {
  const place = await openPlace(postgres, dir, mode);
  const { run, close } = await openRun(place, mode, numbers(seed + at));
  const count = modes.length === 1 ? kills : Math.ceil(shares[mode]);
  const began = performance.now();
  try {
    await run.go(count);
  } catch (error) {
    run.violations.push(`the run itself: ${(error as Error).message}`);
  }
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(
    `${mode}: ${count} kills in ${seconds} s: ${JSON.stringify(run.counts, Object.keys(run.counts).sort(), 2)}`,
  );
  for (const violation of run.violations.slice(0, 20)) console.log(`VIOLATION: ${violation}`);
  console.log(`${mode}: ${run.violations.length} violations`);
  isGood &&= run.violations.length === 0;
  await close();
  await place.sql.end();
  await place.children.cleanUp();
}
await postgres.stop();
rmSync(dir, { recursive: true, force: true });
process.exit(isGood ? 0 : 1);
