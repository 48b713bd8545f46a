import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { ProcessorAccountId, ProcessorOutcome } from '../../../connectors/contract.ts';
import { registrations } from '../../../connectors/index.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { businessRules } from '../../payments/balance/rules.ts';
import { addAccount, openPier, type Pier } from '../../payments/payments/pier.fixture.ts';
import { Billing, type Shown } from './billing.fixture.ts';

/** The charges of subscriptions where an account has several processors: the simulator is local, the pier remote. */
let clock: VirtualClock;
let server: TestServer;
let pier: Pier;
let account: TestAccount;
let billing: Billing;
let tenant: Tenant;

const busy: ProcessorOutcome = {
  ...{ kind: 'declined', code: 'processing_error', declineCode: 'try_again_later', advice: 'another_processor' },
};
const unknown: ProcessorOutcome = { kind: 'unknown', reason: 'no answer' };
const dayMs = 86_400_000;

beforeAll(async () => {
  clock = virtualClock(Date.now());
  pier = openPier();
  server = await startServer({ clock, connectors: [...registrations, pier.registration] });
});
afterAll(() => server.stop());
beforeEach(async () => {
  pier.answers.clear();
  pier.finds.clear();
  account = await server.account();
  billing = new Billing(account);
  const text = `select tenant from tenants where account = $1 and mode = 'test'`;
  tenant = (await server.sql.query(text, [account.id])).rows[0].tenant;
});
afterEach(async () => {
  for (const { name, sql } of businessRules)
    expect((await server.sql.query(sql, [[tenant]])).rows.map((row) => ({ name, ...row }))).toEqual([]);
});

type Processor = 'simulator' | 'busy simulator' | 'pier' | 'busy pier' | 'silent pier';

async function processors(names: readonly Processor[]): Promise<ProcessorAccountId[]> {
  const ids: ProcessorAccountId[] = [];
  for (const name of names) {
    const [connector, mood] = name.split(' ').reverse() as [string, string | undefined];
    clock.advance(5); // the oldest is tried first
    const id = await addAccount(server.gateway, tenant, true, connector);
    if (connector === 'pier' && mood !== undefined) pier.answers.set(id, mood === 'busy' ? busy : unknown);
    if (connector === 'simulator' && mood !== undefined)
      await server.sql.query(`update processor_accounts set settings = '{"behaves":"busy"}' where id = $1`, [id]);
    ids.push(id);
  }
  clock.advance(1_001); // what was read before is forgotten
  return ids;
}

async function attemptsOf(invoice: Shown) {
  const { data } = await billing.get(`payments/${invoice.payment}/attempts`);
  return data.map(({ processor_account, state }: Shown) => [processor_account, state]);
}

/** Whether the simulator has the money of an attempt. */
async function netOf(): Promise<number> {
  const { rows } = await server.sql.query(
    'select coalesce(sum(net), 0)::int4 as net from simulator_charges where tenant = $1',
    [tenant],
  );
  return rows[0].net;
}

const cases: [Processor[], states: string[], status: string][] = [
  [['simulator', 'pier'], ['approved'], 'paid'],
  [['busy simulator', 'pier'], ['declined', 'approved'], 'paid'],
  [['busy pier', 'simulator'], ['declined', 'approved'], 'paid'],
  [['busy pier', 'pier'], ['declined', 'approved'], 'paid'],
  [['busy simulator', 'busy pier', 'simulator'], ['declined', 'declined', 'approved'], 'paid'],
  [['busy simulator', 'busy pier'], ['declined', 'declined'], 'open'],
  [['busy simulator', 'silent pier', 'simulator'], ['declined', 'unknown'], 'open'],
];

test('a payment that declines a challenge is passed on in the same way by a job, while its request gets no answer', async () => {
  const customer = await billing.customer(undefined);
  const items = [{ price: (await billing.price(1_000)).id }];
  const [first, second] = await processors(['pier', 'pier']);
  const silence = Promise.withResolvers<ProcessorOutcome>();
  pier.answers.set(first!, () => silence.promise);
  pier.finds.set(first!, busy);
  pier.asked.length = 0;
  const body = { customer: customer.id, items, payment_behavior: 'error_if_incomplete' };
  const answer = account.test.post('/v1/subscriptions', body);
  await expect.poll(() => pier.asked.length).toBe(1);
  clock.advance(21_000); // the deadline of the call, and the pause before the inquiry
  await server.settled();
  expect(pier.asked.map((one) => [one.account, one.request.declinesChallenge])).toEqual([
    [first, true],
    [second, true],
  ]);
  silence.resolve(busy);
  expect([(await answer).status, (await answer).json.status]).toEqual([200, 'active']);
});

describe('processors that pass on', () => {
  test.each(cases)('%j', async (names, states, status) => {
    const customer = await billing.customer(undefined);
    const price = await billing.price(1_000);
    const trial = { trial_days: 1 };
    const renewed = await billing.subscribe(customer, price, trial);
    const ids = await processors(names);
    const isPaid = status === 'paid';
    const expectEnd = async ({ id }: Shown, other: string) => {
      const subscription = await billing.subscription({ id });
      const invoice = await billing.get(`invoices/${subscription.latest_invoice}`);
      expect(invoice).toMatchObject({ status, amount_paid: isPaid ? 1_000 : 0, attempt_count: 1 });
      expect(subscription.status).toBe(isPaid ? 'active' : other);
      expect(await attemptsOf(invoice)).toEqual(states.map((state, at) => [ids[at], state]));
    };
    await expectEnd(await billing.subscribe(customer, price), 'incomplete');
    clock.advance(dayMs);
    await server.settled();
    await expectEnd(renewed, states.at(-1) === 'unknown' ? 'active' : 'past_due');
    const last = names[states.length - 1]!;
    expect(await netOf()).toBe(isPaid && last === 'simulator' ? 2_000 : 0);
  });
});
