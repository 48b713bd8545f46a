import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Mode } from '../../../base/reads.ts';
import { catalog } from '../../../catalog.ts';
import type { AnyOperation } from '../../../operations/operation.ts';
import { portalDefaults } from '../../../operations/portal_settings.ts';
import type { Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { unusedId } from '../../../test/http/support.ts';
import { isTorture } from '../../../test/torture.ts';
import { CustomerHand, type Household, household, ofCustomers, operationNamed } from './customer_walk.fixture.ts';
import { PortalBrowser } from './portal.fixture.ts';
import { portalAddresses } from './views.ts';

let server: TestServer;
let mine: TestAccount;
let hand: CustomerHand;
/** Whose objects are tried, and who tries. */
let own: Household;
const others = new Map<string, { home: Household; client: Client }>();

const whose = [
  'another customer of the shop',
  'the same shop in live mode',
  'another shop',
  'another shop in live mode',
] as const;

const everything = {
  ...portalDefaults,
  ...{ cancel: 'now', pause: true, resume: true, change_quantity: true },
};

beforeAll(async () => {
  server = await startServer();
  const other = await server.account();
  mine = await server.account();
  hand = new CustomerHand(server);
  own = await household(mine.test, 'test');
  const owners: Record<(typeof whose)[number], [Client, Mode]> = {
    'another customer of the shop': [mine.test, 'test'],
    'the same shop in live mode': [mine.live, 'live'],
    'another shop': [other.test, 'test'],
    'another shop in live mode': [other.live, 'live'],
  };
  for (const [name, [client, mode]] of Object.entries(owners))
    others.set(name, { home: await household(client, mode), client });
  await server.operator.run('portal_settings.update', { account: mine.id, mode: 'test', parameters: everything });
});
afterAll(() => server.stop());

const me = () => ({ account: mine.id, mode: 'test' as const, customer: own.customer });
const prefixes: Record<string, string> = {
  ...{ customer: 'cus', 'payment method': 'pm', subscription: 'sub', invoice: 'in', payment: 'py' },
};
const paths: Record<string, string> = {
  ...{ customer: 'customers', 'payment method': 'payment_methods', subscription: 'subscriptions' },
  ...{ invoice: 'invoices', payment: 'payments' },
};

/** A call about an object of a household. */
function callAbout({ customers }: AnyOperation, of: Readonly<Record<string, string>>) {
  const { about, customer } = customers!;
  if (customer !== undefined) return { parameters: { [customer]: of.customer } };
  const id = of[about!.noun]!;
  return about!.parameter === undefined ? { id } : { parameters: { [about!.parameter]: id } };
}

test('every operation says either what it is about, or which parameter names the customer', () => {
  expect(ofCustomers.length).toBeGreaterThan(15);
  for (const { name, callers, customers } of catalog.operations)
    expect(callers.includes('customer'), name).toBe(customers !== undefined);
  for (const { name, customers, input, route } of ofCustomers) {
    const { about, customer, parameters = [], refersTo = {} } = customers!;
    expect((about === undefined) !== (customer === undefined), name).toBe(true);
    expect(route.includes(':id'), name).toBe(about !== undefined && about.parameter === undefined);
    const named = [customer, about?.parameter, ...parameters, ...Object.keys(refersTo)].filter(Boolean);
    for (const param of named) expect(Object.keys(input.properties), name).toContain(param);
    for (const { noun } of [about, ...Object.values(refersTo)].filter((kind) => kind !== undefined))
      expect(Object.keys(prefixes), name).toContain(noun);
  }
});

describe.each(whose)('what belongs to %s', (name) => {
  test.each(ofCustomers.map((operation) => [operation.name, operation] as const))(
    'is to %s the same as what does not exist, and nothing happens to it',
    async (_name, operation) => {
      const { home, client } = others.get(name)!;
      const nobodys = Object.fromEntries(Object.entries(prefixes).map(([noun, prefix]) => [noun, unusedId(prefix)]));
      const noun = operation.customers!.about?.noun ?? 'customer';
      const address = `/v1/${paths[noun]}/${home[noun]}`;
      const before = await client.get(address);
      expect(before.status).toBe(200);
      const foreign = await hand.run(me(), operation, callAbout(operation, home));
      expect(foreign.code).toBe('resource_missing');
      expect(foreign).toEqual(await hand.run(me(), operation, callAbout(operation, nobodys)));
      expect((await client.get(address)).text).toBe(before.text);
    },
  );

  const referring = ofCustomers.flatMap((operation) =>
    Object.entries(operation.customers!.refersTo ?? {}).map(
      ([param, kind]) => [operation.name, param, kind.noun] as const,
    ),
  );
  test.each(referring)('is to %s as %s the same as what does not exist', async (operation, param, noun) => {
    const { home } = others.get(name)!;
    const call = callAbout(operationNamed(operation), own);
    const naming = (id: string) => ({ ...call, parameters: { ...call.parameters, [param]: id } });
    const foreign = await hand.run(me(), operationNamed(operation), naming(home[noun]!));
    expect(foreign.error).toMatchObject({ code: 'resource_missing', param });
    expect(foreign).toEqual(await hand.run(me(), operationNamed(operation), naming(unusedId(prefixes[noun]!))));
  });

  test('is on no page of the portal, and no form reaches it', async () => {
    const { home } = others.get(name)!;
    const link = (await mine.test.post('/v1/portal_sessions', { customer: own.customer })).json;
    const browser = await new PortalBrowser(server.anonymous).signIn(link);
    const nouns: Record<string, string> = {
      ...{ subscriptions: 'subscription', payment_methods: 'payment method', invoices: 'invoice', payments: 'payment' },
    };
    const acts = ['confirm', 'keep', 'default', 'add', ''];
    const visible = (text: string) => text.replace(/name="form_token" value="[^"]*"/g, '');
    for (const address of portalAddresses.filter((one) => one.includes(':id'))) {
      const noun = nouns[address.split('/')[0]!]!;
      const at = (id: string) => `/portal/test/${mine.id}/${address.replace(':id', id)}`;
      const [foreign, nobodys] = [home[noun]!, unusedId(prefixes[noun]!)];
      const shown = await browser.open(at(foreign));
      expect(shown.status, address).toBe(404);
      expect(visible(shown.text), address).toBe(visible((await browser.open(at(nobodys))).text));
      if (address.endsWith('.pdf')) continue;
      for (const act of isTorture ? acts : [acts[0]!]) {
        await browser.open(`/portal/test/${mine.id}`);
        const [sent, none] = [await browser.send({ act }, at(foreign)), await browser.send({ act }, at(nobodys))];
        expect([address, act, sent.status, visible(sent.text)]).toEqual([
          address,
          act,
          none.status,
          visible(none.text),
        ]);
        expect(sent.status, address).toBeGreaterThanOrEqual(400);
      }
    }
  });
});

describe('what is their own', () => {
  test.each(ofCustomers.map((operation) => [operation.name, operation] as const))(
    'is there for %s',
    async (name, operation) => {
      const home =
        name.startsWith('subscriptions') || name.endsWith('detach') ? await household(mine.test, 'test') : own;
      const answer = await hand.run({ ...me(), customer: home.customer }, operation, callAbout(operation, home));
      const refused = ['subscriptions.resume'].includes(name) ? 'subscription_not_updatable' : undefined;
      expect(answer.code).toBe(refused);
    },
  );

  test('is all that lists show, whatever is sent beside it', async () => {
    for (const operation of ofCustomers.filter(({ name }) => name.endsWith('.list'))) {
      const { result } = (await hand.run(me(), operation, callAbout(operation, own))).result as never as {
        result: { data: { customer: string }[] };
      };
      expect(result.data.length, operation.name).toBeGreaterThan(0);
      for (const one of result.data) expect(one.customer, operation.name).toBe(own.customer);
    }
  });

  test('a draft is not, until it is finalized', async () => {
    const items = [{ amount: 700, description: 'Setup' }];
    const draft = (await mine.test.post('/v1/invoices', { customer: own.customer, currency: 'eur', items })).json;
    for (const name of ['invoices.retrieve', 'invoices.pdf'])
      expect((await hand.run(me(), operationNamed(name), { id: draft.id })).code).toBe('resource_missing');
    const listed = await hand.run(me(), operationNamed('invoices.list'), { parameters: { customer: own.customer } });
    expect(JSON.stringify(listed)).not.toContain(draft.id);
  });

  test.each([
    ['invoices.retrieve', 'expand', ['customer']],
    ['invoices.list', 'subscription', 'sub_1'],
    ['invoices.list', 'status', 'draft'],
    ['payments.list', 'invoice', 'in_1'],
    ['customers.update', 'metadata', {}],
    ['customers.update', 'external_id', 'x'],
    ['subscriptions.cancel', 'proration', 'create'],
    ['subscriptions.update', 'proration', 'none'],
    ['subscriptions.update', 'trial_end', 'now'],
    ['subscriptions.update', 'coupon', 'coupon_1'],
    ['invoices.preview', 'coupon', 'coupon_1'],
    ['checkout_sessions.create', 'mode', 'payment'],
    ['checkout_sessions.create', 'amount', 1],
  ])('%s knows no parameter %s of theirs', async (name, param, value) => {
    const call = callAbout(operationNamed(name), own);
    const answer = await hand.run(me(), operationNamed(name), {
      ...call,
      parameters: { ...call.parameters, [param]: value },
    });
    expect(answer.error).toMatchObject({ code: 'parameter_unknown', param });
  });

  test('what they have not may be run by nobody else who comes as one', async () => {
    const foreign = catalog.operations.find(({ name }) => name === 'refunds.create')!;
    await expect(hand.run(me(), foreign, { parameters: { payment: own.payment } })).resolves.toMatchObject({
      error: { message: expect.stringContaining('does not serve a customer') },
    });
  });
});
