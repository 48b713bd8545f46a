import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathFromHere, shellWord } from './shell.ts';

test.each(['.tollgate/tls/ca.pem', '', 'two words', "it's", '$(id)', '`id`', 'a;b&c|d>e', '~', '*', 'é\n"\\'])(
  'a shell reads %j as one word',
  (text) => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`]).toString()).toBe(text);
  },
);

test.each([
  ['below this folder', join(process.cwd(), 'data', 'dev.json'), join('data', 'dev.json')],
  ['that is this folder', process.cwd(), '.'],
  ['elsewhere', '/srv/gateway', '/srv/gateway'],
])('a path %s', (_, path, typed) => {
  expect(pathFromHere(path)).toBe(typed);
});
