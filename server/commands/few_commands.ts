import { localeTags } from '../locales/index.ts';
import { type CommandGroup, option, required } from './command.ts';

/** Groups of few commands. */

export const places: CommandGroup = {
  about: 'show and change where accounts live, on a cluster of PostgreSQL servers',
  guide: 'scale.md',
  heading: 'Administer',
  load: () => import('./places.ts'),
  commands: {
    list: {
      about: 'show each place with its server, what it has and does, and its state; "tollgate places" does so too',
      isDefault: true,
      prints: 'a list: `place`, `node`, `shards`, `tenants`, `bytes`, `events_per_second`, `state`',
    },
    prepare: {
      about: 'make what the servers of the cluster need: after a worker was added or restored',
      prints: 'a report: `ok`, `nodes`, `places`',
    },
    distribute: {
      about:
        'distribute the tables of one PostgreSQL over the workers of its Citus cluster, once; says first what it will do. When interrupted, run it again to continue',
      options: [
        option('--shards <count>', 'how many places there will be; 4 for each worker unless given'),
        option('--yes', 'do not ask'),
      ],
      example: '--yes',
      prints: 'a report: `ok`, `checks`, `rows`',
    },
    'isolate <account>': {
      about:
        'give an account places of its own, one for each mode, on another worker; with only one worker, writes wait meanwhile. Recorded in the audit log',
      prints: 'a report: `ok`, `account`, `before`, `after`',
    },
  },
};

export const search: CommandGroup = {
  about: 'rebuild the search index',
  guide: 'search.md#the-index',
  heading: 'Administer',
  load: () => import('./search.ts'),
  commands: {
    rebuild: {
      about: 'let the servers make the search index again from what exists; searches go on meanwhile',
      options: [option('--account <account>', 'only this account, in both modes')],
      example: '--account acct_…',
      prints: 'a report: `walks_left`',
    },
    status: { about: 'show how far the search index is behind', prints: 'a report: `lag_seconds`, `walks_left`' },
  },
};

export const mails: CommandGroup = {
  about: 'by hand: try the mail server, and see what mails look like',
  guide: 'mail.md',
  load: () => import('./mails.ts'),
  commands: {
    test: {
      about: 'send a mail that says that sending works',
      options: [required('--to <email>', 'where it goes')],
      example: '--to ada@example.com',
      prints: 'a report: `ok`, `to`, `reason`',
    },
    'preview <kind>': {
      about: 'print a mail to customers, or to people who work with the gateway, with sample data; changes nothing',
      options: [
        option('--locale <locale>', 'the language of the customer').choices(localeTags).default('en'),
        option('--html', 'print the HTML part instead of the text'),
      ],
      example: 'receipt --locale de',
      prints: 'a report: `kind`, `locale`, `subject`, `text`, `html`',
    },
  },
};
