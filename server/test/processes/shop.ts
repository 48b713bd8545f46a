import { expect } from 'vitest';
import { type Keyring, parseMasterKey } from '../../base/keyring.ts';
import { oneConnection } from '../../base/places/connections.ts';
import { loadKeyring } from '../../base/root_key.ts';
import type { Connection } from '../../base/sql.ts';
import { verifyBooks } from '../../resources/payments/balance/verify.ts';
import type { Answer, Client } from '../client.ts';
import { testMasterKey } from '../harness.ts';

/** Requests that leave something of every kind behind: sealed and plain, in the ledger and beside it. */
export type Shop = { method: string; asked: { key: string; path: string; body: object; answer: Answer }[] };

const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' };

export async function openShop(client: Client): Promise<Shop> {
  const asked: Shop['asked'] = [];
  const ask = async (path: string, body: object) => {
    const key = `shop-${asked.length}`;
    const answer = await client.post(path, body, { 'Idempotency-Key': key });
    expect(answer).toMatchObject({ status: 200 });
    asked.push({ key, path, body, answer });
    return answer.json.id as string;
  };
  const customer = await ask('/v1/customers', { name: 'Ada' });
  const method = await ask('/v1/payment_methods', { type: 'card', card, customer });
  await ask('/v1/webhook_endpoints', { url: 'https://127.0.0.1:9/hook', enabled_events: ['refund.*'] });
  const payment = await ask('/v1/payments', { amount: 1_250, currency: 'eur', customer, payment_method: method });
  await ask('/v1/refunds', { payment, amount: 250 });
  return { method, asked };
}

/** Every stored answer is the same, the ones with secrets included, and the stored card can be charged. */
export async function expectShop(client: Client, { method, asked }: Shop): Promise<void> {
  for (const { key, path, body, answer } of asked) {
    const again = await client.post(path, body, { 'Idempotency-Key': key });
    expect(again).toMatchObject({ status: 200, text: answer.text, headers: { 'idempotent-replayed': 'true' } });
  }
  const paid = await client.post('/v1/payments', { amount: 300, currency: 'eur', payment_method: method });
  expect(paid).toMatchObject({ status: 200, json: { status: 'succeeded' } });
}

export function keyringOf(sql: Connection): Promise<Keyring> {
  return loadKeyring(sql, { current: parseMasterKey(testMasterKey), previous: undefined });
}

/** As `tollgate ledger verify` checks them, once every posting is sealed. */
export async function expectBooks(sql: Connection): Promise<void> {
  const keyring = await keyringOf(sql);
  const found = () => verifyBooks({ at: oneConnection(sql), keyring });
  await expect.poll(async () => (await found()).chains.filter(({ unsealed }) => unsealed > 0)).toEqual([]);
  const { chains, differences } = await found();
  expect(differences).toEqual([]);
  expect(Math.max(...chains.map(({ postings }) => postings))).toBeGreaterThan(0);
}
