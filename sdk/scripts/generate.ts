import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { catalog, describedBy } from '../../server/catalog.ts';
import { openApi } from '../../server/http/pages/openapi/document.ts';
import type { ApiDocument } from './generator/document.ts';
import { generatedFiles } from './generator/files.ts';

const sdk = join(import.meta.dirname, '..');
export const generatedFolder = join(sdk, 'src', 'generated');

/** The generated part of the client as it should be, by path, formatted. */
export function generateClient(): Map<string, string> {
  const document = openApi(describedBy(catalog)) as unknown as ApiDocument;
  const { version } = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-generate-'));
  try {
    writeFiles(folder, generatedFiles(document, version));
    format(folder);
    return readFiles(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** By the formatter of the repository, in one run. Its linter would take twenty times as long. */
function format(folder: string): void {
  const root = join(sdk, '..');
  const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const options = [`--config-path=${join(root, 'biome.json')}`, '--vcs-enabled=false', '--write', '--log-level=error'];
  execFileSync(process.execPath, [biome, 'format', ...options, folder], { stdio: 'pipe' });
}

export function readFiles(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

function writeFiles(folder: string, files: Map<string, string>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Writes the generated part of the client; returns how many files it has. */
export function writeClient(): number {
  const files = generateClient();
  rmSync(generatedFolder, { recursive: true, force: true });
  writeFiles(generatedFolder, files);
  return files.size;
}
