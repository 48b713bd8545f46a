import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The built dashboard: `dashboard/dist/<hash of its sources>/`. A folder that is there is complete, and two builds at the same time make
 * the same one. The package has no sources, and one such folder.
 */

/** The folder that holds server/, in the repository and in the package. */
const root = join(import.meta.dirname, '..', '..', '..', '..');
const home = join(root, 'dashboard');
const dist = join(home, 'dist');

const sources = [
  ...['dashboard/src/**/*', 'dashboard/index.html', 'dashboard/*.{json,mjs,ts}'],
  ...['sdk/src/**/*', 'server/base/look/*'],
];

const isPartial = /\.new$/;

/** Undefined where there are no sources. */
export function sourceHash(): string | undefined {
  if (!existsSync(join(home, 'index.html'))) return undefined;
  const hash = createHash('sha256');
  const files = globSync(sources, { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).sort())
    hash
      .update(`${path.slice(root.length)}\0`)
      .update(readFileSync(path))
      .update('\0');
  return hash.digest('hex').slice(0, 20);
}

/** The folder with the built files of today's sources; undefined when they must be built first. */
export function builtFolder(hash = sourceHash()): string | undefined {
  if (!existsSync(dist)) return undefined;
  const name = hash ?? readdirSync(dist).find((one) => !isPartial.test(one));
  return name !== undefined && existsSync(join(dist, name)) ? join(dist, name) : undefined;
}

/** Whether what builds it is installed: `npm ci --omit=dev` leaves it out. */
export function canBuild(): boolean {
  const modules = [home, root].map((folder) => join(folder, 'node_modules'));
  const isInstalled = (name: string) => modules.some((folder) => existsSync(join(folder, name, 'package.json')));
  return existsSync(join(home, 'index.html')) && ['vite', 'react', '@mantine/core'].every(isInstalled);
}

/** Builds what is not there yet, in a separate process. The error of a failed build has what the build printed. */
export async function buildDashboard({ signal }: { signal?: AbortSignal } = {}): Promise<string> {
  const hash = sourceHash();
  const found = builtFolder(hash);
  if (found !== undefined) return found;
  const partial = join(dist, `${randomUUID()}.new`);
  try {
    await runBuild(partial, signal);
    publish(partial, join(dist, hash!));
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return join(dist, hash!);
}

function runBuild(folder: string, signal: AbortSignal | undefined): Promise<void> {
  const options = { cwd: home, stdio: ['ignore', 'pipe', 'pipe'] as const, ...(signal && { signal }) };
  const child = spawn(process.execPath, [join(home, 'build.mjs'), folder], options as never);
  let printed = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(printed.trim() || `exit code ${code}`))));
  });
}

/** By a rename, so that no half of it is ever served. Older ones go. */
function publish(partial: string, folder: string): void {
  if (!existsSync(folder)) renameSync(partial, folder);
  for (const name of readdirSync(dist))
    if (!isPartial.test(name) && join(dist, name) !== folder)
      rmSync(join(dist, name), { recursive: true, force: true });
}
