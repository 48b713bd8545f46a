import { roles } from '../operations/role.ts';
import { type CommandGroup, type DeclaredCommand, liveOption, option, repeatable, required } from './command.ts';
import { mails, places, search } from './few_commands.ts';

const tier = () => option('--tier <tier>', 'sets the rate limit').choices(['standard', 'premium', 'enterprise']);
const settlementTimes = ['delayed', 'immediate'];
const rateLimit = option('--rate-limit <requests>', 'requests per minute, for the enterprise tier');

const accounts: CommandGroup = {
  about: 'create and manage accounts',
  guide: 'operations.md#accounts',
  heading: 'Administer',
  load: () => import('./accounts.ts'),
  commands: {
    create: {
      about: 'create an account with a secret key for each mode',
      options: [required('--name <name>', 'the name of the account'), tier().default('standard'), rateLimit],
      example: '--name "My shop" --tier premium',
      prints: 'the `account`, with the two secret keys',
    },
    list: { about: 'list the accounts', prints: 'a list: each `account`' },
    'show <account>': { about: 'show an account in full', prints: 'the `account`' },
    'set <account>': {
      about:
        'change the tier, the fees, the settlement delay, the dunning and the mails of an account; recorded in the audit log',
      options: [
        tier(),
        rateLimit,
        option('--fee-percent <percent>', 'percentage of the amount received, with up to 4 decimals: 2.9'),
        option('--fee-fixed <amounts>', 'fixed fee by currency, in its smallest unit: usd=30,eur=25; or none'),
        option('--settlement-days <days>', 'days until the money becomes available, 0 to 90'),
        option('--test-settlement <when>', 'in test mode: after the delay, or immediately').choices(settlementTimes),
        option('--dunning-days <days>', 'days after a failed charge on which an invoice is retried: 1,3,5,7'),
        option('--dunning-end <status>', 'the status of a subscription that is unpaid after the last retry').choices([
          'canceled',
          'unpaid',
          'past_due',
        ]),
        option('--mail <kinds>', 'the mails that customers get, all others none: receipt,payment_failed; or none'),
      ],
      example: 'acct_… --tier enterprise --rate-limit 5000',
      prints: 'the `account`',
    },
    'suspend <account>': {
      about: 'refuse all requests of an account and start no more charges; its data is kept',
      prints: 'the `account`',
    },
    'resume <account>': {
      about: 'accept requests of a suspended account again, and run what became due meanwhile',
      prints: 'the `account`',
    },
    'wind-down <account>': {
      about: 'list what a suspended account has left; --apply ends subscriptions, invoices and authorizations',
      options: [option('--apply', 'end what can be ended; recorded in the audit log')],
      example: 'acct_… --apply',
      prints: 'a report: `ok`, `account`, `applied`, `modes`',
      load: () => import('./wind_down.ts'),
    },
  },
};

const theAccount = required('--account <account>', 'the account');
const keyOwner = required('--account <account>', 'the account that owns it');

const keys: CommandGroup = {
  about: 'create and manage API keys',
  guide: 'authentication.md',
  heading: 'Administer',
  load: () => import('./keys.ts'),
  commands: {
    create: {
      about: 'create a key; it is shown once',
      options: [
        keyOwner,
        liveOption,
        option('--name <name>', 'the name of the key').default('key'),
        option(
          '--scopes <scopes>',
          'a restricted key with these scopes, separated by commas: customers:read,events:read',
        ),
        option('--expires <moment>', 'when it expires: a time such as 2027-01-31T00:00:00Z, or a span such as 30d'),
        option('--allowed-ips <addresses>', 'addresses or ranges that may use the key, separated by commas'),
        option('--require-signature', 'accept only signed requests with a timestamp'),
      ],
      example: '--account acct_… --name reporting --scopes payments:read,refunds:read',
      prints: 'the `api_key`, with the key itself',
    },
    list: {
      about: 'list the keys of an account',
      options: [theAccount],
      prints: 'a list: each `api_key` of the account, in both modes',
    },
    'roll <key>': {
      about: 'replace a key, by its id, with a new one that has the same rights',
      options: [
        keyOwner,
        option('--overlap <span>', 'how long the old key keeps working, such as 24h or 0s').default('24h'),
      ],
      example: 'key_… --account acct_… --overlap 24h',
      prints: 'the new `api_key`, with the key itself',
    },
    'revoke <key>': { about: 'revoke a key immediately, by its id', options: [keyOwner], prints: 'the `api_key`' },
  },
};

const showLink = option('--link', 'show the link, and send no mail');

const users: CommandGroup = {
  about: 'invite and manage the people who use the dashboard',
  guide: 'people.md',
  heading: 'Administer',
  load: () => import('./users.ts'),
  commands: {
    create: {
      about: 'invite somebody to an account: by mail where it is set up, else by a link that is shown once',
      options: [
        required('--account <account>', 'the account to work in'),
        required('--email <email>', 'the email address of the person'),
        option('--role <role>', 'what they may do').choices(roles).default('owner'),
        showLink,
      ],
      example: '--account acct_… --email ada@example.com --role developer',
      prints: 'the `invitation`, with its link unless that was mailed',
    },
    list: {
      about: 'list the users of an account',
      options: [theAccount],
      prints: 'a list: each `user` of the account',
    },
    'remove <user>': {
      about: 'remove a user, by its id or email, from an account',
      options: [theAccount],
      prints: 'the `user`, as deleted',
    },
    'verify <user>': {
      about: 'confirm that an email belongs to a user, by its id or email; recorded in the audit log',
      options: [option('--undo', 'mark the email as not verified')],
      prints: 'the `user`, and whether its email is verified',
    },
    'reset <user>': {
      about:
        'make a link with which a user, by its id or email, can choose a new password, and mail it where mail is set up; recorded in the audit log',
      options: [option('--clear-totp', 'also turn off the authenticator, if it is lost'), showLink],
      example: 'ada@example.com --clear-totp',
      prints: 'the `reset_link`',
    },
  },
};

const vault: CommandGroup = {
  about: 'manage the keys of the card vault',
  guide: 'operations.md#the-master-key',
  heading: 'Administer',
  load: () => import('./vault.ts'),
  commands: {
    rotate: {
      about: 're-encrypt all cards with new keys while servers run; when interrupted, run it again to continue',
      prints:
        'a report: `ok`, `resumed`, `root_resealed`, `keys_rewrapped`, `tenants`, `cards`, `cvcs`, `secrets`, `keys_destroyed`, `tenants_unfinished`, `unreadable`',
    },
  },
};

const payments: CommandGroup = {
  about: 'by hand: settle payments, refunds and disputes',
  guide: 'operations.md#payments-that-nobody-can-settle',
  load: () => import('./payments.ts'),
  commands: {
    unsettled: {
      about:
        'list payments and setups (after 3 days), refunds and disputes (after 14) without a final answer of the processor',
      prints: 'a list: `id`, `object`, `account`, `mode`, `amount`, `currency`, `since`, `action`',
    },
    'settle <payment>': {
      about:
        'record the outcome of a payment, setup, refund or dispute that you learned from the processor; recorded in the audit log',
      options: [
        required(
          '--as <status>',
          'succeeded, failed, canceled or requires_capture; a setup or a refund: succeeded or failed; a dispute: accepted or refused',
        ),
        option('--correct', 'replace an earlier settlement by hand, which was wrong'),
      ],
      example: 'py_… --as succeeded',
      prints: 'the `payment`, or the setup, the refund, the dispute or the invoice',
    },
    'review <dispute>': {
      about:
        'end the review of a dispute whose amount or currency does not match its payment; recorded in the audit log',
      options: [
        option('--amount <amount>', 'what the processor took, in the smallest unit of the currency of the payment'),
      ],
      example: 'dp_… --amount 2000',
      prints: 'the `dispute`',
    },
  },
};

const refunds: CommandGroup = {
  guide: 'operations.md#refunding-for-an-account',
  commands: {
    create: {
      about: 'refund a payment, through the API; with --account through the database, of a suspended account too',
      options: [
        option('--account <account>', 'the account that received the payment; recorded in the audit log'),
        liveOption,
      ],
      example: '--account acct_… --payment py_… --amount 500',
      prints: 'the `refund`',
    },
  },
};

const notices: CommandGroup = {
  about: 'handle notices of processors that could not be recorded',
  guide: 'operations.md#notices-that-cannot-be-recorded',
  heading: 'Administer',
  load: () => import('./notices.ts'),
  commands: {
    list: {
      about: 'list them with the reasons; each is retried at least once an hour',
      prints: 'a list: each `failed_notice`, with `account` and `mode`',
    },
    'retry <notice>': {
      about: 'retry one now; recorded in the audit log',
      prints: 'the `failed_notice`, with `account` and `mode`',
    },
    'dismiss <notice>': {
      about: 'discard one after you have handled it by hand; the audit log keeps it',
      prints: 'the `failed_notice` as it was, with `account` and `mode`',
    },
  },
};

const ownedAccount = 'the `processor_account`, with `account` and `mode`';
const members = [
  repeatable(
    '--credential <name=source>',
    'a secret of the processor, repeatable; the source is @file, env:NAME, or - to type or pipe it: secret_key=@key.txt',
  ),
  repeatable('--setting <name=value>', 'a setting of the connector, repeatable: raw_cards=true'),
];

const processors: CommandGroup = {
  about: 'manage accounts at processors; changes are audited',
  guide: 'processors.md',
  heading: 'Administer',
  load: () => import('./processors.ts'),
  commands: {
    list: {
      about: 'list the processor accounts',
      options: [option('--account <account>', 'only those of this account, in both modes')],
      prints: 'a list: each `processor_account`, with `account` and `mode`',
    },
    add: {
      about: 'add an account at a processor',
      options: [
        required('--account <account>', 'the account whose payments it takes'),
        liveOption,
        required('--connector <name>', 'the processor, such as stripe'),
        required('--name <name>', 'a name of your choice'),
        option('--disabled', 'create it disabled, so that it takes no payments yet'),
        ...members,
      ],
      example: '--account acct_… --connector stripe --name Stripe --credential secret_key=@key.txt',
      prints: ownedAccount,
    },
    'set <processor-account>': {
      about: 'change the name, credentials or settings; others stay, and an empty value removes one',
      options: [option('--name <name>', 'a name of your choice'), ...members],
      example: 'pa_… --setting raw_cards=true',
      prints: ownedAccount,
    },
    'verify <processor-account>': {
      about: 'ask the processor whether the credentials work; exits with 1 if they do not',
      prints: 'a report: `ok`, `message`',
    },
    'enable <processor-account>': { about: 'let it take new payments', prints: ownedAccount },
    'disable <processor-account>': {
      about: 'stop it from taking new payments; captures, refunds and notices continue',
      prints: ownedAccount,
    },
    'remove <processor-account>': {
      about: 'delete one that was never used, with its credentials',
      prints: 'the `processor_account`, as deleted',
    },
    'replay <processor-account>': {
      about: 'process its stored notices again, those of the last 30 days or fewer; recorded in the audit log',
      options: [
        option(
          '--since <moment>',
          'only those received since: a time such as 2027-01-31T00:00:00Z, or a span such as 24h',
        ),
        option('--event <event>', "only this one, by the processor's own id"),
      ],
      example: 'pa_… --since 24h',
      prints: 'a report: `ok`, `processor_account`, `replayed`',
      load: () => import('./notices.ts'),
    },
    leftovers: {
      about: 'list what remains at processors of payment methods that were detached or deleted here',
      options: [
        option(
          '--dismiss <payment-method>',
          'remove one from the list after you have handled it; recorded in the audit log',
        ),
      ],
      example: '--dismiss pm_…',
      prints: 'a list: each `leftover`, with `account` and `mode`',
    },
  },
};

const rulesOwner = required('--account <account>', 'the account whose payments they are');

const routing: CommandGroup = {
  about: 'by hand: show and replace them for an account',
  guide: 'processors.md#routing',
  load: () => import('./routing.ts'),
  commands: {
    show: { about: 'show the rules', options: [rulesOwner, liveOption], prints: 'the rules: `object`, `rules`' },
    set: {
      about: 'replace the rules; recorded in the audit log',
      options: [
        rulesOwner,
        liveOption,
        required('--rules <file>', 'a JSON file with the list of rules, or - for standard input'),
      ],
      example: '--account acct_… --rules rules.json',
      prints: 'the rules: `object`, `rules`',
    },
  },
};

const onlyAccount = option('--account <account>', 'only this account, in both modes');

const ledger: CommandGroup = {
  about: 'verify and repair the ledger',
  guide: 'ledger.md',
  heading: 'Administer',
  load: () => import('./ledger.ts'),
  commands: {
    verify: {
      about: 'recompute the chain, the balances and the books, and list every violation; changes nothing',
      options: [onlyAccount],
      prints: 'a report: `ok`, `database`, `chains`, `differences`',
    },
    repair: {
      about: 'list missing postings of payments, refunds and disputes; changes nothing without --apply',
      options: [onlyAccount, option('--apply', 'post what is missing; recorded in the audit log')],
      example: '--apply',
      prints: 'a report: `ok`, `applied`, `postings`, `has_more`, `broken`, `left`',
    },
  },
};

/** Groups in the order of the help and the guide. */
export const administration: Readonly<Record<string, CommandGroup>> = {
  accounts,
  keys,
  users,
  vault,
  payments,
  refunds,
  notices,
  processors,
  routing,
  ledger,
  places,
  search,
  mails,
};

export const reconcile: DeclaredCommand = {
  guide: 'reconciliation.md',
  about: "list the differences between the ledger and a processor's own statement of a day",
  options: [
    option('--connector <name>', 'the name of the connector that reaches the processor'),
    option('--processor-account <id>', 'the account at the processor, such as pa_…'),
    required('--date <day>', 'a day in UTC, such as 2027-01-31, preferably a past one'),
    onlyAccount,
    option('--record', 'store the result for the dashboard; without it nothing is changed'),
    option('--adopt', 'record payments and refunds that the processor has and the ledger lacks; then compare again'),
    option('--accept <reference>', 'compare nothing; accept this recorded difference, which is explained'),
    option('--note <text>', 'with --accept: why it is accepted'),
  ],
  example: '--processor-account pa_… --date 2027-01-31',
  prints:
    'a report: `ok`, `database`, `connector`, `date`, `differences`, `matched`, `matched_on_another_day`, `sums`, `processor_totals`',
  load: () => import('./reconcile.ts'),
};
