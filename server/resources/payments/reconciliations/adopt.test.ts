import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { oneConnection } from '../../../base/places/connections.ts';
import { connect } from '../../../base/sql.ts';
import { adoptBooks, compareBooks } from '../../../commands/reconcile.ts';
import { masterKeys, openKeyring } from '../../../database.ts';
import type { FakeCharge, FakeIntent, FakeRefund } from '../../../fakes/stripe/shapes.ts';
import { isDistributedRun } from '../../../test/distributed_databases.ts';
import { verifyBooks } from '../balance/verify.ts';
import { openStripeShop, type StripeShop } from '../payments/stripe_shop.fixture.ts';

/** A database that was restored to an earlier moment, while the processor has gone on. */
let shop: StripeShop;
let date: string;
beforeAll(async () => {
  shop = await openStripeShop();
  date = new Date(shop.clock.now()).toISOString().slice(0, 10);
  await shop.server.operator.run('accounts.update', { id: shop.account.id, parameters: { fee_ppm: 20_000 } });
  await shop.reported(); // it knows whose account at Stripe it is
});
afterAll(() => shop.stop());

/** A connection of a command, for as long as the work takes. */
async function asCommand<T>(work: (context: Parameters<typeof adoptBooks>[0]) => Promise<T>): Promise<T> {
  const { databaseUrl, config: served } = shop.server;
  const connectorSettings = { ...served.connectorSettings, stripe: { allowedHosts: [], isDevelopment: true } };
  const config = { ...served, connectorSettings };
  const address = { connectionString: databaseUrl };
  const client = await connect(address, 'test');
  const secrets = { keyring: await openKeyring(client, config), masters: await masterKeys(client, config) };
  const actor = { name: 'test', now: Date.now() };
  return work({ client, at: oneConnection(client), isCluster: false, config, address, actor, ...secrets }).finally(() =>
    client.end(),
  );
}

const options = (processor = shop.processor) => ({ processorAccount: processor, date });
const adopt = (processor?: string) => asCommand((context) => adoptBooks(context, options(processor)));
const differences = async () =>
  (await asCommand((context) => compareBooks(context, options()))).differences.map(
    ({ what, line, payment }) => `${what} ${line.kind} ${line.reference} ${payment ?? 'of no payment'}`,
  );
const obstacles = async () => (await adopt()).left.map(({ payment, obstacle }) => [payment, obstacle]);
const violations = async () => [
  ...(await shop.violations()),
  ...(await asCommand((context) => verifyBooks(context))).differences.map(({ message }) => message),
];

/** The sealer has nothing left to do, and so writes nothing that a restore would not undo. */
async function sealed(): Promise<void> {
  await shop.server.settled();
  const unsealed = 'select from postings p, ledger_sealer s where p.position >= s.sealed_to';
  await vi.waitFor(async () => expect(await shop.sql(unsealed)).toEqual([]), { timeout: 10_000 });
}

/** All that tenants have in this moment, kept aside. Returns what restores it. */
async function backup(): Promise<() => Promise<void>> {
  await sealed();
  const tables = await shop.sql(
    `select table_name as name from information_schema.columns join pg_class on oid = table_name::regclass
      where table_schema = 'public' and column_name = 'tenant' and relkind in ('r', 'p') and not relispartition
        and relpersistence = 'p' and not exists (select from pg_constraint where confrelid = pg_class.oid)`,
  );
  const names = tables.map(({ name }) => name as string);
  await shop.sql('drop schema if exists backup cascade; create schema backup');
  await shop.sql('create table backup.cursors as select id, poll_cursor from processor_accounts');
  await shop.sql(names.map((name) => `create table backup.${name} as table public.${name}`).join('; '));
  return async () => {
    await sealed();
    const restored = names.map(
      (name) => `delete from ${name}; insert into ${name} overriding system value table backup.${name}`,
    );
    const cursor =
      'update processor_accounts a set poll_cursor = b.poll_cursor from backup.cursors b where b.id = a.id';
    await shop.sql([...restored, cursor].join('; '));
  };
}

/** A card that Stripe's own form has sent there. */
async function cardAtStripe(token: string): Promise<string> {
  const response = await fetch(`${shop.stripe.url}/v1/payment_methods`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.stripe.secretKey}` },
    body: new URLSearchParams({ type: 'card', 'card[token]': token }),
  });
  return ((await response.json()) as { id: string }).id;
}

const attemptOf = async (payment: string) => (await shop.attempts(payment))[0].id as string;
const refundAttempt = async (refund: string) =>
  (await shop.sql('select attempt from refunds where id = $1', [refund]))[0].attempt as string;
const audit = () =>
  shop.sql(`select account, subject, details from audit where action = 'reconciliation.adopted' order by id`);
const refundsOf = async (payment: string) => (await shop.account.test.get(`/v1/refunds?payment=${payment}`)).json.data;

// Keeps all rows of one PostgreSQL aside, and restores them.
describe.skipIf(isDistributedRun)('after a restore to an earlier moment', () => {
  let before: { id: string };
  let lost: { id: string; processor: object };
  let parted: { id: string };
  let token: { id: string };
  let method: string;
  let references: Record<string, string>;

  beforeAll(async () => {
    // Known at the moment of the restore: a payment, one that waits for its capture, and a card that Stripe keeps.
    before = await shop.paid();
    const held = await shop.paid(undefined, { capture_method: 'manual' });
    const processor_token = { processor_account: shop.processor, token: await cardAtStripe('tok_mastercard') };
    method = (await shop.post('/v1/payment_methods', { type: 'card', processor_token })).json.id;
    const restore = await backup();
    // Lost with it: payments of every kind, refunds, and the capture.
    lost = await shop.paid(undefined, { description: 'An order', metadata: { order: '7' } });
    parted = await shop.paid('5555555555554444', { amount: 3_000, capture_method: 'manual' });
    await shop.post(`/v1/payments/${parted.id}/capture`, { amount: 2_500 });
    token = await shop.paid(undefined, { payment_method: method });
    await shop.post(`/v1/payments/${held.id}/capture`, { amount: 1_500 });
    const [partly, earlier] = [
      (await shop.post('/v1/refunds', { payment: lost.id, amount: 300 })).json.id,
      (await shop.post('/v1/refunds', { payment: before.id, amount: 400, reason: 'duplicate' })).json.id,
    ];
    const byHand = shop.stripe.byHand.refund(await shop.intentOf(lost.id), 200).id;
    references = {
      lost: await attemptOf(lost.id),
      parted: (await shop.attempts(parted.id))[1].id,
      token: await attemptOf(token.id),
      held: (await shop.attempts(held.id))[1].id,
      ...{ heldPayment: held.id, partly: await refundAttempt(partly), earlier: await refundAttempt(earlier), byHand },
    };
    await restore();
    expect((await shop.read(lost.id)).status).toBe(404);
  });

  test('the comparison finds what the gateway has lost', async () => {
    const { heldPayment: _, ...lines } = references;
    const found = await differences();
    expect(found).toHaveLength(Object.keys(lines).length);
    expect(found).toContain(`missing_in_ledger payment ${lines.lost} of no payment`);
    expect(await audit()).toEqual([]);
  });

  test('--adopt records it, in the books and in the audit log, and the books agree', async () => {
    const { adopted, left } = await adopt();
    expect(left).toEqual([]);
    expect(adopted.map(({ kind, reference }) => `${kind} ${reference}`).sort()).toEqual(
      [
        ...[references.lost, references.parted, references.token, references.held].map((one) => `payment ${one}`),
        ...[references.partly, references.earlier, references.byHand].map((one) => `refund ${one}`),
      ].sort(),
    );
    expect(await differences()).toEqual([]);
    expect(await violations()).toEqual([]);
    expect((await audit()).map(({ account, subject }) => [account, subject])).toEqual(
      adopted.map(({ object }) => [shop.account.id, object]),
    );
    expect((await audit())[0].details).toMatchObject({
      ...{ processor_account: shop.processor, date, kind: 'payment', mode: 'test', currency: 'usd' },
    });
  });

  test('a payment has its own id, attempt and reference again, and what the processor does not know is gone', async () => {
    const { json } = await shop.read(lost.id);
    expect(json).toMatchObject({
      ...{ id: lost.id, amount: 2_000, amount_received: 2_000, amount_refunded: 500, status: 'succeeded' },
      processor: lost.processor,
    });
    expect(json).not.toHaveProperty('description');
    expect(json).not.toHaveProperty('metadata');
    expect(await shop.attempts(lost.id)).toMatchObject([
      { id: references.lost, verb: 'authorize', state: 'approved', processor_account: shop.processor },
      ...Array(2).fill({ verb: 'refund', state: 'approved' }),
    ]);
    expect(await shop.eventTypes(lost.id)).toEqual(['payment.succeeded', 'payment.refunded', 'payment.refunded']);
    const posted = await shop.sql('select kind, amount from postings where payment = $1 order by kind, amount', [
      lost.id,
    ]);
    expect(posted.filter(({ kind }) => kind === 'payment' || kind === 'fee')).toMatchObject([
      { kind: 'fee', amount: 40 },
      { kind: 'payment', amount: 2_000 },
    ]);
    expect(await shop.row(parted.id)).toMatchObject({
      ...{ amount: 3_000, amount_received: 2_500, capture_method: 'manual', captured_elsewhere: null },
    });
    expect((await shop.read(references.heldPayment!)).json).toMatchObject({
      status: 'succeeded',
      amount_received: 1_500,
    });
  });

  test('its method is the one that has the token, or one that shows the card and cannot be charged', async () => {
    expect((await shop.read(token.id)).json.payment_method).toBe(method);
    // It serves one payment, and has served it.
    const again = await shop.pay(undefined, { payment_method: method });
    expect(again.json.error).toMatchObject({ code: 'payment_method_not_usable' });
    const { payment_method } = (await shop.read(parted.id)).json;
    const shown = (await shop.account.test.get(`/v1/payment_methods/${payment_method}`)).json;
    expect(shown.card).toEqual({ brand: 'mastercard', last4: '4444', exp_month: 12, exp_year: 2035 });
    const refused = await shop.pay(undefined, { payment_method });
    expect(refused.json.error).toMatchObject({ code: 'payment_method_not_usable' });
  });

  test('refunds are those that were made at the processor', async () => {
    const made = { status: 'succeeded', reason: 'made_at_processor' };
    const amounts = (refunds: { amount: number }[]) => refunds.map(({ amount }) => amount).sort();
    expect(amounts(await refundsOf(lost.id))).toEqual([200, 300]);
    expect(await refundsOf(before.id)).toMatchObject([{ ...made, amount: 400 }]);
  });

  test('a second time there is nothing to adopt, and what Stripe reports again changes nothing', async () => {
    expect(await adopt()).toEqual({ adopted: [], left: [] });
    for (const later of [0, 60_000]) {
      await shop.pass(later);
      await shop.reported();
    }
    expect(await differences()).toEqual([]);
    expect(await audit()).toHaveLength(7);
  });

  test('an adopted payment is refunded through the API', async () => {
    const rest = await shop.post('/v1/refunds', { payment: lost.id });
    expect([rest.status, rest.json]).toMatchObject([200, { amount: 1_500, status: 'succeeded' }]);
    const captured = await shop.post('/v1/refunds', { payment: parted.id });
    expect(captured.json).toMatchObject({ amount: 2_500, status: 'succeeded' });
    expect(await differences()).toEqual([]);
    expect(await violations()).toEqual([]);
  });

  test('a dispute of an adopted payment is recorded once its notice is handled again', async () => {
    const restore = await backup();
    const { id } = await shop.paid('4000000000000259');
    await restore();
    await shop.reported(); // of a payment that is not known yet
    expect((await adopt()).adopted).toMatchObject([{ object: id }]);
    const { account } = shop;
    await shop.server.operator.run('notices.replay', { account: account.id, id: shop.processor });
    await shop.server.settled();
    expect(await shop.eventTypes(id)).toEqual(['payment.succeeded']);
    expect((await shop.read(id)).json).toMatchObject({ dispute: expect.stringMatching(/^dp_/) });
    expect(await differences()).toEqual([]);
    expect(await violations()).toEqual([]);
  });

  test('two at the same moment adopt each payment once', async () => {
    const restore = await backup();
    const payments = await Promise.all(Array.from({ length: 4 }, () => shop.paid()));
    await shop.post('/v1/refunds', { payment: payments[0].id, amount: 100 });
    await restore();
    const both = await Promise.all([adopt(), adopt()]);
    const objects = both.flatMap(({ adopted }) => adopted.map(({ object }) => object));
    expect(objects.filter((id) => id.startsWith('py_')).sort()).toEqual(payments.map(({ id }) => id).sort());
    expect(new Set(objects).size).toBe(objects.length);
    await adopt();
    expect(await differences()).toEqual([]);
    expect(await violations()).toEqual([]);
  });
});

describe.skipIf(isDistributedRun)('what needs a person is left, with the reason', () => {
  /** A payment that a restore loses. */
  async function lose(spoil: (intent: string) => unknown = () => {}): Promise<string> {
    const restore = await backup();
    const { id } = await shop.paid();
    const intent = await shop.intentOf(id);
    await restore();
    spoil(intent);
    return id;
  }

  test.each(['tollgate_payment', 'tollgate_attempt'])('a payment without the mark %s', async (member) => {
    const id = await lose((intent) => shop.stripe.byHand.unmark(intent, member));
    expect(await obstacles()).toContainEqual([null, 'it has no marks of Tollgate: other software has made it']);
    expect((await shop.read(id)).status).toBe(404);
  });

  test('a payment in another currency, or of more than was authorized', async () => {
    const change = (facts: Partial<FakeIntent>) => (intent: string) =>
      Object.assign(shop.stripe.world.get<FakeIntent>(intent), facts);
    const converted = await lose(change({ currency: 'eur' }));
    const exceeded = await lose(change({ amount: 1_500 }));
    const found = await obstacles();
    expect(found).toContainEqual([converted, '2000 eur were authorized, and the statement is in usd']);
    expect(found).toContainEqual([exceeded, 'more was captured than the 1500 usd authorized']);
  });

  test('a payment that has failed here, and one whose outcome is being asked for', async () => {
    const [failed, asked] = [await shop.paid(), await shop.paid()];
    const ids = [failed.id, asked.id];
    await sealed();
    await shop.sql(`delete from postings where payment = any($1)`, [ids]);
    const undone = `update payments set amount_received = 0, status = 'failed', failure_code = 'card_declined'`;
    await shop.sql(`${undone} where id = any($1)`, [ids]);
    await shop.sql('update payments set open_attempt = authorization_attempt where id = $1', [asked.id]);
    const found = await obstacles();
    expect(found).toContainEqual([failed.id, `${failed.id} is failed, with 2000 usd`]);
    expect(found).toContainEqual([asked.id, `the processor is being asked about ${asked.id}: compare again later`]);
  });

  test('a refund whose payment is not known, and one of more than is left', async () => {
    const unknown = await lose((intent) => {
      shop.stripe.byHand.refund(intent, 100);
      shop.stripe.world.get<FakeIntent>(intent).currency = 'eur'; // so that the payment itself is not adopted
    });
    const { id } = await shop.paid();
    const { id: refund } = shop.stripe.byHand.refund(await shop.intentOf(id), 500);
    await shop.sql('update payments set amount_refunded = 1900 where id = $1', [id]);
    const found = await obstacles();
    expect(found).toContainEqual([
      ...[id, `${refund} of 500 usd was made at the processor, and ${id} is succeeded with 100 usd left`],
    ]);
    expect(found).toContainEqual([...[unknown, `${unknown} is not known here: adopt the day on which it was made`]]);
  });

  const mark = (object: string, marks: object) =>
    Object.assign(shop.stripe.world.get<FakeIntent | FakeRefund>(object).metadata, marks);

  test('a payment whose card Stripe does not show, and one whose marks name no attempt', async () => {
    const bare = await lose((intent) => {
      const { latest_charge } = shop.stripe.world.get<FakeIntent>(intent);
      shop.stripe.world.get<FakeCharge>(latest_charge!).payment_method_details.card = {};
    });
    const mismarked = await lose((intent) => mark(intent, { tollgate_capture: 'somebody' }));
    const found = await obstacles();
    expect(found).toContainEqual([bare, 'the processor does not tell the card']);
    expect(found).toContainEqual([mismarked, 'its marks do not name somebody']);
  });

  test('a refund whose mark is not ours, and one of ours that is known and lacks its postings', async () => {
    const [strange, unposted] = [await shop.paid(), await shop.paid()];
    const { id: refund } = shop.stripe.byHand.refund(await shop.intentOf(strange.id), 300);
    mark(refund, { tollgate_attempt: 'somebody' });
    const { id } = (await shop.post('/v1/refunds', { payment: unposted.id, amount: 300 })).json;
    await sealed();
    await shop.sql('delete from postings where source = $1', [id]);
    const found = await obstacles();
    expect(found).toContainEqual([strange.id, 'somebody is no mark of Tollgate']);
    const attempt = await refundAttempt(id);
    expect(found).toContainEqual([
      ...[unposted.id, `${attempt} is known here, and not posted as made: look at ${unposted.id}`],
    ]);
  });

  test('payments and refunds of another processor account at the same account of Stripe', async () => {
    const { id } = await shop.paid();
    await shop.post('/v1/refunds', { payment: id, amount: 300 });
    const settings = { api_base: shop.stripe.url };
    const credentials = { secret_key: shop.stripe.secretKey };
    const second = { connector: 'stripe', name: 'Second', enabled: false, settings, credentials };
    const { id: processor } = (await shop.post('/v1/processor_accounts', second)).json;
    const { adopted, left } = await adopt(processor);
    const found = left.filter(({ payment }) => payment === id).map(({ kind, obstacle }) => [kind, obstacle]);
    const obstacle = `${id} was made by another processor account`;
    expect([adopted, found]).toEqual([
      [],
      [
        ['payment', obstacle],
        ['refund', obstacle],
      ],
    ]);
  });

  test('a payment of another account, and any that may be, because it shares the account at the processor', async () => {
    const moved = await shop.paid();
    const other = await shop.server.account();
    const [{ tenant }] = await shop.sql(`select tenant from tenants where account = $1 and mode = 'test'`, [other.id]);
    await sealed();
    await shop.sql('delete from postings where payment = $1', [moved.id]);
    await shop.sql('delete from attempts where payment = $1', [moved.id]);
    await shop.sql('update payments set tenant = $2 where id = $1', [moved.id, tenant]);
    const settings = { api_base: shop.stripe.url };
    const credentials = { secret_key: shop.stripe.secretKey };
    const shared = { connector: 'stripe', name: 'The same', settings, credentials };
    const { id: processor } = (await other.test.post('/v1/processor_accounts', shared)).json;
    await shop.reported();
    const lost = await lose();
    const found = await obstacles();
    expect(found).toContainEqual([moved.id, `${moved.id} belongs to another account, or to the other mode`]);
    expect(found).toContainEqual([
      ...[lost, `${processor} of another account is the same account at the processor: it may be theirs`],
    ]);
  });
});
