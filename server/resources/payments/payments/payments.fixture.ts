import { expect } from 'vitest';
import type { Answer } from '../../../test/client.ts';
import { type ServerOptions, startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';

export const approvedCard = '4242424242424242';

export const cardOf = (number: string) => ({
  type: 'card',
  card: { number, exp_month: 12, exp_year: 2035, cvc: number.startsWith('37') ? '1234' : '123' },
});

// biome-ignore lint/suspicious/noExplicitAny: rows of every table
export type Rows = any[];

/** What the simulator knows of one authorization. */
export type Charge = { authorized: number; captured: number; canceled: boolean; net: number };

/** Two attempts of one virtual millisecond sort by chance; the first of a payment is always its authorization. */
const inOrder = `array_position(array['authorize', 'capture', 'cancel', 'reverse'], verb)`;

/** A gateway with one account, and what tests of payments ask it again and again. */
export type Shop = {
  server: TestServer;
  account: TestAccount;
  sql(text: string, values?: unknown[]): Promise<Rows>;
  /** A new payment method. */
  method(number?: string, more?: object): Promise<string>;
  /** Asks for a payment of 2000 dollar cents with this card. */
  pay(number?: string, more?: object, headers?: Record<string, string>): Promise<Answer>;
  /** The same, which must be answered 200; the payment. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payments of every shape
  paid(number?: string, more?: object): Promise<any>;
  read(id: string): Promise<Answer>;
  row(id: string): Promise<Rows[0]>;
  /** In the order authorize, capture, cancel, reverse. */
  attempts(id: string): Promise<Rows>;
  /** The events of a payment, oldest first. */
  events(id: string): Promise<Rows>;
  eventTypes(id: string): Promise<string[]>;
  charges(id: string): Promise<Charge[]>;
  stop(): Promise<void>;
};

export async function openShop(options: ServerOptions = {}): Promise<Shop> {
  const server = await startServer(options);
  const account = await server.account();
  const sql = async (text: string, values: unknown[] = []) => (await server.sql.query(text, values)).rows;
  const method = async (number = approvedCard, more: object = {}) => {
    const answer = await account.test.post('/v1/payment_methods', { ...cardOf(number), ...more });
    expect(answer.text).toContain('"payment_method"');
    return answer.json.id as string;
  };
  const pay = async (number = approvedCard, more: object = {}, headers: Record<string, string> = {}) => {
    const body = { amount: 2000, currency: 'usd', payment_method: await method(number), ...more };
    return account.test.post('/v1/payments', body, headers);
  };
  const events = async (id: string) => {
    const rows = await sql('select payload from events where object_id = $1 order by object_version', [id]);
    return rows.map(({ payload }) => JSON.parse(payload.toString()));
  };
  return {
    server,
    account,
    sql,
    method,
    pay,
    async paid(number, more) {
      const answer = await pay(number, more);
      expect([answer.status, answer.json.error]).toEqual([200, undefined]);
      return answer.json;
    },
    read: (id) => account.test.get(`/v1/payments/${id}`),
    row: async (id) => (await sql('select * from payments where id = $1', [id]))[0],
    attempts: (id) => sql(`select * from attempts where payment = $1 order by ${inOrder}, id`, [id]),
    events,
    eventTypes: async (id) => (await events(id)).map((event) => event.type),
    charges: (id) =>
      sql(
        `select authorized, captured, canceled, net from simulator_charges
          where payment = $1 or attempt in (select id from attempts where payment = $1) order by attempt`,
        [id],
      ),
    stop: () => server.stop(),
  };
}

/** Checks the invariants of every payment of a database. Returns those that are violated. */
export function brokenInvariants(shop: Shop): Promise<Rows> {
  return shop.sql(
    `select p.id, p.status, p.amount, p.amount_received, p.open_attempt, coalesce(c.net, 0) as net
       from payments p
       left join lateral (
         select sum(s.net)::int8 as net from simulator_charges s
          where s.tenant = p.tenant
            and s.attempt in (select a.id from attempts a where a.tenant = p.tenant and a.payment = p.id)
       ) c on true
      where p.amount_received < 0 or p.amount_received > p.amount
         or (p.status <> 'succeeded' and p.amount_received <> 0)
         or (p.status = 'succeeded' and p.amount_received = 0)
         or (p.status in ('succeeded', 'failed', 'canceled')
             and coalesce(c.net, 0) <> p.amount_received - coalesce(p.amount_refunded, 0) - coalesce((
               select sum(d.amount) from disputes d
                where d.tenant = p.tenant and d.payment = p.id and d.status <> 'won'), 0))
         or (p.status in ('requires_action', 'requires_capture') and coalesce(c.net, 0) <> 0)
         or (p.status = 'canceled') <> (p.canceled_at is not null)
         or (p.status = 'failed') <> (p.failure_code is not null)
         or (p.status in ('succeeded', 'failed', 'canceled') and p.due_at is not null)
         or (p.open_attempt is not null) <> exists (
              select 1 from attempts a where a.tenant = p.tenant and a.payment = p.id
                 and a.state in ('open', 'unknown', 'pending'))`,
  );
}
