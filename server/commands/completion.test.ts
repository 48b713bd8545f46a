import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { operations } from '../catalog.ts';
import { program } from './cli.ts';
import { completion } from './completion.ts';

const tollgate = program(operations);

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
  expect(commands).toEqual(['payments', 'payment_methods']);
  expect(verbs).toEqual(expect.arrayContaining(['create', 'capture', 'settle', 'unsettled']));
  expect(options).toEqual(['--amount']);
  expect(choices).toEqual(['bash', 'zsh', 'fish']);
  expect(values).toEqual(['--starting-after', '--status']);
  expect(alias).toEqual(['advance']);
});

test.each(['zsh', 'fish'] as const)('%s knows every command and option', (shell) => {
  const script = completion(shell, tollgate);
  const missing: string[] = [];
  for (const group of tollgate.commands)
    for (const command of [group, ...group.commands])
      for (const word of [command.name(), ...command.options.map(({ long }) => long!.slice(2))])
        if (!script.includes(word)) missing.push(word);
  expect(missing).toEqual([]);
});
