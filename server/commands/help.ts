import type { Command, Help } from 'commander';

const exampleOfCommand = new WeakMap<Command, string>();

/** What the help of a command ends with. */
export function withExample(command: Command, example: string): Command {
  exampleOfCommand.set(command, example);
  return command;
}

export function exampleShown(command: Command): string | undefined {
  return exampleOfCommand.get(command);
}

/** The overview, by what somebody wants to do. Every group that is not named here belongs to the API. */
const overview: readonly [heading: string, names: readonly string[]][] = [
  ['Run', ['dev', 'serve', 'status', 'doctor', 'migrate']],
  ['Develop', ['listen', 'trigger', 'logs', 'fake-stripe', 'completion']],
  ['Administer', ['accounts', 'keys', 'processors', 'notices', 'vault', 'ledger', 'reconcile']],
];

const usualWidth = 80;
const termMax = 34;
const optionLinesMax = 15; // of a screen's 24: the rest takes up to nine

/** Help that fits a screen: a line for each thing, and an example. */
export function formatHelp(command: Command, helper: Help): string {
  const width = process.stdout.columns ?? usualWidth;
  if (command.parent === null) return overviewOf(command, helper, width);
  // What the API does comes first, and then what only an operator can do.
  const asksApi = (one: Command) => one.options.some(({ long }) => long === '--api-base');
  const visible = helper.visibleCommands(command).filter((one) => one.name() !== 'help');
  const commands = [...visible.filter(asksApi), ...visible.filter((one) => !asksApi(one))];
  return commands.length > 0 ? groupHelp(command, commands, width) : leafHelp(command, helper, width);
}

function overviewOf(command: Command, helper: Help, width: number): string {
  const all = helper.visibleCommands(command).map((one) => one.name());
  const named = new Set(overview.flatMap(([, names]) => names));
  const api = all.filter((name) => !named.has(name) && name !== 'help');
  const sections = [...overview.map(([heading, names]) => [heading, names] as const), ['API', api] as const];
  return lines(
    command.description(),
    '',
    'Usage: tollgate <command> [options]',
    '',
    ...sections
      .filter(([, names]) => names.length > 0)
      .map(([heading, names]) => entry(heading, names.join(', '), 12, width)),
    '',
    'tollgate <command> --help explains a command.',
    '',
    'Example: tollgate payments create --amount 2000 --currency eur --payment-method pm_…',
  );
}

function groupHelp(command: Command, commands: readonly Command[], width: number): string {
  const terms = commands.map((one) =>
    [one.name(), ...one.registeredArguments.map((arg) => `<${arg.name()}>`)].join(' '),
  );
  const column = columnOf(terms);
  const alias = command.aliases().length === 0 ? '' : ` (also: ${command.aliases().join(', ')})`;
  return lines(
    `Usage: ${pathOf(command)} <command> [options]`,
    '',
    `${sentence(command.description())}${alias}`,
    '',
    ...commands.map((one, at) => entry(terms[at]!, clause(one.description()), column, width)),
    '',
    `Example: ${exampleShown(commands[0]!) ?? ''}`,
  );
}

function leafHelp(command: Command, helper: Help, width: number): string {
  const options = helper.visibleOptions(command).filter(({ long }) => long !== '--help');
  const terms = options.map(({ flags }) => flags);
  const column = columnOf(terms);
  const args = command.registeredArguments.map((arg) => (arg.required ? ` <${arg.name()}>` : ` [${arg.name()}]`));
  const hidden = command.options.filter((option) => option.hidden).map(({ short, long }) => short ?? long);
  const entries = options.map((option, at) => entry(terms[at]!, helper.optionDescription(option), column, width - 1));
  const isLong = entries.join('\n').split('\n').length > optionLinesMax;
  return lines(
    `Usage: ${pathOf(command)}${args.join('')}${command.options.length > 0 ? ' [options]' : ''}`,
    '',
    ...wrapped(sentence(command.description()), width),
    '',
    ...(isLong ? clipped(entries) : entries),
    ...(hidden.length === 0 ? [] : wrapped(`Also ${hidden.join(', ')}: see docs/commands.md.`, width)),
    ...(command.options.length > 0 ? [''] : []),
    `Example: ${exampleShown(command) ?? ''}`,
  );
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function columnOf(terms: readonly string[]): number {
  return Math.min(termMax, Math.max(0, ...terms.map((term) => term.length)) + 2);
}

/** A term and its text, below each other in two columns. A long term pushes the beginning of its text to the right. */
function entry(term: string, text: string, column: number, width: number): string {
  const head = `  ${term.padEnd(column)}`.padEnd(term.length + 4);
  const room = width - column - 2;
  const [first = '', ...rest] = wrapped(text, width - head.length, room);
  return [`${head}${first}`.trimEnd(), ...rest.map((line) => ' '.repeat(column + 2) + line)].join('\n');
}

/** `firstWidth` is what is left of the first line. */
function wrapped(text: string, firstWidth: number, width = firstWidth): string[] {
  const out = [''];
  for (const word of text.split(' ')) {
    const last = out.at(-1)!;
    const line = last === '' ? word : `${last} ${word}`;
    if (last !== '' && line.length > (out.length === 1 ? firstWidth : width)) out.push(word);
    else out[out.length - 1] = line;
  }
  return out;
}

/** Many options have a line each: the reference has their whole sentences. */
function clipped(lines: readonly string[]): string[] {
  return lines.map((text) => {
    const [first, ...rest] = text.split('\n') as [string, ...string[]];
    return rest.length === 0 ? first : `${first}…`;
  });
}

/** Up to the first semicolon: the help of the command itself has the rest. */
function clause(text: string): string {
  return text.split(';')[0]!;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function lines(...all: string[]): string {
  return `${all.join('\n')}\n`;
}
