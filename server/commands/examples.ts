import type { Command } from 'commander';
import { withExample } from './help.ts';

/** The end of the help of each command that is made by hand. Those of the API have one that is made from their operation. */
const examples: Readonly<Record<string, string>> = {
  dev: '',
  serve: '',
  status: '--json',
  migrate: '',
  doctor: '--for serve',
  completion: 'bash',
  'accounts create': '--name "My shop" --tier premium',
  'accounts list': '',
  'accounts show': 'acct_…',
  'accounts set': 'acct_… --tier enterprise --rate-limit 5000',
  'accounts suspend': 'acct_…',
  'accounts resume': 'acct_…',
  'accounts wind-down': 'acct_… --apply',
  'keys create': '--account acct_… --name reporting --scopes payments:read,refunds:read',
  'keys list': '--account acct_…',
  'keys roll': 'key_… --account acct_… --overlap 24h',
  'keys revoke': 'key_… --account acct_…',
  'users create': '--account acct_… --email ada@example.com --role developer',
  'users list': '--account acct_…',
  'users remove': 'ada@example.com --account acct_…',
  'users verify': 'ada@example.com',
  'users reset': 'ada@example.com --clear-totp',
  'vault rotate': '',
  'payments unsettled': '',
  'payments settle': 'py_… --as succeeded',
  'payments review': 'dp_… --amount 2000',
  'refunds create': '--account acct_… --payment py_… --amount 500',
  'notices list': '',
  'notices retry': 'ntc_…',
  'notices dismiss': 'ntc_…',
  'processors list': '',
  'processors add': '--account acct_… --connector stripe --name Stripe --credential secret_key=@key.txt',
  'processors set': 'pa_… --setting raw_cards=true',
  'processors verify': 'pa_…',
  'processors enable': 'pa_…',
  'processors disable': 'pa_…',
  'processors remove': 'pa_…',
  'processors leftovers': '--dismiss pm_…',
  'processors replay': 'pa_… --since 24h',
  'routing show': '--account acct_…',
  'routing set': '--account acct_… --rules rules.json',
  'ledger verify': '--account acct_…',
  'ledger repair': '--apply',
  reconcile: '--processor-account pa_… --date 2027-01-31',
  listen: "--forward-to http://localhost:3000/hook --events 'payment.*'",
  trigger: 'payment.failed',
  'logs tail': '--status 4xx,5xx --follow',
  'events resend': 'evt_… --account acct_…',
  'fake-stripe': '--port 12111',
  'test_clocks advance': 'clock_… --to 2035-01-31 --wait',
};

/** Gives every command below its example. */
export function addExamples(command: Command, path: readonly string[] = []): void {
  for (const one of command.commands) {
    const name = [...path, one.name()];
    const words = examples[name.join(' ')];
    if (words !== undefined) withExample(one, ['tollgate', ...name, words].join(' ').trim());
    addExamples(one, name);
  }
}
