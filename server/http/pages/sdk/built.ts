import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageTarball } from './tarball.ts';

/** The folder that holds server/, in the repository and in the package of the server. */
const root = join(import.meta.dirname, '..', '..', '..', '..');
const sdk = join(root, 'sdk');

/** Where the package of the server has the client. The repository makes it when it is asked for. */
export const packedPath = join('sdk', 'tollgate-node.tgz');

/** Files that `npm pack` adds to `files` of package.json. */
const always = ['LICENSE', 'README.md', 'package.json'];

/** The client for Node as `npm pack` makes it; undefined where it is neither packed nor what builds it is installed. */
export async function clientTarball(): Promise<Buffer | undefined> {
  const packed = join(root, packedPath);
  if (existsSync(packed)) return readFileSync(packed);
  return canBuild() ? buildTarball() : undefined;
}

/** The client for Python, in sdk-python/: what pip needs of it. */
export const pythonFiles = ['LICENSE', 'README.md', 'pyproject.toml', 'tollgate/**/*.py', 'tollgate/py.typed'];

/** The client for Python as pip takes it: its source. Undefined where it is not there. */
export async function pythonTarball(): Promise<Buffer | undefined> {
  const folder = join(root, 'sdk-python');
  if (!existsSync(folder)) return undefined;
  const files = new Map(globSync(pythonFiles, { cwd: folder }).map((path) => [path, readFileSync(join(folder, path))]));
  const [, version] = /^version = "(.+)"$/m.exec(files.get('pyproject.toml')!.toString())!;
  return packageTarball(files, `tollgate-${version}`);
}

/** `npm ci --omit=dev` leaves the compiler out. */
function canBuild(): boolean {
  return [join(sdk, 'scripts', 'build.mjs'), join(root, 'node_modules', 'typescript')].every((path) =>
    existsSync(path),
  );
}

async function buildTarball(): Promise<Buffer> {
  const dist = mkdtempSync(join(tmpdir(), 'tollgate-sdk-'));
  try {
    await promisify(execFile)(process.execPath, [join(sdk, 'scripts', 'build.mjs'), dist]);
    const entries = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const built = entries.map(({ parentPath, name }) => join(parentPath, name));
    return packageTarball(
      new Map([
        ...always.map((name) => [name, readFileSync(join(sdk, name))] as const),
        ...built.map((path) => [join('dist', path.slice(dist.length + 1)), readFileSync(path)] as const),
      ]),
    );
  } finally {
    rmSync(dist, { recursive: true, force: true });
  }
}
