import { type Command, Option } from 'commander';
import { roles } from '../operations/role.ts';

/** The commands for who may use the gateway: accounts, keys and people. */
export function addAccounts(tollgate: Command): void {
  const accounts = tollgate.command('accounts').description('create and manage accounts');
  accounts
    .command('create')
    .description('create an account with a secret key for each mode')
    .requiredOption('--name <name>', 'the name of the account')
    .addOption(tierOption().default('standard'))
    .option('--rate-limit <requests>', 'requests per minute, for the enterprise tier')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./accounts.ts')).create(options));
  accounts
    .command('list')
    .description('list the accounts')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./accounts.ts')).list(options));
  accounts
    .command('show <account>')
    .description('show an account in full')
    .option('--json', 'print JSON')
    .action(async (account, options) => (await import('./accounts.ts')).show(account, options));
  accounts
    .command('set <account>')
    .description(
      'change the tier, the fees, the settlement delay and the dunning of an account; recorded in the audit log',
    )
    .addOption(tierOption())
    .option('--rate-limit <requests>', 'requests per minute, for the enterprise tier')
    .option('--fee-percent <percent>', 'percentage of the amount received, with up to 4 decimals: 2.9')
    .option('--fee-fixed <amounts>', 'fixed fee by currency, in its smallest unit: usd=30,eur=25; or none')
    .option('--settlement-days <days>', 'days until the money becomes available, 0 to 90')
    .addOption(
      new Option('--test-settlement <when>', 'in test mode: after the delay, or at once').choices([
        'delayed',
        'immediate',
      ]),
    )
    .option('--dunning-days <days>', 'days after a failed charge of an invoice on which it is tried again: 1,3,5,7')
    .addOption(
      new Option('--dunning-end <status>', 'what a subscription becomes that is not paid by then').choices([
        'canceled',
        'unpaid',
        'past_due',
      ]),
    )
    .option('--json', 'print JSON')
    .action(async (account, options) => (await import('./accounts.ts')).set(account, options));
  addSuspension(accounts);
}

function addSuspension(accounts: Command): void {
  accounts
    .command('suspend <account>')
    .description('refuse all requests of an account, and begin no more charges; its data is kept')
    .option('--json', 'print JSON')
    .action(async (account, options) => (await import('./accounts.ts')).setStatus(account, 'suspend', options));
  accounts
    .command('resume <account>')
    .description('accept requests of a suspended account again, and do what was due meanwhile')
    .option('--json', 'print JSON')
    .action(async (account, options) => (await import('./accounts.ts')).setStatus(account, 'resume', options));
  accounts
    .command('wind-down <account>')
    .description('list what a suspended account has left; --apply ends subscriptions, invoices and authorizations')
    .option('--apply', 'end what can be ended; recorded in the audit log')
    .option('--json', 'print JSON')
    .action(async (account, options) => (await import('./wind_down.ts')).windDown(account, options));
}

function tierOption(): Option {
  return new Option('--tier <tier>', 'sets the rate limit').choices(['standard', 'premium', 'enterprise']);
}

export function addKeys(tollgate: Command): void {
  const keys = tollgate.command('keys').description('create and manage API keys');
  keys
    .command('create')
    .description('create a key; it is shown once')
    .requiredOption('--account <account>', 'the account that owns it')
    .option('--live', 'use live mode instead of test mode')
    .option('--name <name>', 'the name of the key', 'key')
    .option('--scopes <scopes>', 'a restricted key with these scopes, separated by commas: customers:read,events:read')
    .option('--expires <moment>', 'when it expires: a time such as 2027-01-31T00:00:00Z, or a span such as 30d')
    .option('--allowed-ips <addresses>', 'addresses or ranges that may use the key, separated by commas')
    .option('--require-signature', 'accept only signed requests with a timestamp')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./keys.ts')).create(options));
  keys
    .command('list')
    .description('list the keys of an account')
    .requiredOption('--account <account>', 'the account')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./keys.ts')).list(options));
  keys
    .command('roll <key>')
    .description('replace a key, by its id, with a new one that has the same rights')
    .requiredOption('--account <account>', 'the account that owns it')
    .option('--overlap <span>', 'how long the old key keeps working, such as 24h or 0s', '24h')
    .option('--json', 'print JSON')
    .action(async (key, options) => (await import('./keys.ts')).roll(key, options));
  keys
    .command('revoke <key>')
    .description('revoke a key at once, by its id')
    .requiredOption('--account <account>', 'the account that owns it')
    .option('--json', 'print JSON')
    .action(async (key, options) => (await import('./keys.ts')).revoke(key, options));
}

export function addUsers(tollgate: Command): void {
  const users = tollgate.command('users').description('invite and manage the people who use the dashboard');
  users
    .command('create')
    .description('invite somebody to an account; the link is shown once')
    .requiredOption('--account <account>', 'the account to work in')
    .requiredOption('--email <email>', 'the email address of the person')
    .addOption(new Option('--role <role>', 'what they may do').choices([...roles]).default('owner'))
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./users.ts')).create(options));
  users
    .command('list')
    .description('list the users of an account')
    .requiredOption('--account <account>', 'the account')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./users.ts')).list(options));
  users
    .command('remove <user>')
    .description('take away the role of a user, by its id or email, in an account')
    .requiredOption('--account <account>', 'the account')
    .option('--json', 'print JSON')
    .action(async (user, options) => (await import('./users.ts')).remove(user, options));
  users
    .command('verify <user>')
    .description('confirm that an email belongs to a user, by its id or email; recorded in the audit log')
    .option('--undo', 'take it back: the email is not verified for the user any more')
    .option('--json', 'print JSON')
    .action(async (user, options) => (await import('./users.ts')).verify(user, options));
  users
    .command('reset <user>')
    .description(
      'make a link by which a user, by its id or email, can choose a new password; recorded in the audit log',
    )
    .option('--clear-totp', 'the authenticator is lost too: switch it off')
    .option('--json', 'print JSON')
    .action(async (user, options) => (await import('./users.ts')).reset(user, options));
}
