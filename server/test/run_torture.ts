import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seed } from './torture.ts';

/**
 * `npm run torture`: the long form of tests of which `npm test` runs a share, one after the other. All random choices follow from one
 * seed, which is printed; TEST_SEED=<seed> repeats a run. Each step is killed after its time limit.
 */
type Step = { name: string; command: string[]; minutesMax: number };

const root = join(import.meta.dirname, '..', '..');
const processes = 'server/test/processes';
/**
 * The tests that have a long form: those that ask `torture.ts` or share kills, those whose commands become separate processes, and the walks
 * through the dashboard.
 */
const longTests = globSync('{server,sdk,sdk-python,dashboard}/**/*.test.ts', { cwd: root }).filter((path) => {
  const source = readFileSync(join(root, path), 'utf8');
  const signs = ["/torture.ts'", "/phoenix.ts'", 'children.run(', 'children.json(', 'openDashboard('];
  return signs.some((text) => source.includes(text));
});
const steps: Step[] = [
  {
    name: 'the long forms of tests',
    command: ['node_modules/vitest/vitest.mjs', 'run', ...longTests],
    minutesMax: 120,
  },
  {
    name: '400 kills while clients pay',
    command: [`${processes}/kill_many.ts`, '400', String(seed)],
    minutesMax: 60,
  },
  {
    name: '10,000 webhooks for three receivers, and 8 kills',
    command: [`${processes}/deliver_many.ts`, '10000', '8', String(seed)],
    minutesMax: 30,
  },
  {
    name: '40 moves of tenants while clients pay, and 8 kills', // skipped without CITUS_BIN
    command: [`${processes}/move_many.ts`, '40', String(seed)],
    minutesMax: 60,
  },
];

/** The failure of a step as a sentence; undefined when it has passed. */
function run({ command, minutesMax }: Step): Promise<string | undefined> {
  const environment = { ...process.env, TORTURE: '1', TEST_SEED: String(seed) };
  // A new process group, so that all processes that it has started end with it.
  const child = spawn(process.execPath, command, { cwd: root, env: environment, stdio: 'inherit', detached: true });
  const kill = () => process.kill(-child.pid!, 'SIGKILL');
  return new Promise((resolve) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      kill();
    }, minutesMax * 60_000);
    const interrupt = () => {
      kill();
      process.exit(130);
    };
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
      if (late) resolve(`not done after ${minutesMax} minutes`);
      else resolve(code === 0 ? undefined : `ended with ${code ?? signal}`);
    });
  });
}

console.log(`torture with TEST_SEED=${seed}`);
const results: string[] = [];
for (const step of steps) {
  console.log(`\n${step.name}`);
  const began = performance.now();
  const wrong = await run(step);
  if (wrong !== undefined) process.exitCode = 1;
  results.push(`${wrong ?? 'held'} (${Math.round((performance.now() - began) / 1_000)} s): ${step.name}`);
}
console.log(`\n${results.join('\n')}\ntorture with TEST_SEED=${seed}`);
