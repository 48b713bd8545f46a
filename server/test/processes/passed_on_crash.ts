import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { historyOf, violationsOf } from '../payment_invariants.ts';
import { isTorture } from '../torture.ts';
import { patienceMs, testMs, until } from './child.ts';
import { type CrashPoint, crashNote } from './crash_point.fixture.ts';
import { Phoenix } from './phoenix.ts';

vi.setConfig({ testTimeout: testMs });

let phoenix: Phoenix;
beforeAll(async () => {
  phoenix = await Phoenix.hatch('remote');
});
afterAll(() => phoenix.cleanUp());

/** Where the duty is killed that passes the payment on, and how the payment ends. What the second processor never got fails. */
const cases: { point: CrashPoint; ends: string[] }[] = [
  { point: 'before_claim', ends: ['succeeded'] },
  { point: 'claim_in_flight', ends: ['succeeded', 'failed'] },
  { point: 'claimed', ends: ['failed'] },
  { point: 'before_call', ends: ['failed'] },
  { point: 'sent_not_done', ends: ['failed'] },
  { point: 'sent', ends: ['succeeded'] },
  { point: 'reply', ends: ['succeeded'] },
  { point: 'outcome_in_flight', ends: ['succeeded'] },
  { point: 'committed', ends: ['succeeded'] },
];

/** As if the deadline of the call and the lease of the killed process had passed. `note` is for the next call of the payment. */
async function timePasses(payment: string, note: string): Promise<void> {
  const { sql } = phoenix;
  await sql.query(
    `update attempts set deadline_at = now() - interval '1 minute' where payment = $1 and state = 'open'`,
    [payment],
  );
  await sql.query('update payments set description = $2 where id = $1', [payment, note]);
  await sql.query('update payments set due_at = now(), lease_until = null where id = $1 and open_attempt is not null', [
    payment,
  ]);
}

/** A client with two accounts of the simulator: the first declines and advises another. */
async function merchant() {
  const { key, tenant } = await phoenix.account();
  const client = await phoenix.client(key);
  const accounts: string[] = [];
  for (const settings of [{ behaves: 'busy' }, {}]) {
    const made = await client.post('/v1/processor_accounts', { connector: 'simulator', name: 'One', settings });
    accounts.push(made.json.id);
  }
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' };
  const { id } = (await client.post('/v1/payment_methods', { type: 'card', card })).json;
  return { key, tenant, client, accounts, method: id as string };
}

test.each(cases.filter(({ point }) => isTorture || point === 'sent'))(
  'kill -9 of a request, and of the duty that passes its payment on, $point: the second processor charges once at most',
  async ({ point, ends }) => {
    const { sql } = phoenix;
    const { key, tenant, client, accounts, method } = await merchant();
    const description = crashNote('authorize', 'sent', `passed-${point}-request`);
    const body = { amount: 2000, currency: 'usd', payment_method: method, description };
    const headers = { 'Idempotency-Key': `passed ${point}` };
    await phoenix.dies([client.post('/v1/payments', body, headers)]);
    const { id } = (await sql.query('select id from payments where description = $1', [description])).rows[0];

    await timePasses(id, crashNote('authorize', point, `passed-${point}-duty`));
    await phoenix.client(key);
    await phoenix.dies([]);

    await timePasses(id, 'plain');
    const after = await phoenix.client(key);
    const status = await until(`${id} is settled`, patienceMs, async () => {
      const { rows } = await sql.query('select status, open_attempt from payments where id = $1', [id]);
      return rows[0].open_attempt === null && rows[0].status;
    });
    expect(ends).toContain(status);
    const made = await sql.query(
      `select processor_account, state from attempts where payment = $1 and verb = 'authorize' order by id`,
      [id],
    );
    const last = status === 'failed' ? 'lost' : 'approved';
    expect(made.rows.map(({ processor_account, state }) => [processor_account, state])).toEqual([
      [accounts[0], 'declined'],
      [accounts[1], last],
    ]);
    expect(await historyOf(sql, id)).toEqual([status]);
    const retried = await after.post('/v1/payments', body, headers);
    expect([retried.status, retried.json.status]).toEqual(status === 'failed' ? [402, undefined] : [200, status]);
    expect(await violationsOf(sql, { rest: true, tenant })).toEqual([]);
  },
);
