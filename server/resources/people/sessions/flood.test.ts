import { Agent } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { withHeldHashes } from '../../../test/cheap_passwords.ts';
import { type Answer, Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { expectRefusal } from '../../../test/http/support.ts';
import { testPassword } from '../../../test/person.ts';

const guessed = 'a guess that is wrong';
const tries = 240;
/** One is hashed, and sixty wait. */
const admitted = 61;

let clock: VirtualClock;
let server: TestServer;
let shop: TestAccount;
/** With as many connections as requests. */
let visitor: Client;
let owner: string;

beforeAll(async () => {
  clock = virtualClock(Date.now());
  // Behind a proxy, so that requests can come from any address.
  server = await startServer({ environment: { TLS: 'proxy', TRUSTED_PROXIES: '127.0.0.1' }, clock });
  shop = await server.account();
  visitor = new Client(server.baseUrl, '', undefined, undefined, new Agent({ keepAlive: true }));
});
beforeEach(async () => {
  clock.advance(60_000); // new windows for every address
  owner = `owner-${clock.now()}@example.com`;
  const parameters = { email: owner, password: testPassword, role: 'owner' };
  await server.operator.run('users.create', { account: shop.id, mode: 'test', parameters });
  expect((await signIn('203.0.113.1', owner, testPassword)).status).toBe(200);
});
afterAll(async () => {
  visitor.close();
  await server.stop();
});

function signIn(address: string, email: string, password: string): Promise<Answer> {
  const origin = `https://localhost:${server.gateway.port}`;
  const headers = { Origin: origin, 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': address };
  return visitor.post('/v1/sessions', { email, password }, headers);
}

/** Tries of strangers, whose hashes do not end while the work goes on. They are answered after it. */
async function underFlood(work: (answered: () => number) => Promise<void>): Promise<Answer[]> {
  const flood: Promise<Answer>[] = [];
  let answered = 0;
  await withHeldHashes(guessed, async () => {
    for (let at = 0; at < tries; at++) {
      const email = at % 7 === 0 ? owner : `nobody-${at}@example.com`;
      flood.push(signIn(`198.51.100.${at % 40}`, email, guessed).finally(() => answered++));
    }
    for (const answer of flood) answer.catch(() => {}); // a test that fails does not wait for them
    await expect.poll(() => answered).toBe(tries - admitted);
    await work(() => answered);
  });
  return Promise.all(flood);
}

test('while 240 tries from 40 addresses are under way, a user signs in from a network where they have signed in before', async () => {
  const answers = await underFlood(async () => {
    expect((await signIn('203.0.113.1', owner, testPassword)).status).toBe(200);
  });
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(tries - admitted);
  for (const answer of refused) {
    expectRefusal(answer, 'sign_in_busy');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
  const checked = answers.filter(({ status }) => status !== 429);
  expect(checked.map(({ status, json }) => `${status} ${json.error.code}`)).toEqual(
    Array(admitted).fill('401 sign_in_failed'),
  );
});

test('a try from one more network gets a turn, because those that have more waiting give way', async () => {
  let newcomer: Promise<Answer> | undefined;
  await underFlood(async (answered) => {
    newcomer = signIn('203.0.113.99', owner, testPassword);
    await expect.poll(answered).toBe(tries - admitted + 1);
  });
  expect((await newcomer!).status).toBe(200);
});

test('a try that is refused because too many wait is no failure, of a known email as of an unknown one', async () => {
  await server.sql.query('delete from sign_in_failures');
  await underFlood(async () => {});
  const { rows } = await server.sql.query('select sum(failures)::int4 as failures from sign_in_failures');
  expect(rows[0].failures).toBe(2 * admitted); // for the email at this network, and for the email
});
