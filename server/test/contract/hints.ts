import fc from 'fast-check';
import { makers } from '../http/objects.ts';

/**
 * Values of parameters about which a schema does not say enough: a card number, or the id of an object. `@cus:3` stands for the id of one of
 * the customers that there are.
 */

/** Kinds of objects, by the parameters that name one. */
const kinds: Record<string, string> = {
  ...{ customer: 'cus', payment_method: 'pm', default_payment_method: 'pm', payment: 'py', price: 'price' },
  ...{ coupon: 'coupon', subscription: 'sub', test_clock: 'clock', webhook_endpoint: 'we', processor_account: 'pa' },
  ...{ invoice: 'in', id: 'si', use: 'pa', object: 'cus' },
};

const someId = (kind: string) => fc.nat(9).map((at) => `@${kind}:${at}`);
const ids = Object.entries(kinds).map(([name, kind]) => [name, someId(kind)] as const);

/** The kind of object in a path. */
export const ofKind = (path: string): string => makers[path.split('/{id}')[0]!.slice('/v1/'.length)]?.prefix ?? 'none';

const clockStart = Date.UTC(2030, 0, 1) / 1_000;
const soon = () => Math.floor(Date.now() / 1_000);
const seconds = (...offsets: number[]) => fc.constantFrom(...offsets).map((offset) => soon() + offset);

// Few endpoints, for few events: each event is delivered to all that are subscribed to it.
const urls = fc.constantFrom('https://127.0.0.1:9/1', 'https://127.0.0.1:9/2', 'http://10.0.0.1/', 'ftp://127.0.0.1/');

/** Whether a parameter names an object. It does so at the limits of everything else too, so that more than the first check is reached. */
export const namesId = (name: string) => name in kinds;

/** By the names of parameters. */
export const hints: Record<string, fc.Arbitrary<unknown>> = {
  ...Object.fromEntries(ids),
  currency: fc.constantFrom('eur', 'eur', 'usd', 'jpy', 'EUR'),
  number: fc.constantFrom('4242424242424242', '5555 5555 5555 4444', '4000000000000002', '4000000000000259'),
  exp_month: fc.integer({ min: 1, max: 12 }),
  exp_year: fc.integer({ min: 2030, max: 2040 }),
  cvc: fc.constantFrom('123', '999'),
  q: fc.constantFrom('ada@example.com', '4242 2000', '@py:0', 'INV-000001', 'sim_1'),
  email: fc.constant('ada@example.com'),
  country: fc.constantFrom('DE', 'us'),
  return_url: fc.constantFrom('https://shop.example/back', 'http://localhost/back'),
  url: urls,
  enabled_events: fc.constantFrom(['coupon.created'], ['price.*']),
  frozen_time: fc.constantFrom(0, 60, 3_600).map((offset) => clockStart + offset),
  connector: fc.constantFrom('simulator', 'stripe'),
  enabled: fc.constant(false),
  credentials: fc.constant({}),
  settings: fc.constant({}),
  rules: fc.constantFrom([], [], [{ use: ['@pa:0'] }]),
  since: seconds(-60, -86_400),
  trial_end: seconds(3_600, 86_400),
  billing_cycle_anchor: seconds(3_600, 86_400),
  proration_date: seconds(0, 60),
  trial_days: fc.integer({ min: 1, max: 30 }),
  // Of the kind that the path lists.
  starting_after: someId('self'),
  token: fc.constantFrom('tok_visa', 'tok_none'),
};
