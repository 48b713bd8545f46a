#!/usr/bin/env node
// Plain JavaScript that every Node reads: it makes sure that the right Node runs the rest.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const major = Number(process.versions.node.split('.')[0]);

if (major >= 24) {
  // Half of a command's time would go into reading its sources. The cache stays in the checkout, where nobody else can write.
  const modules = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'node_modules');
  if (existsSync(modules)) module.enableCompileCache(join(modules, '.cache', 'tollgate'));
  const { main } = await import('../commands/cli.ts');
  await main(process.argv.slice(2));
} else {
  rerun(installedNode());
}

/** The Node that came with the checkout, looked for like any package: in node_modules, here or above. */
function installedNode() {
  const name = join('node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, name))) {
    if (folder === dirname(folder)) return undefined;
    folder = dirname(folder);
  }
  return join(folder, name);
}

function rerun(node) {
  if (node === undefined) {
    console.error(
      `Tollgate needs Node 24 or newer; this is ${process.version}. Install Node 24, or run npm ci again: on Linux it brings one.`,
    );
    process.exit(1);
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}
