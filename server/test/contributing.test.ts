import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRepository } from './repository.ts';
import { isTorture } from './torture.ts';

const root = join(import.meta.dirname, '..', '..');
const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
const diffs = [...guide.matchAll(/^```diff\n([\s\S]*?)^```$/gm)].map(([, diff]) => diff!);

/** Applies to files that are not in a repository too. */
const applyIn = (cwd: string, ...options: string[]) =>
  execFileSync('git', ['apply', ...options, '-'], { cwd, input: diffs.join(''), stdio: 'pipe' });

describe('the diffs in CONTRIBUTING.md', () => {
  test('apply to the sources', () => {
    expect(diffs).toHaveLength(2);
    applyIn(root, '--check');
  });

  test.runIf(isTorture)('are all that it takes, with npm run generate', { timeout: 900_000 }, () => {
    const copy = mkdtempSync(join(tmpdir(), 'tollgate-contributing-'));
    try {
      for (const { path } of readRepository()) cpSync(join(root, path), join(copy, path));
      symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
      applyIn(copy);
      const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: copy, stdio: 'pipe' });
      run('scripts/generate.ts');
      run('scripts/check.ts');
      const changed = diffs.flatMap((diff) =>
        [...diff.matchAll(/^\+\+\+ b\/(.*\.test\.ts)$/gm)].map(([, path]) => path!),
      );
      run(
        'node_modules/vitest/vitest.mjs',
        'run',
        ...changed,
        'server/test/tidy.test.ts',
        'server/test/frozen.test.ts',
        'server/base/migrate.test.ts',
        'server/commands/trigger',
        'server/http/pages/openapi',
      );
    } finally {
      rmSync(copy, { recursive: true });
    }
  });
});
