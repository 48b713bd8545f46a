import type { Command } from 'commander';
import { accessOptions, addApiOptions } from './api/tree.ts';
import { addGroup, type DeclaredCommand, liveOption, option, required } from './command.ts';

/** A client of the API, so that it works at a distance. */
const stripe: DeclaredCommand = {
  about: 'import customers, cards, prices and coupons of a Stripe account, and take its subscriptions over',
  options: [
    required('--processor-account <id>', 'the processor account of that Stripe account, which keeps the cards'),
    required('--stripe-key <source>', 'a secret or restricted key of Stripe: @file, env:NAME, or - to type or pipe it'),
    option('--apply', 'import; without it nothing is changed, and the report says what would be'),
    option('--take-over', 'also subscriptions: each ends at Stripe with its period, and is billed here from then on'),
    option('--undo', 'give subscriptions back that were taken over and have not been billed here'),
    option('--mapping <file>', 'write which id here belongs to which id at Stripe, as CSV'),
    liveOption,
  ],
  example: '--processor-account pa_… --stripe-key @stripe-key.txt --apply --take-over',
  prints: 'a report: `ok`, `applied`, `counts`, `left`, `notes`, `attention`',
};

export function addImport(tollgate: Command): void {
  addGroup(tollgate, 'import', {
    about: 'move in from another processor',
    guide: 'move-from-stripe.md',
    heading: 'Administer',
    load: () => import('./import_stripe/index.ts'),
    commands: { stripe },
  });
  const group = tollgate.commands.find((one) => one.name() === 'import')!;
  addApiOptions(group.commands[0]!, accessOptions);
}
