import { Command, CommanderError, Option } from 'commander';
import { hideKeys } from '../base/hidden_keys.ts';
import { packageVersion } from '../version.ts';
import { addAccounts, addKeys, addUsers } from './access.ts';
import { type Api, addOperations, sending } from './api/tree.ts';
import { addDevelopment, byHand } from './development.ts';
import { addExamples } from './examples.ts';
import { exitCodes } from './exit_codes.ts';
import { formatHelp } from './help.ts';

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
    .description('A self-hosted payment gateway: one command, one process, one PostgreSQL.')
    .version(packageVersion)
    .configureHelp({ formatHelp: (command, helper) => formatHelp(command, helper, args.includes('--all')) })
    .configureOutput({ outputError: (text, write) => write(hideKeys(text)) })
    .exitOverride()
    .hook('preAction', (_, command) => nameDatabase(command));

  addRunning(tollgate);
  addAccounts(tollgate);
  addKeys(tollgate);
  addUsers(tollgate);
  addVault(tollgate);
  addPayments(tollgate);
  addRefunds(tollgate);
  addNotices(tollgate);
  addProcessors(tollgate);
  addRouting(tollgate);
  addLedger(tollgate);
  addReconcile(tollgate);
  addEvents(tollgate);
  addFakeStripe(tollgate);
  addDevelopment(tollgate);
  addOperations(tollgate, api, { args, byHand, run });
  addExamples(tollgate);
  return tollgate;
}

function addRunning(tollgate: Command): void {
  tollgate
    .command('dev')
    .description('run on this machine with everything set up: database, certificate, demo account')
    .action(async () => (await import('./dev.ts')).dev());
  tollgate
    .command('serve')
    .description('run in production; every setting comes from the environment')
    .action(async () => (await import('./serve.ts')).serve());
  tollgate
    .command('migrate')
    .description('bring the database to this version')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./migrate.ts')).runMigrate(options));
  tollgate
    .command('doctor')
    .description('check everything that a start depends on, and say how to fix each problem')
    .addOption(
      new Option('--for <command>', 'check the settings for this command').choices(['dev', 'serve']).default('dev'),
    )
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./doctor/index.ts')).doctor(options));
}

function addVault(tollgate: Command): void {
  const vault = tollgate.command('vault').description('manage the keys of the card vault');
  vault
    .command('rotate')
    .description('re-encrypt all cards with new keys while servers run; when interrupted, run it again to continue')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./vault.ts')).rotate(options));
}

function addPayments(tollgate: Command): void {
  const payments = tollgate.command('payments').description('by hand: settle payments, refunds and disputes');
  payments
    .command('unsettled')
    .description(
      'list payments (after 3 days), refunds and disputes (after 14) without a final answer of the processor',
    )
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./payments.ts')).unsettled(options));
  payments
    .command('settle <payment>')
    .description(
      'set the outcome of a payment, refund or dispute, as the processor has told you; recorded in the audit log',
    )
    .requiredOption(
      '--as <status>',
      'succeeded, failed, canceled or requires_capture; a refund: succeeded or failed; a dispute: accepted or refused',
    )
    .option('--correct', 'replace an earlier settlement by hand, which was wrong')
    .option('--json', 'print JSON')
    .action(async (payment, options) => (await import('./payments.ts')).settlePayment(payment, options));
  payments
    .command('review <dispute>')
    .description('end the review of a dispute whose money does not fit its payment; recorded in the audit log')
    .option('--amount <amount>', 'what the processor took, in the smallest unit of the currency of the payment')
    .option('--json', 'print JSON')
    .action(async (dispute, options) => (await import('./payments.ts')).reviewDispute(dispute, options));
}

function addRefunds(tollgate: Command): void {
  tollgate
    .command('refunds')
    .command('create')
    .description('refund a payment, through the API; with --account through the database, of a suspended account too')
    .option('--account <account>', 'the account that received the payment; recorded in the audit log')
    .option('--live', 'use live mode instead of test mode')
    .option('--json', 'print JSON'); // what it does is in `byHand`
}

function addNotices(tollgate: Command): void {
  const notices = tollgate.command('notices').description('see to notices of processors that could not be recorded');
  notices
    .command('list')
    .description('list them with the reasons; they are retried at least once an hour')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./notices.ts')).list(options));
  notices
    .command('retry <notice>')
    .description('try to record one again now; recorded in the audit log')
    .option('--json', 'print JSON')
    .action(async (notice, options) => (await import('./notices.ts')).retry(notice, options));
  notices
    .command('dismiss <notice>')
    .description('give one up, after you have done by hand what it reports; the audit log keeps it')
    .option('--json', 'print JSON')
    .action(async (notice, options) => (await import('./notices.ts')).dismiss(notice, options));
}

function addRouting(tollgate: Command): void {
  const routing = tollgate.command('routing').description('by hand: show and replace them for an account');
  const ofAccount = (command: Command) =>
    command
      .requiredOption('--account <account>', 'the account whose payments they are')
      .option('--live', 'use live mode instead of test mode')
      .option('--json', 'print JSON');
  ofAccount(routing.command('show'))
    .description('show the rules')
    .action(async (options) => (await import('./routing.ts')).show(options));
  ofAccount(routing.command('set'))
    .description('replace the rules; recorded in the audit log')
    .requiredOption('--rules <file>', 'a JSON file with the list of rules, or - for standard input')
    .action(async (options) => (await import('./routing.ts')).set(options));
}

function addProcessors(tollgate: Command): void {
  const processors = tollgate.command('processors').description('manage accounts at processors; changes are audited');
  const several = (value: string, before: string[] = []) => [...before, value];
  const withMembers = (command: Command) =>
    command
      .option(
        '--credential <name=source>',
        'a secret of the processor, repeatable; the source is @file, env:NAME, or - to type or pipe it: secret_key=@key.txt',
        several,
      )
      .option('--setting <name=value>', 'a setting of the connector, repeatable: raw_cards=true', several)
      .option('--json', 'print JSON');
  processors
    .command('list')
    .description('list the processor accounts')
    .option('--account <account>', 'only those of this account, in both modes')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./processors.ts')).list(options));
  withMembers(processors.command('add'))
    .description('add an account at a processor')
    .requiredOption('--account <account>', 'the account whose payments it takes')
    .option('--live', 'use live mode instead of test mode')
    .requiredOption('--connector <name>', 'the processor, such as stripe')
    .requiredOption('--name <name>', 'what you call it')
    .option('--disabled', 'let it take no payments yet')
    .action(async (options) => (await import('./processors.ts')).add(options));
  withMembers(processors.command('set <processor-account>'))
    .description('change the name, credentials or settings; others stay, and an empty value removes one')
    .option('--name <name>', 'what you call it')
    .action(async (id, options) => (await import('./processors.ts')).set(id, options));
  processors
    .command('verify <processor-account>')
    .description('ask the processor whether the credentials work; exits with 1 if they do not')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./processors.ts')).verify(id, options));
  for (const verb of ['enable', 'disable'] as const)
    processors
      .command(`${verb} <processor-account>`)
      .description(verb === 'enable' ? 'let it take new payments' : 'let it take no new payments; all else goes on')
      .option('--json', 'print JSON')
      .action(async (id, options) => (await import('./processors.ts')).setEnabled(id, verb === 'enable', options));
  processors
    .command('remove <processor-account>')
    .description('delete one that was never used, with its credentials')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./processors.ts')).remove(id, options));
  processors
    .command('replay <processor-account>')
    .description('handle its stored notices once more, those of the last 30 days or fewer; recorded in the audit log')
    .option('--since <moment>', 'only those received since: a time such as 2027-01-31T00:00:00Z, or a span such as 24h')
    .option('--event <event>', "only this one, by the processor's own id")
    .option('--json', 'print JSON')
    .action(async (account, options) => (await import('./notices.ts')).replay(account, options));
  processors
    .command('leftovers')
    .description('list what processors still have of cards that were detached or deleted here')
    .option('--dismiss <payment-method>', 'take one off the list, once you have seen to it; recorded in the audit log')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./leftovers.ts')).leftovers(options));
}

function addLedger(tollgate: Command): void {
  const ledger = tollgate.command('ledger').description('verify and repair the ledger');
  ledger
    .command('verify')
    .description('recompute the chain, the balances and the books, and list every violation; changes nothing')
    .option('--account <account>', 'only this account, in both modes')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./ledger.ts')).verify(options));
  ledger
    .command('repair')
    .description('list the postings that payments, refunds and disputes lack; changes nothing without --apply')
    .option('--account <account>', 'only this account, in both modes')
    .option('--apply', 'post what is missing; recorded in the audit log')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./ledger.ts')).repair(options));
}

function addReconcile(tollgate: Command): void {
  tollgate
    .command('reconcile')
    .description("list the differences between the ledger and a processor's own statement of a day")
    .option('--connector <name>', 'the name of the connector that reaches the processor')
    .option('--processor-account <id>', 'the account at the processor, such as pa_…')
    .requiredOption('--date <day>', 'a day in UTC, such as 2027-01-31, preferably a past one')
    .option('--account <account>', 'only this account, in both modes')
    .option('--record', 'keep what is found, for the dashboard; without it nothing is changed')
    .option('--adopt', 'record payments and refunds that the processor has and the ledger lost; then compare again')
    .option('--accept <reference>', 'compare nothing; take this difference, which is explained, off the dashboard')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./reconcile.ts')).reconcile(options));
}

function addEvents(tollgate: Command): void {
  tollgate
    .command('listen')
    .description("forward an account's events to a program on this machine as they happen, signed like webhooks")
    .requiredOption('--forward-to <address>', 'the address to forward to, such as http://localhost:3000/hook')
    .option('--events <types>', 'only these types, separated by commas: payment.*,customer.created')
    .option('--since <moment>', 'start in the past: a time such as 2027-01-31T00:00:00Z, or a span such as 15m')
    .option('--account <account>', 'the account; required when there are several')
    .option('--live', 'use live mode instead of test mode')
    .action(async (options) => (await import('./listen.ts')).listen(options));
  const events = tollgate.command('events');
  events
    .command('resend <event>')
    .description('send an event again, through the API; with --account through the database, which needs no key')
    .option('--account <account>', 'the account that owns it')
    .option('--live', 'use live mode instead of test mode')
    .option('--endpoint <endpoint>', 'with --account: send to this endpoint only, instead of all subscribed ones')
    .option('--json', 'print JSON')
    .action(async (event, options) => (await import('./events.ts')).resend(event, options));
}

function addFakeStripe(tollgate: Command): void {
  tollgate
    .command('fake-stripe')
    .description('run a fake of Stripe on this machine, to try the stripe connector; it moves no money')
    .option('--port <port>', 'where it listens on 127.0.0.1; 0 for any free port', '12111')
    .option('--webhook-url <address>', 'send signed webhooks to this address on this machine')
    .option('--account <account>', 'the id of the account at the fake; its keys follow from it', 'acct_fake')
    .option('--live', 'pretend live mode: keys that begin with sk_live_')
    .option('--tls-cert <file>', 'serve HTTPS with this certificate, as `tollgate serve` demands')
    .option('--tls-key <file>', 'the key of the certificate')
    .option('--raw-cards', 'accept card numbers with the secret key, which Stripe does by agreement only')
    .action(async (options) => (await import('./fake_stripe.ts')).fakeStripe(options));
}

const servers: ReadonlySet<string | undefined> = new Set(['dev', 'serve', 'fake-stripe']);
/** Commands that open the database themselves, or need none. */
const ownDatabase = new Set(['dev', 'serve', 'doctor', 'status', 'completion', 'fake-stripe']);

/** Without DATABASE_URL the database follows from the working directory, which may not be the intended one: so it is named. */
async function nameDatabase(command: Command): Promise<void> {
  if (ownDatabase.has(command.name()) || asksApi(command)) return;
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

/** Commands beside which there are none of the API: the operations, which take longer to load than all else, are left alone. */
const withoutOperations = new Set([
  ...[
    'dev',
    'serve',
    'status',
    'migrate',
    'doctor',
    'accounts',
    'keys',
    'users',
    'vault',
    'notices',
    'processors',
    'ledger',
  ],
  ...['reconcile', 'listen', 'trigger', 'logs', 'fake-stripe', '--version', '-V'],
]);

export async function main(args: string[]): Promise<void> {
  try {
    const api = withoutOperations.has(args[0] ?? '') ? undefined : await import('../catalog.ts');
    await program(api, args).parseAsync(args, { from: 'user' });
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
