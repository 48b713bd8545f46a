// Puts two kinds of links in place that npm does not make. It must run on Node 20, and no failure of it may fail the install:
// what is missing is made good, or named clearly, when Tollgate starts.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const scripts = dirname(fileURLToPath(import.meta.url));
const modules = join(scripts, '..', 'node_modules');
const binary = join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node');

// Some npm versions drop the link `.bin/node`, because both platform packages of Node claim that name; every script would then
// silently run on the machine's own, older Node.
if (existsSync(binary)) {
  const link = join(modules, '.bin', 'node');
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(relative(dirname(link), binary), link);
}

// The embedded PostgreSQL needs links between its libraries. Whoever installs can write here; whoever runs it later may not.
const node = existsSync(binary) ? binary : process.execPath;
spawnSync(node, [join(scripts, 'link-postgres.ts')], { stdio: 'ignore' });
