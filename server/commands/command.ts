import { type Command, Option } from 'commander';

/** A command that is declared by hand. Its help, its completion and its entry in docs/commands.md follow from the declaration. */
export type DeclaredCommand = {
  about: string;
  options?: readonly Option[];
  /** What follows the name of the command in its example; by default its arguments and required options. */
  example?: string;
  /** Where the guides explain it. */
  guide?: string;
  /** What it prints with `--json`, for the guide. Commands that run until they are stopped have no `--json`. */
  prints?: string;
  /** What the name of its group alone stands for. */
  isDefault?: boolean;
  /** The module of what it does, unless it is that of the group: a function with the name of the command. */
  load?: Load;
};

/** Commands by their names and arguments: `show <account>`. */
type DeclaredCommands = Readonly<Record<string, DeclaredCommand>>;

/** Commands about the same thing. Those without a heading are listed with the API, of which they are a part. */
export type CommandGroup = {
  about?: string;
  heading?: Heading;
  guide?: string;
  /** Where commands have no module, they extend a command of the API: `byHand` says what they do. */
  load?: Load;
  commands: DeclaredCommands;
};

type Load = () => Promise<object>;
type CommandFunction = (...given: unknown[]) => Promise<void>;

type Heading = 'Run' | 'Develop' | 'Administer';
/** In the order of the help and the guide. */
export const headings: readonly Heading[] = ['Run', 'Develop', 'Administer'];

export function option(flags: string, about: string): Option {
  return new Option(flags, about);
}

export function required(flags: string, about: string): Option {
  return new Option(flags, about).makeOptionMandatory();
}

/** An option that can be given several times. */
export function repeatable(flags: string, about: string): Option {
  return new Option(flags, about).argParser((value: string, before: string[] = []) => [...before, value]);
}

export const liveOption = option('--live', 'use live mode instead of test mode');

export function addGroup(
  tollgate: Command,
  name: string,
  { about = '', heading, guide, load, commands }: CommandGroup,
): void {
  const group = describe(tollgate.command(name).description(about), { guide });
  if (heading !== undefined) group.helpGroup(heading);
  for (const [usage, declared] of Object.entries(commands))
    addCommand(group, usage, { ...(load && { load }), ...declared });
}

export function addCommand(parent: Command, usage: string, declared: DeclaredCommand): Command {
  const { about, options = [], prints, guide, load, isDefault = false } = declared;
  const command = parent.command(usage, { isDefault }).description(about);
  for (const one of options) command.addOption(one);
  if (prints !== undefined) command.option('--json', 'print JSON');
  if (load !== undefined) command.action((...given) => running(load, command.name(), given));
  const example = declared.example ?? leastExample(command);
  return describe(command, { example: [...namesOf(command), example].join(' ').trim(), prints, guide });
}

const sampleValues: Readonly<Record<string, string>> = {
  account: 'acct_…',
  key: 'key_…',
  user: 'ada@example.com',
  notice: 'ntc_…',
  'processor-account': 'pa_…',
};

function leastExample(command: Command): string {
  const required = command.options.filter(({ mandatory }) => mandatory);
  return [
    ...command.registeredArguments.map((one) => sampleValues[one.name()]),
    ...required.map((one) => `${one.long} ${sampleValues[one.name()]}`),
  ].join(' ');
}

/** The code of a command is loaded when it is called. It gets the arguments and the options. */
async function running(load: Load, name: string, given: unknown[]): Promise<void> {
  const module = (await load()) as Readonly<Record<string, CommandFunction>>;
  const run = module[name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())]!;
  return run(...given.slice(0, -1)); // the last is the command itself
}

/** What commander has no place for. `example` is the whole line. */
type CommandNotes = Partial<Record<'example' | 'prints' | 'guide', string | undefined>>;
const notes = new WeakMap<Command, CommandNotes>();

export function describe(command: Command, described: CommandNotes): Command {
  notes.set(command, described);
  return command;
}

export function notesOf(command: Command): CommandNotes {
  return notes.get(command) ?? {};
}

/** `tollgate`, `accounts`, `show`. */
export function namesOf(command: Command): string[] {
  return [...(command.parent === null ? [] : namesOf(command.parent)), command.name()];
}
