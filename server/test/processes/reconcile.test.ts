import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { virtualClock } from '../../base/clock.fixture.ts';
import { newId } from '../../base/id.ts';
import { oneConnection } from '../../base/places/connections.ts';
import type { Tenant } from '../../base/reads.ts';
import { connect } from '../../base/sql.ts';
import { acceptRecorded, compareBooks, presented, recordBooks } from '../../commands/reconcile.ts';
import { masterKeys, openKeyring } from '../../database.ts';
import { type FoundBooks, recordComparison } from '../../resources/payments/reconciliations/record.ts';
import { startServer, type TestAccount, type TestServer, testMasterKey } from '../harness.ts';
import { shareOf } from '../torture.ts';
import { type Environment, type Finished, testMs } from './child.ts';
import { Children } from './children.ts';

vi.setConfig({ testTimeout: testMs });

const dayMs = 86_400_000;
/** Noon of yesterday: the day is over, and the tests never run into midnight. */
const noon = Math.floor(Date.now() / dayMs) * dayMs - dayMs / 2;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const day = dayOf(noon);

const children = new Children();
const home = children.directory();
let server: TestServer;
let account: TestAccount;
let tenant: number;
let environment: Environment;

beforeAll(async () => {
  server = await startServer({ clock: virtualClock(noon), onePostgres: true });
  await server.gateway.worker.stop(); // so that pending rows stay until a test has read them
  account = await server.account();
  tenant = await tenantOf(account);
  environment = { DATABASE_URL: server.databaseUrl, TOLLGATE_VAULT_KEY: testMasterKey };
});
afterAll(async () => {
  await children.cleanUp();
  await server.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: rows of every table
async function sql(text: string, values: unknown[] = []): Promise<any[]> {
  return (await server.sql.query(text, values)).rows;
}

async function tenantOf({ id }: TestAccount): Promise<number> {
  return (await sql(`select tenant from tenants where account = $1 and mode = 'test'`, [id]))[0].tenant;
}

function reconcile(...args: string[]): Promise<Finished> {
  return children.run(['reconcile', ...args], { cwd: home, environment });
}

/** The findings of a day, in this process: starting a command would take most of the time. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into it by shape
async function found(date = day, whose: TestAccount | null = account, record = false): Promise<any> {
  const address = { connectionString: server.databaseUrl };
  const client = await connect(address, 'test');
  const options = { connector: 'simulator', date, ...(whose && { account: whose.id }) };
  const { config } = server;
  const secrets = { keyring: await openKeyring(client, config), masters: await masterKeys(client, config) };
  const books = { client, at: oneConnection(client), isCluster: false, config, address, ...secrets };
  const actor = { name: 'test', now: noon };
  const result = record ? await recordBooks({ ...books, actor }, options) : await compareBooks(books, options);
  const shown = presented('the books', options, result);
  await client.end();
  const report = JSON.parse(JSON.stringify(shown));
  expect(report.ok).toBe(report.differences.length === 0);
  return report;
}

type Paid = { id: string; attempt: string };

async function pay(body: object = {}, number = '4242424242424242', shop = account): Promise<Paid> {
  const card = { number, exp_month: 12, exp_year: 2040 };
  const method = await shop.test.post('/v1/payment_methods', { type: 'card', card });
  const wish = { amount: 2_000, currency: 'usd', payment_method: method.json.id, ...body };
  const answer = await shop.test.post('/v1/payments', wish);
  const [attempt] = await sql('select id from attempts where payment = $1', [answer.json.id]);
  return { id: answer.json.id ?? answer.json.error.payment, attempt: attempt?.id };
}

async function refund(payment: Paid, amount: number): Promise<Paid> {
  const { json } = await account.test.post('/v1/refunds', { payment: payment.id, amount });
  expect(json.status).toBe('succeeded');
  const [{ attempt }] = await sql('select attempt from refunds where id = $1', [json.id]);
  return { id: json.id, attempt };
}

const addPosting = `
  insert into postings (tenant, id, kind, debit, credit, amount, currency, source, payment, reference, available_on)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, current_date)`;

const addEntry = `
  insert into simulator_entries (tenant, attempt, verb, authorization_attempt, sequence, amount, currency, captures, result, reference, at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, 'approved', $9, $10)`;

describe('books that agree', () => {
  let sums: object[];

  test('have no difference: payments, captures, refunds, and payments that were declined or canceled', async () => {
    const paid = await pay();
    await refund(paid, 300);
    await refund(paid, 200);
    await pay({ currency: 'eur', amount: 777 });
    const held = await pay({ capture_method: 'manual' });
    expect((await account.test.post(`/v1/payments/${held.id}/capture`, { amount: 1_500 })).status).toBe(200);
    const canceled = await pay({ capture_method: 'manual' });
    expect((await account.test.post(`/v1/payments/${canceled.id}/cancel`)).status).toBe(200);
    await pay({}, '4000000000000002'); // declined
    sums = [
      { kind: 'payment', currency: 'eur', ...bothSides(1, 777) },
      { kind: 'payment', currency: 'usd', ...bothSides(2, 3_500) },
      { kind: 'refund', currency: 'usd', ...bothSides(2, 500) },
    ];
    expect(await found()).toEqual({
      ...{ ok: true, database: 'the books', connector: 'simulator', date: day, differences: [] },
      ...{ matched: 5, matched_on_another_day: 0, sums },
      processor_totals: [
        { currency: 'eur', fee: '12', net: '765', payouts: '0' },
        { currency: 'usd', fee: '53', net: '2947', payouts: '0' },
      ],
    });
  });

  test('are reported in words', async () => {
    const { code, stdout } = await reconcile('--connector', 'simulator', '--date', day);
    expect(code).toBe(0);
    expect(stdout).toContain(
      `Our ledger and the statement of simulator, ${day} (UTC)\n\nThere is no difference.\n5 agree, `,
    );
    expect(stdout).toMatch(/^kind +currency +lines +our ledger +lines +simulator$/m);
    expect(stdout).toMatch(/^payment +usd +2 +3500 +2 +3500$/m);
  });

  test('a day on which nothing happened is empty', async () => {
    expect(await found(dayOf(noon - dayMs))).toMatchObject({ ok: true, matched: 0, sums: [] });
  });
});

const bothSides = (lines: number, amount: number) => {
  return { ledger: { lines, amount: String(amount) }, processor: { lines, amount: String(amount) } };
};

describe('a difference is found and named', () => {
  let paid: Paid;
  let returned: Paid;

  beforeAll(async () => {
    paid = await pay({ amount: 4_000 });
    returned = await refund(paid, 1_000);
  });

  /** The planted difference, and the expected finding; afterwards the books are restored. */
  type Plant = [name: string, sql: () => [string, unknown[]][], difference: () => object];
  const usd = (amount: number) => ({ amount, currency: 'usd', at: Math.floor(noon / 1_000) });
  const ofPayment = () => ({ kind: 'payment', payment: paid.id, reference: paid.attempt });
  const ofRefund = () => ({ kind: 'refund', payment: paid.id, reference: returned.attempt });
  const planted = { attempt: newId('att', noon), payment: newId('py', noon), refund: newId('re', noon) };
  const posting = (
    kind: string,
    debit: string,
    credit: string,
    source: string,
    reference: string,
  ): [string, unknown[]] => [
    addPosting,
    [tenant, newId('txn', noon), kind, debit, credit, 4_000, 'usd', source, paid.id, reference],
  ];

  const plants: Plant[] = [
    [
      'a payment that is missing in the ledger',
      () => [[`delete from postings where kind = 'payment' and source = $1`, [paid.id]]],
      () => ({ what: 'missing_in_ledger', ...ofPayment(), ledger: null, processor: usd(4_000) }),
    ],
    [
      'a refund that is missing in the ledger',
      () => [[`delete from postings where kind = 'refund_settled' and source = $1`, [returned.id]]],
      () => ({ what: 'missing_in_ledger', ...ofRefund(), ledger: null, processor: usd(1_000) }),
    ],
    [
      'a posting of which the processor knows nothing',
      () => [posting('payment', 'processor', 'balance', planted.payment, planted.attempt)],
      () => ({
        ...{ what: 'missing_at_processor', kind: 'payment', payment: paid.id, reference: planted.attempt },
        ...{ ledger: usd(4_000), processor: null },
      }),
    ],
    [
      'another amount in the ledger',
      () => [[`update postings set amount = 4001 where kind = 'payment' and source = $1`, [paid.id]]],
      () => ({ what: 'amount_differs', ...ofPayment(), ledger: usd(4_001), processor: usd(4_000) }),
    ],
    [
      'another amount at the processor',
      () => [['update simulator_entries set amount = 999 where attempt = $1', [returned.attempt]]],
      () => ({ what: 'amount_differs', ...ofRefund(), ledger: usd(1_000), processor: usd(999) }),
    ],
    [
      'another currency at the processor',
      () => [[`update simulator_entries set currency = 'eur' where attempt = $1`, [paid.attempt]]],
      () => ({
        ...{ what: 'currency_differs', ...ofPayment(), ledger: usd(4_000) },
        processor: { ...usd(4_000), currency: 'eur' },
      }),
    ],
    [
      'another currency in the ledger',
      () => [[`update postings set currency = 'eur' where kind = 'payment' and source = $1`, [paid.id]]],
      () => ({
        ...{ what: 'currency_differs', ...ofPayment(), processor: usd(4_000) },
        ledger: { ...usd(4_000), currency: 'eur' },
      }),
    ],
    [
      'a charge that we know nothing of',
      () => [entry(planted.attempt, 'authorize', planted.attempt, 0)],
      () => ({
        ...{ what: 'missing_in_ledger', kind: 'payment', payment: null, reference: planted.attempt },
        ...{ ledger: null, processor: usd(4_000) },
      }),
    ],
    [
      'a charge that the processor has twice',
      () => [entry(`${paid.attempt}/decision`, 'decide', paid.attempt, 9)],
      () => ({ what: 'doubled_at_processor', ...ofPayment(), ledger: usd(4_000), processor: usd(4_000) }),
    ],
    [
      'a payment that the ledger has twice',
      () => [posting('payment', 'processor', 'balance', planted.payment, paid.attempt)],
      () => ({ what: 'doubled_in_ledger', ...ofPayment(), ledger: usd(4_000), processor: usd(4_000) }),
    ],
    [
      'a return of a refund that never was',
      () => [posting('refund_bounce', 'processor', 'balance', planted.refund, planted.attempt)],
      () => ({
        ...{ what: 'missing_at_processor', kind: 'refund_bounce', payment: paid.id, reference: planted.attempt },
        ...{ ledger: usd(4_000), processor: null },
      }),
    ],
    [
      'what was asked of another processor',
      () => [[`update attempts set connector = 'none' where id = $1`, [paid.attempt]]],
      () => ({ what: 'missing_in_ledger', ...ofPayment(), ledger: null, processor: usd(4_000) }),
    ],
  ];
  const entry = (attempt: string, verb: string, authorization: string, sequence: number): [string, unknown[]] => [
    addEntry,
    [tenant, attempt, verb, authorization, sequence, 4_000, 'usd', true, 'sim_planted', new Date(noon)],
  ];

  const touched = ['postings', 'attempts', 'simulator_entries'];

  /** Copies the tables that a plant may change, and restores them. */
  async function restored(work: () => Promise<void>): Promise<void> {
    for (const [at, table] of touched.entries())
      await sql(`create temporary table kept_${at} as select * from ${table} where tenant = $1`, [tenant]);
    await work().finally(async () => {
      for (const [at, table] of touched.entries()) {
        await sql(`delete from ${table} where tenant = $1`, [tenant]);
        await sql(`insert into ${table} select * from kept_${at}`);
        await sql(`drop table kept_${at}`);
      }
    });
  }

  test.each(plants)('%s', async (_, plant, difference) => {
    await restored(async () => {
      for (const [text, values] of plant()) expect((await server.sql.query(text, values)).rowCount).toBe(1);
      const whose = { account: account.id, mode: 'test', tenant };
      expect((await found()).differences).toEqual([{ ...whose, ...difference() }]);
    });
    expect((await found()).differences).toEqual([]);
  });

  test.each([
    ['amount', 3_999, 'usd'],
    ['currency', 4_000, 'eur'],
  ])('a refund and its return with another %s: both are found', async (_, amount, currency) => {
    await restored(async () => {
      const settled = posting('refund_settled', 'refunds_in_flight', 'processor', planted.refund, planted.attempt);
      const bounce = posting('refund_bounce', 'processor', 'balance', planted.refund, planted.attempt);
      for (const [text, values] of [settled, bounce]) await sql(text, values);
      expect((await found()).differences).toEqual([]);
      await sql(`update postings set amount = $2, currency = $3 where kind = 'refund_bounce' and source = $1`, [
        ...[planted.refund, amount, currency],
      ]);
      const missing = { what: 'missing_at_processor', payment: paid.id, reference: planted.attempt, processor: null };
      const { differences } = await found();
      expect(differences).toHaveLength(2);
      expect(differences).toContainEqual(expect.objectContaining({ ...missing, kind: 'refund', ledger: usd(4_000) }));
      const returned = { ...missing, kind: 'refund_bounce', ledger: { ...usd(amount), currency } };
      expect(differences).toContainEqual(expect.objectContaining(returned));
    });
  });

  test('is reported in words, with exit code 1', async () => {
    await restored(async () => {
      await sql(`update postings set amount = 1 where kind = 'payment' and source = $1`, [paid.id]);
      const { code, stdout } = await reconcile('--connector', 'simulator', '--date', day);
      expect(code).toBe(1);
      expect(stdout).toContain(
        `One difference:\n- the amount differs: payment ${paid.attempt}, ${paid.id} (${account.id}, test mode): 1 usd in our ledger, 4000 usd at the processor\n`,
      );
    });
  });

  test('also for an unknown tenant, and not when another account is given', async () => {
    const nobody = 999_999;
    await sql(addEntry, [
      ...[nobody, planted.attempt, 'authorize', planted.attempt, 0],
      ...[5, 'usd', true, 'sim_planted', new Date(noon)],
    ]);
    const { code, stdout } = await reconcile('--connector', 'simulator', '--date', day);
    expect(code).toBe(1);
    expect(stdout).toContain(
      `- missing in our ledger: payment ${planted.attempt}, no payment that we know (tenant ${nobody}, which has no account): 5 usd at the processor\n`,
    );
    expect((await found()).differences).toEqual([]);
    await sql('delete from simulator_entries where tenant = $1', [nobody]);
  });
});

describe('what is no difference', () => {
  test('an outcome that became known on the next day is matched on both days', async () => {
    const shop = await server.account();
    const { id } = await pay({}, '4000000000000408', shop); // charged, and the answer is lost
    const open = await found(day, shop);
    expect(open.differences).toMatchObject([{ what: 'missing_in_ledger', payment: id }]);
    const done = await children.run(['payments', 'settle', id, '--as', 'succeeded'], { cwd: home, environment });
    expect(done.code).toBe(0);
    const [{ at }] = await sql('select id as at from postings where source = $1', [id]);
    expect(at > newId('txn', noon + dayMs / 2)).toBe(true);
    const agreed = { differences: [], matched: 1, matched_on_another_day: 1 };
    expect(await found(day, shop)).toMatchObject(agreed);
    expect(await found(dayOf(noon + dayMs), shop)).toMatchObject(agreed);
    expect(await found(dayOf(noon - dayMs), shop)).toMatchObject({ ...agreed, matched: 0, matched_on_another_day: 0 });
  });

  test('an outcome that became known on the fourth day, and not on the fifth, is matched on both days', async () => {
    const shop = await server.account();
    const { id, attempt } = await pay({}, undefined, shop);
    for (const [days, agreed] of [
      [5, { differences: [expect.objectContaining({ payment: id })], matched: 0 }],
      [4, { differences: [], matched: 1, matched_on_another_day: 1 }],
    ] as const) {
      const taken = noon - days * dayMs;
      await sql('update simulator_entries set at = $2 where attempt = $1', [attempt, new Date(taken)]);
      for (const date of [day, dayOf(taken)]) expect(await found(date, shop)).toMatchObject(agreed);
    }
  });

  test('a refund that bounced, once it is known, on whatever day', async () => {
    const paid = await pay({}, '4000000000005126');
    const { id, attempt } = await refund(paid, 2_000);
    expect((await found()).differences).toMatchObject([{ what: 'missing_at_processor', reference: attempt }]);
    await sql(addPosting, [
      ...[tenant, newId('txn', noon - 30 * dayMs), 'refund_bounce', 'processor', 'balance'],
      ...[2_000, 'usd', id, paid.id, attempt],
    ]);
    expect((await found()).differences).toEqual([]);
  });

  test('a dispute and its end, by the processor’s own name for it', async () => {
    const paid = await pay();
    const dispute = newId('dp', noon);
    const name = `sim_dp_${paid.attempt.slice(4)}`;
    const at = new Date(noon);
    await sql(addEntry, [tenant, `${paid.attempt}/dispute`, 'dispute', paid.attempt, 1, 2_000, 'usd', false, name, at]);
    const missing = { kind: 'dispute', reference: name, ledger: null };
    expect((await found()).differences).toMatchObject([{ what: 'missing_in_ledger', payment: null, ...missing }]);
    await sql(
      `insert into disputes (tenant, id, version, payment, amount, currency, reason, status, evidence, due_by, submission_count,
              connector, reference, inquiries)
       values ($1, $2, 1, $3, 2000, 'usd', 'fraudulent', 'won', '{}', now(), 0, 'simulator', $4, 0)`,
      [tenant, dispute, paid.id, name],
    );
    expect((await found()).differences).toMatchObject([{ what: 'missing_in_ledger', payment: paid.id, ...missing }]);
    const posted = (kind: string, debit: string, credit: string) =>
      sql(addPosting, [tenant, newId('txn', noon), kind, debit, credit, 2_000, 'usd', dispute, paid.id, name]);
    await posted('dispute', 'balance', 'disputed');
    expect((await found()).differences).toEqual([]);
    await posted('dispute_reversal', 'disputed', 'balance');
    expect((await found()).differences).toMatchObject([
      { what: 'missing_at_processor', kind: 'dispute_reversal', payment: paid.id, reference: name },
    ]);
    await sql(
      `insert into simulator_entries (tenant, attempt, verb, authorization_attempt, sequence, amount, currency, captures, result,
              reference, verdict, at)
       values ($1, $2, 'close', $3, 2, 2000, 'usd', false, 'approved', $4, 'won', $5)`,
      [tenant, `${paid.attempt}/close`, paid.attempt, name, at],
    );
    expect((await found()).differences).toEqual([]);
    // A dispute of another processor does not count.
    await sql(`update disputes set connector = 'none' where id = $1`, [dispute]);
    const kinds = (await found()).differences.map((one: { kind: string }) => one.kind);
    expect(kinds.sort()).toEqual(['dispute', 'dispute_reversal']);
    await sql(`update disputes set connector = 'simulator' where id = $1`, [dispute]);
  });

  test('a payout of what an earlier day has brought, which is shown; one that is collected counts against it', async () => {
    const shop = await server.account();
    const tenantOfShop = await tenantOf(shop);
    for (const [verb, currency, captures] of [['authorize', 'usd', true] as const, ['refund', 'eur', false] as const]) {
      const attempt = newId('att', noon - 2 * dayMs);
      const line = [0, 5, currency, captures, 'sim_paid_out', new Date(noon - 2 * dayMs)];
      await sql(addEntry, [tenantOfShop, attempt, verb, attempt, ...line]);
    }
    const processor_totals = expect.arrayContaining([
      { currency: 'usd', fee: '0', net: '0', payouts: '4' },
      { currency: 'eur', fee: '0', net: '0', payouts: '-5' },
    ]);
    expect(await found(day, shop)).toMatchObject({ differences: [], matched: 0, sums: [], processor_totals });
  });

  test('more lines than fit into a page', async () => {
    const lines = shareOf(2_300, 1_100);
    const shop = await server.account();
    const many = Array.from({ length: lines }, () => newId('att', noon));
    const whose = await tenantOf(shop);
    await sql(
      `insert into postings (tenant, id, kind, debit, credit, amount, currency, source, payment, reference, available_on)
       select $1, x.id, 'payment', 'processor', 'balance', 10, 'usd', x.reference, x.reference, x.reference, current_date
         from unnest($2::text[], $3::text[]) as x (id, reference)`,
      [whose, many.map(() => newId('txn', noon)), many],
    );
    await sql(
      `insert into simulator_entries (tenant, attempt, verb, authorization_attempt, sequence, amount, currency, captures, result,
              reference, at)
       select $1, x.id, 'authorize', x.id, 0, 10, 'usd', true, 'approved', 'sim', $3 from unnest($2::text[]) as x (id)`,
      [whose, many, new Date(noon)],
    );
    const sums = [{ kind: 'payment', currency: 'usd', ...bothSides(lines, 10 * lines) }];
    expect(await found(day, shop)).toMatchObject({ differences: [], matched: lines, sums });
    await sql('delete from simulator_entries where tenant = $1', [whose]);
    const alone = await found(day, shop);
    expect([alone.matched, alone.differences.length]).toEqual([0, lines]);
    await sql('delete from postings where tenant = $1', [whose]);
  });
});

/** As `--accept` does. Another account, day or source has nothing of that reference. */
async function accept(reference: string, { id }: TestAccount): Promise<number> {
  const client = await connect({ connectionString: server.databaseUrl }, 'test');
  const context = { at: oneConnection(client), operator: server.operator };
  const asked = { source: { connector: 'simulator' }, date: day, account: id, reference };
  try {
    for (const other of [{ account: account.id }, { date: '2020-01-01' }, { source: { connector: 'stripe' } }])
      await expect(acceptRecorded(context, { ...asked, ...other })).rejects.toThrow('is left to accept');
    return await acceptRecorded(context, asked);
  } finally {
    await client.end();
  }
}

test('what a comparison records waits for a person, until somebody accepts it or a later one finds nothing', async () => {
  const shop = await server.account();
  const { attempt } = await pay({}, '4242424242424242', shop);
  const waiting = async () => {
    const kind = 'reconciliation_difference';
    const call = { account: shop.id, parameters: { kind } };
    return (await server.operator.run<{ data: object[] }>('needs_attention.list', call)).data;
  };
  const taken = await sql('delete from simulator_entries where attempt = $1 returning *', [attempt]);
  expect((await found(day, shop)).differences).toHaveLength(1);
  expect(await waiting()).toEqual([]); // it was not told to record
  await found(day, shop, true);
  expect(await waiting()).toMatchObject([{ object: 'reconciliation_difference', amount: 2_000, currency: 'usd' }]);
  const audit = `select details from audit where account = $1 and action = 'reconciliation.recorded'`;
  expect(await sql(audit, [shop.id])).toMatchObject([{ details: { date: day, differences: 1 } }]);
  const { reference } = (await found(day, shop)).differences[0];
  expect(await accept(reference, shop)).toBe(1);
  expect(await waiting()).toEqual([]);
  await expect(accept(reference, shop)).rejects.toThrow(
    `no recorded difference ${reference} of ${day} is left to accept`,
  );
  const accepted = `select details from audit where account = $1 and action = 'reconciliation.accepted'`;
  const details = { connector: 'simulator', date: day, reference, mode: 'test', note: 'Accepted on the command line.' };
  expect(await sql(accepted, [shop.id])).toEqual([{ details }]);
  await found(day, shop, true);
  expect(await waiting()).toEqual([]); // it is the same difference, and explained
  await sql('update postings set amount = 2001 where reference = $1', [attempt]);
  await found(day, shop, true);
  expect(await waiting()).toMatchObject([{ amount: 2_001 }]); // it has become another one
  await restoreEntry(taken[0]);
  await sql('update postings set amount = 2000 where reference = $1', [attempt]);
  await found(day, shop, true);
  expect(await waiting()).toEqual([]);
});

async function restoreEntry(row: object): Promise<void> {
  const columns = Object.keys(row);
  const places = columns.map((_, at) => `$${at + 1}`);
  const values = Object.values(row);
  await sql(`insert into simulator_entries (${columns.join(', ')}) values (${places.join(', ')})`, values);
}

describe('what is recorded', () => {
  let shop: TestAccount;
  let payments: Paid[];
  beforeAll(async () => {
    shop = await server.account();
    payments = [
      await pay({}, undefined, shop),
      await pay({ amount: 3_000, currency: 'kwd' }, undefined, shop),
      await pay({ amount: 700, currency: 'jpy' }, undefined, shop),
      await pay({ amount: 900 }, undefined, shop),
    ];
    // A payout of what an earlier day has brought.
    const [earlier, at] = [newId('att', noon - 2 * dayMs), new Date(noon - 2 * dayMs)];
    await sql(addEntry, [await tenantOf(shop), earlier, 'authorize', earlier, 0, 500, 'usd', true, 'sim_paid_out', at]);
  });
  afterAll(() => sql('update simulator_entries set amount = 3000 where attempt = $1', [payments[1]!.attempt]));
  const days = async (query = '', client = shop.test) => (await client.get(`/v1/reconciliations${query}`)).json.data;
  const differences = async (query = '', client = shop.test) =>
    (await client.get(`/v1/reconciliation_differences${query}`)).json.data;

  test('a day without a difference is a reconciliation, with what the statement says', async () => {
    expect(await days()).toEqual([]);
    await found(day, shop, true);
    const [one, ...more] = await days();
    expect(more).toEqual([]);
    expect(one).toEqual({
      ...{ id: expect.stringMatching(/^recon_\w{22}$/), object: 'reconciliation', date: day, connector: 'simulator' },
      ...{ status: 'matched', matched: 4, matched_on_another_day: 0, differences: 0, open_differences: 0 },
      totals: [
        { currency: 'jpy', fees: 11, net: 689, paid_out: 0 },
        { currency: 'kwd', fees: 45, net: 2_955, paid_out: 0 },
        { currency: 'usd', fees: 44, net: 2_856, paid_out: 492 },
      ],
      compared_at: noon / 1_000,
      created: Date.parse(day) / 1_000,
    });
    expect((await shop.test.get(`/v1/reconciliations/${one.id}`)).json).toEqual(one);
    expect(await days('', shop.live)).toEqual([]); // nothing was compared for live mode
    await found(day, shop, true);
    expect(await days()).toEqual([one]); // the same day again is the same object
  });

  test('its differences are those of the statement, until they are put right', async () => {
    const [lost, wrong, unknown] = payments as [Paid, Paid, Paid];
    const taken = await sql('delete from simulator_entries where attempt = $1 returning *', [lost.attempt]);
    await sql('update simulator_entries set amount = 2999 where attempt = $1', [wrong.attempt]);
    const gone = await sql(`delete from postings where kind = 'payment' and source = $1 returning *`, [unknown.id]);
    expect((await found(day, shop, true)).differences).toHaveLength(3);
    const [one] = await days('?status=open');
    expect(one).toMatchObject({ status: 'open', matched: 1, differences: 3, open_differences: 3 });
    const all = await differences(`?reconciliation=${one.id}&expand[]=payment&expand[]=reconciliation`);
    const byWhat = all.toSorted((one: { what: string }, other: { what: string }) => (one.what < other.what ? -1 : 1));
    const [kwd, usd, jpy] = [
      { amount: 3_000, currency: 'kwd' },
      { amount: 2_000, currency: 'usd' },
      { amount: 700, currency: 'jpy' },
    ];
    expect(byWhat).toMatchObject([
      { what: 'amount_differs', payment: wrong.id, ledger: kwd, processor: { ...kwd, amount: 2_999 } },
      { what: 'missing_at_processor', payment: lost.id, ledger: usd, status: 'open' },
      { what: 'missing_in_ledger', payment: unknown.id, processor: jpy, reconciliation: one.id },
    ]);
    expect([byWhat[1].processor, byWhat[2].ledger]).toEqual([undefined, undefined]);
    expect(byWhat[0].expanded).toMatchObject({ payment: { id: wrong.id }, reconciliation: { id: one.id } });
    expect(await differences(`?payment=${wrong.id}`)).toMatchObject([{ reference: wrong.attempt, kind: 'payment' }]);
    await restoreEntry(taken[0]);
    const { tenant: whose, id, kind, debit, credit, amount, currency, source, payment, reference } = gone[0];
    await sql(addPosting, [whose, id, kind, debit, credit, amount, currency, source, payment, reference]);
    await found(day, shop, true);
    expect(await days()).toMatchObject([
      { id: one.id, status: 'open', matched: 3, differences: 1, open_differences: 1 },
    ]);
    expect(await differences()).toMatchObject([{ id: byWhat[0].id }]);
  });

  test('a difference is followed up, and accepted with a reason, which the audit log has', async () => {
    const [{ id }] = await differences();
    const post = (what: string, body: object, client = shop.test, headers = {}) =>
      client.post(`/v1/reconciliation_differences/${id}/${what}`, body, headers);
    for (const [body, param] of [
      [{}, 'note'],
      [{ note: ' ' }, 'note'],
      [{ note: 'x'.repeat(1_001) }, 'note'],
      [{ note: 'x', status: 'open' }, 'status'],
    ] as const)
      expect((await post('accept', body)).json.error).toMatchObject({ type: 'invalid_request_error', param });
    const { client: finance } = await server.person(shop.id, 'finance');
    const followed = (await post('follow_up', { note: 'Asked the processor' }, finance)).json;
    expect(followed).toMatchObject({ status: 'following_up', note: 'Asked the processor' });
    expect(followed.changed_by).toMatchObject({
      user: expect.stringMatching(/^usr_/),
      name: expect.stringContaining('@'),
    });
    expect(await days()).toMatchObject([{ status: 'open', open_differences: 1 }]);
    const accepted = await post('accept', { note: 'Rounding' }, finance, { 'Idempotency-Key': 'once' });
    expect(accepted.json).toMatchObject({ id, status: 'accepted', note: 'Rounding', changed_at: noon / 1_000 });
    expect((await post('accept', { note: 'Rounding' }, finance, { 'Idempotency-Key': 'once' })).text).toBe(
      accepted.text,
    );
    expect((await post('accept', { note: 'Rounding' })).json).toEqual(accepted.json); // it is accepted: nothing changes
    expect(await days('?status=accepted')).toMatchObject([{ differences: 1, open_differences: 0 }]);
    expect(await days('?status=open')).toEqual([]);
    const actions = `select action, subject, details->>'note' as note, user_id is not null as by_person from audit
                      where account = $1 and subject = $2 order by at`;
    const entry = { subject: id, by_person: true };
    expect(await sql(actions, [shop.id, id])).toEqual([
      { ...entry, action: 'reconciliation.followed_up', note: 'Asked the processor' },
      { ...entry, action: 'reconciliation.accepted', note: 'Rounding' },
    ]);
    await found(day, shop, true);
    expect(await differences()).toEqual([accepted.json]); // compared again, and still explained
    const reopened = (await post('follow_up', {})).json;
    expect(reopened).toMatchObject({ status: 'following_up', changed_by: { api_key: expect.stringMatching(/^key_/) } });
    expect(reopened).not.toHaveProperty('note');
    expect(await days()).toMatchObject([{ status: 'open', open_differences: 1 }]);
  });

  test('is for those who may read the balance, and is changed by those who keep the books', async () => {
    const [{ id }] = await differences();
    const asked = (role: 'owner' | 'developer' | 'finance' | 'support' | 'viewer', mode = 'live') =>
      server.person(shop.id, role).then(({ client }) => client.with({ 'X-Tollgate-Mode': mode }));
    const statuses = async (client: Awaited<ReturnType<typeof asked>>) => [
      (await client.get('/v1/reconciliations')).status,
      (await client.post(`/v1/reconciliation_differences/${id}/accept`, { note: 'x' })).status,
    ];
    expect(await statuses(await asked('support'))).toEqual([403, 403]);
    expect(await statuses(await asked('viewer'))).toEqual([200, 403]);
    expect(await statuses(await asked('developer'))).toEqual([200, 403]);
    expect(await statuses(await asked('finance'))).toEqual([200, 404]); // the difference is one of test mode
    const { client: reader } = await server.key(shop.id, { scopes: ['balance:read'] });
    expect(await statuses(reader)).toEqual([200, 403]);
    const { client: blind } = await server.key(shop.id, { scopes: ['payments:write'] });
    expect(await statuses(blind)).toEqual([403, 403]);
    expect(await differences('', account.test)).toEqual([]);
    expect((await account.test.post(`/v1/reconciliation_differences/${id}/accept`, { note: 'x' })).status).toBe(404);
  });

  test('is found by its filters, and exported', async () => {
    const [one] = await days();
    expect(await days(`?date=${day}&connector=simulator`)).toEqual([one]);
    for (const other of [
      'date=2020-01-31',
      'connector=stripe',
      `processor_account=${newId('pa', noon)}`,
      'status=matched',
    ])
      expect(await days(`?${other}`), other).toEqual([]);
    for (const wrong of ['2026-02-30', 'yesterday', '20260101'])
      expect((await shop.test.get(`/v1/reconciliations?date=${wrong}`)).json.error).toMatchObject({ param: 'date' });
    const csv = { headers: { Accept: 'text/csv' } };
    const exported = async (path: string) => (await shop.test.get(path, csv)).text.trimEnd().split('\r\n');
    expect((await exported('/v1/reconciliations'))[1]).toContain(`${one.id},${day},simulator,,open,3,0,1,1,`);
    const [head, line] = await exported('/v1/reconciliation_differences');
    expect(head).toContain('ledger.amount,ledger.currency,processor.amount,processor.currency,status,note');
    expect(line).toMatch(/,amount_differs,payment,.*,3000,kwd,2999,kwd,following_up,,.*,3\.000,2\.999$/);
  });

  test('days are listed newest first, in whatever order they were compared', async () => {
    const other = await server.account();
    const tenants = [(await tenantOf(other)) as Tenant];
    const source = { connector: 'simulator', processor_account: newId('pa', noon) };
    const dates = ['2026-10-02', '2026-10-04', '2026-10-01', '2026-10-03'];
    const nothing: FoundBooks = { differences: [], tenants: new Map() };
    for (const date of [...dates, dates[0]!])
      await recordComparison(server.sql, { source, date, tenants }, nothing, Date.now());
    const datesOf = async (query: string) => (await days(query, other.test)).map(({ date }: { date: string }) => date);
    const sorted = dates.toSorted().toReversed();
    expect(await datesOf('')).toEqual(sorted);
    const [, second] = await days('?limit=2', other.test);
    expect(await datesOf(`?starting_after=${second.id}`)).toEqual(sorted.slice(2));
    expect(await datesOf(`?ending_before=${second.id}`)).toEqual(sorted.slice(0, 1));
    const [from, to] = [dates[0]!, dates[1]!].map((date) => Date.parse(date) / 1_000);
    expect(await datesOf(`?created[gte]=${from}&created[lt]=${to}`)).toEqual(['2026-10-03', '2026-10-02']);
  });

  test('several accounts that are compared together have each their own day', async () => {
    const [first, second] = [await server.account(), await server.account()];
    await pay({}, undefined, first);
    const { attempt } = await pay({}, undefined, second);
    await pay({}, undefined, second);
    await sql('delete from simulator_entries where attempt = $1', [attempt]);
    await found(day, null, true);
    expect(await days('', first.test)).toMatchObject([{ status: 'matched', matched: 1, differences: 0 }]);
    expect(await days('', second.test)).toMatchObject([{ status: 'open', matched: 1, differences: 1 }]);
    expect(await days('', (await server.account()).test)).toEqual([]); // without a line there is no day
    await sql('delete from postings where reference = $1', [attempt]);
    await found(day, second, true);
    expect(await days('', second.test)).toMatchObject([{ status: 'matched', matched: 1, differences: 0 }]);
  });
});

test('--adopt prints what was adopted, and the comparison after it', async () => {
  const shop = await server.account();
  const wish = { connector: 'simulator', name: 'Sim', settings: {}, credentials: {} };
  const { id } = (await shop.test.post('/v1/processor_accounts', wish)).json;
  const paid = await pay({}, undefined, shop);
  const args = ['--processor-account', id, '--date', day, '--adopt'];
  const { code, stdout } = await reconcile(...args);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('Nothing was adopted.\n\nThere is no difference.\n1 agree'),
  ]);
  await sql(`delete from postings where kind = 'payment' and source = $1`, [paid.id]);
  const left = { kind: 'payment', reference: paid.attempt, amount: 2_000, currency: 'usd', payment: paid.id };
  const again = await reconcile(...args, '--json');
  expect([again.code, JSON.parse(again.stdout)]).toMatchObject([
    1,
    { ok: false, adopted: [], not_adopted: [{ ...left, reason: expect.stringContaining('no marks') }] },
  ]);
  expect(JSON.parse(again.stdout).differences).toHaveLength(1);
});

test('a comparison for one account and its entry of the audit log are recorded together, or not at all', async () => {
  const shop = await server.account();
  const wish = { connector: 'simulator', name: 'Sim', settings: {}, credentials: {} };
  const { id } = (await shop.test.post('/v1/processor_accounts', wish)).json;
  const record = () => reconcile('--processor-account', id, '--date', day, '--record');
  const recorded = () =>
    sql(`select tenant from audit where account = $1 and action = 'reconciliation.recorded'`, [shop.id]);
  await sql(`alter table reconciliations add constraint none check (processor_account <> '${id}') not valid`);
  try {
    expect((await record()).code).not.toBe(0);
    expect(await recorded()).toEqual([]);
  } finally {
    await sql('alter table reconciliations drop constraint none');
  }
  expect((await record()).code).toBe(0);
  expect(await recorded()).toEqual([{ tenant: await tenantOf(shop) }]);
});

test('reconcile runs beside a server and changes nothing', async () => {
  // With the last transaction of each row: a row that is rewritten unchanged shows as well.
  const state = async () => {
    const digests: unknown[] = [];
    for (const table of ['postings', 'simulator_entries', 'attempts', 'disputes', 'accounts', 'audit'])
      digests.push(await sql(`select md5(string_agg(concat(t.xmin, t), ' ' order by t::text)) from ${table} t`));
    return digests;
  };
  const before = await state();
  expect((await reconcile('--connector', 'simulator', '--date', day)).code).toBe(0);
  expect(await state()).toEqual(before);
});

describe('a comparison that is impossible prints nothing to standard output', () => {
  const tomorrow = dayOf(Date.now() + dayMs);
  test.each([
    [['--connector', 'simulator', '--date', '2026-02-30'], '--date takes a day such as 2027-01-31.'],
    [['--connector', 'simulator', '--date', 'yesterday'], '--date takes a day such as 2027-01-31.'],
    [['--connector', 'simulator', '--date', '2026-11-14T00:00'], '--date takes a day such as 2027-01-31.'],
    [['--connector', 'simulator', '--date', tomorrow], `--date ${tomorrow} lies in the future.`],
    [['--connector', 'acme', '--date', day], 'there is no connector acme.'],
    [['--connector', 'none', '--date', day], 'the connector none has no statement'],
    [['--connector', 'simulator', '--date', day, '--account', 'acct_x'], 'there is no account acct_x'],
    [['--connector', 'simulator'], "required option '--date <day>' not specified"],
    [['--connector', 'simulator', '--date', day, '--adopt'], '--adopt needs --processor-account'],
    [['--processor-account', 'pa_x', '--date', day, '--adopt', '--accept', 'x'], '--adopt compares'],
    [['--date', day], 'name the processor: either --connector <name> or --processor-account <pa_…>'],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await reconcile(...args);
    expect([code, stdout]).toEqual([message.includes('there is no account') ? 3 : 2, '']);
    expect(stderr).toContain(message);
  });
});
