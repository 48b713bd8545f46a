import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { abouts, operations } from '../catalog.ts';
import { wordsOf } from './cli.fixture.ts';
import { program } from './cli.ts';
import { notesOf } from './command.ts';
import { exitCodes } from './usage.ts';

const screen = { lines: 24, columns: 80 };

const tollgate = program({ operations, abouts });
const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
const commands = all(tollgate);
const leaves = commands.filter((command) => command.commands.length === 0);
const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;

describe('the help', () => {
  test('of every command fits a screen with the prompt below it, and says so if it is shortened', () => {
    for (const command of commands) {
      const help = command.helpInformation();
      const lines = help
        .trimEnd()
        .split('\n')
        .map((line) => Math.max(1, Math.ceil(line.length / screen.columns)))
        .reduce((sum, count) => sum + count, 0);
      expect([nameOf(command), lines < screen.lines]).toEqual([nameOf(command), true]);
      const isShortened = /[^_]…$/m.test(help.replace(/^Example: .*$/m, '')) || help.includes('.*  ');
      expect([nameOf(command), help.includes('--help --all')]).toEqual([nameOf(command), isShortened]);
    }
  });

  test('has a name for every option, and with --all its whole text', () => {
    const words = (text: string) => text.replaceAll(/\s+/g, ' ');
    const whole = new Map(all(program({ operations, abouts }, ['--all'])).map((command) => [nameOf(command), command]));
    for (const command of leaves) {
      const [short, long] = [command.helpInformation(), words(whole.get(nameOf(command))!.helpInformation())];
      for (const { long: flag, short: letter, flags, description } of command.options) {
        const name = (letter ?? flag!).split('.').at(-1)!;
        const group = `${flag?.slice(0, flag.lastIndexOf('.'))}.*`;
        const isNamed = short.includes(name) || short.includes(group);
        expect([nameOf(command), flag, isNamed]).toEqual([nameOf(command), flag, true]);
        expect(long).toContain(`${flags} ${words(description)}`.trim());
      }
    }
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
      const [name, example] = [nameOf(command), notesOf(command).example!];
      expect(command.helpInformation().trimEnd().endsWith(`Example: ${example}`)).toBe(true);
      expect(`${example} `.startsWith(`${name} `)).toBe(true);
      const known = command.options.flatMap(({ short, long }) => [short, long]);
      for (const word of wordsOf(example).filter((one) => one.startsWith('-'))) expect(known).toContain(word);
      const required = command.options.filter(({ mandatory }) => mandatory).map(({ long }) => long!);
      for (const flag of required) expect(example).toContain(flag);
    }
  });

  test('of a resource says what it is, as the reference does', () => {
    const describing = (name: string) => tollgate.commands.find((one) => one.name() === name)!.helpInformation();
    const words = (text: string) => text.replaceAll(/\s+/g, ' ');
    const nouns = new Set(operations.map(({ name }) => name.split('.')[0]!)); // of those that a key can call
    for (const name of nouns) expect(words(describing(name))).toContain(abouts[name]!.slice(0, -1));
    expect(words(describing('payments'))).toContain('; by hand: settle payments, refunds and disputes.');
  });

  test('names every command in the overview', () => {
    const overview = tollgate.helpInformation();
    for (const { name } of tollgate.commands.map((command) => ({ name: command.name() })))
      expect(overview).toMatch(new RegExp(`[ ,]${name}(,|\n)`));
  });
});

describe('the guide', () => {
  const guide = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'commands.md'), 'utf8');

  test('has command lines whose commands and options exist', () => {
    const lines = [...guide.matchAll(/(?:^|`|npx |\()(tollgate [^`\n|]*)/gm)].map(([, line]) =>
      line!.replace(/\)$/, '').trim(),
    );
    expect(lines.length).toBeGreaterThan(15);
    for (const line of lines) {
      const words = wordsOf(line).slice(1);
      let command: Command | undefined = tollgate;
      while (command !== undefined && command.commands.length > 0) {
        const word: string | undefined = words.shift();
        command = command.commands.find((one) => [one.name(), ...one.aliases()].includes(word ?? ''));
      }
      expect({ line, known: command !== undefined }).toEqual({ line, known: true });
      const known = ['--json', ...command!.options.flatMap(({ short, long }) => [short, long])];
      const flags = words.filter((word) => word.startsWith('-')).map((flag) => flag.replace(/\.\d\./, '.0.'));
      for (const flag of flags) expect({ line, known }).toMatchObject({ known: expect.arrayContaining([flag]) });
    }
  });

  test('names every resource', () => {
    const [, named] = /The resources are ([^.]*)\./.exec(guide)!;
    const resources = new Set(operations.map(({ name }) => name.split('.')[0]!));
    expect([...named!.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()).toEqual(
      [...resources, 'checkout', 'clocks', 'links'].sort(),
    );
  });

  test('has every exit status', () => {
    const rows = [...guide.matchAll(/^\| (\d) \| (\w+)/gm)].map(([, code, name]) => [name, Number(code)]);
    expect(Object.fromEntries(rows)).toEqual(exitCodes);
  });
});
