import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../resources/index.ts';
import type { Answer, Client } from '../client.ts';
import { startServer, type TestAccount, type TestServer } from '../harness.ts';
import { expectErrorShape, expectRefusal, unusedId } from './support.ts';

let server: TestServer;
let attacker: TestAccount;
let victim: TestAccount;

beforeAll(async () => {
  server = await startServer();
  attacker = await server.account();
  victim = await server.account();
});
afterAll(() => server.stop());

/** How to make an object of each resource; a resource that is missing here fails the test below. */
const makers: Record<string, { prefix: string; make(client: Client): Promise<string> }> = {
  customers: {
    prefix: 'cus',
    make: async (client) => (await client.post('/v1/customers', { name: 'Victim', metadata: { secret: 1 } })).json.id,
  },
  events: {
    prefix: 'evt',
    async make(client) {
      await client.post('/v1/customers', { name: 'Victim' });
      return (await client.get('/v1/events?limit=1')).json.data[0].id;
    },
  },
};

const resourceOf = (route: string) => route.split('/')[1]!;
const withId = operations.filter(({ route }) => route.includes(':id'));

/** Everything of an answer that is not about this one request. */
function lasting({ status, headers, text }: Answer): object {
  const {
    'request-id': _id,
    date: _date,
    ratelimit: _rate,
    'x-ratelimit-remaining': _left,
    'x-ratelimit-reset': _reset,
    ...others
  } = headers;
  return { status, headers: others, text };
}

async function probe(client: Client, method: string, route: string, id: string): Promise<Answer> {
  const answer = await client.request(method, `/v1${route.replace(':id', id)}`, method === 'POST' ? { body: {} } : {});
  expectErrorShape(answer);
  return answer;
}

const owners: [whose: string, owner: () => Client, visitor: () => Client][] = [
  ['another account', () => victim.test, () => attacker.test],
  ['another account, in live mode', () => victim.live, () => attacker.live],
  ['the other mode of the same account', () => attacker.live, () => attacker.test],
  ['the other mode, the other way round', () => attacker.test, () => attacker.live],
  ['the other mode of another account', () => victim.live, () => attacker.test],
];

test('every resource with ids can be made here, so that it is tried', () => {
  for (const { route } of withId) expect(Object.keys(makers)).toContain(resourceOf(route));
});

describe.each(owners)('an id of %s', (_whose, owner, visitor) => {
  test.each(withId.map((operation) => [operation.name, operation] as const))(
    'is to %s the same as one that does not exist, and nothing happens to it',
    async (_name, { method, route }) => {
      const { prefix, make } = makers[resourceOf(route)]!;
      const id = await make(owner());
      const home = `/v1/${resourceOf(route)}/${id}`;
      const before = await owner().get(home);
      expect(before.status).toBe(200);

      const foreign = await probe(visitor(), method, route, id);
      const nobodys = await probe(visitor(), method, route, unusedId(prefix));
      expectRefusal(foreign, 'resource_missing', 'id');
      expect(lasting(foreign)).toEqual(lasting(nobodys));
      expect((await owner().get(home)).text).toBe(before.text);
    },
  );

  test.each(withId.filter(({ method }) => method !== 'GET').map((operation) => [operation.name, operation] as const))(
    'is to %s the same under an idempotency key, and the owner can use that key',
    async (_name, { method, route }) => {
      const { make } = makers[resourceOf(route)]!;
      const id = await make(owner());
      const headers = { 'Idempotency-Key': `key for ${id}` };
      const target = `/v1${route.replace(':id', id)}`;
      for (let again = 0; again < 2; again++)
        expectRefusal(await visitor().request(method, target, { headers }), 'resource_missing', 'id');
      expect((await owner().request(method, target, { headers })).status).toBe(200);
    },
  );
});

describe('a list', () => {
  const lists = operations.filter(({ method, route }) => method === 'GET' && !route.includes(':id'));

  test.each(lists.map((operation) => [operation.name, operation] as const))(
    '%s shows nothing of others, and their ids as a position tell nothing',
    async (_name, { route }) => {
      const { prefix, make } = makers[resourceOf(route)]!;
      const fresh = await server.account();
      const mine = await make(fresh.test);
      const theirs = await make(victim.test);
      const ids = async (query: string) => {
        const answer = await fresh.test.get(`/v1${route}${query}`);
        expect(answer.status).toBe(200);
        return answer.json.data.map((one: { id: string }) => one.id);
      };
      expect(await ids('')).toEqual([mine]);
      // Made later than mine: a position above it, exactly like an id that nobody has.
      const nobodys = unusedId(prefix);
      expect([await ids(`?starting_after=${theirs}`), await ids(`?ending_before=${theirs}`)]).toEqual([[mine], []]);
      expect([await ids(`?starting_after=${nobodys}`), await ids(`?ending_before=${nobodys}`)]).toEqual([[mine], []]);
    },
  );
});
