import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '../../../base/reads.ts';
import { tenantOf } from '../../../operations/tenants.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { changedByLink, countPlaces, holdPlace } from './places.ts';

let first: TestServer;
let second: TestServer;
let shop: TestAccount;
let tenant: Tenant;
let made = 0;

beforeAll(async () => {
  first = await startServer();
  second = await startServer({ databaseUrl: first.databaseUrl });
  shop = await first.account();
  tenant = await tenantOf(first.sql, shop.id, 'test');
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

async function link(more: object = {}): Promise<string> {
  return (await shop.test.post('/v1/payment_links', { amount: 500, currency: 'eur', ...more })).json.id;
}

const shown = async (id: string) => (await shop.test.get(`/v1/payment_links/${id}`)).json;

const sessionOf = (payment_link: string) => {
  const session = { tenant, id: `cs_${++made}`, payment_link, status: 'processing', awaits_customer: null };
  return session;
};
type Session = ReturnType<typeof sessionOf>;

const hold = (server: TestServer, { id, payment_link }: Session) =>
  holdPlace(server.gateway.services.durable, { tenant, link: payment_link, session: id, now: Date.now() });

async function change(before: Session, status: string, server = first): Promise<void> {
  const writes = changedByLink(before, { ...before, status });
  expect(await server.gateway.services.committer.commit({ tenant, writes })).toBe('committed');
}

test('forty customers at once, over two instances, get five places', async () => {
  const id = await link({ limit: 5 });
  const sessions = Array.from({ length: 40 }, () => sessionOf(id));
  const held = await Promise.all(sessions.map((session, at) => hold(at % 2 ? first : second, session)));
  expect(held.filter((one) => one === 'held')).toHaveLength(5);
  expect(await countPlaces(first.gateway.services.reads, tenant, id)).toBe(5);
  const winners = sessions.filter((_, at) => held[at] === 'held');
  // A session that holds a place holds it again, and takes no second one.
  expect(await hold(second, winners[0]!)).toBe('held');
  // A decline gives the place back, for somebody else.
  await change(winners[0]!, 'open');
  const next = sessionOf(id);
  expect([await hold(second, next), await hold(first, sessionOf(id))]).toEqual(['held', 'sold_out']);
  // What was sold stays sold.
  await Promise.all(
    [...winners.slice(1), next].map((session, at) => change(session, 'complete', at % 2 ? first : second)),
  );
  expect(await shown(id)).toMatchObject({ limit: 5, completed: 5 });
  expect(await countPlaces(first.gateway.services.reads, tenant, id)).toBe(0);
  expect(await hold(first, sessionOf(id))).toBe('sold_out');
  await shop.test.post(`/v1/payment_links/${id}`, { limit: 6 });
  expect(await hold(first, sessionOf(id))).toBe('held');
});

test('a link without a limit counts every sale, also while it is changed', async () => {
  const id = await link();
  const sessions = Array.from({ length: 60 }, () => sessionOf(id));
  expect(await hold(first, sessions[0]!)).toBe('unlimited');
  expect(await countPlaces(first.gateway.services.reads, tenant, id)).toBe(0);
  const changes = Array.from({ length: 10 }, (_, at) =>
    shop.test.post(`/v1/payment_links/${id}`, { description: `Tea ${at}` }),
  );
  await Promise.all(sessions.map((session, at) => change(session, 'complete', at % 2 ? first : second)));
  for (const { status } of await Promise.all(changes)) expect([200, 429]).toContain(status);
  expect((await shown(id)).completed).toBe(60);
});

test('an inactive link sells nothing, and a sale is recorded once', async () => {
  const id = await link({ limit: 3 });
  await shop.test.post(`/v1/payment_links/${id}`, { active: false });
  const session = sessionOf(id);
  expect(await hold(first, session)).toBe('sold_out');
  await shop.test.post(`/v1/payment_links/${id}`, { active: true });
  expect(await hold(first, session)).toBe('held');
  await change(session, 'complete');
  expect(changedByLink({ ...session, status: 'complete' }, { ...session, status: 'complete' })).toEqual([]);
  expect(changedByLink(session, { ...session, status: 'open', awaits_customer: true as never })).toEqual([]);
  expect(
    changedByLink({ ...session, payment_link: null as never }, { ...session, payment_link: null as never }),
  ).toEqual([]);
  expect((await shown(id)).completed).toBe(1);
});
