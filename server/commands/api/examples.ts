import type { AnyOperation } from '../../operations/operation.ts';
import { type FlagSchema, flagName, flagsOf } from './flags.ts';

/** Values for examples, by the name of the parameter; by its path where the name alone is not enough. */
const values: Readonly<Record<string, string>> = {
  amount: '2000',
  'card.exp_month': '12',
  'card.exp_year': '2035',
  'card.number': '4242424242424242',
  connector: 'simulator',
  currency: 'eur',
  customer: 'cus_…',
  description: '"Setup fee"',
  duration: 'once',
  'evidence.shipping_tracking_number': '1Z12345E0205271688',
  email: 'ada@example.com',
  enabled_events: "'payment.*'",
  frozen_time: '2035-01-31',
  'items.0.price': 'price_…',
  metadata: 'order=7',
  kind: 'receipt',
  name: '"Ada Lovelace"',
  'processor_accounts.name': 'Acquirer',
  payment: 'py_…',
  payment_method: 'pm_…',
  percent_off: '10',
  product_name: 'Gold',
  'recurring.interval': 'month',
  'rules.0.use': 'pa_…',
  since: '2027-01-31',
  submit: 'true',
  type: 'card',
  unit_amount: '1900',
  url: 'https://shop.example/hook',
  limit: '3',
};

/** What an example shows beside the parameters that are required. */
const more: Readonly<Record<string, readonly string[]>> = {
  'processor_accounts.create': ['connector', 'name'],
  'processor_accounts.update': ['name'],
  'disputes.update': ['evidence.shipping_tracking_number', 'submit'],
  'webhook_endpoints.update': ['enabled_events'],
  'customers.create': ['name', 'email'],
  'customers.update': ['email'],
  'payment_methods.create': ['type', 'card.number', 'card.exp_month', 'card.exp_year'],
  'payments.create': ['amount', 'currency', 'payment_method'],
  'checkout_sessions.create': ['amount', 'currency', 'description'],
  'payment_links.create': ['amount', 'currency', 'description'],
  'prices.create': ['currency', 'unit_amount', 'product_name', 'recurring.interval'],
  'coupons.create': ['percent_off', 'duration'],
  'subscriptions.create': ['customer', 'items.0.price'],
  'subscriptions.update': ['items.0.price'],
  'invoices.preview': ['customer', 'items.0.price'],
  'routing.update': ['rules.0.use'],
};

/** A command line that works when the ids are replaced. */
export function exampleOf({ name, input, route }: AnyOperation): string {
  const flags = flagsOf(input as FlagSchema, () => ['0']);
  const isList = name.includes('.list') && !route.includes(':id');
  const listed = more[name] ?? (isList ? ['limit'] : name.endsWith('.update') ? ['metadata'] : []);
  const shown = flags.filter(({ path, isRequired }) => isRequired || listed.includes(path.join('.')));
  const words = shown.map(({ path }) => {
    const value =
      values[`${name.split('.')[0]}.${path.join('.')}`] ?? values[path.join('.')] ?? values[path.at(-1)!] ?? '…';
    return `${flagName(path)} ${value}`;
  });
  return ['tollgate', ...name.split('.'), ...(route.includes(':id') ? ['<id>'] : []), ...words].join(' ');
}
