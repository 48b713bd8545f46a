import { Argument, type Command } from 'commander';
import { addApiOptions, type HandMade } from './api/tree.ts';
import { completion, shells } from './completion.ts';
import { print } from './print.ts';
import { UsageError } from './usage.ts';

/** Operations whose commands do more than send a request. */
export const byHand: HandMade = {
  'test_clocks.advance': (command, pairs) =>
    command
      .description('advance a test clock: --to or --frozen-time says where to')
      .option('--to <moment>', 'where to: a date such as 2035-01-31 (UTC), a time, or epoch seconds')
      .option('--wait', 'wait until everything that fell due on the way has happened')
      .action(async (id, options) => (await import('./clocks.ts')).advance(id, pairs, options)),
  'refunds.create': (command, pairs, act) =>
    command.action(async (options) => {
      if (options.account === undefined) return act(options);
      return (await import('./refunds.ts')).create(pairs, options);
    }),
  'events.resend': (command, _pairs, act) =>
    command.action(async (event, options) => {
      if (options.account !== undefined) return (await import('./events.ts')).resend(event, options);
      if (options.endpoint !== undefined)
        throw new UsageError('--endpoint needs --account; for the API it is --webhook-endpoint');
      return act(event, options);
    }),
};

/** Commands for those who build on the gateway. */
export function addDevelopment(tollgate: Command): void {
  tollgate
    .command('status')
    .description('whether the gateway runs, and what there is to do; exits with 1 if there is something')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./status.ts')).status(options));
  addTrigger(tollgate);
  addLogs(tollgate);
  addCompletion(tollgate);
}

function addTrigger(tollgate: Command): void {
  const trigger = tollgate
    .command('trigger [type]')
    .description('cause an event in test mode by the real operations that lead to it; without a type, list all types')
    .action(async (type, options) => (await import('./trigger/index.ts')).trigger(type, options));
  addApiOptions(trigger, ['--json', '--api-base', '--api-key']);
}

function addLogs(tollgate: Command): void {
  tollgate
    .command('logs')
    .description('the request log of an account')
    .command('tail')
    .description('show the newest requests of an account; requests without a valid key belong to none')
    .option('--account <account>', 'the account; required when there are several')
    .option('--live', 'use live mode instead of test mode')
    .option('--status <statuses>', 'only these, separated by commas: 402,5xx')
    .option('--method <methods>', 'only these, separated by commas: POST,DELETE')
    .option('--operation <names>', 'only these, separated by commas: payments.create')
    .option('--path <path>', 'only paths that begin like this: /v1/payments')
    .option('--key <key>', 'only those with this key, by its id')
    .option('--since <moment>', 'how far to look back: a time such as 2027-01-31T00:00:00Z, or a span', '24h')
    .option('--limit <number>', 'how many of the newest', '20')
    .option('--follow', 'then show new ones as they come; with --json, one object on each line')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./logs.ts')).tail(options));
}

function addCompletion(tollgate: Command): void {
  tollgate
    .command('completion')
    .description('print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .option('--json', 'print JSON')
    .action((shell, options) => {
      const script = completion(shell, tollgate);
      print(options.json, { ok: true, shell, script }, () => script);
    });
}
