import { Command, Help, Option } from 'commander';
import { headings, namesOf, notesOf } from './command.ts';

const termMax = 32;
const screenLines = 23; // of 24: the prompt is below

/** Help that fits a screen, with an example. With `--all` it is as long as it takes. */
export function formatHelp(command: Command, { helpWidth: width = 80 }: Help, all: boolean): string {
  const named = command.options.filter((option) => option.hidden).map(({ short, long }) => short ?? long!);
  const also = () => (all || named.length === 0 ? '' : `Also ${named.join(', ')}.`);
  let options: readonly Option[] = command.options.filter((option) => all || !option.hidden);
  const whole = new ScreenHelp(width, { options, note: also() }).formatHelp(command);
  if (all || linesOnScreen(whole, width) <= screenLines) return whole;
  for (;;) {
    const note = `In full: --help --all. ${also()}`.trim();
    // The texts are shortened to few lines, then the members of an object to one entry. Then options are only named, the last ones first.
    const tries = [3, 2, 1].map((linesMax) => new ScreenHelp(width, { options, note, linesMax }).formatHelp(command));
    const fits = tries.find((help) => linesOnScreen(help, width) <= screenLines);
    if (fits !== undefined || options.length === 0) return fits ?? tries.at(-1)!;
    const fewer = withLargestGroup(options);
    if (fewer.length === options.length) named.unshift(fewer.at(-1)!.long!);
    options = fewer.length === options.length ? fewer.slice(0, -1) : fewer;
  }
}

type HelpContent = { options: readonly Option[]; note: string; linesMax?: number };

/** Commander's help without headings, and with a note and an example at its end. */
class ScreenHelp extends Help {
  override minWidthToWrap = 0;
  readonly #content: HelpContent;

  constructor(width: number, content: HelpContent) {
    super();
    this.helpWidth = width;
    this.#content = content;
  }

  /** A group shows the example of its first command. */
  override formatHelp(command: Command): string {
    const { example } = { ...notesOf(this.visibleCommands(command)[0] ?? command), ...notesOf(command) };
    const note = this.#content.note === '' ? '' : `${this.boxWrap(this.#content.note, this.helpWidth!)}\n`;
    return `${super.formatHelp(command, this)}${note}\nExample: ${example}\n`;
  }

  override commandUsage(command: Command): string {
    return `${namesOf(command).join(' ')} ${command.usage()}`;
  }

  override commandDescription(command: Command): string {
    const text = command.description();
    const alias = command.aliases().length === 0 ? '' : ` (also: ${command.aliases().join(', ')})`;
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.${alias}`;
  }

  override visibleOptions(): Option[] {
    return [...this.#content.options];
  }

  override visibleCommands(command: Command): Command[] {
    const visible = super.visibleCommands(command).filter((one) => one.name() !== 'help');
    if (command.parent === null) return overview(visible);
    // What the API does comes first, and then what only an operator can do.
    const asksApi = (one: Command) => one.options.some(({ long }) => long === '--api-base');
    return [...visible.filter(asksApi), ...visible.filter((one) => !asksApi(one))];
  }

  override subcommandTerm(command: Command): string {
    return [command.name(), ...command.registeredArguments.map((one) => `<${one.name()}>`)].join(' ');
  }

  /** Up to the first semicolon: the help of the command itself has the rest. */
  override subcommandDescription(command: Command): string {
    return super.subcommandDescription(command).split(';')[0]!;
  }

  override formatItemList(heading: string, items: string[], helper: Help): string[] {
    return super.formatItemList(heading, items, helper).slice(1);
  }

  override padWidth(command: Command, helper: Help): number {
    return Math.min(termMax, super.padWidth(command, helper));
  }

  /** A long term pushes the beginning of its text to the right. */
  override formatItem(term: string, termWidth: number, text: string): string {
    const { linesMax = Number.POSITIVE_INFINITY } = this.#content;
    const isGroup = term.endsWith('.*');
    const column = isGroup ? 4 : termWidth + 2;
    const head = `${term}  `.padEnd(column);
    const lines = this.boxWrap(head.slice(column) + text, this.helpWidth! - column - 3).split('\n');
    const kept = isGroup ? lines : lines.slice(0, linesMax);
    const clipped = kept.length < lines.length ? '…' : '';
    return `  ${head.slice(0, column)}${kept.join(`\n  ${' '.repeat(column)}`)}${clipped}`.trimEnd();
  }
}

/** Commands by what somebody wants to do. Those without a heading belong to the API. */
function overview(commands: readonly Command[]): Command[] {
  const names = (heading: string) => commands.filter((one) => one.helpGroup() === heading).map((one) => one.name());
  return [...headings, '']
    .map((heading) => new Command(heading || 'API').description(names(heading).join(', ')))
    .filter((section) => section.description() !== '');
}

/** The members of the object that has most of them become one entry, which names them. */
function withLargestGroup(options: readonly Option[]): readonly Option[] {
  const groups = Map.groupBy(options, ({ flags }) => /^(--\S+)\.[^.\s]+ /.exec(flags)?.[1]); // --card of --card.number <value>
  groups.delete(undefined);
  const [object, members = []] = [...groups].sort(([, one], [, other]) => other.length - one.length)[0] ?? [];
  if (object === undefined || members.length === 1) return options;
  const group = new Option(`${object}.*`, members.map(({ long }) => long!.slice(object.length + 1)).join(', '));
  return options.flatMap((one) => (one === members[0] ? [group] : members.includes(one) ? [] : [one]));
}

/** A terminal breaks the lines that are longer than it is wide: examples, which are to be pasted. */
function linesOnScreen(text: string, width: number): number {
  const lines = text.trimEnd().split('\n');
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / width)), 0);
}
