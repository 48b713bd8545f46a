import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const examples = 'server/http/pages/openapi/examples.json';

/** Has a server answer every operation, and writes the answers down as the examples of the OpenAPI document. */
export function recordExamples(): void {
  const vitest = [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', 'server/test/examples/'];
  run('env', 'RECORD_EXAMPLES=1', ...vitest);
  run('node_modules/.bin/biome', 'format', '--write', examples);
}

function run(command: string, ...rest: string[]): void {
  const { status, stdout, stderr } = spawnSync(command, rest, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${rest.join(' ')} ended with ${status}\n${stdout}${stderr}`);
}

if (import.meta.main) {
  recordExamples();
  console.log(`Wrote ${examples}.`);
}
