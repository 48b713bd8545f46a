import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, matchesGlob } from 'node:path';
import { buildDashboard } from '../server/http/pages/dashboard/built.ts';
import { clientTarball, packedPath, pythonFiles } from '../server/http/pages/sdk/built.ts';
import { isTestCode } from '../server/test/repository.ts';

/**
 * `npm pack` of server/ runs this before it packs, and with `--clean` afterwards. Node does not strip types below node_modules, so the
 * package holds the same files as JavaScript, in server/dist, with the folders of the repository: paths between files stay true.
 */
const root = join(import.meta.dirname, '..');
const target = join(root, 'server', 'dist');

const python = pythonFiles.map((pattern) => `sdk-python/${pattern}`);
const packed = ['LICENSE', 'docs/**/*', 'server/**/*', 'dashboard/dist/**/*', ...python];
/** What is read in the repository alone, and bin/, which the package has beside dist/. */
const left = ['server/{dist,bin,node_modules}/**', 'server/**/README.md', 'server/migrations/checksums.txt'];

/** The files below dist/ and what they contain, by their paths there. */
export function packagedFiles(): Map<string, string | Buffer> {
  const entries = globSync(packed, { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1)).sort();
  const kept = paths.filter((path) => !isTestCode(path) && !left.some((pattern) => matchesGlob(path, pattern)));
  return new Map(
    kept.map((path): [string, string | Buffer] => {
      const bytes = readFileSync(join(root, path));
      return path.endsWith('.ts') ? [path.replace(/\.ts$/, '.js'), toJavaScript(bytes.toString())] : [path, bytes];
    }),
  );
}

const relativeImport = /(\bfrom |\bimport |\bimport\()'(\.{1,2}\/[^'\n]+)\.ts'/g;

/** Types become blanks, so that every line and column stays where it is in the repository: stack traces name the right place. */
export function toJavaScript(source: string): string {
  return stripTypeScriptTypes(source, { mode: 'strip' }).replaceAll(relativeImport, "$1'$2.js'");
}

if (import.meta.main) {
  rmSync(target, { recursive: true, force: true });
  if (!process.argv.includes('--clean')) {
    await buildDashboard();
    const client = await clientTarball();
    if (client === undefined) throw new Error('The compiler that builds sdk/ is not installed: npm ci --include=dev');
    for (const [path, content] of packagedFiles().set(packedPath, client)) {
      const file = join(target, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
  }
}
