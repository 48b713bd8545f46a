import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import type { Mode, Tenant } from '../../../base/reads.ts';
import { defaultRetention } from '../../../operations/retention.ts';
import { tenantOf } from '../../../operations/tenants.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import type { CardTestingLimits } from '../../people/accounts/card_testing.ts';
import type { WantedTry } from './card_testing.ts';
import { purgeTries } from './store.ts';

const minute = 60_000;
let clock: VirtualClock;
let first: TestServer;
let second: TestServer;
let shop: TestAccount;
let tenant: Tenant;
let made = 0;

beforeAll(async () => {
  clock = virtualClock(Date.now());
  first = await startServer({ clock });
  second = await startServer({ clock, databaseUrl: first.databaseUrl });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});
/** Each test has an account of its own. */
beforeEach(async () => {
  shop = await first.account();
  tenant = await tenantOf(first.sql, shop.id, 'live');
});

/** A try of a session and an address of its own, unless it says more. */
function wanted(more: Partial<WantedTry> = {}): WantedTry {
  const number = ++made;
  const address = `198.51.${number >> 8}.${number & 255}`;
  return { tenant, id: `py_${number}`, session: `cs_${number}`, declines: 0, address, ...more };
}

async function record(server: TestServer, { id }: WantedTry, isDeclined: boolean): Promise<void> {
  const { cardTesting, committer } = server.gateway.services;
  const writes = await cardTesting.outcome(tenant, id, isDeclined);
  if (writes.length > 0) expect(await committer.commit({ tenant, writes })).toBe('committed');
}

/** Asks an instance, and records the outcome of a try that is allowed. */
async function attempt(server: TestServer, one: WantedTry, isDeclined = true) {
  const verdict = await server.gateway.services.cardTesting.check(one);
  if (verdict.kind === 'allowed') await record(server, one, isDeclined);
  return verdict;
}

async function setLimits(limits: Partial<CardTestingLimits>): Promise<void> {
  await first.operator.run('account.update', { account: shop.id, parameters: { card_testing: limits } });
  clock.advance(1_000); // settings are cached for less than a second
}

test('forty tries at once over two instances, from one address, find no more than ten declines', async () => {
  const address = '203.0.113.7';
  const tries = Array.from({ length: 40 }, () => wanted({ address }));
  const verdicts = await Promise.all(tries.map((one, at) => attempt(at % 2 ? first : second, one)));
  const allowed = verdicts.filter(({ kind }) => kind === 'allowed');
  expect(allowed.length).toBe(10);
  const refused = await first.gateway.services.cardTesting.check(wanted({ address }));
  expect(refused).toEqual({ kind: 'refused', why: 'declines_per_address', until: clock.now() + 60 * minute });
  expect(await attempt(first, wanted({ address: '203.0.113.8' }))).toMatchObject({ kind: 'allowed' });
});

test('an address stays refused when the gateway starts again, and pays once the hour is over', async () => {
  const address = '2001:db8:0:1::1';
  const neighbour = '2001:db8:0:1:ffff::9';
  for (let n = 0; n < 10; n++) await attempt(first, wanted({ address }));
  const restarted = await startServer({ clock, databaseUrl: first.databaseUrl });
  try {
    expect(await attempt(restarted, wanted({ address: neighbour }))).toMatchObject({ kind: 'refused' });
    expect(await attempt(restarted, wanted({ address: '2001:db8:0:2::1' }))).toMatchObject({ kind: 'allowed' });
    clock.advance(60 * minute);
    expect(await attempt(restarted, wanted({ address: neighbour }))).toMatchObject({ kind: 'allowed' });
  } finally {
    await restarted.stop();
  }
});

test('tries that pass take nothing from the limit, and one that is declined later does', async () => {
  const address = '203.0.113.9';
  await setLimits({ declines_per_address: 2 });
  const waiting = wanted({ address });
  expect(await attempt(first, waiting, false)).toEqual({ kind: 'allowed', authentication: 'issuer' });
  for (let n = 0; n < 5; n++)
    expect(await attempt(first, wanted({ address }), false)).toMatchObject({ kind: 'allowed' });
  clock.advance(60 * minute); // the cardholder takes long
  await record(second, waiting, true);
  await record(first, waiting, true);
  expect(await attempt(first, wanted({ address }))).toMatchObject({ kind: 'allowed' });
  expect(await attempt(second, wanted({ address }))).toMatchObject({ kind: 'refused' });
  expect(await first.gateway.services.cardTesting.outcome(tenant, 'py_unknown', true)).toEqual([]);
});

test('a try whose process was killed holds its place for a minute, and is counted once', async () => {
  await setLimits({ declines_per_address: 1 });
  const { cardTesting } = first.gateway.services;
  const one = wanted();
  for (let again = 0; again < 3; again++) expect(await cardTesting.check(one)).toMatchObject({ kind: 'allowed' });
  const next = wanted({ address: one.address });
  expect(await cardTesting.check(next)).toEqual({
    ...{ kind: 'refused', why: 'declines_per_address', until: clock.now() + minute },
  });
  clock.advance(minute);
  expect(await cardTesting.check(next)).toMatchObject({ kind: 'allowed' });
});

test('one card is tried in three sessions an hour, from any address', async () => {
  const card = Buffer.from('the fingerprint of a card');
  const tries = Array.from({ length: 12 }, () => wanted({ card }));
  const verdicts = await Promise.all(tries.map((one, at) => attempt(at % 2 ? first : second, one, false)));
  expect(verdicts.filter(({ kind }) => kind === 'allowed').length).toBe(3);
  expect(verdicts).toContainEqual({ kind: 'refused', why: 'sessions_per_card', until: clock.now() + 60 * minute });
  const at = verdicts.findIndex(({ kind }) => kind === 'allowed');
  const again = wanted({ card, session: tries[at]!.session });
  expect(await attempt(first, again)).toMatchObject({ kind: 'allowed' });
  expect(await attempt(first, wanted({ card: 'another' }))).toMatchObject({ kind: 'allowed' });
});

test('a card that only its processor knows is looked up for a try that nothing else refuses', async () => {
  const [address, card] = ['203.0.113.21', 'pa_1/fingerprint'];
  let looks = 0;
  const lookUpCard = async () => {
    looks++;
    return card;
  };
  for (let n = 0; n < 3; n++)
    expect(await attempt(first, wanted({ lookUpCard }), false)).toMatchObject({ kind: 'allowed' });
  await setLimits({ declines_per_address: 1 });
  // A try that is refused for its card, or whose card cannot be looked up, takes no place of its address.
  expect(await attempt(second, wanted({ address, lookUpCard }))).toMatchObject({ why: 'sessions_per_card' });
  const fails = wanted({ address, lookUpCard: () => Promise.reject(new Error('no answer')) });
  await expect(attempt(first, fails)).rejects.toThrow('no answer');
  expect(await attempt(first, wanted({ address, lookUpCard: async () => undefined }))).toMatchObject({
    kind: 'allowed',
  });
  expect(looks).toBe(4);
  expect(await attempt(second, wanted({ address, lookUpCard }))).toMatchObject({ why: 'declines_per_address' });
  expect(looks).toBe(4);
});

test('an address begins ten sessions of a link in ten minutes', async () => {
  const [address, link] = ['203.0.113.10', 'plink_1'];
  const tries = Array.from({ length: 24 }, () => wanted({ address, link }));
  for (const [at, one] of tries.entries()) await attempt(at % 2 ? first : second, one, false);
  const verdict = await attempt(first, wanted({ address, link }));
  expect(verdict).toEqual({ kind: 'refused', why: 'sessions_per_link_address', until: clock.now() + 10 * minute });
  expect(await attempt(first, wanted({ address, link, session: tries[0]!.session }), false)).toMatchObject({
    kind: 'allowed',
  });
  for (const other of [{ link: 'plink_2' }, {}])
    expect(await attempt(first, wanted({ address, ...other }), false)).toMatchObject({ kind: 'allowed' });
  clock.advance(10 * minute);
  expect(await attempt(first, wanted({ address, link }), false)).toMatchObject({ kind: 'allowed' });
});

test('sessions that a link has begun count without a try, once each, and are no tries', async () => {
  const [address, link] = ['203.0.113.12', 'plink_3'];
  const { cardTesting } = first.gateway.services;
  const begin = (session: string) => cardTesting.checkLink({ tenant, session, link, address });
  for (let n = 0; n < 10; n++) {
    expect(await begin(`cs_begun_${n}`)).toBeUndefined();
    expect(await attempt(second, wanted({ address, link, session: `cs_begun_${n}` }), false)).toMatchObject({
      kind: 'allowed',
    });
  }
  expect(await begin('cs_begun_10')).toEqual({ why: 'sessions_per_link_address', until: clock.now() + 10 * minute });
  const { rows } = await first.sql.query(
    `select count(*)::int4 as n from card_testing_tries where tenant = $1 and state = 'begun'`,
    [tenant],
  );
  expect(rows).toEqual([{ n: 10 }]);
  tenant = await tenantOf(first.sql, shop.id, 'test');
  for (let n = 0; n < 12; n++) expect(await begin(`cs_test_${n}`)).toBeUndefined();
});

test('in test mode the limit of a session applies alone, unless the account says otherwise', async () => {
  tenant = await tenantOf(first.sql, shop.id, 'test' satisfies Mode);
  const address = '203.0.113.11';
  for (let n = 0; n < 12; n++) expect(await attempt(first, wanted({ address }))).toMatchObject({ kind: 'allowed' });
  expect(await attempt(first, wanted({ declines: 4 }))).toMatchObject({ kind: 'allowed' });
  expect(await attempt(first, wanted({ declines: 5 }))).toEqual({
    ...{ kind: 'refused', why: 'declines_per_session', until: undefined },
  });
  expect(await first.gateway.services.cardTesting.isSessionUsedUp(tenant, 5)).toBe(true);
  await setLimits({ in_test_mode: true, declines_per_address: 1, declines_per_session: 0 });
  expect(await attempt(first, wanted({ address, declines: 99 }))).toMatchObject({ kind: 'allowed' });
  expect(await attempt(first, wanted({ address }))).toMatchObject({ kind: 'refused' });
});

test('when most of fifty tries are declined, every card is authenticated for an hour, and the owner is told', async () => {
  const { client } = await first.person(shop.id, 'owner', { mode: 'live' });
  const attention = async () =>
    (await client.get('/v1/needs_attention?kind=card_testing')).json.data.map(({ id, reason }: never) => [id, reason]);
  for (let n = 0; n < 50; n++) await attempt(first, wanted(), n < 31);
  expect(await attention()).toEqual([]);
  clock.advance(1_000);
  expect(await attempt(second, wanted())).toEqual({ kind: 'allowed', authentication: 'always' });
  const reason = 'Of 50 tries to pay in ten minutes, 31 were declined: somebody may be testing stolen cards.';
  expect(await attention()).toEqual([[shop.id, reason]]);
  const other = await first.account();
  tenant = await tenantOf(first.sql, other.id, 'live');
  expect(await attempt(first, wanted())).toEqual({ kind: 'allowed', authentication: 'issuer' });
  tenant = await tenantOf(first.sql, shop.id, 'live');
  clock.advance(59 * minute);
  expect(await attempt(first, wanted())).toEqual({ kind: 'allowed', authentication: 'always' });
  clock.advance(2 * minute);
  expect(await attempt(second, wanted())).toEqual({ kind: 'allowed', authentication: 'issuer' });
});

test('tries are forgotten after a day', async () => {
  const [old, recent] = [wanted(), wanted()];
  await attempt(first, old);
  await attempt(first, recent);
  const aged = `update card_testing_tries set at = now() - interval '26 hours' where tenant = $1 and id = $2`;
  await first.sql.query(aged, [tenant, old.id]);
  await purgeTries(first.sql as never, defaultRetention, async () => [tenant]);
  const { rows } = await first.sql.query('select id from card_testing_tries where tenant = $1', [tenant]);
  expect(rows).toEqual([{ id: recent.id }]);
});
