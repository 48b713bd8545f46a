import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { operations } from '../catalog.ts';
import { wordsOf } from './cli.fixture.ts';
import { program } from './cli.ts';
import { exampleShown } from './help.ts';

const screen = { lines: 24, columns: 80 };

const tollgate = program(operations);
const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
const commands = all(tollgate);
const leaves = commands.filter((command) => command.commands.length === 0);
const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;

describe('the help', () => {
  test('of every command fits a screen, but for those with more parameters than it has lines', () => {
    const long = commands.filter((command) => command.helpInformation().split('\n').length - 1 > screen.lines);
    expect(long.map(nameOf)).toEqual(['tollgate payment_methods create', 'tollgate disputes update']);
  });

  test('is as wide as a terminal, examples apart: they are pasted', () => {
    const wide = commands.flatMap((command) =>
      command
        .helpInformation()
        .split('\n')
        .filter((line) => line.length > screen.columns && !line.startsWith('Example: ')),
    );
    expect(wide).toEqual([]);
  });

  test('of every command ends with an example of itself, with options that it has', () => {
    for (const command of leaves) {
      const [name, example] = [nameOf(command), exampleShown(command)!];
      expect(command.helpInformation().trimEnd().endsWith(`Example: ${example}`)).toBe(true);
      expect(`${example} `.startsWith(`${name} `)).toBe(true);
      const known = command.options.flatMap(({ short, long }) => [short, long]);
      for (const word of wordsOf(example).filter((one) => one.startsWith('-'))) expect(known).toContain(word);
      const required = command.options.filter(({ mandatory }) => mandatory).map(({ long }) => long!);
      for (const flag of required) expect(example).toContain(flag);
    }
  });

  test('names every command in the overview', () => {
    const overview = tollgate.helpInformation();
    for (const { name } of tollgate.commands.map((command) => ({ name: command.name() })))
      expect(overview).toMatch(new RegExp(`[ ,]${name}(,|\n)`));
  });
});
