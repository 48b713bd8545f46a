import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRepository } from './repository.ts';

/** What `docker build` sends to the builder, whose layers and caches keep it. */

const root = join(import.meta.dirname, '..', '..');
const linesOf = (path: string) =>
  readFileSync(join(root, path), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

const rules = linesOf('deploy/Dockerfile.dockerignore').map((line) => {
  const pattern = line.replace(/^!/, '');
  const syntax = pattern.replaceAll(/\*\*\/|\*|[.+?^$()[\]{}|\\]/g, (sign) =>
    sign === '**/' ? '(?:.*/)?' : sign === '*' ? '[^/]*' : `\\${sign}`,
  );
  // A pattern that matches a folder matches everything below it.
  return { keeps: line.startsWith('!'), matches: new RegExp(`^${syntax}(?:/|$)`) };
});

/** The last rule that matches decides. */
const isSent = (path: string) => rules.findLast(({ matches }) => matches.test(path))?.keeps ?? true;

/** Paths that a line of .gitignore names: `deploy/secrets/` is one folder, `dist/` a folder at any depth, `*.log` any name. */
function ignoredByGit(line: string): string[] {
  const name = line.replace(/\/$/, '').replace('*', 'name');
  const paths = name.includes('/')
    ? [name]
    : ['', 'server/', 'dashboard/src/', 'deploy/', 'docs/'].map((at) => at + name);
  return line.endsWith('/') ? paths.map((path) => `${path}/file`) : paths;
}

test.each(linesOf('.gitignore'))('what git ignores as %s does not get into an image or its cache', (line) => {
  expect(ignoredByGit(line).filter(isSent)).toEqual([]);
});

test.each([
  'deploy/secrets/vault.key',
  'deploy/tollgate.env',
  '.git/config',
  '.env',
  'vault.key',
  'deploy/backup.sql',
  'server/.env',
  'server/tls-key.pem',
])('%s is not sent either', (path) => {
  expect(isSent(path)).toBe(false);
});

test('what the build needs is sent, and of the rest of the repository nothing', () => {
  const needed =
    /^(package(-lock)?\.json|LICENSE|deploy\/healthcheck\.mjs|(server|sdk|sdk-python|dashboard|docs|scripts)\/.*)$/;
  const paths = readRepository().map(({ path }) => path);
  expect(paths.filter(isSent)).toEqual(paths.filter((path) => needed.test(path)));
});

test('the Dockerfile copies nothing that is left out', () => {
  const copied = linesOf('deploy/Dockerfile').flatMap(
    (line) => line.match(/(?<=^COPY (?!--from).*)\S+(?=.* \S+$)/g) ?? [],
  );
  expect(copied).toContain('deploy/healthcheck.mjs');
  expect(copied.filter((path) => path !== '.' && !isSent(path))).toEqual([]);
});
