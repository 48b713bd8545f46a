// Some npm versions drop the link `.bin/node` because both platform packages of Node claim that name; every script
// would then silently run on the machine's own, older Node. This puts the link back. It must run on Node 20.
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules');
const binary = join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node');
const link = join(modules, '.bin', 'node');

if (existsSync(binary)) {
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(relative(dirname(link), binary), link);
}
