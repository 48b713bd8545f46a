import { type Command, Option } from 'commander';
import type { AnyOperation } from '../../operations/operation.ts';
import { describe } from '../command.ts';
import { exampleOf } from './examples.ts';
import { addFlags, type FlagSchema, flagsOf, type Pair, positionsIn } from './flags.ts';
import type { runOperation } from './run.ts';

type RunOperation = typeof runOperation;

/** What the commands are made from: the operations, and a sentence about each resource. */
export type Api = { operations: readonly AnyOperation[]; abouts: Readonly<Record<string, string>> };

/** Sends the request. */
export const sending: RunOperation = async (...call) => (await import('./run.ts')).runOperation(...call);

/** Commands that take more than their operation does: the verb of a resource is made by hand. */
export type HandMade = Readonly<Record<string, (command: Command, pairs: readonly Pair[], act: Act) => void>>;

/** Runs the operation of a command: with its arguments, and its options. */
type Act = (...given: unknown[]) => Promise<void>;

/** Other names of groups. */
const aliases: Readonly<Record<string, string>> = {
  checkout_sessions: 'checkout',
  payment_links: 'links',
  test_clocks: 'clocks',
};

/** A command for each operation: `tollgate <resource> <verb> [id] --parameter value`. */
export function addOperations(
  tollgate: Command,
  { operations, abouts }: Api,
  { args, byHand, run }: { args: readonly string[]; byHand: HandMade; run: RunOperation },
): void {
  const resources = new Set(operations.map(({ name }) => name.split('.')[0]!));
  const groups = new Map([...resources].map((name) => [name, groupOf(tollgate, name, abouts[name])]));
  for (const operation of operations) {
    const [resource, verb] = operation.name.split('.') as [string, string];
    const group = groups.get(resource)!;
    const taken = group.commands.find((command) => command.name() === verb);
    const command = taken ?? newCommand(group, verb, operation);
    const pairs = addFlags(command, flagsOf(operation.input as FlagSchema, positionsIn(args)));
    addApiOptions(command, ['--live', '--json', ...accessOptions]);
    if (operation.method === 'POST') addApiOptions(command, ['--idempotency-key']);
    if (operation.offers?.includes('text/csv')) command.option('--csv', 'print everything as CSV, for a file');
    if (operation.file !== undefined)
      command.option('--output <file>', 'where to write it; without it, standard output');
    const act: Act = (...given) => {
      const id = operation.route.includes(':id') ? (given.shift() as string) : undefined;
      return run(operation, id, pairs, given[0] as Parameters<RunOperation>[3]);
    };
    const extend = byHand[operation.name];
    if (extend !== undefined) extend(command, pairs, act);
    else command.action(act);
  }
}

/** A group may have commands already that are made by hand. */
function groupOf(tollgate: Command, resource: string, about: string | undefined): Command {
  const found = tollgate.commands.find((command) => command.name() === resource);
  const group = found ?? tollgate.command(resource);
  const words = about ?? `the ${resource.replaceAll('_', ' ')} of the API`;
  const clause = words.charAt(0).toLowerCase() + words.slice(1).replace(/\.$/, '');
  group.description([clause, group.description()].filter(Boolean).join('; '));
  for (const alias of [hyphened(resource), aliases[resource]]) if (alias !== undefined) group.alias(alias);
  return group;
}

function newCommand(group: Command, verb: string, operation: AnyOperation): Command {
  const { summary, route } = operation;
  const command = group.command(route.includes(':id') ? `${verb} <id>` : verb);
  const alias = hyphened(verb);
  if (alias !== undefined) command.alias(alias);
  command.description(summary.charAt(0).toLowerCase() + summary.slice(1));
  return describe(command, { example: exampleOf(operation) });
}

function hyphened(name: string): string | undefined {
  return name.includes('_') ? name.replaceAll('_', '-') : undefined;
}

/** Which server is asked, and with which key. */
export const accessOptions: readonly string[] = ['--api-base', '--api-key', '--api-ca'];

const apiOptions: Readonly<Record<string, Option>> = {
  '--live': new Option('--live', 'use live mode instead of test mode'),
  '--json': new Option('--json', "print the API's JSON"),
  '--api-base': new Option('--api-base <address>', 'the address of the gateway; TOLLGATE_API_BASE'),
  '--api-key': new Option('--api-key <key>', 'the key; TOLLGATE_API_KEY'),
  '--api-ca': new Option(
    '--api-ca <file>',
    'the certificate authority of the gateway, if this machine does not trust it; TOLLGATE_API_CA',
  ),
  '--idempotency-key': new Option('--idempotency-key <key>', 'makes it safe to repeat the command'),
};

/** Options that all commands of the API have. The help names them in one line. */
export function addApiOptions(command: Command, names: readonly string[]): void {
  for (const name of names)
    if (!command.options.some(({ long }) => long === name)) command.addOption(apiOptions[name]!.hideHelp());
}
