import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** What the last check of these types found: the next one looks again at what has changed since, and at what depends on it. */
const remembered = (name: string) => [
  '--incremental',
  '--tsBuildInfoFile',
  join(root, 'node_modules', '.cache', `types-${name}.json`),
];

/** The format, the lint rules and the types, side by side: each of them alone leaves a processor idle. */
const checks = [
  ['biome', 'check', '.'],
  ['tsc', '--noEmit', '--checkers', '1', ...remembered('server')],
  ['tsc', '--noEmit', '-p', 'dashboard', ...remembered('dashboard')],
];

/** Whether a check holds. What it prints is shown as one piece. */
function holds([program = '', ...args]: string[]): Promise<boolean> {
  const child = spawn(join(root, 'node_modules', '.bin', program), args, { cwd: root });
  const pieces: Buffer[] = [];
  for (const output of [child.stdout, child.stderr]) output.on('data', (piece) => pieces.push(piece));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(pieces));
      resolve(code === 0);
    });
  });
}

const held = await Promise.all(checks.map(holds));
if (held.includes(false)) process.exitCode = 1;
