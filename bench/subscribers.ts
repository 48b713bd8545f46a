import type { Agent } from 'node:https';
import { insert, type Write } from '../server/base/commit/index.ts';
import { findRunningPostgres } from '../server/base/embedded_postgres/index.ts';
import { type Id, newId } from '../server/base/id.ts';
import { parseMasterKey } from '../server/base/keyring.ts';
import { loadKeyring } from '../server/base/root_key.ts';
import { Secret } from '../server/base/secret.ts';
import type { Connection } from '../server/base/sql.ts';
import { openServices } from '../server/commands/operator.ts';
import { readConfig } from '../server/config.ts';
import {
  priceRows,
  saveSubscription,
  subscriptionsTable,
} from '../server/resources/billing/subscription_state/store.ts';
import { customersTable } from '../server/resources/payments/customers/store.ts';
import { paymentMethodsTable } from '../server/resources/payments/payment_methods/store.ts';
import { create } from './fill.ts';
import type { Bench } from './processes.ts';

const number = '4242424242424242';
const subscribersPerCommit = 500;

/** Creates a customer with a card and a monthly subscription over the API. */
export async function subscribe(
  { port }: Bench,
  { agent, key }: { agent: Agent; key: string },
  clock?: string,
): Promise<string> {
  const post = (path: string, parameters: object) => create(agent, port, key, `/v1/${path}`, parameters);
  const recurring = { interval: 'month' };
  const price = await post('prices', { unit_amount: 1_900, currency: 'eur', recurring, product_name: 'Gold' });
  const customer = await post('customers', {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    ...(clock && { test_clock: clock }),
  });
  const card = { number, exp_month: 12, exp_year: 2060 };
  const method = await post('payment_methods', { type: 'card', card, customer });
  await post(`customers/${customer}`, { default_payment_method: method });
  return post('subscriptions', { customer, items: [{ price }] });
}

/**
 * Stores `count` further subscribers like that of a subscription, each with its own customer and sealed card. Those in real time are
 * not due before they are released.
 */
export async function multiply(dataDir: string, gateway: Bench, sql: Connection, original: string, count: number) {
  const { settings } = gateway;
  const masters = { current: parseMasterKey(settings.TOLLGATE_VAULT_KEY!), previous: undefined };
  const config = readConfig('command', settings);
  const address = (await findRunningPostgres(dataDir))!;
  const keyring = await loadKeyring(sql, masters);
  const { services, close } = await openServices({ address, config, keyring, masters });
  const { reads, vault, committer } = services;
  const { tenant } = (await sql.query('select tenant from subscriptions where id = $1', [original])).rows[0];
  const subscription = (await reads.one(subscriptionsTable, tenant, original))!;
  const customer = (await reads.one(customersTable, tenant, subscription.customer))!;
  const method = (await reads.one(paymentMethodsTable, tenant, customer.default_payment_method!))!;
  const one = async (now: number): Promise<Write[]> => {
    const [cus, pm, sub] = [newId('cus', now), newId('pm', now), newId('sub', now)];
    const items = subscription.items.map((item) => ({ ...item, id: newId('si', now) as Id<'si'> }));
    const copy = { ...subscription, id: sub, version: 1, customer: cus, items, due_at: null };
    return [
      insert(customersTable, { ...customer, id: cus, version: 1, default_payment_method: pm }),
      insert(paymentMethodsTable, { ...method, id: pm, version: 1, customer: cus }),
      await vault.seal(tenant, pm, new Secret(number)),
      saveSubscription(copy),
      ...priceRows(undefined, copy),
    ];
  };
  for (let done = 0; done < count; done += subscribersPerCommit) {
    const size = Math.min(subscribersPerCommit, count - done);
    const now = Date.now();
    const writes = await Promise.all(Array.from({ length: size }, () => one(now)));
    await committer.commit({ tenant, writes: writes.flat() });
  }
  await close();
  await sql.query('vacuum analyze subscriptions, subscription_prices, customers, payment_methods, vault_cards');
  await sql.query('checkpoint');
}

/** The period of all subscriptions in real time ends now: all are due. Returns how many. */
export async function release(sql: Connection): Promise<number> {
  const now = Math.floor(Date.now() / 1_000);
  const released = await sql.query(
    `update subscriptions set billing_cycle_anchor = $1::int8, current_period_start = $1 - 30 * 86400::int8, current_period_end = $1,
            due_at = to_timestamp($1) where test_clock is null`,
    [now],
  );
  return released.rowCount!;
}
