import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { ProcessorAccountId, ProcessorOutcome } from '../../../connectors/contract.ts';
import { registrations } from '../../../connectors/index.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { addAccount, openPier, type Pier } from './pier.fixture.ts';

const clock = virtualClock(Date.now());
let server: TestServer;
let pier: Pier;
let account: TestAccount;
let method: string;
let first: ProcessorAccountId | undefined;
let second: ProcessorAccountId | undefined;

const notSent: ProcessorOutcome = { kind: 'not_sent', reason: 'ECONNREFUSED' };
const busy: ProcessorOutcome = {
  ...{ kind: 'declined', code: 'processing_error', declineCode: 'try_again_later', advice: 'another_processor' },
};
const lost: ProcessorOutcome = { kind: 'declined', code: 'card_declined', declineCode: 'lost_card', advice: 'never' };
const unknown: ProcessorOutcome = { kind: 'unknown', reason: 'no answer' };

beforeAll(async () => {
  pier = openPier();
  server = await startServer({ clock, connectors: [...registrations, pier.registration] });
});
afterAll(() => server.stop());

beforeEach(async () => {
  pier.forget();
  account = await server.account();
  const tenant = await tenantOf(account);
  first = await addAccount(server.gateway, tenant);
  clock.advance(5);
  second = await addAccount(server.gateway, tenant);
  clock.advance(5);
  const card = { type: 'card', card: { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' } };
  method = (await account.test.post('/v1/payment_methods', card)).json.id;
  pier.asked.length = 0;
});

async function tenantOf({ id }: TestAccount): Promise<Tenant> {
  const { rows } = await server.sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [id]);
  return rows[0].tenant;
}

const pay = (more = {}, headers = {}) =>
  account.test.post('/v1/payments', { amount: 1_000, currency: 'eur', payment_method: method, ...more }, headers);
const setRules = async (rules: object[]) => {
  const answer = await account.test.post('/v1/routing', { rules });
  clock.advance(1_001); // what was read before is forgotten
  return answer;
};
const attemptsOf = async (id: string) => (await account.test.get(`/v1/payments/${id}/attempts`)).json.data;
const asked = () => pier.asked.map((one) => one.account);

describe('without rules', () => {
  test('the enabled accounts are tried, oldest first', async () => {
    const { json } = await pay();
    expect(json).toMatchObject({
      status: 'succeeded',
      processor: { account: first, connector: 'pier', reference: 'pier_1' },
    });
    expect((await account.test.get(`/v1/payments/${json.id}`)).json).toEqual(json);
    expect(await attemptsOf(json.id)).toEqual([
      {
        id: expect.stringMatching(/^att_/),
        object: 'attempt',
        verb: 'authorize',
        processor_account: first,
        state: 'approved',
        reference: 'pier_1',
        reason: `no rules: enabled account 1, oldest first → ${first}`,
        created: expect.any(Number),
        finished: expect.any(Number),
      },
    ]);
  });

  test.each([
    ['did not act', notSent, 'not_sent', 'no connection'],
    ['says that another may approve', busy, 'declined', 'try_again_later'],
  ])('the next one is tried when the first %s', async (_, outcome, state, why) => {
    pier.answers.set(first!, outcome);
    const { json } = await pay();
    expect(json).toMatchObject({ status: 'succeeded', processor: { account: second } });
    expect(await attemptsOf(json.id)).toMatchObject([
      { processor_account: first, state },
      {
        processor_account: second,
        state: 'approved',
        reason: `no rules: enabled account 2, oldest first → ${second}; ${first} passed over: ${why}`,
      },
    ]);
    // The security code is in memory still.
    expect(
      pier.asked.map(({ request }) => request.instrument.kind === 'card' && request.instrument.cvc !== undefined),
    ).toEqual([true, true]);
  });

  test.each([
    ['unknown', unknown, 'processing'],
    ['a decline that no other processor can help', lost, undefined],
    ['a challenge', { kind: 'requires_action', url: 'https://bank.test/1' } as const, 'requires_action'],
    ['pending', { kind: 'pending' } as const, 'processing'],
  ])('no other processor is asked after an outcome that is %s', async (_, outcome, status) => {
    pier.answers.set(first!, outcome);
    const { json } = await pay();
    expect(asked()).toEqual([first]);
    expect(json.status).toBe(status);
  });

  test('a processor that throws may have acted: no other one is asked', async () => {
    pier.answers.set(first!, () => Promise.reject(new Error('reset')));
    expect((await pay()).json.status).toBe('processing');
    expect(asked()).toEqual([first]);
  });

  test('when none acts the payment fails, and nothing was charged', async () => {
    pier.answers.set(first!, notSent).set(second!, notSent);
    const answer = await pay();
    expect([answer.status, answer.json.error.code]).toEqual([402, 'processing_error']);
    expect(answer.json.error.message).toContain('nothing was charged');
    expect(asked()).toEqual([first, second]);
    const payment = (await account.test.get(`/v1/payments/${answer.json.error.payment}`)).json;
    expect(payment).toMatchObject({ status: 'failed', amount_received: 0 });
    expect((await attemptsOf(payment.id)).map(({ state }: { state: string }) => state)).toEqual([
      'not_sent',
      'not_sent',
    ]);
  });

  test('at most three are tried', async () => {
    const tenant = await tenantOf(account);
    const third = await addAccount(server.gateway, tenant);
    clock.advance(5);
    await addAccount(server.gateway, tenant);
    clock.advance(1_001);
    for (const id of [first!, second!, third]) pier.answers.set(id, notSent);
    expect((await pay()).status).toBe(402);
    expect(asked()).toEqual([first, second, third]);
  });

  test('a retry with the same key gets the answer of the processor that took it', async () => {
    pier.answers.set(first!, busy);
    const headers = { 'Idempotency-Key': 'passed on' };
    const one = await pay({}, headers);
    const again = await pay({}, headers);
    expect([again.status, again.text]).toEqual([one.status, one.text]);
    expect(asked()).toEqual([first, second]);
  });

  test('a retry whose first request died gets the answer of the processor that took it', async () => {
    pier.answers.set(first!, busy);
    const headers = { 'Idempotency-Key': `died ${first}` };
    const one = await pay({}, headers);
    const [{ id: passedOn }] = await attemptsOf(one.json.id);
    // As if the process had died before its answer was stored: the key leads to the attempt that it began with.
    const { rowCount } = await server.sql.query(
      'update idempotency set status = null, body = null, version = 1, resume_by = $1 where tenant = $2 and status is not null',
      [passedOn, await tenantOf(account)],
    );
    expect(rowCount).toBeGreaterThan(0);
    const again = await pay({}, headers);
    expect([again.status, again.json]).toEqual([200, one.json]);
    expect(asked()).toEqual([first, second]);
  });

  test('all together have 25 seconds', async () => {
    pier.answers.set(first!, async () => {
      clock.advance(24_500);
      return notSent;
    });
    expect((await pay()).status).toBe(402);
    expect(asked()).toEqual([first]);
  });

  test('a later verb goes where the money is', async () => {
    pier.answers.set(first!, busy);
    const { id } = (await pay({ capture_method: 'manual' })).json;
    clock.advance(100);
    expect((await account.test.post(`/v1/payments/${id}/capture`)).json.status).toBe('succeeded');
    expect((await attemptsOf(id)).at(-1)).toMatchObject({
      ...{ verb: 'capture', processor_account: second, reason: 'it goes where the money is' },
    });
  });

  test('what no processor can take is refused before any is asked, and says why', async () => {
    for (const id of [first!, second!]) pier.able.set(id, { rawCards: false });
    const numbers = await pay();
    expect([numbers.status, numbers.json.error.code]).toEqual([400, 'payment_method_not_usable']);
    expect(numbers.json.error.message).toContain('takes no card numbers');
    for (const id of [first!, second!]) pier.able.set(id, { currencies: ['usd'] });
    expect((await pay()).json.error).toMatchObject({ code: 'parameter_invalid', param: 'currency' });
    for (const id of [first!, second!]) pier.able.set(id, { amounts: { eur: { smallest: 1_001 } } });
    expect((await pay()).json.error).toMatchObject({ code: 'parameter_invalid', param: 'amount' });
    for (const id of [first!, second!]) pier.able.set(id, { amounts: { eur: { multipleOf: 300 } } });
    expect((await pay()).json.error).toMatchObject({ code: 'parameter_invalid', param: 'amount' });
    expect(asked()).toEqual([]);
    pier.able.delete(second!);
    const { json } = await pay();
    expect((await attemptsOf(json.id))[0].reason).toContain(`${first} passed over: it takes amounts in eur`);
  });

  test('a part is not captured where the processor captures the whole only', async () => {
    pier.able.set(first!, { partialCapture: false });
    const { id } = (await pay({ capture_method: 'manual' })).json;
    const part = await account.test.post(`/v1/payments/${id}/capture`, { amount: 500 });
    expect(part.json.error).toMatchObject({ code: 'parameter_invalid', param: 'amount' });
    expect((await account.test.post(`/v1/payments/${id}/capture`)).status).toBe(200);
  });
});

describe('with rules', () => {
  test('the first rule that matches decides', async () => {
    await setRules([
      { when: { currency: ['usd'] }, use: [first] },
      { when: { currency: ['EUR'], brand: ['visa'] }, use: [second] },
    ]);
    const { json } = await pay();
    expect((await attemptsOf(json.id))[0].reason).toBe(`rule 2: eur, visa → ${second}`);
    expect((await account.test.get('/v1/routing')).json).toEqual({
      object: 'routing',
      rules: [
        { when: { currency: ['usd'] }, use: [first] },
        { when: { currency: ['eur'], brand: ['visa'] }, use: [second] },
      ],
    });
  });

  test('a payment that no rule matches is refused', async () => {
    await setRules([{ when: { country: ['DE'] }, use: [first] }]);
    const { status, json } = await pay();
    expect([status, json.error.code]).toEqual([400, 'payment_method_not_usable']);
    expect(asked()).toEqual([]);
  });

  test('a disabled account is passed over, and refused when it is the only one', async () => {
    await server.sql.query('update processor_accounts set enabled = false where id = $1', [first]);
    await setRules([{ use: [first, second] }]);
    const { json } = await pay();
    expect((await attemptsOf(json.id))[0].reason).toBe(
      `rule 1: every payment → ${second}; ${first} passed over: it is disabled`,
    );
    await setRules([{ use: [first] }]);
    expect((await pay()).json.error.code).toBe('payment_method_not_usable');
  });

  test.each<[string, (id: string, other: string) => object[], number, string]>([
    ['names more than three', (id) => [{ use: [id, 'pa_2', 'pa_3', 'pa_4'] }], 400, 'rules.0.use'],
    ['names one twice', (id) => [{ use: [id, id] }], 400, 'rules.0.use'],
    ['names none', () => [{ use: [] }], 400, 'rules.0.use'],
    ['can never match', (id) => [{ use: [id] }, { when: { brand: ['visa'] }, use: [id] }], 400, 'rules.1'],
    [
      'names an account that does not exist',
      (id) => [{ use: [id] }, { when: {}, use: ['pa_1'] }].slice(1),
      404,
      'rules.0.use.0',
    ],
    ['has an unknown brand', (id) => [{ when: { brand: ['troy'] }, use: [id] }], 400, 'rules.0.when.brand.0'],
    ['has an unknown currency', (id) => [{ when: { currency: ['xxx'] }, use: [id] }], 400, 'rules.0.when.currency'],
    ['has an unknown condition', (id) => [{ when: { weekday: 1 }, use: [id] }], 400, 'rules.0.when.weekday'],
  ])('a rule is refused that %s', async (_, rules, status, param) => {
    const answer = await setRules(rules(first!, second!));
    expect([answer.status, answer.json.error.param]).toEqual([status, param]);
    expect((await account.test.get('/v1/routing')).json.rules).toEqual([]);
  });

  test('the accounts of others cannot be named', async () => {
    const other = await server.account();
    const answer = await other.test.post('/v1/routing', { rules: [{ use: [first] }] });
    expect([answer.status, answer.json.error.param]).toEqual([404, 'rules.0.use.0']);
  });

  test('rules can be sent as a form', async () => {
    const form = `rules[0][when][currency][]=eur&rules[0][when][amount][gte]=10&rules[0][use][]=${first}`;
    const answer = await account.test.form('/v1/routing', form);
    expect(answer.json.rules).toEqual([{ when: { currency: ['eur'], amount: { gte: 10 } }, use: [first] }]);
  });
});
