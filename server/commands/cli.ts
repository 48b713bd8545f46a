import { Command, CommanderError } from 'commander';
import { hideKeys } from '../base/hidden_keys.ts';
import { packageVersion } from '../version.ts';
import { administration, reconcile } from './administration.ts';
import { type Api, addOperations, sending } from './api/tree.ts';
import { addCommand, addGroup, describe } from './command.ts';
import { addDevelopment, addRunning, byHand } from './development.ts';
import { formatHelp } from './help.ts';
import { addImport } from './import.ts';
import { exitCodes } from './usage.ts';

/**
 * All commands: those that are made by hand, and one for each operation that is given. The code of a command is loaded when it is called.
 * Lists of objects have flags for the positions that the arguments name.
 */
export function program(
  api: Api = { operations: [], abouts: {} },
  args: readonly string[] = [],
  run = sending,
): Command {
  const tollgate = new Command('tollgate')
    .description(
      'A self-hosted payment gateway: one command, one process, one PostgreSQL. tollgate <command> --help explains a command',
    )
    .version(packageVersion)
    .configureHelp({ formatHelp: (command, helper) => formatHelp(command, helper, args.includes('--all')) })
    .configureOutput({ outputError: (text, write) => write(hideKeys(text)) })
    .exitOverride()
    .hook('preAction', (_, command) => nameDatabase(command));
  describe(tollgate, { example: 'tollgate payments create --amount 2000 --currency eur --payment-method pm_…' });

  addRunning(tollgate);
  for (const [name, group] of Object.entries(administration)) addGroup(tollgate, name, group);
  addCommand(tollgate, 'reconcile', reconcile).helpGroup('Administer');
  addImport(tollgate);
  addDevelopment(tollgate);
  addOperations(tollgate, api, { args, byHand, run });
  return tollgate;
}

const servers: ReadonlySet<string | undefined> = new Set(['dev', 'serve', 'fake-stripe']);
/** Commands that open the database themselves, or need none. */
const ownDatabase = new Set([
  ...['dev', 'serve', 'doctor', 'status', 'completion', 'fake-stripe'],
  ...['mails test', 'mails preview'],
]);

/** Without DATABASE_URL the database follows from the working directory, which may not be the intended one: so it is named. */
async function nameDatabase(command: Command): Promise<void> {
  const isOfGroup = command.parent?.parent != null;
  const path = isOfGroup ? `${command.parent!.name()} ${command.name()}` : command.name();
  if (ownDatabase.has(path) || asksApi(command)) return;
  const { readConfig } = await import('../config.ts');
  const { databaseInWords, requireDatabase } = await import('../database.ts');
  const config = readConfig('command');
  await requireDatabase(config);
  if (config.database.kind === 'embedded' && !command.opts().json) console.error(`Using ${databaseInWords(config)}.`);
}

/** `events resend` and `refunds create` ask the API unless they are given an account. */
function asksApi(command: Command): boolean {
  return command.options.some(({ long }) => long === '--api-base') && command.opts().account === undefined;
}

/** Where no command of the API can be meant, the operations, which take longer to load than all else, are left alone. */
async function programFor(args: readonly string[]): Promise<Command> {
  const [word = ''] = args;
  const own = program(undefined, args);
  const named = own.commands.find((command) => command.name() === word);
  const isOwn = named !== undefined && named.helpGroup() !== '' && word !== 'completion';
  return isOwn || ['--version', '-V'].includes(word) ? own : program(await import('../catalog.ts'), args);
}

export async function main(args: string[]): Promise<void> {
  try {
    await (await programFor(args)).parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = await exitCodeOf(error);
    // What a failed start has left open must not keep a process alive that serves nobody: its supervisor would not restart it.
    if (servers.has(args[0])) process.exit();
  }
}

/** Commander has printed the help, the version, or what is wrong with the command line. */
async function exitCodeOf(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  return (await import('./report.ts')).report(error);
}
