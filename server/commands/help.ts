import type { Command, Help, Option } from 'commander';
import { headings, namesOf, notesOf } from './command.ts';

const usualWidth = 80;
const termMax = 34;
const groupColumn = 4;
const screenLines = 23; // of 24: the prompt is below

/** Help that fits a screen: a line for each thing, and an example. With `--all` it is as long as it takes. */
export function formatHelp(command: Command, helper: Help, all: boolean): string {
  const width = process.stdout.columns ?? usualWidth;
  if (command.parent === null) return overviewOf(command, helper, width);
  // What the API does comes first, and then what only an operator can do.
  const asksApi = (one: Command) => one.options.some(({ long }) => long === '--api-base');
  const visible = helper.visibleCommands(command).filter((one) => one.name() !== 'help');
  const commands = [...visible.filter(asksApi), ...visible.filter((one) => !asksApi(one))];
  if (commands.length > 0) return groupHelp(command, commands, width);
  return all ? wholeHelp(command, helper, width) : leafHelp(command, helper, width);
}

/** Commands by what somebody wants to do. Those without a heading belong to the API. */
function overviewOf(command: Command, helper: Help, width: number): string {
  const visible = helper.visibleCommands(command).filter((one) => one.name() !== 'help');
  const under = (heading: string) => visible.filter((one) => one.helpGroup() === heading).map((one) => one.name());
  const sections = [...headings.map((heading) => [heading, under(heading)] as const), ['API', under('')] as const];
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
    `Usage: ${namesOf(command).join(' ')} <command> [options]`,
    '',
    ...wrapped(`${sentence(command.description())}${alias}`, width),
    '',
    ...commands.map((one, at) => entry(terms[at]!, clause(one.description()), column, width)),
    '',
    `Example: ${notesOf(commands[0]!).example ?? ''}`,
  );
}

/** The options, shortened as far as needed: their texts to few lines, then the members of an object to one term. */
function leafHelp(command: Command, helper: Help, width: number): string {
  const hidden = command.options.filter((option) => option.hidden).map(({ short, long }) => short ?? long);
  const also = hidden.length === 0 ? '' : `Also ${hidden.join(', ')}.`;
  let terms = command.options.filter((option) => !option.hidden).map((option) => termOf(option, helper));
  const whole = framed(command, terms, { note: also, width });
  if (linesOnScreen(whole, width) <= screenLines) return whole;
  const note = `Shortened: --help --all shows everything. ${also}`.trim();
  for (;;) {
    const tries = [3, 2, 1].map((linesMax) => framed(command, terms, { note, width, linesMax }));
    const fits = tries.find((help) => linesOnScreen(help, width) <= screenLines);
    const fewer = withLargestGroup(terms);
    if (fits !== undefined || fewer.length === terms.length) return fits ?? tries.at(-1)!;
    terms = fewer;
  }
}

/** Every option with its whole text, those of all commands of the API too. */
function wholeHelp(command: Command, helper: Help, width: number): string {
  const terms = command.options.map((option) => termOf(option, helper));
  return framed(command, terms, { note: '', width });
}

/** A line of the help. A group stands for the members of an object. */
type Term = { term: string; text: string; isGroup?: boolean };

function termOf(option: Option, helper: Help): Term {
  return { term: option.flags, text: helper.optionDescription(option) };
}

/** The members of the object that has most of them become one term, which names them. */
function withLargestGroup(terms: readonly Term[]): Term[] {
  const groups = Map.groupBy(terms, ({ term, isGroup }) => (isGroup ? undefined : objectOf(term)));
  groups.delete(undefined);
  const [object, members = []] = [...groups].sort(([, one], [, other]) => other.length - one.length)[0] ?? [];
  const [first] = members;
  if (object === undefined || first === undefined || members.length === 1) return [...terms];
  const names = members.map(({ term }) => term.split(' ')[0]!.slice(object.length + 1));
  const group = { term: `${object}.*`, text: names.join(', '), isGroup: true };
  return terms.flatMap((term) => (term === first ? [group] : members.includes(term) ? [] : [term]));
}

/** `--card` of `--card.number <value>`; undefined for what is no member of an object. */
function objectOf(term: string): string | undefined {
  return /^(--\S+)\.[^.\s]+ /.exec(term)?.[1];
}

function framed(
  command: Command,
  terms: readonly Term[],
  { note, width, linesMax = Number.POSITIVE_INFINITY }: { note: string; width: number; linesMax?: number },
): string {
  const column = columnOf(terms.map(({ term }) => term));
  const args = command.registeredArguments.map((arg) => (arg.required ? ` <${arg.name()}>` : ` [${arg.name()}]`));
  const entries = terms.map(({ term, text, isGroup }) =>
    isGroup ? entry(term, text, groupColumn, width - 1) : clipped(entry(term, text, column, width - 1), linesMax),
  );
  return lines(
    `Usage: ${namesOf(command).join(' ')}${args.join('')}${command.options.length > 0 ? ' [options]' : ''}`,
    '',
    ...wrapped(sentence(command.description()), width),
    '',
    ...entries,
    ...(note === '' ? [] : wrapped(note, width)),
    ...(command.options.length > 0 ? [''] : []),
    `Example: ${notesOf(command).example ?? ''}`,
  );
}

/** A terminal breaks the lines that are longer than it is wide: examples, which are to be pasted. */
export function linesOnScreen(text: string, width: number): number {
  return text
    .trimEnd()
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / width)), 0);
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

function clipped(text: string, linesMax: number): string {
  const all = text.split('\n');
  return all.length <= linesMax ? text : `${all.slice(0, linesMax).join('\n')}…`;
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
