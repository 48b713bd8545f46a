import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import type { Mode, Tenant } from '../../../base/reads.ts';
import { processorDeadlineMs } from '../../../connectors/ask.ts';
import type { ProcessorAccountId, TokenizedMethod } from '../../../connectors/contract.ts';
import { registrations } from '../../../connectors/index.ts';
import type { Answer, Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { unusedId } from '../../../test/http/support.ts';
import { addAccount } from '../payments/pier.fixture.ts';
import { type Keeper, openKeeper } from './keeper.fixture.ts';

const clock = virtualClock(Date.now());
const keeper: Keeper = openKeeper();
let server: TestServer;
let account: TestAccount;
let kept: ProcessorAccountId;

beforeAll(async () => {
  const connectors = [...registrations, keeper.registration];
  server = await startServer({ clock, connectors, processorDeadlineMs: 300, isAlone: true });
  account = await server.account();
  kept = await addAccount(server.gateway, await tenantOf(account), true, 'keeper');
});
afterAll(() => server.stop());

const token = 'tok_1';
const card: TokenizedMethod = { brand: 'Visa', last4: '4242', expMonth: 4, expYear: 2031, customer: undefined };
const ofCustomer: TokenizedMethod = { ...card, customer: 'theirs' };

beforeEach(() => {
  keeper.reset();
  keeper.cards.set(token, card);
  clock.advance(1_001);
});

async function tenantOf({ id }: TestAccount, mode: Mode = 'test'): Promise<Tenant> {
  const { rows } = await server.sql.query('select tenant from tenants where account = $1 and mode = $2', [id, mode]);
  return rows[0].tenant;
}

const methods = '/v1/payment_methods';
const bodyOf = (more: object = {}) => ({
  type: 'card',
  processor_token: { processor_account: kept, token },
  ...more,
});
const create = (more: object = {}, headers: Record<string, string> = {}, client: Client = account.test) =>
  client.post(methods, bodyOf(more), headers);
async function made(more: object = {}): Promise<string> {
  const answer = await create(more);
  expect(answer.json.error).toBeUndefined();
  return answer.json.id;
}
const pay = (payment_method: string, more: object = {}, headers: Record<string, string> = {}) =>
  account.test.post('/v1/payments', { amount: 700, currency: 'eur', payment_method, ...more }, headers);
const attach = (id: string, customer: string) => account.test.post(`${methods}/${id}/attach`, { customer });
const customer = async () => (await account.test.post('/v1/customers', { name: 'Ada' })).json.id as string;
const rowOf = async (id: string) =>
  (await server.sql.query('select * from payment_methods where id = $1', [id])).rows[0];
const secretsOf = async (id: string) =>
  (await server.sql.query('select from vault_secrets where id = $1', [id])).rowCount;
const told = ({ status, json }: Answer) => [status, json.error?.code, json.error?.param];
const count = async () => Number((await server.sql.query('select count(*) from payment_methods')).rows[0].count);
const notUsable = [400, 'payment_method_not_usable'];

/** A processor that is asked while a whole request is made has to wait for that, which takes longer than its deadline on a busy machine. */
function waitsForProcessor(): void {
  const { limits } = server.gateway.services.connectors;
  const { deadlineMs } = limits;
  limits.deadlineMs = processorDeadlineMs;
  onTestFinished(() => {
    limits.deadlineMs = deadlineMs;
  });
}

describe('a method from a token', () => {
  test('shows the card as the processor describes it, and where it is kept', async () => {
    const { status, json } = await create({ billing_details: { name: 'Ada' }, metadata: { a: 1 } });
    expect([status, json]).toEqual([
      200,
      {
        id: expect.stringMatching(/^pm_/),
        object: 'payment_method',
        type: 'card',
        card: { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2031 },
        billing_details: { name: 'Ada' },
        created: expect.any(Number),
        metadata: { a: 1 },
        processor_token: { processor_account: kept },
      },
    ]);
    expect((await account.test.get(`${methods}/${json.id}`)).json).toEqual(json);
    expect((await account.test.get(`${methods}?limit=1`)).json.data).toEqual([json]);
    expect(keeper.verbs()).toEqual(['retrieveToken']);
    expect(await secretsOf(json.id)).toBe(1);
  });

  test('can be sent as a form', async () => {
    const body = `type=card&processor_token[processor_account]=${kept}&processor_token[token]=${token}`;
    const { status, json } = await account.test.form(methods, body);
    expect([status, json.processor_token]).toEqual([200, { processor_account: kept }]);
  });

  test('of an account that is deleted in that moment is refused as for any account that does not exist', async () => {
    const tenant = await tenantOf(account);
    const brief = await addAccount(server.gateway, tenant, true, 'keeper');
    const { processorAccounts } = server.gateway.services;
    const { require } = processorAccounts;
    onTestFinished(() => void Object.assign(processorAccounts, { require }));
    processorAccounts.require = async (...wanted) => {
      const found = await require(...wanted);
      await server.sql.query('delete from processor_accounts where id = $1', [brief]);
      return found;
    };
    const answer = await create({ processor_token: { processor_account: brief, token } });
    expect(told(answer)).toEqual([404, 'resource_missing', 'processor_token.processor_account']);
  });

  test('a brand that has no name here is unknown', async () => {
    keeper.cards.set(token, { ...card, brand: 'eftpos_au' });
    expect((await create()).json.card.brand).toBe('unknown');
  });

  const number = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  test.each<[string, () => object, unknown[]]>([
    ['a card beside it', () => ({ card: number }), [400, 'parameters_exclusive', 'card']],
    ['neither', () => ({ processor_token: undefined }), [400, 'parameter_missing', 'card']],
    [
      'no token',
      () => ({ processor_token: { processor_account: kept } }),
      [400, 'parameter_missing', 'processor_token.token'],
    ],
    [
      'no account',
      () => ({ processor_token: { token } }),
      [400, 'parameter_missing', 'processor_token.processor_account'],
    ],
    [
      'a token that the processor does not know',
      () => ({ processor_token: { processor_account: kept, token: 'tok_2' } }),
      [400, 'parameter_invalid', 'processor_token.token'],
    ],
    [
      'an account that is none',
      () => ({ processor_token: { processor_account: 'x', token } }),
      [404, 'resource_missing', 'processor_token.processor_account'],
    ],
    [
      'a further parameter',
      () => ({ processor_token: { processor_account: kept, token, cvc: '123' } }),
      [400, 'parameter_unknown', 'processor_token.cvc'],
    ],
    ['a customer that is none', () => ({ customer: unusedId('cus') }), [404, 'resource_missing', 'customer']],
  ])('%s is refused', async (_, more, refused) => {
    const before = await count();
    expect(told(await create(more()))).toEqual(refused);
    expect(await count()).toBe(before);
  });

  test('without a card and a token, the refusal names both', async () => {
    const { json } = await create({ processor_token: undefined });
    expect(json.error.message).toBe(
      'The parameter card is required, or processor_token for a card that a processor keeps.',
    );
  });

  test('an account that keeps no cards is refused, and not asked', async () => {
    keeper.able = { tokens: false };
    expect(told(await create())).toEqual([400, 'parameter_invalid', 'processor_token.processor_account']);
    expect(keeper.asked).toEqual([]);
  });

  test('the processor account of another account is the same as none; of one in the other mode the message alone says so', async () => {
    const other = await server.account();
    const theirs = await addAccount(server.gateway, await tenantOf(other), true, 'keeper');
    const live = await addAccount(server.gateway, await tenantOf(account, 'live'), true, 'keeper');
    const attempt = (id: string) => create({ processor_token: { processor_account: id, token } });
    const none = await attempt(unusedId('pa'));
    const named = none.text.replace('account.', 'account in test mode; it exists in live mode.');
    for (const [id, text] of [
      [theirs, none.text],
      [live, named],
    ] as const) {
      const answer = await attempt(id);
      expect([answer.status, answer.text]).toEqual([404, text]);
    }
    expect(keeper.asked).toEqual([]);
  });

  const never = () => new Promise<void>(() => {});
  test.each([
    ['fails', () => Promise.reject(new Error(`tok_1 was refused`))],
    ['does not answer', never],
  ])('when the processor %s, nothing is stored, and the same key may try again', async (what, before) => {
    const stored = await count();
    const headers = { 'Idempotency-Key': `retrieveToken ${what}` };
    keeper.before = before;
    const answer = await create({}, headers);
    expect(told(answer)).toEqual([500, 'unavailable', undefined]);
    expect(answer.headers['retry-after']).toBe('1');
    expect(await count()).toBe(stored);
    keeper.before = async () => {};
    expect((await create({}, headers)).status).toBe(200);
  });

  test.each([
    ['last digits', { last4: '42' }],
    ['a month', { expMonth: 13 }],
    ['a year', { expYear: Number.NaN }],
  ])('a description of a card with %s that no card has is no answer', async (_, wrong) => {
    keeper.cards.set(token, { ...card, ...wrong });
    const stored = await count();
    expect(told(await create())).toEqual([500, 'unavailable', undefined]);
    expect(await count()).toBe(stored);
  });

  test('a repeated request with the same key gets the first answer, even if the processor is gone', async () => {
    const headers = { 'Idempotency-Key': 'a token' };
    const to = await customer();
    const first = await create({ customer: to }, headers);
    expect((await create({ customer: to }, headers)).text).toBe(first.text);
    keeper.before = () => Promise.reject(new Error('down'));
    expect((await create({ customer: to }, headers)).text).toBe(first.text);
    expect(keeper.verbs().filter((verb) => verb === 'attachToken')).toHaveLength(1);
    const other = await create({ processor_token: { processor_account: kept, token: 'tok_other' } }, headers);
    expect(told(other)).toEqual([400, 'idempotency_key_reused', 'Idempotency-Key']);
  });

  test('its expiry cannot be changed, other things can', async () => {
    const id = await made();
    const update = (body: object) => account.test.post(`${methods}/${id}`, body);
    expect(told(await update({ card: { exp_year: 2035 } }))).toEqual([400, 'parameter_invalid', 'card.exp_year']);
    expect(told(await update({ card: { exp_month: 5 } }))).toEqual([400, 'parameter_invalid', 'card.exp_month']);
    expect((await update({ billing_details: { name: 'Eve' } })).json.billing_details).toEqual({ name: 'Eve' });
  });
});

describe('a payment with a token', () => {
  test('goes to the account that keeps it, whatever the rules say', async () => {
    const other = await addAccount(server.gateway, await tenantOf(account), true, 'keeper');
    await account.test.post('/v1/routing', { rules: [{ use: [other] }] });
    clock.advance(1_001);
    const id = await made();
    const { status, json } = await pay(id);
    await account.test.post('/v1/routing', { rules: [] });
    expect([status, json]).toMatchObject([200, { status: 'succeeded', processor: { account: kept } }]);
    expect(keeper.asked.at(-1)).toMatchObject({ verb: 'authorize', account: kept, token });
    const [attempt] = (await account.test.get(`/v1/payments/${json.id}/attempts`)).json.data;
    expect(attempt).toMatchObject({ processor_account: kept, reason: `the card is kept there → ${kept}` });
  });

  test('tells the processor its own customer and the holder', async () => {
    keeper.cards.set(token, ofCustomer);
    await pay(await made({ billing_details: { name: 'Ada' } }));
    const { instrument } = keeper.asked.find((one) => one.verb === 'authorize')!.request;
    expect(instrument).toMatchObject({ kind: 'token', customer: 'theirs', holder: { name: 'Ada' } });
  });

  test('is refused while the account is disabled, which the message says', async () => {
    const id = await made();
    await server.sql.query('update processor_accounts set enabled = false where id = $1', [kept]);
    const answer = await pay(id);
    await server.sql.query('update processor_accounts set enabled = true where id = $1', [kept]);
    expect(told(answer)).toEqual([...notUsable, 'payment_method']);
    expect(answer.json.error.message).toContain(`${kept}: it is disabled`);
    expect((await pay(id)).status).toBe(200); // the refused one did not use it up
  });

  test('is refused in a currency that the processor does not take', async () => {
    const id = await made();
    keeper.able = { currencies: ['usd'] };
    expect(told(await pay(id))).toEqual([400, 'parameter_invalid', 'currency']);
  });

  test('is sent although the card has expired here: the processor may have renewed it', async () => {
    keeper.cards.set(token, { ...card, expMonth: 1, expYear: 2020 });
    expect((await pay(await made())).json.status).toBe('succeeded');
  });

  test('another processor is never tried', async () => {
    const id = await made();
    keeper.outcome = { kind: 'declined', code: 'processing_error', advice: 'another_processor' };
    expect((await pay(id)).status).toBe(402);
    expect(keeper.verbs().filter((verb) => verb === 'authorize')).toHaveLength(1);
  });
});

describe('a token without a customer at its processor', () => {
  test.each([
    ['approved', { kind: 'approved' }, 200],
    ['declined', { kind: 'declined', code: 'card_declined' }, 402],
    ['unknown', { kind: 'unknown', reason: 'no answer' }, 200],
  ] as const)('is charged once, even if that was %s', async (_, outcome, status) => {
    keeper.outcome = outcome;
    const id = await made();
    const headers = { 'Idempotency-Key': `once ${outcome.kind}` };
    const first = await pay(id, {}, headers);
    expect(first.status).toBe(status);
    const again = await pay(id);
    expect(told(again)).toEqual([...notUsable, 'payment_method']);
    expect(again.json.error.message).toContain('a payment or a setup has used it');
    expect((await pay(id, {}, headers)).text).toBe(first.text);
    expect(keeper.verbs()).toEqual(['retrieveToken', 'authorize']);
  });

  test('is not used by an attempt that was not sent', async () => {
    const id = await made();
    keeper.outcome = { kind: 'not_sent', reason: 'ECONNREFUSED' };
    for (let times = 0; times < 2; times++) expect((await pay(id)).json.error.code).toBe('processing_error');
    keeper.outcome = { kind: 'approved' };
    const answers = await Promise.all([pay(id), pay(id), pay(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test('of payments that race for it, one wins', async () => {
    const id = await made();
    const answers = await Promise.all(Array.from({ length: 5 }, () => pay(id)));
    const [paid, ...refused] = answers.sort((a, b) => a.status - b.status);
    expect(paid!.json.status).toBe('succeeded');
    expect(refused.map(told)).toEqual(Array(4).fill([...notUsable, 'payment_method']));
    expect(keeper.verbs().filter((verb) => verb === 'authorize')).toHaveLength(1);
  });

  test('cannot be attached once it was charged', async () => {
    const id = await made();
    await pay(id);
    const answer = await attach(id, await customer());
    expect(told(answer)).toEqual([...notUsable, 'id']);
    expect(answer.json.error.message).toContain('It was charged before.');
    expect(await rowOf(id)).toMatchObject({ customer: null, processor_customer: null });
  });

  test('can be charged again and again once it is attached, there and here', async () => {
    const id = await made();
    const to = await customer();
    expect((await attach(id, to)).json).toMatchObject({
      id,
      customer: to,
      processor_token: { processor_account: kept },
    });
    expect(keeper.asked.at(-1)).toMatchObject({ verb: 'attachToken', id, account: kept });
    expect(await rowOf(id)).toMatchObject({ processor_customer: `customer of ${id}`, token_attempt: null });
    for (let times = 0; times < 2; times++) expect((await pay(id, { customer: to })).json.status).toBe('succeeded');
    const last = keeper.asked.at(-1)!;
    expect(last.verb === 'authorize' && last.request.instrument).toMatchObject({ customer: `customer of ${id}` });
    expect(last.verb === 'authorize' && last.request.storedCredential).toBe('first');
    expect((await attach(id, to)).status).toBe(200); // nothing to do
    expect(keeper.verbs().filter((verb) => verb === 'attachToken')).toHaveLength(1);
  });

  test('is attached there when it is created with a customer', async () => {
    const to = await customer();
    const { json } = await create({ customer: to });
    expect(json.customer).toBe(to);
    expect(keeper.asked).toMatchObject([{ verb: 'retrieveToken' }, { verb: 'attachToken', id: json.id }]);
    for (let times = 0; times < 2; times++) expect((await pay(json.id)).json.status).toBe('succeeded');
    const events = await account.test.get('/v1/events?type=payment_method.attached&limit=1');
    expect(events.json.data[0].data.object).toEqual(json);
  });

  test('when the processor refuses, nothing is attached, and the error gives the reason', async () => {
    const id = await made();
    const to = await customer();
    keeper.refusal = 'The token was used before.';
    const answer = await attach(id, to);
    expect(told(answer)).toEqual([...notUsable, 'id']);
    expect(answer.json.error.message).toContain('attach it to a customer: The token was used before.');
    expect(await rowOf(id)).toMatchObject({ customer: null, processor_customer: null });
    const stored = await count();
    expect(told(await create({ customer: to }))).toEqual([...notUsable, 'processor_token.token']);
    expect(await count()).toBe(stored);
  });

  test.each(['attach', 'create'])('%s: the processor has attached it, and its reply is lost', async (how) => {
    const to = await customer();
    const id = how === 'attach' ? await made() : '';
    const attempt = () => (how === 'attach' ? attach(id, to) : create({ customer: to }));
    keeper.after = async (verb) => {
      if (verb === 'attachToken') throw new Error('reset');
    };
    const stored = await count();
    expect(told(await attempt())).toEqual([500, 'unavailable', undefined]);
    expect(await count()).toBe(stored);
    if (how === 'attach') expect(await rowOf(id)).toMatchObject({ customer: null, version: 1 });
    keeper.after = async () => {};
    const { json } = await attempt();
    expect(json.customer).toBe(to);
    expect(keeper.verbs().filter((verb) => verb === 'attachToken')).toHaveLength(1);
    for (let times = 0; times < 2; times++) expect((await pay(json.id)).json.status).toBe('succeeded');
  });

  test.each([
    ['before', 400, 'It was charged before.', 0],
    ['after', 200, undefined, 1],
  ] as const)('a charge %s the processor attaches it', async (when, status, reason, kept) => {
    waitsForProcessor();
    const id = await made();
    const to = await customer();
    keeper[when] = async (verb) => {
      if (verb !== 'attachToken') return;
      keeper[when] = async () => {};
      expect((await pay(id)).json.status).toBe('succeeded');
    };
    const answer = await attach(id, to);
    expect([answer.status, answer.json.customer]).toEqual([status, status === 200 ? to : undefined]);
    if (reason !== undefined) expect(answer.json.error.message).toContain(reason);
    const stored = await rowOf(id);
    expect(stored).toMatchObject({ token_attempt: expect.any(String) });
    expect(stored.processor_customer === null ? 0 : 1).toBe(kept);
    expect((await pay(id)).status).toBe(status);
    expect(keeper.verbs().filter((verb) => verb === 'attachToken')).toHaveLength(1);
  });

  test('a customer with as many methods as there can be: the processor is not asked', async () => {
    const id = await made();
    const to = await customer();
    await server.sql.query(
      `insert into payment_methods (tenant, id, version, customer, detached, brand, last4, exp_month, exp_year, billing)
       select m.tenant, 'pm_' || lpad(n::text, 22, '0'), 1, $2, false, 'visa', '4242', 12, 2040, '{}'
         from payment_methods m, generate_series(1, 100) n where m.id = $1`,
      [id, to],
    );
    keeper.asked.length = 0;
    const full = [400, 'payment_method_limit_reached', 'customer'];
    expect([told(await attach(id, to)), told(await create({ customer: to }))]).toEqual([full, full]);
    expect(keeper.asked).toEqual([]);
  });
});

test('a token of a customer at the processor is charged again and again, attached here or not', async () => {
  keeper.cards.set(token, ofCustomer);
  const id = await made();
  for (let times = 0; times < 2; times++) expect((await pay(id)).json.status).toBe('succeeded');
  expect((await attach(id, await customer())).status).toBe(200);
  // Inquiries are about payments of other tests.
  expect(keeper.verbs().filter((verb) => verb !== 'find')).toEqual(['retrieveToken', 'authorize', 'authorize']);
  expect(await rowOf(id)).toMatchObject({ processor_customer: 'theirs', token_attempt: null });
});

describe('the token of a method', () => {
  const detached: [string, (id: string, of: string) => Promise<Answer>][] = [
    ['is detached', (id) => account.test.post(`${methods}/${id}/detach`)],
    ['loses its customer', (_, of) => account.test.delete(`/v1/customers/${of}`)],
  ];
  test.each(detached)('is destroyed a minute after the method %s', async (_, detach) => {
    const to = await customer();
    const id = await made({ customer: to });
    expect((await detach(id, to)).status).toBe(200);
    expect(told(await pay(id))).toEqual([...notUsable, 'payment_method']);
    expect(await secretsOf(id)).toBe(1);
    clock.advance(61_000);
    await server.settled();
    expect(await secretsOf(id)).toBe(0);
    expect(await rowOf(id)).toMatchObject({ processor_customer: null, processor_account: kept, due_at: null });
    expect((await account.test.get(`${methods}/${id}`)).json.processor_token).toEqual({ processor_account: kept });
  });

  test('is kept while a payment with it is unfinished', async () => {
    const id = await made();
    await pay(id, { capture_method: 'manual' });
    await account.test.post(`${methods}/${id}/detach`);
    clock.advance(61_000);
    await server.settled();
    expect(await secretsOf(id)).toBe(1);
  });
});
