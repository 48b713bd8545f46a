// Creates two kinds of links that npm does not. It must run on Node 20. It never fails the install: a missing link is repaired or
// reported when Tollgate starts.
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

// The embedded PostgreSQL needs links between its libraries. The user who runs it later may not be allowed to write here.
const node = existsSync(binary) ? binary : process.execPath;
spawnSync(node, [join(scripts, 'link-postgres.ts')], { stdio: 'ignore' });
