import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** `npm run fuzz -- 100000`: sends that many generated requests. TEST_SEED=<seed> repeats a run. */
const [requests = '100000'] = process.argv.slice(2);
const root = join(import.meta.dirname, '..', '..', '..');
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'server/test/contract/fuzz.test.ts'],
  { cwd: root, env: { ...process.env, FUZZ_REQUESTS: requests }, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
