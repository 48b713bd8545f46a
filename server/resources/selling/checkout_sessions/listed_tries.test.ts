import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { Checkout, cards } from './checkout.fixture.ts';

const clock: VirtualClock = virtualClock(Date.now());
let server: TestServer;
let account: TestAccount;
let checkout: Checkout;
beforeAll(async () => {
  server = await startServer({ clock });
  account = await server.account();
  checkout = new Checkout(server, account);
});
afterAll(() => server.stop());

const setup = { amount: null, currency: null, mode: 'setup' };

/** A session that was tried with these cards, one after the other. */
async function tried(more: object, ...numbers: string[]): Promise<string> {
  const made = await checkout.create(more);
  for (const number of numbers) {
    clock.advance(1_000); // ids begin with their time
    await checkout.pay(made, number);
  }
  return made.id;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of the API
type Listed = any;

/** What the events of a timeline are about. */
const subjectsOf = (entries: Listed[]) => new Set(entries.flatMap(({ event }) => event?.object_id ?? []));

describe.each([
  ['payments', {}],
  ['setups', setup],
] as const)('the tries of a session that are %s', (noun, more) => {
  let session: string;
  let other: string;
  let latest: string;
  beforeAll(async () => {
    session = await tried(more, cards.declined, cards.declined, cards.good);
    other = await tried(more, cards.declined);
    const shown = await checkout.get(session);
    latest = shown.payment ?? shown.setup;
  });
  const list = async (query: string): Promise<Listed[]> => (await account.test.get(`/v1/${noun}?${query}`)).json.data;
  const statuses = async (query: string) => (await list(query)).map(({ status }) => status);

  test('are listed, the newest first, with why each failed', async () => {
    const tries = await list(`checkout_session=${session}`);
    expect(tries.map(({ status, failure_code }) => [status, failure_code])).toEqual([
      ['succeeded', undefined],
      ['failed', 'card_declined'],
      ['failed', 'card_declined'],
    ]);
    expect(tries[0].id).toBe(latest);
    expect(new Set(tries.map(({ checkout_session }) => checkout_session))).toEqual(new Set([session]));
    expect(await statuses(`checkout_session=${other}`)).toEqual(['failed']);
  });

  test('are filtered further, and paged', async () => {
    expect(await statuses(`checkout_session=${session}&status=failed`)).toEqual(['failed', 'failed']);
    expect(await statuses(`checkout_session=${session}&status[]=succeeded&status[]=canceled`)).toEqual(['succeeded']);
    expect(await statuses(`checkout_session=${other}&status=succeeded`)).toEqual([]);
    const { customer } = await checkout.get(session);
    if (noun === 'setups') expect(await statuses(`checkout_session=${session}&customer=${customer}`)).toHaveLength(1);
    const rest = await statuses(`checkout_session=${session}&starting_after=${latest}&limit=1`);
    expect(rest).toEqual(['failed']);
  });

  test('are exported as CSV', async () => {
    const accept = { headers: { Accept: 'text/csv' } };
    const path = `/v1/${noun}?checkout_session=${session}&columns[]=status&columns[]=checkout_session`;
    const { text } = await account.test.get(path, accept);
    const [header, ...lines] = text.trimEnd().split('\r\n');
    expect(header).toBe('status,checkout_session');
    expect(lines.sort()).toEqual([`failed,${session}`, `failed,${session}`, `succeeded,${session}`]);
  });

  test('are in the timeline of the session, each with what the processor was asked, for keys that may read them', async () => {
    const scope = noun === 'payments' ? 'payments:read' : 'payment_methods:read';
    const of = async (...scopes: string[]) => {
      const { client } = await server.key(account.id, { scopes: ['checkout_sessions:read', ...scopes] });
      const { data } = (await client.get(`/v1/timeline/${session}?limit=100`)).json;
      return data as Listed[];
    };
    const entries = await of(scope);
    const tries = (await list(`checkout_session=${session}`)).map(({ id }) => id);
    expect(subjectsOf(entries)).toEqual(new Set([session, ...tries]));
    const asked = entries.filter(({ attempt }) => attempt !== undefined);
    expect(asked.map(({ summary }) => summary.split(': ')[1])).toEqual([
      'approved',
      ...Array(2).fill('declined with generic_decline'),
    ]);
    const [declined] = await list(`checkout_session=${other}`);
    expect(JSON.stringify(entries)).not.toContain(declined.id);

    expect(subjectsOf(await of())).toEqual(new Set([session]));
  });

  test('each have one cause with what they change of the session', async () => {
    const entries: Listed[] = (await account.test.get(`/v1/timeline/${session}?limit=100`)).json.data;
    const events = entries.filter(({ event }) => event !== undefined);
    const groups = Map.groupBy(events, ({ group }) => group);
    const typesOf = [...groups.values()].map((ones) => ones.map(({ event }) => event.type).sort());
    const singular = noun.slice(0, -1);
    const failed = ['checkout_session.payment_failed', `${singular}.failed`];
    expect(typesOf.slice(1)).toEqual([failed, failed, ['checkout_session.created']]);
    expect(typesOf[0]).toEqual(expect.arrayContaining(['checkout_session.completed', `${singular}.succeeded`]));
    // What the processor was asked belongs to it, too.
    for (const { attempt, group } of entries) if (attempt !== undefined) expect(groups.has(group)).toBe(true);
  });

  test('are nobody else’s: not of another account, nor of a session that there is not', async () => {
    const stranger = await server.account();
    expect((await stranger.test.get(`/v1/${noun}?checkout_session=${session}`)).json.data).toEqual([]);
    expect(await list(`checkout_session=${session}x`)).toEqual([]);
  });
});

test('what a payment of a session was disputed and refunded is in the timeline of the session, for keys that may read it', async () => {
  const disputed = await tried({}, cards.declined, '4000000000000259');
  const refunded = await tried({}, cards.good);
  await account.test.post('/v1/refunds', { payment: (await checkout.get(refunded)).payment });
  await server.settled();
  const kindsOf = async (session: string, ...scopes: string[]) => {
    const { client } = await server.key(account.id, { scopes: ['checkout_sessions:read', ...scopes] });
    const { data } = (await client.get(`/v1/timeline/${session}?limit=100`)).json;
    return new Set([...subjectsOf(data)].map((id) => String(id).split('_')[0]));
  };
  expect(await kindsOf(disputed, 'payments:read', 'disputes:read')).toEqual(new Set(['cs', 'py', 'dp']));
  expect(await kindsOf(refunded, 'payments:read', 'refunds:read')).toEqual(new Set(['cs', 'py', 're']));
  expect(await kindsOf(refunded, 'payments:read')).toEqual(new Set(['cs', 'py']));
});

test('what became of a try later is looked for among the tries of its session alone', async () => {
  const [one, other] = [await tried({}, cards.good), await tried({}, cards.good)];
  const { payment } = await checkout.get(other);
  await account.test.post('/v1/refunds', { payment });
  const refunded = async (session: string) => {
    const { json } = await account.test.get(`/v1/payments?status=refunded&checkout_session=${session}`);
    return json.data.map(({ id }: { id: string }) => id);
  };
  expect(await refunded(one)).toEqual([]);
  expect(await refunded(other)).toEqual([payment]);
});
