#!/usr/bin/env node
// Plain JavaScript that every Node can run: it makes sure that Node 24 or newer runs the rest.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const major = Number(process.versions.node.split('.')[0]);

// Most objects of a server live for one request. With V8's default size of the young generation the process took 290 to 350 MB
// under load; with this size it took 210 to 230 MB at the same speed. The old generation starts large, because V8 marks all of it whenever it
// has grown by a part: about once a second under load. Flags can only be given at the start.
const heapFlag = '--max-semi-space-size';
const args = process.argv.slice(2);
const isServer = args[0] === 'dev' || args[0] === 'serve';

if (major >= 24 && isServer && process.execve && !process.execArgv.some((flag) => flag.startsWith(heapFlag))) {
  const flags = [...process.execArgv, `${heapFlag}=16`, '--initial-old-space-size=128'];
  process.execve(process.execPath, [process.execPath, ...flags, fileURLToPath(import.meta.url), ...args]);
} else if (major >= 24) {
  // Without the cache, a command spends half of its time compiling. It is beside what is installed, where nobody else can write.
  const modules = above('node_modules');
  if (modules !== undefined) module.enableCompileCache(join(modules, '.cache', 'tollgate'));
  // Node does not strip types below node_modules: the package has the same files as JavaScript.
  const source = new URL('../', import.meta.url).href;
  const isSource = existsSync(new URL('commands/cli.ts', source));
  const code = isSource ? source : new URL('dist/server/', source).href;
  module.registerHooks({ resolve: resolveWithin(code, isSource ? 'module-typescript' : 'module') });
  const { main } = await import(new URL(isSource ? 'commands/cli.ts' : 'commands/cli.js', code).href);
  await main(args);
} else {
  rerun(installedNode());
}

/**
 * The files of this folder import each other by paths that are exact, and all are modules. Node would look for symbolic links, and for
 * the closest package.json, at each of several hundred imports: a fourth of the time that a server takes to load.
 */
function resolveWithin(folder, format) {
  return (specifier, context, next) =>
    specifier.startsWith('.') && context.parentURL?.startsWith(folder)
      ? { url: new URL(specifier, context.parentURL).href, format, shortCircuit: true }
      : next(specifier, context);
}

/** The Node that came with the checkout. */
function installedNode() {
  return above(join('node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node'));
}

/** The file or folder of this name in this folder or the closest one above; undefined when there is none. */
function above(name) {
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
      `Tollgate needs Node 24 or newer; this is ${process.version}. Install Node 24. In a checkout on Linux, npm ci brings one.`,
    );
    process.exit(1);
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}
