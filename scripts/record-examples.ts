import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const examples = 'server/http/pages/openapi/examples.json';

/** Has a server answer every operation once, and writes the answers down as the examples of the OpenAPI document. */
export function recordExamples(): void {
  run([process.execPath, 'node_modules/vitest/vitest.mjs', 'run', 'server/test/examples'], { RECORD_EXAMPLES: '1' });
  run(['node_modules/.bin/biome', 'format', '--write', examples]);
}

function run([command, ...rest]: [string, ...string[]], environment: Record<string, string> = {}): void {
  const env = { ...process.env, ...environment };
  const { status } = spawnSync(command, rest, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${rest.join(' ')} ended with ${status}`);
}

if (import.meta.main) {
  recordExamples();
  console.log(`Wrote ${examples}.`);
}
