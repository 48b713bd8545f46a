import { Argument, type Command } from 'commander';
import { packageVersion } from '../version.ts';
import { accessOptions, addApiOptions, type HandMade } from './api/tree.ts';
import { addCommand, addGroup, type DeclaredCommand, describe, liveOption, option, required } from './command.ts';
import { completion, shells } from './completion.ts';
import { print } from './print.ts';
import { announce } from './progress.ts';
import { UsageError } from './usage.ts';

/** Operations whose commands do more than send a request. */
export const byHand: HandMade = {
  'test_clocks.advance': (command, pairs) =>
    describe(command, { example: 'tollgate test_clocks advance clock_… --to 2035-01-31 --wait' })
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

/** Commands that run the gateway, or say how it does. */
const running: Readonly<Record<string, DeclaredCommand>> = {
  dev: {
    about: 'run on this machine with everything set up: database, certificate, demo account',
    guide: 'getting-started.md',
    async load() {
      // The code of a server takes a moment to load.
      announce(`Starting Tollgate ${packageVersion}`);
      return import('./dev.ts');
    },
  },
  dashboard: {
    about: 'print a link that signs you in to the dashboard of "tollgate dev", once',
    prints: 'a report: `ok`, `url`, `expires_at`',
    guide: 'getting-started.md',
    load: () => import('./dashboard.ts'),
  },
  serve: {
    about: 'run in production; every setting comes from the environment',
    guide: 'operations.md',
    load: () => import('./serve.ts'),
  },
  migrate: {
    about: 'migrate the database to this version',
    prints: 'a report: `ok`, `applied`, `restored`',
    guide: 'upgrades.md',
    load: () => import('./migrate.ts'),
  },
  doctor: {
    about: 'check everything that a start depends on, and say how to fix each problem',
    options: [
      option('--for <what>', 'check the settings of this command, or the page that customers pay on')
        .choices(['dev', 'serve', 'checkout'])
        .default('dev'),
    ],
    example: '--for serve',
    prints: 'a report: `ok`, `checks`',
    load: () => import('./doctor/index.ts'),
  },
  status: {
    about: 'show whether the gateway runs and what needs attention; exits with 1 if anything does',
    example: '--json',
    prints:
      'a report: `ok`, `version`, `mode`, `server`, `database`, `migrations_pending`, `last_sealed`, `work`, `demo_limit`, `actions`',
    load: () => import('./status.ts'),
  },
};

/** Commands for those who build on the gateway. */
const developing: Readonly<Record<string, DeclaredCommand>> = {
  listen: {
    about: "forward the events of the key's account to a program on this machine as they happen, signed like webhooks",
    options: [
      required('--forward-to <address>', 'the address to forward to, such as http://localhost:3000/hook'),
      option('--events <types>', 'only these types, separated by commas: payment.*,customer.created'),
      option('--since <moment>', 'start in the past: a time such as 2027-01-31T00:00:00Z, or a span such as 15m'),
      option('--secret <secret>', 'sign with this secret: whsec_…, @file, env:NAME, or - to type or pipe it'),
      option('--account <account>', 'read the database of the server instead, which needs no key'),
      liveOption,
    ],
    example: "--forward-to http://localhost:3000/hook --events 'payment.*'",
    guide: 'webhooks.md#try-it-on-your-machine',
    load: () => import('./listen/index.ts'),
  },
  'trigger [type]': {
    about: 'cause an event in test mode by the real operations that lead to it; without a type, list all types',
    example: 'payment.failed',
    prints: 'the `event`',
    load: () => import('./trigger/index.ts'),
  },
  'fake-stripe': {
    about: 'run a fake of Stripe on this machine, to try the stripe connector; it moves no money',
    options: [
      option('--port <port>', 'the port on 127.0.0.1; 0 for any free port').default('12111'),
      option('--webhook-url <address>', 'send signed webhooks to this address on this machine'),
      option('--account <account>', 'the id of the account at the fake; its keys follow from it').default('acct_fake'),
      option('--live', 'pretend live mode: keys that begin with sk_live_'),
      option('--tls-cert <file>', 'serve HTTPS with this certificate, as `tollgate serve` demands'),
      option('--tls-key <file>', 'the key of the certificate'),
      option('--raw-cards', 'accept card numbers with the secret key, which Stripe does by agreement only'),
    ],
    example: '--port 12111',
    guide: 'fake-stripe.md',
    load: () => import('./fake_stripe.ts'),
  },
};

const tail: DeclaredCommand = {
  about: "show the newest requests of the key's account; requests without a valid key belong to none",
  options: [
    option('--account <account>', 'read the database of the server instead, which needs no key'),
    liveOption,
    option('--status <statuses>', 'only these, separated by commas: 402,5xx'),
    option('--method <methods>', 'only these, separated by commas: POST,DELETE'),
    option('--operation <names>', 'only these, separated by commas: payments.create'),
    option('--path <path>', 'only paths that begin like this: /v1/payments'),
    option('--key <key>', 'only those with this key, by its id'),
    option('--since <moment>', 'how far to look back: a time such as 2027-01-31T00:00:00Z, or a span').default('24h'),
    option('--limit <number>', 'how many of the newest').default('20'),
    option('--follow', 'then show new ones as they come; with --json, one object on each line'),
  ],
  example: '--status 4xx,5xx --follow',
  prints: 'a list: `id`, `method`, `path`, `operation`, `status`, `duration_ms`, `api_key`, `object_id`, `created`',
  load: () => import('./logs/index.ts'),
};

/** What it does is in `byHand`. */
const resend: DeclaredCommand = {
  about: 'send an event again, through the API; with --account through the database, which needs no key',
  options: [
    option('--account <account>', 'the account that owns it'),
    liveOption,
    option('--endpoint <endpoint>', 'with --account: send to this endpoint only, instead of all subscribed ones'),
  ],
  example: 'evt_… --account acct_…',
  prints: 'the `event`, with `webhook_endpoints`: the ids of the endpoints that it is sent to',
};

export function addRunning(tollgate: Command): void {
  for (const [usage, declared] of Object.entries(running)) addCommand(tollgate, usage, declared).helpGroup('Run');
}

export function addDevelopment(tollgate: Command): void {
  for (const [usage, declared] of Object.entries(developing))
    addCommand(tollgate, usage, declared).helpGroup('Develop');
  for (const name of ['trigger', 'listen'])
    addApiOptions(tollgate.commands.find((one) => one.name() === name)!, accessOptions);
  addGroup(tollgate, 'logs', {
    about: 'the request log of an account',
    heading: 'Develop',
    guide: 'request-log.md',
    commands: { tail },
  });
  const logs = tollgate.commands.find((one) => one.name() === 'logs')!;
  addApiOptions(logs.commands[0]!, accessOptions);
  addGroup(tollgate, 'events', { commands: { 'resend <event>': resend } });
  addCompletion(tollgate);
}

function addCompletion(tollgate: Command): void {
  addCommand(tollgate, 'completion', {
    about: 'print a script that completes commands and options in your shell',
    example: 'bash',
    prints: 'a report: `ok`, `shell`, `script`',
  })
    .helpGroup('Develop')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action((shell, options) => {
      const script = completion(shell, tollgate);
      print(options.json, { ok: true, shell, script }, () => script);
    });
}
