import { expect } from 'vitest';
import { historyOf, violationsOf } from '../payment_invariants.ts';
import { isTorture } from '../torture.ts';
import { patienceMs, until } from './child.ts';
import type { CrashPoint } from './crash_point.fixture.ts';
import { type CrashAct, type CrashScene, lastWords, type Phoenix } from './phoenix.ts';

const place = 'remote';

/** Where the job is killed that passes the payment on, and how the payment ends. What the second processor never got fails. */
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
async function timePasses({ sql }: Phoenix, payment: string, note: string): Promise<void> {
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
async function merchant(phoenix: Phoenix) {
  const { key, tenant } = await phoenix.account(place);
  const client = await phoenix.client(key);
  const accounts: string[] = [];
  for (const settings of [{ behaves: 'busy' }, {}]) {
    const made = await client.post('/v1/processor_accounts', { connector: 'simulator', name: 'One', settings });
    accounts.push(made.json.id);
  }
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' };
  const { id } = (await client.post('/v1/payment_methods', { type: 'card', card })).json;
  return { key, tenant, accounts, method: id as string };
}

/** The two deaths of one payment: that of its request, once the first processor has declined, and that of the job. */
class Passed {
  #accounts: string[] = [];
  #payment = '';
  #scene!: CrashScene;

  get request(): Pick<CrashAct, 'prepare' | 'verify'> {
    return {
      prepare: async (phoenix, { text, name }) => {
        const { key, tenant, accounts, method } = await merchant(phoenix);
        this.#accounts = accounts;
        const body = { amount: 2000, currency: 'usd', payment_method: method, description: text };
        const headers = { 'Idempotency-Key': name };
        this.#scene = { key, tenant, request: (client) => client.post('/v1/payments', body, headers) };
        return this.#scene;
      },
      verify: async ({ sql }) => {
        const text = `select payment, processor_account, state from attempts where tenant = $1`;
        const { rows } = await sql.query(text, [this.#scene.tenant]);
        expect(rows).toEqual([{ payment: expect.any(String), processor_account: this.#accounts[0], state: 'open' }]);
        this.#payment = rows[0].payment;
      },
    };
  }

  job(ends: string[]): Pick<CrashAct, 'prepare' | 'verify'> {
    return {
      prepare: async (phoenix, { text }) => ({
        ...this.#scene,
        request: async (client) => {
          await timePasses(phoenix, this.#payment, text);
          return lastWords(client);
        },
      }),
      verify: (phoenix) => this.#end(phoenix, ends),
    };
  }

  async #end(phoenix: Phoenix, ends: string[]): Promise<void> {
    const { sql } = phoenix;
    const { key, tenant, request } = this.#scene;
    const id = this.#payment;
    await timePasses(phoenix, id, 'plain');
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
      [this.#accounts[0], 'declined'],
      [this.#accounts[1], last],
    ]);
    expect(await historyOf(sql, id)).toEqual([status]);
    const retried = await request(after);
    expect([retried.status, retried.json.status]).toEqual(status === 'failed' ? [402, undefined] : [200, status]);
    expect(await violationsOf(sql, { rest: true, tenant })).toEqual([]);
  }
}

/** The second processor charges once at most. */
export function passedOn(): CrashAct[] {
  return cases
    .filter(({ point }) => isTorture || point === 'sent')
    .flatMap(({ point, ends }) => {
      const passed = new Passed();
      const verb = 'authorize';
      const request: CrashAct = { ...passed.request, place, verb, point: 'sent', during: `request-before-${point}` };
      return [request, { ...passed.job(ends), place, verb, point, during: 'passing-on', follows: request }];
    });
}
