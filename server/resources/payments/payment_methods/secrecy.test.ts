import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { newId } from '../../../base/id.ts';
import type { Answer, Client } from '../../../test/client.ts';
import { eventually } from '../../../test/eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';

const graceMs = 60_000;
const lookAgainMs = 600_000;

let server: TestServer;
let account: TestAccount;
let clock: VirtualClock;

beforeAll(async () => {
  clock = virtualClock(Date.now());
  server = await startServer({ clock });
  account = await server.account();
});
afterAll(() => server.stop());

const path = '/v1/payment_methods';
const year = new Date().getUTCFullYear() + 4;
const expiry = { exp_month: 12, exp_year: year };
const approved = '4242424242424242';

async function make(number = approved, body: object = {}, client: Client = account.test): Promise<string> {
  const answer = await client.post(path, { type: 'card', card: { number, ...expiry, cvc: '123' }, ...body });
  expect(answer.json.error).toBeUndefined();
  return answer.json.id;
}

const pay = (payment_method: string, body: object = {}, client: Client = account.test) =>
  client.post('/v1/payments', { amount: 700, currency: 'eur', payment_method, ...body });

/** How many sealed numbers and codes there are of a method. */
async function kept(id: string): Promise<{ numbers: number; codes: number }> {
  const count = async (table: string) => (await server.sql.query(`select from ${table} where id = $1`, [id])).rowCount!;
  return { numbers: await count('vault_cards'), codes: await count('vault_cvcs') };
}

describe('the number of a card', () => {
  /** Lets time pass, and the worker run. */
  async function pass(milliseconds: number): Promise<void> {
    clock.advance(milliseconds);
    await server.settled();
  }

  test('is sealed while the method can be charged, and destroyed a minute after it is detached', async () => {
    const id = await make();
    expect(await kept(id)).toEqual({ numbers: 1, codes: 1 });
    expect((await account.test.post(`${path}/${id}/detach`)).status).toBe(200);
    expect(await kept(id)).toEqual({ numbers: 1, codes: 0 });
    await pass(graceMs - 5_000); // somebody who read the method before may still be charging it
    expect(await kept(id)).toEqual({ numbers: 1, codes: 0 });
    await pass(6_000);
    expect(await kept(id)).toEqual({ numbers: 0, codes: 0 });
  });

  test('is destroyed after the method is detached, once all payments are finished', async () => {
    const id = await make();
    expect((await pay(id)).json.status).toBe('succeeded');
    const authorized = (await pay(id, { capture_method: 'manual' })).json.id;
    await account.test.post(`/v1/payments/${authorized}/cancel`);
    await account.test.post(`${path}/${id}/detach`);
    await pass(graceMs + 1_000);
    expect((await kept(id)).numbers).toBe(0);
  });

  const detachments: [string, (id: string, customer: string) => Promise<Answer>][] = [
    ['is detached', (id) => account.test.post(`${path}/${id}/detach`)],
    ['loses its customer', (_, customer) => account.test.delete(`/v1/customers/${customer}`)],
  ];
  const unfinished: [string, string, object, (payment: string) => Promise<Answer>][] = [
    [
      'waits for its capture',
      approved,
      { capture_method: 'manual' },
      (payment) => account.test.post(`/v1/payments/${payment}/capture`),
    ],
    [
      'waits for the cardholder',
      '4000000000003220',
      {},
      (payment) => account.test.post(`/v1/payments/${payment}/cancel`),
    ],
  ];
  const both = detachments.flatMap(([how, detach]) =>
    unfinished.map(([why, number, body, finish]) => [how, why, { number, body, detach, finish }] as const),
  );
  test.each(both)('of a method that %s while a payment %s stays until that is over', async (_how, _why, facts) => {
    const customer = (await account.test.post('/v1/customers', { name: 'Ada' })).json.id;
    const id = await make(facts.number, { customer, billing_details: { name: 'Ada' } });
    const payment = (await pay(id, facts.body)).json.id;
    expect((await facts.detach(id, customer)).status).toBe(200);
    expect((await account.test.get(`${path}/${id}`)).json).not.toHaveProperty('customer');
    expect((await kept(id)).numbers).toBe(1);
    expect((await pay(id)).json.error.code).toBe('payment_method_not_usable');

    await pass(graceMs + 1_000);
    expect((await kept(id)).numbers).toBe(1);

    expect((await facts.finish(payment)).status).toBe(200);
    expect((await kept(id)).numbers).toBe(1); // the worker has not come by yet
    await pass(lookAgainMs + 1_000);
    expect(await kept(id)).toEqual({ numbers: 0, codes: 0 });
    const { rows } = await server.sql.query('select detached, due_at, lease_until from payment_methods where id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ detached: true, due_at: null, lease_until: null }]);
    const { rows: events } = await server.sql.query(
      'select type from events where object_id = $1 order by object_version',
      [id],
    );
    expect(events.map((event) => event.type)).toEqual(['payment_method.attached', 'payment_method.detached']);
  });
});

describe('the security code', () => {
  test('is not kept when there is none', async () => {
    const answer = await account.test.post(path, { type: 'card', card: { number: approved, ...expiry } });
    expect(await kept(answer.json.id)).toEqual({ numbers: 1, codes: 0 });
    expect((await pay(answer.json.id)).json.status).toBe('succeeded');
  });

  const outcomes: [string, string, object, number, string][] = [
    ['is approved', approved, {}, 200, 'succeeded'],
    ['is authorized', approved, { capture_method: 'manual' }, 200, 'requires_capture'],
    ['is declined', '4000000000000002', {}, 402, 'card_declined'],
    ['is declined for its code', '4000000000000127', {}, 402, 'incorrect_cvc'],
    ['waits for the cardholder', '4000000000003220', {}, 200, 'requires_action'],
    ['has an unknown outcome', '4000000000000408', {}, 200, 'processing'],
  ];
  test.each(outcomes)('is gone once a payment %s, and the next does without', async (_, number, body, status, told) => {
    const id = await make(number);
    expect((await kept(id)).codes).toBe(1);
    const first = await pay(id, body);
    expect([first.status, first.json.status ?? first.json.error.code]).toEqual([status, told]);
    expect(await kept(id)).toEqual({ numbers: 1, codes: 0 });
    const next = await pay(id, body);
    expect([next.status, next.json.status ?? next.json.error.code]).toEqual([status, told]);
  });

  test('is deleted when no processor could be asked, as in live mode', async () => {
    const id = await make(approved, {}, account.live);
    expect((await kept(id)).codes).toBe(1);
    expect((await pay(id, {}, account.live)).json.error.code).toBe('processing_error');
    expect(await kept(id)).toEqual({ numbers: 1, codes: 0 });
  });

  test('that has expired is no error', async () => {
    const id = await make();
    await server.sql.query(`update vault_cvcs set expires_at = now() - interval '1 second' where id = $1`, [id]);
    expect((await pay(id)).json.status).toBe('succeeded');
  });

  test('stays when a payment was refused before a processor was asked', async () => {
    const id = await make();
    expect((await pay(id, { customer: newId('cus', Date.now()) })).status).toBe(404);
    expect((await kept(id)).codes).toBe(1);
  });
});

// Unlike any other number or word in this file, so that it can be looked for.
const number = '371449635398431';
const code = '7391';
const longCode = '739173917391';
const spelt = number.replace(/(\d{4})(\d{6})(\d{5})/, '$1 $2 $3');
const card = { number, ...expiry, cvc: code };

describe('neither number nor code is in the request log, the lines of the log or an event', () => {
  type Attempt = [what: string, status: number, send: (client: Client) => Promise<Answer>];
  const post = (status: number, what: string, body: object | string, to = path): Attempt => [
    what,
    status,
    (client) => (typeof body === 'string' ? client.form(to, body) : client.post(to, body)),
  ];
  const form = `type=card&card[number]=${number}&card[exp_month]=12&card[exp_year]=${year}&card[cvc]=${code}`;
  const attempts: Attempt[] = [
    post(404, 'a number as the customer', { type: 'card', card, customer: number }),
    post(404, 'a number as the customer, with spaces', { type: 'card', card, customer: spelt }),
    post(
      404,
      'a number as the customer to attach to',
      { customer: number },
      `${path}/${newId('pm', Date.now())}/attach`,
    ),
    ['a number as a filter', 200, (client) => client.get(`${path}?customer=${number}`)],
    ['a number as a position', 400, (client) => client.get(`${path}?starting_after=${number}`)],
    post(404, 'a number as the payment method', { amount: 7, currency: 'eur', payment_method: number }, '/v1/payments'),
    [
      'a number as the default',
      404,
      async (client) =>
        client.post(`/v1/customers/${(await client.post('/v1/customers')).json.id}`, {
          default_payment_method: number,
        }),
    ],
    post(200, 'a card', { type: 'card', card }),
    post(200, 'a card with spaces', { type: 'card', card: { ...card, number: spelt } }),
    post(200, 'a card in a form', form),
    post(400, 'a number with a typing error', { type: 'card', card: { ...card, number: `${number.slice(0, -1)}2` } }),
    post(400, 'a number that is a number', { type: 'card', card: { ...card, number: Number(number) } }),
    post(400, 'a code that is a number', { type: 'card', card: { ...card, cvc: Number(longCode) } }),
    post(400, 'a code that is too long', { type: 'card', card: { ...card, cvc: longCode } }),
    post(400, 'a list of numbers', { type: 'card', card: { ...card, number: [number] } }),
    post(400, 'a number in a misspelt member', { type: 'card', card: { ...card, number: undefined, numbr: number } }),
    post(400, 'a code in a misspelt member', { type: 'card', card: { ...card, cvv: longCode } }),
    post(400, 'a number beside a misspelt member', { type: 'card', card: { ...card, exp_mnth: 12 } }),
    post(400, 'a number as the name of a member', { type: 'card', card: { ...card, [number]: 1 } }),
    post(400, 'a number as the name of a parameter', { type: 'card', card, [spelt]: 1 }),
    post(400, 'a number as the card', { type: 'card', card: number }),
    post(400, 'a number as the type', { type: number, card }),
    post(400, 'a number as the month', { type: 'card', card: { ...card, exp_month: Number(number) } }),
    post(400, 'a number as the year', { type: 'card', card: { ...card, exp_year: Number(number) } }),
    post(400, 'a number in the wrong place', { type: 'card', card, number }),
    post(400, 'a number as the country', { type: 'card', card, billing_details: { address: { country: number } } }),
    post(400, 'a number as the email address', { type: 'card', card, billing_details: { email: number } }),
    post(400, 'a number in a form that is none', `${number}&card[number]=${number}`),
    [
      'a number in what is not JSON',
      400,
      (client) => client.post(path, `{"card":{"number":"${number}"`, { 'Content-Type': 'application/json' }),
    ],
    post(404, 'a number in the path', {}, `${path}/${number}/attach/x`),
    post(404, 'a number as the id', { metadata: {} }, `${path}/${number}`),
    post(400, 'a number in the query', { type: 'card', card }, `${path}?number=${number}`),
    ['a number as an unknown filter', 400, (client) => client.get(`${path}?number=${number}`)],
    ['a number as an id to read', 404, (client) => client.get(`${path}/${encodeURIComponent(spelt)}`)],
  ];

  /** Every stretch of eight digits of the number; the last four may be shown. */
  const parts = Array.from({ length: number.length - 7 }, (_, at) => number.slice(at, at + 8));
  function expectNothing(text: string): void {
    const digits = text.replaceAll(/[ +-]|%20/g, '');
    for (const part of parts) expect(digits).not.toContain(part);
    expect(text).not.toContain(`"${code}"`);
    expect(text).not.toContain(longCode);
  }

  test.each(attempts)('%s (%i)', async (_, status, attempt) => {
    const fresh = await server.account(); // its rows are this test's
    const linesBefore = server.logged.length;
    const answer = await attempt(fresh.test);
    expect([answer.status, answer.json.error?.code]).toEqual([status, status === 200 ? undefined : expect.any(String)]);
    expectNothing(answer.text);
    const requestId = String(answer.headers['request-id']);
    const stored = async (table: string, key: string) => {
      const { rows } = await server.sql.query(`select to_jsonb(t) as row from ${table} t where t.${key} = $1`, [
        requestId,
      ]);
      return rows;
    };
    await eventually(async () => expect(await stored('requests', 'id')).toHaveLength(1));
    expectNothing(JSON.stringify(await stored('requests', 'id')));
    const { rows: events } = await server.sql.query(`select convert_from(payload, 'UTF8') as text from events`);
    expectNothing(JSON.stringify(events));
    expectNothing(server.logged.slice(linesBefore).join(''));
  });

  test('the request log shows whether two requests sent the same number, and nothing of the code', async () => {
    const answers = [
      await account.test.post(path, { type: 'card', card }),
      await account.test.post(path, { type: 'card', card: { ...card, cvc: '9999' } }),
      await account.test.post(path, { type: 'card', card: { ...card, number: '378282246310005' } }),
    ];
    const ids = answers.map((answer) => answer.headers['request-id']);
    const rows = async () =>
      (
        await server.sql.query('select parameters from requests where id = any($1) order by array_position($1, id)', [
          ids,
        ])
      ).rows;
    await eventually(async () => expect(await rows()).toHaveLength(3));
    const digest = expect.stringMatching(/^digest:[0-9a-f]{12}$/);
    const [first, second, third] = (await rows()).map((row) => row.parameters);
    expect(first).toEqual({ type: 'card', card: { number: digest, ...expiry, cvc: '[secret]' } });
    expect(second).toEqual(first);
    expect(third.card.number).not.toBe(first.card.number);
  });
});
