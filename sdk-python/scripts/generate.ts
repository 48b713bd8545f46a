import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ApiDocument } from '../../sdk/scripts/generator/document.ts';
import { catalog, describedBy } from '../../server/catalog.ts';
import { openApi } from '../../server/http/pages/openapi/document.ts';
import { generatedFiles } from './generator/files.ts';

const root = join(import.meta.dirname, '..');
const generatedFolder = join(root, 'tollgate', 'generated');

/** The generated part of the Python client as it should be, by path. */
export function generatePythonClient(): Map<string, string> {
  const [, version] = /^version = "(.+)"$/m.exec(readFileSync(join(root, 'pyproject.toml'), 'utf8'))!;
  return generatedFiles(openApi(describedBy(catalog)) as unknown as ApiDocument, version!);
}

/** The generated part as it is. */
export function readPythonClient(): Map<string, string> {
  const paths = globSync('**/*.py', { cwd: generatedFolder }).sort();
  return new Map(paths.map((path) => [path, readFileSync(join(generatedFolder, path), 'utf8')]));
}

/** Writes the generated part; returns how many files it has. */
export function writePythonClient(): number {
  const files = generatePythonClient();
  rmSync(generatedFolder, { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(generatedFolder, path)), { recursive: true });
    writeFileSync(join(generatedFolder, path), text);
  }
  return files.size;
}
