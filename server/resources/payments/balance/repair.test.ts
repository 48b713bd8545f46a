import { afterAll, beforeAll, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { newId } from '../../../base/id.ts';
import { oneConnection } from '../../../base/places/connections.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { PostingKind } from '../../../ledger/chart.ts';
import { postOn } from '../../../ledger/ledger.fixture.ts';
import { dayOf } from '../../../ledger/posting.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import type { MissingPosting, Repaired } from './repair.ts';
import { verifyBooks } from './verify.ts';

const dayMs = 86_400_000;
const now = Date.UTC(2027, 0, 10, 12); // noon: the day does not change during the test
let server: TestServer;
let account: TestAccount;
let tenant: Tenant;

beforeAll(async () => {
  server = await startServer({ onePostgres: true, clock: virtualClock(now) }); // its postings are put there by hand
  account = await server.account();
  const parameters = { fee_ppm: 29_000, settlement_days: 7 };
  await server.operator.run('accounts.update', { id: account.id, parameters });
  const { rows } = await server.sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [
    account.id,
  ]);
  tenant = rows[0].tenant;
  await server.gateway.worker.stop(); // it would seal postings that the tests still change
});
afterAll(() => server.stop());

const run = <Result>(name: string) => server.operator.run<Result>(name, { account: account.id, mode: 'test' });
const missing = async () => (await run<{ data: MissingPosting[] }>('balance.list_missing')).data;
const differences = async () =>
  (await verifyBooks({ at: oneConnection(server.sql), keyring: server.gateway.keyring }, account.id)).differences;

type Posted = [...PostingKind[]];

async function book(source: string, payment: string, amount: number, kinds: Posted): Promise<void> {
  for (const kind of kinds) {
    const id = await postOn(server.sql, { tenant, kind, source, amount, currency: 'usd' });
    await server.sql.query('update postings set payment = $3 where tenant = $1 and id = $2', [tenant, id, payment]);
  }
}

/** A payment that has received 1000, as it is stored, with these postings of it. */
async function paid(posted: Posted, { daysAgo = 0, refunded = 0 } = {}): Promise<string> {
  const id = newId('py', now - daysAgo * dayMs);
  await server.sql.query(
    `insert into payments (tenant, id, version, amount, amount_received, amount_refunded, currency, payment_method, status, inquiries)
     values ($1, $2, 1, 1000, 1000, $3, 'usd', 'pm_1', 'succeeded', 0)`,
    [tenant, id, refunded],
  );
  await book(id, id, 1000, posted);
  return id;
}

async function refunded(status: string, posted: Posted): Promise<string> {
  const payment = await paid(['payment'], { refunded: status === 'failed' ? 0 : 300 });
  const id = newId('re', now);
  await server.sql.query(
    `insert into refunds (tenant, id, version, payment, amount, currency, status, failure_reason, attempt, inquiries)
     values ($1, $2, 1, $3, 300, 'usd', $4, $5, 'att_1', 0)`,
    [tenant, id, payment, status, status === 'failed' ? 'declined' : null],
  );
  await book(id, payment, 300, posted);
  return id;
}

async function disputed(status: string, posted: Posted): Promise<string> {
  const payment = await paid(['payment']);
  const id = newId('dp', now);
  await server.sql.query(
    `insert into disputes (tenant, id, version, payment, amount, currency, reason, status, evidence, due_by, submission_count,
                           connector, reference, inquiries)
     values ($1, $2, 1, $3, 1000, 'usd', 'fraudulent', $4, '{}', now(), 0, 'simulator', $2, 0)`,
    [tenant, id, payment, status],
  );
  await server.sql.query('update payments set dispute = $3 where tenant = $1 and id = $2', [tenant, payment, id]);
  await book(id, payment, 1000, posted);
  return id;
}

/** A credit transaction, and one that takes it back, whose posting is there: the customer has no credit, and is deleted. */
async function credited(amount: number, invoice: string | null, posted: Posted): Promise<string> {
  const [id, back] = [newId('ctx', now), newId('ctx', now)];
  await server.sql.query(
    `insert into credit_transactions (tenant, id, customer, amount, currency, invoice)
     values ($1, $2, $3, $4, 'usd', $5), ($1, $6, $3, -$4::int8, 'usd', null)`,
    [tenant, id, newId('cus', now), amount, invoice, back],
  );
  const book = (source: string, kind: PostingKind) =>
    postOn(server.sql, { tenant, kind, source, amount: Math.abs(amount), currency: 'usd', payment: null });
  await book(back, amount > 0 ? 'credit_forfeited' : 'credit_granted');
  for (const kind of posted) await book(id, kind);
  return id;
}

/** [what is stored, what is posted of it, what is missing]. */
const cases: [make: (posted: Posted) => Promise<string>, posted: Posted, missing: Posted][] = [
  [paid, ['payment', 'fee'], []],
  [paid, ['payment'], []], // whether there was a fee is not known
  [paid, [], ['payment', 'fee']],
  [paid, ['fee'], ['payment']],
  [(posted) => refunded('pending', posted), ['refund'], []],
  [(posted) => refunded('pending', posted), [], ['refund']],
  [(posted) => refunded('succeeded', posted), ['refund', 'refund_settled'], []],
  [(posted) => refunded('succeeded', posted), ['refund'], ['refund_settled']],
  [(posted) => refunded('succeeded', posted), [], ['refund', 'refund_settled']],
  [(posted) => refunded('failed', posted), ['refund', 'refund_failure'], []],
  [(posted) => refunded('failed', posted), ['refund'], ['refund_failure']],
  [(posted) => refunded('failed', posted), ['refund_failure'], ['refund']],
  [(posted) => refunded('failed', posted), [], ['refund', 'refund_failure']],
  [(posted) => refunded('failed', posted), ['refund', 'refund_settled', 'refund_bounce'], []],
  [(posted) => refunded('failed', posted), ['refund', 'refund_settled'], ['refund_bounce']],
  [(posted) => refunded('failed', posted), ['refund', 'refund_bounce'], ['refund_settled']],
  [(posted) => refunded('succeeded', posted), ['refund', 'refund_failure', 'refund_correction'], []],
  [(posted) => refunded('succeeded', posted), ['refund', 'refund_failure'], ['refund_correction']],
  [(posted) => refunded('succeeded', posted), ['refund', 'refund_correction'], ['refund_failure']],
  [(posted) => refunded('failed', posted), ['refund', 'refund_failure', 'refund_correction', 'refund_bounce'], []],
  [(posted) => refunded('failed', posted), ['refund', 'refund_failure', 'refund_correction'], ['refund_bounce']],
  [(posted) => refunded('failed', posted), ['refund', 'refund_failure', 'refund_bounce'], ['refund_correction']],
  [(posted) => disputed('under_review', posted), ['dispute'], []],
  [(posted) => disputed('needs_response', posted), [], ['dispute']],
  [(posted) => disputed('won', posted), ['dispute'], ['dispute_reversal']],
  [(posted) => disputed('won', posted), [], ['dispute', 'dispute_reversal']],
  [(posted) => disputed('lost', posted), ['dispute'], ['dispute_lost']],
  [(posted) => disputed('lost', posted), ['dispute', 'dispute_lost'], []],
  [(posted) => credited(500, 'in_1', posted), ['credit_granted'], []],
  [(posted) => credited(500, 'in_1', posted), [], ['credit_granted']],
  [(posted) => credited(-500, 'in_1', posted), ['credit_used'], []],
  [(posted) => credited(-500, 'in_1', posted), [], ['credit_used']],
  [(posted) => credited(-500, null, posted), [], ['credit_forfeited']],
];

test('what the books lack is listed, posted once with its audit entries, and then nothing is missing', async () => {
  const expected: string[] = [];
  for (const [make, posted, kinds] of cases) {
    const source = await make(posted);
    expected.push(...kinds.map((kind) => `${source} ${kind}`));
  }
  const before = (await server.sql.query('select * from postings order by id')).rows;
  expect(await differences()).not.toEqual([]);
  const found = await missing();
  const named = ({ source, kind }: MissingPosting) => `${source} ${kind}`;
  expect(found.map(named).sort()).toEqual(expected.sort());
  expect((await server.sql.query('select * from postings order by id')).rows).toEqual(before);

  const [one, other] = await Promise.all([run<Repaired>('balance.repair'), run<Repaired>('balance.repair')]);
  expect([...one.data, ...other.data].map(named).sort()).toEqual(expected);
  expect(await differences()).toEqual([]);
  expect([await missing(), (await run<Repaired>('balance.repair')).data]).toEqual([[], []]);
  const { rows: after } = await server.sql.query('select * from postings order by id');
  expect(after).toHaveLength(before.length + expected.length);
  expect(after).toEqual(expect.arrayContaining(before));

  const { rows: audit } = await server.sql.query(
    `select actor, account, subject || ' ' || (details ->> 'kind') as what from audit where action = 'posting.repaired' order by 3`,
  );
  expect(audit).toEqual(expected.map((what) => ({ actor: 'test', account: account.id, what })));
});

test('a payment keeps the day on which its money is available; its fee is that of the terms of today', async () => {
  const [recent, old] = [await paid([], { daysAgo: 3 }), await paid([], { daysAgo: 30 })];
  const { data } = await run<Repaired>('balance.repair');
  const shown = (payment: string, day: string) => [
    { kind: 'payment', source: payment, payment, amount: 1000, currency: 'usd', available_on: day },
    { kind: 'fee', source: payment, payment, amount: 29, currency: 'usd', available_on: day },
  ];
  expect(data).toEqual([...shown(old, dayOf(now)), ...shown(recent, dayOf(now, 4))]);
});

test('a posting of credit has no payment', async () => {
  const source = await credited(500, 'in_1', []);
  const { data } = await run<Repaired>('balance.repair');
  const facts = { amount: 500, currency: 'usd', available_on: dayOf(now) };
  expect(data).toEqual([{ kind: 'credit_granted', source, ...facts }]);
});

test('many are posted in several commits', async () => {
  for (let at = 0; at < 3; at++) await paid([]);
  const rows = `insert into payments (tenant, id, version, amount, amount_received, currency, payment_method, status, inquiries)
     select $1, $2 || lpad(n::text, 4, '0'), 1, 5, 5, 'usd', 'pm_1', 'succeeded', 0 from generate_series(1, 250) n`;
  await server.sql.query(rows, [tenant, newId('py', now).slice(0, -4)]);
  expect(await run('balance.repair')).toMatchObject({ has_more: true });
  expect(await run('balance.repair')).toMatchObject({ has_more: false });
  expect(await missing()).toEqual([]);
});
