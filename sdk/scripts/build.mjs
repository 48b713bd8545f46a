// Makes dist/, or the folder that is named: JavaScript without comments, and declarations with them. It must run on Node 20.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const sdk = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = process.argv[2] ?? join(sdk, 'dist');
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));

function compile(...options) {
  execFileSync(process.execPath, [join(typescript, 'bin', 'tsc'), '--outDir', dist, ...options], {
    cwd: sdk,
    stdio: 'inherit',
  });
}

rmSync(dist, { recursive: true, force: true });
compile('--emitDeclarationOnly');
compile('--declaration', 'false', '--removeComments', '--noCheck');

// The compiler leaves the names of source files in declarations.
for (const path of readdirSync(dist, { recursive: true }).filter((name) => name.endsWith('.d.ts'))) {
  const file = join(dist, path);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
}
