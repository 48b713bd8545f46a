import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Mode } from '../../base/reads.ts';
import { operations } from '../../catalog.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import type { Answer, Client } from '../client.ts';
import { startServer, type TestAccount, type TestServer } from '../harness.ts';
import { isTorture } from '../torture.ts';
import {
  bodyFor,
  card,
  connectorsWithAccounts,
  customerOf,
  makeFor,
  makers,
  methodOf,
  paymentOf,
  preparations,
  resourceOf,
  subscriptionOf,
} from './objects.ts';
import { expectErrorShape, expectRefusal, unusedId } from './support.ts';

let server: TestServer;
let attacker: TestAccount;
let victim: TestAccount;

beforeAll(async () => {
  server = await startServer({
    connectors: connectorsWithAccounts,
    environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' },
  });
  attacker = await server.account();
  victim = await server.account();
});
afterAll(() => server.stop());

/** The answer to the owner in live mode, where every payment fails without a processor. */
const impossible: Record<string, string> = {
  'payments.capture': 'payment_not_capturable',
  'payments.cancel': 'payment_not_cancelable',
  'setups.cancel': 'setup_not_cancelable',
  'disputes.close': 'parameter_invalid',
  'invoices.pay': 'processing_error',
};

const withId = operations.filter(({ route }) => route.includes(':id'));

/** What a client owns and no test changes, by a name: made once, for all tests that only try to get at it. */
const kept = new Map<Client, Map<string, Promise<unknown>>>();
function keep<T>(owner: Client, name: string, make: () => Promise<T>): Promise<T> {
  const things = kept.get(owner) ?? new Map<string, Promise<unknown>>();
  kept.set(owner, things);
  if (!things.has(name)) things.set(name, make());
  return things.get(name) as Promise<T>;
}

/** An object that an operation can be done to. */
function keptFor(operation: AnyOperation, owner: Client): Promise<string> {
  const name = operation.name in preparations ? operation.name : resourceOf(operation.route);
  return keep(owner, name, () => makeFor(operation, owner, server));
}

/** An answer without the parts that differ between any two requests. */
function lasting({ status, headers, text }: Answer): object {
  const {
    'request-id': _id,
    date: _date,
    ratelimit: _rate,
    'x-ratelimit-remaining': _left,
    'x-ratelimit-reset': _reset,
    ...others
  } = headers;
  return { status, headers: others, text };
}

/**
 * A refusal as it is to those who may not know that the object exists. Within an account, the message alone says that it exists in the other
 * mode; the answer is as much longer.
 */
function unnamed(answer: Answer, whose: string): object {
  if (!ownModes.includes(whose)) return lasting(answer);
  const text = answer.text.replace(/ in (test|live) mode; it exists in (test|live) mode\./, '.');
  const length = String(Number(answer.headers['content-length']) - (answer.text.length - text.length));
  return lasting({ ...answer, text, headers: { ...answer.headers, 'content-length': length } });
}

async function probe(client: Client, { method, route }: AnyOperation, id: string, body?: object): Promise<Answer> {
  const answer = await client.request(method, `/v1${route.replace(':id', id)}`, body === undefined ? {} : { body });
  expectErrorShape(answer);
  return answer;
}

const isLive = (client: Client) => client === victim.live || client === attacker.live;

/** Where keys of live mode may not do it at all, they learn just that. */
function expectHidden(answer: Answer, { operatorInLive, route }: AnyOperation, visitor: Client): void {
  if (makers[resourceOf(route)]!.isTestOnly && isLive(visitor)) expectRefusal(answer, 'test_mode_only');
  else if (operatorInLive !== undefined && isLive(visitor)) expectRefusal(answer, 'role_missing');
  else expectRefusal(answer, 'resource_missing', 'id');
}

/** Whose objects the same account has in the other mode. */
const ownModes = ['the other mode of the same account', 'the other mode, the other way round'];

type Place = [whose: string, owner: () => Client, visitor: () => Client, ownerMode: Mode];
const owners: Place[] = [
  ['another account', () => victim.test, () => attacker.test, 'test'],
  ['another account, in live mode', () => victim.live, () => attacker.live, 'live'],
  [ownModes[0]!, () => attacker.live, () => attacker.test, 'live'],
  [ownModes[1]!, () => attacker.test, () => attacker.live, 'test'],
  ['the other mode of another account', () => victim.live, () => attacker.test, 'live'],
];

/**
 * The share of a table for one owner. To a query each owner is another tenant, so `npm test` tries every row with the first owner, and
 * in turn with one of the others. `npm run torture` tries all.
 */
function shareFor<Row>(whose: string, rows: Row[], ownersOf: (row: Row) => Place[] = () => owners): Row[] {
  return rows.filter((row, at) => {
    const [first, ...others] = ownersOf(row).map(([name]) => name);
    return whose === first || (isTorture ? others.includes(whose) : whose === others[at % others.length]);
  });
}

/** The same, with one owner for each row in `npm test`. */
function turnOf<Row>(whose: string, rows: Row[], ownersOf: (row: Row) => Place[]): Row[] {
  return rows.filter((row, at) => {
    const names = ownersOf(row).map(([name]) => name);
    return isTorture ? names.includes(whose) : whose === names[at % names.length];
  });
}

/** Some resources have no objects in live mode. */
const ownersOf = ({ route }: AnyOperation) =>
  owners.filter(([, , , mode]) => mode === 'test' || !makers[resourceOf(route)]?.isTestOnly);

test('every resource with ids is covered by this test', () => {
  for (const { route } of withId) expect(Object.keys(makers)).toContain(resourceOf(route));
});

describe.each(owners)('an id of %s', (whose, owner, visitor) => {
  test.each(shareFor(whose, withId, ownersOf).map((operation) => [operation.name, operation] as const))(
    'is to %s the same as one that does not exist, and nothing happens to it',
    async (name, operation) => {
      const { method, route } = operation;
      const { prefix } = makers[resourceOf(route)]!;
      const id = await keptFor(operation, owner());
      const home = `/v1/${resourceOf(route)}/${id}`;
      const before = await owner().get(home);
      expect(before.status).toBe(200);

      const body = method === 'POST' ? await bodyFor(name, visitor()) : undefined;
      const foreign = await probe(visitor(), operation, id, body);
      const nobodys = await probe(visitor(), operation, unusedId(prefix), body);
      expectHidden(foreign, operation, visitor());
      expect(unnamed(foreign, whose)).toEqual(lasting(nobodys));
      expect((await owner().get(home)).text).toBe(before.text);
    },
  );

  const changing = withId.filter(({ method }) => method !== 'GET');
  test.each(turnOf(whose, changing, ownersOf).map((operation) => [operation.name, operation] as const))(
    'is to %s the same under an idempotency key, and the owner can use that key',
    async (name, operation) => {
      const { method, route } = operation;
      const id = await makeFor(operation, owner(), server);
      const headers = { 'Idempotency-Key': `key for ${id}` };
      const target = `/v1${route.replace(':id', id)}`;
      const body = await bodyFor(name, visitor());
      for (let again = 0; again < 2; again++)
        expectHidden(await visitor().request(method, target, { headers, body }), operation, visitor());
      const used = await owner().request(method, target, { headers, body: await bodyFor(name, owner()) });
      const inLive = operation.operatorInLive === undefined ? impossible[name] : 'role_missing';
      expect(used.json.error?.code).toBe(isLive(owner()) ? inLive : undefined);
      expect(used.headers['idempotent-replayed']).toBeUndefined();
    },
  );
});

describe.each(owners)('in a body, an id of %s', (whose, owner, visitor) => {
  type Reference = [
    what: string,
    param: string,
    prefix: 'cus' | 'pm' | 'py',
    try_: (theirs: string) => Promise<Answer>,
  ];
  const payment = { amount: 700, currency: 'eur' };
  const references: Reference[] = [
    [
      'the payment method of a payment',
      'payment_method',
      'pm',
      (payment_method) => visitor().post('/v1/payments', { ...payment, payment_method }),
    ],
    ['the payment of a refund', 'payment', 'py', (payment) => visitor().post('/v1/refunds', { payment })],
    [
      'the customer of a payment',
      'customer',
      'cus',
      async (customer) =>
        visitor().post('/v1/payments', { ...payment, payment_method: await methodOf(visitor()), customer }),
    ],
    [
      'the customer of a new payment method',
      'customer',
      'cus',
      (customer) => visitor().post('/v1/payment_methods', { type: 'card', card, customer }),
    ],
    [
      'the customer to attach to',
      'customer',
      'cus',
      async (customer) => visitor().post(`/v1/payment_methods/${await methodOf(visitor())}/attach`, { customer }),
    ],
    [
      'the default payment method of a customer',
      'default_payment_method',
      'pm',
      async (default_payment_method) =>
        visitor().post(`/v1/customers/${await customerOf(visitor())}`, { default_payment_method }),
    ],
  ];
  test.each(shareFor(whose, references))(
    'as %s is the same as one that does not exist',
    async (_what, param, prefix, attempt) => {
      const customer = await customerOf(owner());
      const make = { cus: () => customer, pm: () => methodOf(owner(), { customer }), py: () => paymentOf(owner()) };
      const homes = { cus: 'customers', pm: 'payment_methods', py: 'payments' };
      const theirs = await make[prefix]();
      const home = `/v1/${homes[prefix]}/${theirs}`;
      const before = (await owner().get(home)).text;

      const foreign = await attempt(theirs);
      expectRefusal(foreign, 'resource_missing', param);
      expect(unnamed(foreign, whose)).toEqual(lasting(await attempt(unusedId(prefix))));
      expect((await owner().get(home)).text).toBe(before);
      const attached = await owner().get(`/v1/customers/${customer}/payment_methods`);
      expect(attached.json.data.map((one: { id: string }) => one.id)).toEqual(prefix === 'pm' ? [theirs] : []);
    },
  );

  test.each(shareFor(whose, ['payments', 'payment_methods']))('as a filter of %s finds nothing', async (resource) => {
    const customer = await customerOf(owner());
    const payment_method = await methodOf(owner(), { customer });
    await owner().post('/v1/payments', { ...payment, payment_method, customer });
    const found = await visitor().get(`/v1/${resource}?customer=${customer}`);
    expect([found.status, found.json.data]).toEqual([200, []]);
  });
});

describe.each(owners)('in billing, an id of %s', (whose, owner, visitor) => {
  const kinds = { customer: 'cus', payment_method: 'pm', price: 'price', coupon: 'coupon', subscription: 'sub' };
  type Ids = Record<keyof typeof kinds, string>;

  async function make(client: Client): Promise<Ids> {
    const [price, coupon, subscription] = [
      await makers.prices!.make(client, server),
      await makers.coupons!.make(client, server),
      await subscriptionOf(client),
    ];
    const { customer } = (await client.get(`/v1/subscriptions/${subscription}`)).json;
    return { customer, price, coupon, subscription, payment_method: await methodOf(client, { customer }) };
  }

  type Reference = [path: string, param: string, body: (own: Ids, theirs: Ids) => object];
  const fee = { amount: 5, currency: 'eur', description: 'Setup' };
  const items = ({ price }: Ids) => ({ items: [{ price }] });
  const trial = (own: Ids) => ({ customer: own.customer, ...items(own), trial_days: 1 });
  const references: Reference[] = [
    ['subscriptions', 'customer', (own, { customer }) => ({ ...trial(own), customer })],
    ['subscriptions', 'items.0.price', (own, theirs) => ({ ...trial(own), ...items(theirs) })],
    ['subscriptions', 'coupon', (own, { coupon }) => ({ ...trial(own), coupon })],
    [
      'subscriptions',
      'default_payment_method',
      (own, theirs) => ({ ...trial(own), default_payment_method: theirs.payment_method }),
    ],
    ['subscriptions/:sub', 'items.0.price', (_own, theirs) => items(theirs)],
    ['subscriptions/:sub', 'coupon', (_own, { coupon }) => ({ coupon })],
    [
      'subscriptions/:sub',
      'default_payment_method',
      (_own, theirs) => ({ default_payment_method: theirs.payment_method }),
    ],
    ['invoices', 'customer', (_own, { customer }) => ({ customer })],
    ['invoices/:in/pay', 'payment_method', (_own, { payment_method }) => ({ payment_method })],
    ['invoices/preview', 'subscription', (_own, { subscription }) => ({ subscription })],
    ['invoices/preview', 'customer', (own, { customer }) => ({ ...items(own), customer })],
    ['invoices/preview', 'items.0.price', ({ customer }, theirs) => ({ ...items(theirs), customer })],
    ['invoices/preview', 'coupon', ({ subscription }, { coupon }) => ({ subscription, coupon })],
    ['invoice_items', 'customer', (_own, { customer }) => ({ ...fee, customer })],
    ['invoice_items', 'subscription', ({ customer }, { subscription }) => ({ ...fee, customer, subscription })],
  ];

  test('is the same as one that does not exist, wherever a body or a filter names it', async () => {
    const [own, theirs] = [
      await keep(visitor(), 'billing', () => make(visitor())),
      await keep(owner(), 'billing', () => make(owner())),
    ];
    const invoice = await keptFor(operations.find(({ name }) => name === 'invoices.pay')!, visitor());
    const home = `/v1/subscriptions/${theirs.subscription}`;
    const before = (await owner().get(home)).text;
    const entries = Object.entries(kinds).map(([name, prefix]) => [name, unusedId(prefix)]);
    const nobodys: Ids = Object.fromEntries(entries);
    for (const [path, param, body] of shareFor(whose, references)) {
      const target = `/v1/${path.replace(':sub', own.subscription).replace(':in', invoice)}`;
      const foreign = await visitor().post(target, body(own, theirs));
      expect([path, foreign.json.error?.code, foreign.json.error?.param]).toEqual([path, 'resource_missing', param]);
      expect(unnamed(foreign, whose)).toEqual(lasting(await visitor().post(target, body(own, nobodys))));
    }
    for (const filter of [
      'subscriptions?customer',
      'subscriptions?price',
      'invoices?customer',
      'invoices?subscription',
    ]) {
      const id = theirs[filter.split('?')[1] as keyof Ids];
      expect((await visitor().get(`/v1/${filter}=${id}`)).json.data).toEqual([]);
    }
    expect((await owner().get(home)).text).toBe(before);
  });
});

describe('a list', () => {
  const lists = operations.filter(
    ({ method, route, output }) =>
      method === 'GET' &&
      route !== '/request_logs' && // each look at it is in it: request_logs.test.ts does the same by a filter
      route !== '/webhook_endpoints/deliveries' && // nothing makes one alone: deliveries.test.ts does the same
      !route.includes(':id') &&
      'has_more' in (output as { properties: object }).properties,
  );

  test.each(lists.map((operation) => [operation.name, operation] as const))(
    '%s shows nothing of others, and their ids as a position tell nothing',
    async (_name, { route }) => {
      const { prefix, make } = makers[resourceOf(route)]!;
      const fresh = await server.account();
      const mine = await make(fresh.test, server);
      const theirs = await make(victim.test, server);
      const ids = async (query: string) => {
        const answer = await fresh.test.get(`/v1${route}${query}`);
        expect(answer.status).toBe(200);
        return answer.json.data.map((one: { id: string }) => one.id);
      };
      expect(await ids('')).toEqual([mine]);
      // Created after the caller's own: a position above it, like an id of no object.
      const nobodys = unusedId(prefix);
      expect([await ids(`?starting_after=${theirs}`), await ids(`?ending_before=${theirs}`)]).toEqual([[mine], []]);
      expect([await ids(`?starting_after=${nobodys}`), await ids(`?ending_before=${nobodys}`)]).toEqual([[mine], []]);
    },
  );
});
