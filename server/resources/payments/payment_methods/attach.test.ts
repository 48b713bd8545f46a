import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import type { Answer } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { shareOf } from '../../../test/torture.ts';

let server: TestServer;
let second: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startServer();
  second = await startServer({ databaseUrl: server.databaseUrl });
  account = await server.account();
});
afterAll(async () => {
  await second.stop();
  await server.stop();
});

const path = '/v1/payment_methods';
const card = { number: '4242424242424242', exp_month: 12, exp_year: new Date().getUTCFullYear() + 4, cvc: '123' };
const post = (to: string, body: object = {}) => account.test.post(to, body);
const get = async (of: string) => (await account.test.get(of)).json;

async function make(body: object = {}): Promise<string> {
  const answer = await post(path, { type: 'card', card, ...body });
  expect(answer.json.error).toBeUndefined();
  return answer.json.id;
}
const makeCustomer = async (body: object = {}): Promise<string> => (await post('/v1/customers', body)).json.id;
const attach = (id: string, customer: string) => post(`${path}/${id}/attach`, { customer });
const detach = (id: string) => post(`${path}/${id}/detach`);

/** As if the minute had passed after which numbers are destroyed. */
async function makeDue(ids: string[]): Promise<void> {
  await server.sql.query('update payment_methods set due_at = now() where id = any($1)', [ids]);
  await server.settled();
  await second.settled();
}

/** The events about an object, oldest first. */
async function eventsOf(id: string): Promise<{ type: string; data: object }[]> {
  const result = await server.sql.query('select payload from events where object_id = $1 order by object_version', [
    id,
  ]);
  return result.rows.map((row) => JSON.parse(row.payload.toString()));
}
const typesOf = async (id: string) => (await eventsOf(id)).map((event) => event.type);

function expectRefused(answer: Answer, code: string, param: string): void {
  expect(answer.json.error).toMatchObject({ code, param, type: 'invalid_request_error' });
  expect(answer.status).toBe(code === 'resource_missing' ? 404 : 400);
}

describe('attaching', () => {
  test('gives a method its customer, and is an event that shows it', async () => {
    const [id, customer] = [await make(), await makeCustomer()];
    const before = await get(`${path}/${id}`);
    const answer = await attach(id, customer);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ ...before, customer });
    expect((await account.test.get(`${path}/${id}`)).text).toBe(answer.text);
    expect(await eventsOf(id)).toMatchObject([{ type: 'payment_method.attached', data: { object: answer.json } }]);
    expect(Object.keys((await eventsOf(id))[0]!.data)).toEqual(['object']);
  });

  test('at creation is the same event', async () => {
    const customer = await makeCustomer();
    const answer = await post(path, { type: 'card', card, customer });
    expect(answer.json.customer).toBe(customer);
    expect(await eventsOf(answer.json.id)).toMatchObject([
      { type: 'payment_method.attached', data: { object: answer.json } },
    ]);
  });

  test('by a form works as well', async () => {
    const [id, customer] = [await make(), await makeCustomer()];
    const answer = await account.test.form(`${path}/${id}/attach`, `customer=${customer}`);
    expect(answer.json.customer).toBe(customer);
  });

  test('does not change the customer that the API shows, and has no event about it', async () => {
    const [id, customer] = [await make(), await makeCustomer({ name: 'Ada' })];
    const before = await get(`/v1/customers/${customer}`);
    await attach(id, customer);
    expect(await get(`/v1/customers/${customer}`)).toEqual(before);
    expect(await typesOf(customer)).toEqual(['customer.created']);
    await post(`/v1/customers/${customer}`, { name: 'Eve' }); // its version went on all the same
    expect(await typesOf(customer)).toEqual(['customer.created', 'customer.updated']);
  });

  test('to the same customer again changes nothing, and is no event', async () => {
    const [id, customer] = [await make(), await makeCustomer()];
    const first = await attach(id, customer);
    expect((await attach(id, customer)).text).toBe(first.text);
    expect(await typesOf(id)).toEqual(['payment_method.attached']);
  });

  const refused: [string, () => Promise<Answer>, string, string][] = [
    [
      'when it is attached to another',
      async () => attach(await make({ customer: await makeCustomer() }), await makeCustomer()),
      'payment_method_not_usable',
      'id',
    ],
    [
      'when it was detached',
      async () => {
        const id = await make();
        await detach(id);
        return attach(id, await makeCustomer());
      },
      'payment_method_not_usable',
      'id',
    ],
    [
      'to the customer that it was detached from',
      async () => {
        const customer = await makeCustomer();
        const id = await make({ customer });
        await detach(id);
        return attach(id, customer);
      },
      'payment_method_not_usable',
      'id',
    ],
    [
      'to a customer that there is not',
      async () => attach(await make(), newId('cus', Date.now())),
      'resource_missing',
      'customer',
    ],
    ['to what is no customer', async () => attach(await make(), await make()), 'resource_missing', 'customer'],
    [
      'to a customer that was deleted',
      async () => {
        const customer = await makeCustomer();
        await account.test.delete(`/v1/customers/${customer}`);
        return attach(await make(), customer);
      },
      'resource_missing',
      'customer',
    ],
    [
      'at creation, to a customer that was deleted',
      async () => {
        const customer = await makeCustomer();
        await account.test.delete(`/v1/customers/${customer}`);
        return post(path, { type: 'card', card, customer });
      },
      'resource_missing',
      'customer',
    ],
    [
      'a method that there is not',
      async () => attach(newId('pm', Date.now()), await makeCustomer()),
      'resource_missing',
      'id',
    ],
    ['without a customer', async () => post(`${path}/${await make()}/attach`), 'parameter_missing', 'customer'],
    [
      'with anything else',
      async () => post(`${path}/${await make()}/attach`, { customer: await makeCustomer(), default: true }),
      'parameter_unknown',
      'default',
    ],
  ];
  test.each(refused)('is refused %s', async (_, attempt, code, param) => {
    expectRefused(await attempt(), code, param);
  });
});

describe('detaching', () => {
  test('takes the customer away, for good, and is an event', async () => {
    const customer = await makeCustomer();
    const id = await make({ customer, billing_details: { name: 'Ada' } });
    const { customer: _, ...others } = await get(`${path}/${id}`);
    const answer = await detach(id);
    expect([answer.status, answer.json]).toEqual([200, others]);
    expect((await account.test.get(`${path}/${id}`)).text).toBe(answer.text);
    const [, event, ...more] = await eventsOf(id);
    expect(more).toEqual([]);
    expect(event).toMatchObject({ type: 'payment_method.detached', data: { object: answer.json } });
    expect((await get(`/v1/customers/${customer}/payment_methods`)).data).toEqual([]);
  });

  test('twice is once', async () => {
    const id = await make({ customer: await makeCustomer() });
    const first = await detach(id);
    const again = await detach(id);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(await typesOf(id)).toEqual(['payment_method.attached', 'payment_method.detached']);
  });

  test('works for a method without a customer too', async () => {
    const id = await make();
    expect((await detach(id)).status).toBe(200);
    expect(await typesOf(id)).toEqual(['payment_method.detached']);
  });

  test('makes it impossible to charge it', async () => {
    const id = await make();
    await detach(id);
    const answer = await post('/v1/payments', { amount: 700, currency: 'eur', payment_method: id });
    expectRefused(answer, 'payment_method_not_usable', 'payment_method');
  });

  test('of a method that does not exist is 404', async () => {
    expectRefused(await detach(newId('pm', Date.now())), 'resource_missing', 'id');
  });
});

describe('the default payment method of a customer', () => {
  const setDefault = (customer: string, default_payment_method: unknown) =>
    post(`/v1/customers/${customer}`, { default_payment_method });

  test('is shown when it is set, and is a change like any other', async () => {
    const customer = await makeCustomer();
    const [first, other] = [await make({ customer }), await make({ customer })];
    expect(await get(`/v1/customers/${customer}`)).not.toHaveProperty('default_payment_method');
    const answer = await setDefault(customer, first);
    expect(answer.json.default_payment_method).toBe(first);
    expect((await account.test.get(`/v1/customers/${customer}`)).text).toBe(answer.text);
    await setDefault(customer, first); // nothing changes by it
    await setDefault(customer, other);
    const [, set, changed, ...more] = await eventsOf(customer);
    expect(more).toEqual([]);
    expect(set).toMatchObject({
      type: 'customer.updated',
      data: { object: answer.json, previous_attributes: { default_payment_method: null } },
    });
    expect(changed).toMatchObject({
      data: {
        object: { default_payment_method: other },
        previous_attributes: { default_payment_method: first },
      },
    });
  });

  test.each([
    ['null', null],
    ['an empty string', ''],
  ])('is cleared by %s', async (_, nothing) => {
    const customer = await makeCustomer({ name: 'Ada' });
    const before = await get(`/v1/customers/${customer}`);
    await setDefault(customer, await make({ customer }));
    expect((await setDefault(customer, nothing)).json).toEqual(before);
    expect(await get(`/v1/customers/${customer}`)).toEqual(before);
  });

  test('stays when something else is changed', async () => {
    const customer = await makeCustomer();
    const id = await make({ customer });
    await setDefault(customer, id);
    expect((await post(`/v1/customers/${customer}`, { name: 'Ada' })).json.default_payment_method).toBe(id);
  });

  test('is cleared when it is detached, with an event about the customer', async () => {
    const customer = await makeCustomer({ name: 'Ada' });
    const before = await get(`/v1/customers/${customer}`);
    const [id, other] = [await make({ customer }), await make({ customer })];
    await setDefault(customer, id);
    await detach(other);
    expect((await get(`/v1/customers/${customer}`)).default_payment_method).toBe(id);
    await detach(id);
    expect(await get(`/v1/customers/${customer}`)).toEqual(before);
    const [, , cleared, ...more] = await eventsOf(customer);
    expect(more).toEqual([]);
    expect(cleared).toMatchObject({
      type: 'customer.updated',
      data: { object: before, previous_attributes: { default_payment_method: id } },
    });
    expect((cleared!.data as { object: object }).object).toEqual(before);
  });

  const refused: [string, (customer: string) => Promise<string>, string][] = [
    ['attached to nobody', () => make(), 'payment_method_not_usable'],
    ['attached to another customer', async () => make({ customer: await makeCustomer() }), 'payment_method_not_usable'],
    [
      'detached',
      async (customer) => {
        const id = await make({ customer });
        await detach(id);
        return id;
      },
      'payment_method_not_usable',
    ],
    ['nowhere', async () => newId('pm', Date.now()), 'resource_missing'],
    ['no payment method', () => makeCustomer(), 'resource_missing'],
  ];
  test.each(refused)('cannot be one that is %s', async (_, find, code) => {
    const customer = await makeCustomer();
    const before = await get(`/v1/customers/${customer}`);
    const answer = await post(`/v1/customers/${customer}`, {
      default_payment_method: await find(customer),
      name: 'Eve',
    });
    expectRefused(answer, code, 'default_payment_method');
    expect(await get(`/v1/customers/${customer}`)).toEqual(before);
  });

  test('cannot be set on a new customer, which has no methods', async () => {
    const answer = await post('/v1/customers', { default_payment_method: await make() });
    expectRefused(answer, 'parameter_unknown', 'default_payment_method');
  });
});

describe('when a customer is deleted', () => {
  test('the data of the cardholder of a method that was detached before is erased as well', async () => {
    const customer = await makeCustomer();
    const id = await make({ customer, billing_details: { name: 'Ada' } });
    await detach(id);
    await account.test.delete(`/v1/customers/${customer}`);
    const { rows } = await server.sql.query('select billing from payment_methods where id = $1', [id]);
    expect(rows).toEqual([{ billing: {} }]);
  });

  test('its methods are detached, and the data of the cardholder and the numbers are destroyed', async () => {
    const customer = await makeCustomer({ name: 'Ada' });
    const billing_details = { name: 'Ada', email: 'ada@example.com', address: { city: 'London' } };
    const ids = [await make({ customer, billing_details }), await make({ customer, metadata: { a: 1 } })];
    const gone = await make({ customer, billing_details });
    await detach(gone);
    const others = await make({ customer: await makeCustomer(), billing_details });
    await post(`/v1/customers/${customer}`, { default_payment_method: ids[0] });

    expect((await account.test.delete(`/v1/customers/${customer}`)).json).toMatchObject({ deleted: true });
    const { rows } = await server.sql.query(
      'select customer, detached, billing from payment_methods where id = any($1)',
      [ids],
    );
    expect(rows).toEqual(ids.map(() => ({ customer: null, detached: true, billing: {} })));
    const left = async (table: string) =>
      (await server.sql.query(`select from ${table} where id = any($1)`, [ids])).rowCount;
    expect([await left('vault_cards'), await left('vault_cvcs')]).toEqual([ids.length, 0]);
    await makeDue(ids);
    expect(await left('vault_cards')).toBe(0);
    for (const id of ids) {
      const shown = await get(`${path}/${id}`);
      expect(shown.billing_details).toEqual({});
      expect(shown).not.toHaveProperty('customer');
      const events = await eventsOf(id);
      expect(events.map((event) => event.type)).toEqual(['payment_method.attached', 'payment_method.detached']);
      expect(events[1]!.data).toEqual({ object: shown });
    }
    expect(await typesOf(gone)).toEqual(['payment_method.attached', 'payment_method.detached']);
    expect(await get(`${path}/${others}`)).toMatchObject({ billing_details: { name: 'Ada' } });
    expect(await typesOf(customer)).toEqual(['customer.created', 'customer.updated', 'customer.deleted']);
    expect((await account.test.get(`/v1/customers/${customer}/payment_methods`)).status).toBe(404);
  });
});

describe('many at the same moment, on one server', () => {
  test('twenty methods for one customer, created and attached: none is refused', async () => {
    const customer = await makeCustomer();
    const loose = await Promise.all(Array.from({ length: 10 }, () => make()));
    const { first } = account.test;
    const made = Array.from({ length: 10 }, () => first.post(path, { type: 'card', card, customer }));
    const attached = loose.map((id) => first.post(`${path}/${id}/attach`, { customer }));
    const answers = await Promise.all([...made, ...attached]);
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    expect((await get(`/v1/customers/${customer}/payment_methods?limit=100`)).data).toHaveLength(20);
  });
});

describe('at the same moment, on two servers', () => {
  const rounds = Array.from({ length: shareOf(30, 8) }, (_, round) => round);
  /** Both ways round, so that either side gets to be first. */
  async function together<A, B>(round: number, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> {
    if (round % 2 === 0) return Promise.all([one(), other()]);
    const [b, a] = await Promise.all([other(), one()]);
    return [a, b];
  }
  const sides = (round: number) => {
    const [left, right] = [server.client(account.testKey), second.client(account.testKey)];
    return round % 4 < 2 ? ([left, right] as const) : ([right, left] as const);
  };

  const ways: [string, (id: string, customer: string) => [string, object]][] = [
    ['attach', (id, customer) => [`${path}/${id}/attach`, { customer }]],
    ['creation with a customer', (_, customer) => [path, { type: 'card', card, customer }]],
  ];
  test.each(ways)('%s ∥ deletion of the customer: a deleted customer has no method', async (_, way) => {
    for (const round of rounds) {
      const [customer, id] = [await makeCustomer(), await make()];
      const [left, right] = sides(round);
      const [target, body] = way(id, customer);
      const [attached, deleted] = await together(
        round,
        () => left.post(target, body),
        () => right.delete(`/v1/customers/${customer}`),
      );
      expect(deleted.status).toBe(200);
      if (attached.status !== 200) {
        expectRefused(attached, 'resource_missing', 'customer');
        continue;
      }
      expect(await typesOf(attached.json.id)).toEqual(['payment_method.attached', 'payment_method.detached']);
      const { rows } = await server.sql.query('select due_at from payment_methods where id = $1', [attached.json.id]);
      expect(rows[0].due_at).not.toBeNull();
    }
    const orphans = await server.sql.query(
      'select m.id from payment_methods m join deleted_customers d on d.tenant = m.tenant and d.id = m.customer',
    );
    expect(orphans.rows).toEqual([]);
  });

  test('detach ∥ deletion of the customer: both succeed, and the method is detached once', async () => {
    for (const round of rounds.slice(0, shareOf(15, 5))) {
      const customer = await makeCustomer();
      const id = await make({ customer });
      const [left, right] = sides(round);
      const [detached, deleted] = await together(
        round,
        () => left.post(`${path}/${id}/detach`),
        () => right.delete(`/v1/customers/${customer}`),
      );
      expect([detached.status, deleted.status]).toEqual([200, 200]);
      expect(await typesOf(id)).toEqual(['payment_method.attached', 'payment_method.detached']);
    }
  });

  test('detach ∥ making it the default: no default is detached', async () => {
    for (const round of rounds) {
      const customer = await makeCustomer();
      const id = await make({ customer });
      const [left, right] = sides(round);
      const [set, detached] = await together(
        round,
        () => left.post(`/v1/customers/${customer}`, { default_payment_method: id }),
        () => right.post(`${path}/${id}/detach`),
      );
      expect(detached.status).toBe(200);
      if (set.status !== 200) expectRefused(set, 'payment_method_not_usable', 'default_payment_method');
      expect(await get(`/v1/customers/${customer}`)).not.toHaveProperty('default_payment_method');
    }
    const dangling = await server.sql.query(
      `select c.id from customers c join payment_methods m on m.tenant = c.tenant and m.id = c.default_payment_method
        where m.customer is distinct from c.id`,
    );
    expect(dangling.rows).toEqual([]);
  });

  test('attach ∥ attach to another: one succeeds, the other is refused', async () => {
    for (const round of rounds.slice(0, shareOf(15, 5))) {
      const [id, one, other] = [await make(), await makeCustomer(), await makeCustomer()];
      const [left, right] = sides(round);
      const answers = await together(
        round,
        () => left.post(`${path}/${id}/attach`, { customer: one }),
        () => right.post(`${path}/${id}/attach`, { customer: other }),
      );
      const [won, ...others] = answers.filter((answer) => answer.status === 200);
      expect(others).toEqual([]);
      expectRefused(answers.find((answer) => answer !== won)!, 'payment_method_not_usable', 'id');
      expect(await get(`${path}/${id}`)).toEqual(won!.json);
      expect(await typesOf(id)).toEqual(['payment_method.attached']);
    }
  });

  test('detach ∥ detach: one event', async () => {
    for (const round of rounds.slice(0, shareOf(15, 5))) {
      const id = await make({ customer: await makeCustomer() });
      const [left, right] = sides(round);
      const [a, b] = await together(
        round,
        () => left.post(`${path}/${id}/detach`),
        () => right.post(`${path}/${id}/detach`),
      );
      expect([a.status, b.status, a.text]).toEqual([200, 200, b.text]);
      expect(await typesOf(id)).toEqual(['payment_method.attached', 'payment_method.detached']);
    }
  });
});

test('attaching and detaching at once do not wait for each other', async () => {
  const customer = await makeCustomer();
  for (let round = 0; round < 5; round++) {
    const id = await make({ customer });
    await post(`/v1/customers/${customer}`, { default_payment_method: id });
    // A call that queues for the method has it, and then needs the customer; one that attaches needs both.
    const answers = await Promise.all([detach(id), attach(id, customer), detach(id), attach(id, customer)]);
    expect(answers.map(({ status }) => status).filter((status) => ![200, 400].includes(status))).toEqual([]);
  }
});
