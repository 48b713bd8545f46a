import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { oneConnection } from '../../../base/places/connections.ts';
import { asTenant, ledgerWorld, postOn, type Wish, type World } from '../../../ledger/ledger.fixture.ts';
import { verifyBooks } from './verify.ts';

let world: World;
const tenant = asTenant(1);
const [account, mode] = ['acct_1', 'test'];

beforeAll(async () => {
  world = await ledgerWorld();
  await world.sql.query(
    `insert into accounts (id, name, tier) values ('acct_1', 'One', 'standard'), ('acct_2', 'Two', 'standard')`,
  );
  await world.sql.query(
    `insert into tenants (tenant, account, mode) overriding system value
     values (1, 'acct_1', 'test'), (2, 'acct_1', 'live'), (3, 'acct_2', 'test')`,
  );
  await makeBooks();
  await world.sql.query(tables.map((table) => `create table kept_${table} as table ${table}`).join(';'));
});
afterAll(() => world.stop());

/** The books are made once, and each test begins with a copy of them. */
const tables = [
  'payments',
  'refunds',
  'disputes',
  'customers',
  'credit_transactions',
  'postings',
  'ledger_blocks',
  'ledger_balances',
];
beforeEach(async () => {
  const copies = tables.map((table) => `insert into ${table} table kept_${table}`);
  await world.sql.query([...tables.map((table) => `delete from ${table}`), ...copies].join(';'));
});

/** Payments, refunds and disputes in every state, and the books that belong to them. */
async function makeBooks(): Promise<void> {
  const payments: [id: string, received: number, refunded: number | null][] = [
    ['py_failed', 0, null],
    ['py_paid', 1000, null],
    ['py_back', 1000, 500],
    ['py_won', 1000, null],
    ['py_lost', 1000, null],
    ['py_open', 1000, null],
  ];
  for (const [id, received, refunded] of payments) await pay(id, received, refunded);
  const refunds: [id: string, status: string, amount: number, ...kinds: Wish['kind'][]][] = [
    ['re_pending', 'pending', 200, 'refund'],
    ['re_done', 'succeeded', 300, 'refund', 'refund_settled'],
    ['re_failed', 'failed', 100, 'refund', 'refund_failure'],
    ['re_bounced', 'failed', 50, 'refund', 'refund_settled', 'refund_bounce'],
  ];
  for (const [id, status, amount, ...kinds] of refunds) {
    await world.sql.query(
      `insert into refunds (tenant, id, version, payment, amount, currency, status, failure_reason, attempt, inquiries)
       values ($1, $2, 1, 'py_back', $3, 'eur', $4, $5, 'at_x', 0)`,
      [tenant, id, amount, status, status === 'failed' ? 'declined' : null],
    );
    for (const kind of kinds) await book({ kind: kind!, source: id, amount }, 'py_back');
  }
  const disputes: [id: string, status: string, payment: string, ...kinds: Wish['kind'][]][] = [
    ['dp_won', 'won', 'py_won', 'dispute', 'dispute_reversal'],
    ['dp_lost', 'lost', 'py_lost', 'dispute', 'dispute_lost'],
    ['dp_open', 'under_review', 'py_open', 'dispute'],
  ];
  for (const [id, status, payment, ...kinds] of disputes) {
    await world.sql.query(
      `insert into disputes (tenant, id, version, payment, amount, currency, reason, status, evidence, due_by, submission_count,
                             connector, reference, inquiries)
       values ($1, $2, 1, $3, 1000, 'eur', 'fraudulent', $4, '{}', now(), 0, 'simulator', $2, 0)`,
      [tenant, id, payment, status],
    );
    await world.sql.query('update payments set dispute = $2 where id = $1', [payment, id]);
    for (const kind of kinds) await book({ kind: kind!, source: id, amount: 1000 }, payment);
  }
  await world.sql.query(
    `insert into customers (tenant, id, version, metadata, credit_balance)
     values ($1, 'cus_credit', 1, '{}', '{"eur": 300, "usd": 40}'), ($1, 'cus_none', 1, '{}', null)`,
    [tenant],
  );
  // The customer cus_gone was deleted.
  const credit: [id: string, customer: string, amount: number, currency: string, invoice: string | null][] = [
    ['ctx_granted', 'cus_credit', 500, 'eur', 'in_1'],
    ['ctx_used', 'cus_credit', -200, 'eur', 'in_2'],
    ['ctx_other', 'cus_credit', 40, 'usd', 'in_3'],
    ['ctx_all', 'cus_none', 70, 'eur', 'in_4'],
    ['ctx_nothing', 'cus_none', -70, 'eur', 'in_5'],
    ['ctx_gone', 'cus_gone', 900, 'eur', 'in_6'],
    ['ctx_away', 'cus_gone', -900, 'eur', null],
  ];
  for (const [id, customer, amount, currency, invoice] of credit) {
    await world.sql.query(
      `insert into credit_transactions (tenant, id, customer, amount, currency, invoice) values ($1, $2, $3, $4, $5, $6)`,
      [tenant, id, customer, amount, currency, invoice],
    );
    const kind = amount > 0 ? 'credit_granted' : invoice === null ? 'credit_forfeited' : 'credit_used';
    await world.post({ tenant, kind, source: id, amount: Math.abs(amount), currency, payment: null });
  }
  await world.sealAll();
}

async function pay(id: string, received: number, refunded: number | null): Promise<void> {
  await world.sql.query(
    `insert into payments (tenant, id, version, amount, amount_received, amount_refunded, currency, payment_method, status, inquiries)
     values ($1, $2, 1, 1000, $3, $4, 'eur', 'pm_1', $5, 0)`,
    [tenant, id, received, refunded, received === 0 ? 'failed' : 'succeeded'],
  );
  if (received === 0) return;
  await book({ kind: 'payment', source: id, amount: received }, id);
  await book({ kind: 'fee', source: id, amount: 30 }, id);
}

async function book(wish: Wish, payment: string): Promise<void> {
  const id = await postOn(world.sql, { tenant, ...wish });
  await world.sql.query('update postings set payment = $3 where tenant = $1 and id = $2', [tenant, id, payment]);
}

const differences = async (of?: string) =>
  (await verifyBooks({ at: oneConnection(world.sql), keyring: world.keyring }, of)).differences;

describe('tollgate ledger verify', () => {
  test('finds no violation in correct books, for all accounts or for one', async () => {
    const { chains, differences } = await verifyBooks({ at: oneConnection(world.sql), keyring: world.keyring });
    expect(differences).toEqual([]);
    expect(chains.map((chain) => [chain.account, chain.mode, chain.blocks, chain.postings])).toEqual([
      ['acct_1', 'test', 1, 30],
      ['acct_1', 'live', 0, 0],
      ['acct_2', 'test', 0, 0],
    ]);
    const one = await verifyBooks({ at: oneConnection(world.sql), keyring: world.keyring }, 'acct_2');
    expect(one).toMatchObject({ chains: [{ account: 'acct_2', mode: 'test' }], differences: [] });
    await expect(verifyBooks({ at: oneConnection(world.sql), keyring: world.keyring }, 'acct_x')).rejects.toThrow(
      'there is no account',
    );
  });

  const gone = (source: string, kind: string) => `delete from postings where source = '${source}' and kind = '${kind}'`;
  const creditSum = 'the credit of a customer is the sum of its credit transactions';
  /** [what was done, rule, id, what it says]. The chain and the kept balances have their own cases. */
  const cases: [string, string, string, string][] = [
    [`update customers set credit_balance = '{"eur": 301, "usd": 40}' where id = 'cus_credit'`, creditSum, 'cus_credit', '300 eur of credit and is 301 eur of credit'],
    [`update customers set credit_balance = '{"eur": 300}' where id = 'cus_credit'`, creditSum, 'cus_credit', '40 usd of credit and is nothing'],
    [`update customers set credit_balance = null where id = 'cus_credit'`, creditSum, 'cus_credit', '300 eur of credit and is nothing'],
    [`update customers set credit_balance = '{"eur": 0}' where id = 'cus_none'`, creditSum, 'cus_none', 'nothing and is 0 eur of credit'],
    [`delete from customers where id = 'cus_credit'`, creditSum, 'cus_credit', '40 usd of credit and is nothing'],
    [`delete from credit_transactions where id = 'ctx_away'`, creditSum, 'cus_gone', '900 eur of credit and is nothing'],
    [gone('ctx_granted', 'credit_granted'), 'credit that a customer got is posted', 'ctx_granted', '500 eur and is nothing'],
    [gone('ctx_used', 'credit_used'), 'credit that an invoice used is posted', 'ctx_used', '200 eur and is nothing'],
    [gone('ctx_away', 'credit_forfeited'), 'credit of a deleted customer is posted away', 'ctx_away', '900 eur and is nothing'],
    [`delete from credit_transactions where id = 'ctx_granted'`, 'credit that a customer got is posted', 'ctx_granted', 'nothing and is 500 eur'],
    [`update postings set amount = 501 where source = 'ctx_granted'`, 'credit that a customer got is posted', 'ctx_granted', '500 eur and is 501 eur'],
    [`update postings set kind = 'credit_used' where source = 'ctx_away'`, 'credit that an invoice used is posted', 'ctx_away', 'nothing and is 900 eur'],
    [gone('py_paid', 'payment'), 'what a payment has received is posted', 'py_paid', '1000 eur for py_paid and is nothing'],
    [`update payments set amount_received = 900 where id = 'py_paid'`, 'what a payment has received is posted', 'py_paid', '900 eur for py_paid and is 1000 eur for py_paid'],
    [`delete from payments where id = 'py_paid'`, 'what a payment has received is posted', 'py_paid', 'nothing and is 1000 eur for py_paid'],
    [`update postings set currency = 'usd' where source = 'py_paid' and kind = 'payment'`, 'what a payment has received is posted', 'py_paid', '1000 eur for py_paid and is 1000 usd for py_paid'],
    [`delete from payments where id = 'py_paid'`, 'what moves money belongs to a payment of the same account and mode', 'posting', 'a payment py_paid and is none'],
    [`delete from payments where id = 'py_back'`, 'what moves money belongs to a payment of the same account and mode', 're_pending', 'a payment py_back and is none'],
    [`delete from payments where id = 'py_open'`, 'what moves money belongs to a payment of the same account and mode', 'dp_open', 'a payment py_open and is none'],
    [`update payments set tenant = 2 where id = 'py_paid'`, 'what moves money belongs to a payment of the same account and mode', 'posting', 'a payment py_paid and is none'],
    [gone('py_paid', 'payment'), 'a fee is posted for a payment that has received something', 'py_paid', 'a posting of the payment and is nothing'],
    [`update postings set currency = 'usd' where source = 'py_paid' and kind = 'fee'`, 'a fee is posted for a payment that has received something', 'py_paid', 'a posting of the payment and is nothing'],
    [gone('re_pending', 'refund'), 'a refund is posted when it is made', 're_pending', '200 eur for py_back and is nothing'],
    [`update postings set payment = 'py_paid' where source = 're_pending'`, 'a refund is posted when it is made', 're_pending', '200 eur for py_back and is 200 eur for py_paid'],
    [`update postings set currency = 'usd' where source = 're_pending'`, 'a refund is posted when it is made', 're_pending', '200 eur for py_back and is 200 usd for py_back'],
    [gone('re_done', 'refund_settled'), 'a refund that got through is posted as settled', 're_done', '300 eur for py_back and is nothing'],
    [`update refunds set status = 'pending' where id = 're_done'`, 'a refund that got through is posted as settled', 're_done', 'nothing and is 300 eur for py_back'],
    [gone('re_bounced', 'refund_settled'), 'a refund that got through is posted as settled', 're_bounced', '50 eur for py_back and is nothing'],
    [gone('re_failed', 'refund_failure'), 'a refund that did not get through is posted back', 're_failed', '100 eur for py_back and is nothing'],
    [gone('re_bounced', 'refund_bounce'), 'a refund that did not get through is posted back', 're_bounced', '50 eur for py_back and is nothing'],
    [`update refunds set status = 'succeeded', failure_reason = null where id = 're_bounced'`, 'a refund that came back is posted back', 're_bounced', 'nothing and is 50 eur for py_back'],
    [`update payments set amount_refunded = 501 where id = 'py_back'`, 'the refunds of a payment are counted on it', 'py_back', '500 and is 501'],
    [gone('dp_open', 'dispute'), 'a dispute is posted when it is opened', 'dp_open', '1000 eur for py_open and is nothing'],
    [gone('dp_won', 'dispute_reversal'), 'a dispute that was won is posted back', 'dp_won', '1000 eur for py_won and is nothing'],
    [`update disputes set status = 'under_review' where id = 'dp_lost'`, 'a dispute that was lost is posted as lost', 'dp_lost', 'nothing and is 1000 eur for py_lost'],
    [`update payments set dispute = null where id = 'py_lost'`, 'a payment that was disputed names a dispute', 'py_lost', 'disputed and is without a dispute'],
    [
      `alter table payments drop constraint payments_refunded; update payments set amount_refunded = 1001 where id = 'py_back'`,
      'a payment gives back no more than it received, and receives no more than it asked for', 'py_back', '0 <= refunded <= received <= amount and is 1001, 1000, 1000',
    ],
    [`update postings set credit = 'fees' where source = 'py_paid' and kind = 'payment'`, 'a posting moves money as the chart of accounts says', 'posting', 'processor to balance and is processor to fees'],
    [`update postings set kind = 'gift' where source = 'py_paid' and kind = 'payment'`, 'a posting moves money as the chart of accounts says', 'posting', 'no such kind and is processor to balance'],
    [`update ledger_balances set amount = amount + 5 where account = 'fees'`, 'a kept balance is the sum of the sealed postings', 'fees eur 2027-01-10', '150 and is 155'],
    [`delete from ledger_balances where account = 'fees'`, 'a kept balance is the sum of the sealed postings', 'fees eur 2027-01-10', '150 and is 0'],
    [`update ledger_balances set currency = 'usd' where account = 'fees'`, 'a kept balance is the sum of the sealed postings', 'fees usd 2027-01-10', '0 and is 150'],
    [`update ledger_balances set amount = amount + 5 where account = 'fees'`, 'credits and debits are equal', 'eur', '0 and is 5'],
    [`update ledger_balances set currency = 'usd' where account = 'fees'`, 'credits and debits are equal', 'usd', '0 and is 150'],
  ]; // biome-ignore format: one line is a case
  test.each(cases)('%s → %s: %s', async (tampering, rule, id, said) => {
    const found = await world.sql.query(`select id from postings where source = 'py_paid' and kind = 'payment'`);
    await world.sql.query(tampering);
    const named = id === 'posting' ? found.rows[0].id : id;
    expect(await differences()).toContainEqual({
      ...{ tenant, account, mode, rule, id: named, message: `${named} should be ${said}` },
    });
    expect(await differences('acct_2')).toEqual([]);
  });

  test('names a posting that was altered, with its account', async () => {
    const { rows } = await world.sql.query(`update postings set amount = 7 where source = 'dp_won' returning id`);
    expect(await differences()).toContainEqual({
      ...{ tenant, account, mode, rule: 'the chain holds', id: rows[0].id },
      message: `in block 1, the posting ${rows[0].id} was altered after it was sealed`,
    });
  });

  test('names a posting with a future position, and one of a tenant that does not exist', async () => {
    const ahead = await world.post();
    await world.sql.query('update postings set position = position + 1000000 where id = $1', [ahead]);
    await world.post({ tenant: asTenant(77), source: 'py_nobody' });
    const found = await differences();
    expect(found).toContainEqual(
      expect.objectContaining({ rule: 'a posting has the position of a transaction that has been', id: ahead }),
    );
    expect(found).toContainEqual(expect.objectContaining({ tenant: 77, account: null, id: 'py_nobody' }));
  });

  test('finds no violation while postings are added and sealed', async () => {
    const writer = await world.connection();
    let writing = true;
    const write = async () => {
      for (let n = 0; writing; n++) {
        await writer.query('begin');
        await writer.query(
          `insert into payments (tenant, id, version, amount, amount_received, currency, payment_method, status, inquiries)
           values (1, $1, 1, 5, 5, 'eur', 'pm_1', 'succeeded', 0)`,
          [`py_new${n}`],
        );
        await postOn(writer, { source: `py_new${n}`, amount: 5 });
        await writer.query('commit');
        if (n % 5 === 0) await world.sealAll();
      }
    };
    const done = write();
    const seen = new Set<number>();
    const reader = await world.connection();
    // On a busy machine the writer may need longer than eight rounds to seal something.
    for (let round = 0; round < 8 || seen.size < 2; round++) {
      const report = await verifyBooks({ at: oneConnection(reader), keyring: world.keyring });
      expect(report.differences).toEqual([]);
      seen.add(report.chains[0]!.postings);
    }
    writing = false;
    await done;
  });
});
