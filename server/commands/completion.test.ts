import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { abouts, operations } from '../catalog.ts';
import { program } from './cli.ts';
import { completion } from './completion.ts';

const tollgate = program({ operations, abouts });

/** The words that bash offers for each line. */
function offered(lines: readonly string[][]): string[][] {
  const tries = lines.map((words) => {
    const listed = ['tollgate', ...words].map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${listed}); COMP_CWORD=${words.length}; COMPREPLY=(); _tollgate; echo "\${COMPREPLY[*]}"`;
  });
  const script = [completion('bash', tollgate), ...tries].join('\n');
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-s'], { input: script, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ').filter(Boolean));
}

test('bash offers commands, verbs, options and choices', () => {
  const [commands, verbs, options, choices, values, alias] = offered([
    ['payme'],
    ['payments', ''],
    ['payments', 'create', '--am'],
    ['completion', ''],
    ['payments', 'list', '--limit', '3', '--st'],
    ['clocks', 'adv'],
  ]);
  expect(commands).toEqual(['payments', 'payment_methods', 'payment_links']);
  expect(verbs).toEqual(expect.arrayContaining(['create', 'capture', 'settle', 'unsettled']));
  expect(options).toEqual(['--amount']);
  expect(choices).toEqual(['bash', 'zsh', 'fish']);
  expect(values).toEqual(['--starting-after', '--status']);
  expect(alias).toEqual(['advance']);
});

test('bash offers the same after npx, and leaves other programs of npx and other completions of it alone', () => {
  const tries = `
    try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _tollgate_npx; echo "\${COMPREPLY[*]}"; }
    try npx tollgate payments cap
    try npx toll
    try npx vitest payments cap
    complete -p npx`;
  const run = (before: string) =>
    spawnSync('bash', ['--norc', '-s'], {
      input: `${before}\n${completion('bash', tollgate)}\n${tries}`,
      encoding: 'utf8',
    });
  expect(run('').stderr).toBe('');
  expect(run('').stdout.split('\n')).toEqual(['capture', '', '', 'complete -o default -F _tollgate_npx npx', '']);
  expect(run('complete -W mine npx').stdout).toMatch(/\ncomplete -W 'mine' npx\n$/);
});

/** What each line becomes with Tab. Only one word fits. */
const unique: readonly [typed: string, word: string][] = [
  ['payment_m', 'payment_methods'],
  ['payments cap', 'capture'],
  ['payments create --am', '--amount'],
  ['completion zs', 'zsh'],
  ['reconcile --connector simulator --da', '--date'],
  ['payments list --limit 3 --starti', '--starting-after'],
  ['clocks adv', 'advance'],
];

const isInstalled = (shell: string) => spawnSync(shell, ['--version']).status === 0;

/** zsh completes at a terminal only; its module zpty is one. Ctrl-T prints the line as it stands. */
function lineAfterTab(typed: readonly string[]): string[] {
  const home = mkdtempSync(join(tmpdir(), 'tollgate-zsh-'));
  writeFileSync(
    join(home, '.zshrc'),
    `${completion('zsh', tollgate)}
_show() { print -r -- "<$BUFFER>"; BUFFER='' }
zle -N _show; bindkey '^T' _show; print '<ready>'`,
  );
  const tries = typed.map(
    (line) => `zpty -w -n it $'tollgate ${line}\\t\\C-t'; zpty -r it out '*<*>*'; print -r -- $out`,
  );
  const script = `zmodload zsh/zpty; zpty it zsh -d -i; zpty -r it out '*<ready>*'; ${tries.join('\n')}; zpty -d it`;
  const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', script], {
    encoding: 'utf8',
    env: { ...process.env, ZDOTDIR: home, HOME: home, TERM: 'dumb' },
    timeout: 20_000,
  });
  rmSync(home, { recursive: true });
  expect(stderr).toBe('');
  return [...stdout.matchAll(/<(tollgate [^<>]*)>/g)].map(([, line]) => line!);
}

test('zsh completes the line at a terminal, in a shell that has not loaded its own completion', ({ skip }) => {
  skip(!isInstalled('zsh'), 'zsh is not installed');
  const lines = unique.map(([typed, word]) => `tollgate ${typed.replace(/\S+$/, word)} `);
  expect(lineAfterTab(unique.map(([typed]) => typed))).toEqual(lines);
});

test('fish offers words with what they mean', ({ skip }) => {
  skip(!isInstalled('fish'), 'fish is not installed');
  const typed = [...unique.map(([line]) => line), 'payments l', 'payments create '];
  const tries = typed.map((line) => `complete -C 'tollgate ${line}'; echo .`);
  const home = mkdtempSync(join(tmpdir(), 'tollgate-fish-'));
  const file = join(home, 'try.fish');
  writeFileSync(file, [completion('fish', tollgate), ...tries].join('\n'));
  const { stdout, stderr } = spawnSync('fish', ['--no-config', file], { encoding: 'utf8' });
  rmSync(home, { recursive: true });
  expect(stderr).toBe('');
  const offers = stdout.split('.\n').map((text) => text.split('\n').filter(Boolean));
  const words = offers.map((lines) => lines.map((line) => line.split('\t')[0]));
  expect(words).toEqual([...unique.map(([, word]) => [word]), ['list', 'list_attempts'], [], []]);
  expect(offers[1]).toEqual(['capture\tcapture an authorized payment']);
});

test.each(['bash', 'zsh', 'fish'] as const)('%s knows every command and option', (shell) => {
  const script = completion(shell, tollgate);
  const missing: string[] = [];
  for (const group of tollgate.commands)
    for (const command of [group, ...group.commands])
      for (const word of [command.name(), ...command.options.map(({ long }) => long!.slice(2))])
        if (!script.includes(word)) missing.push(word);
  expect(missing).toEqual([]);
});
