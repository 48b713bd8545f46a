import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../../base/clock.fixture.ts';
import { leaseSeconds } from '../../../../base/lease.ts';
import { ok, stallingReceiver, Webhooks } from './deliverer.fixture.ts';
import { resendEvent } from './resend.fixture.ts';

const atATime = 8; // requests that a receiver gets
const instanceMax = 100; // deliveries that a server holds
const patience = { timeout: 8_000 }; // less than a lease lasts: what is only sent after that fails here

afterEach(() => void vi.useRealTimers());

/** The clock stands still, so that no slow receiver counts as stalled before the test advances it. */
async function open(): Promise<Webhooks<VirtualClock>> {
  const settings = { WEBHOOKS_PER_ENDPOINT: String(atATime), WEBHOOKS_PER_INSTANCE: String(instanceMax) };
  const webhooks = await Webhooks.start(virtualClock(Date.now() + 60_000), settings);
  onTestFinished(() => webhooks.stop());
  return webhooks;
}

/** An endpoint that has answered quickly, so that more is taken for it than it gets at a time, and answers no more. */
async function quickThenStalled(webhooks: Webhooks<VirtualClock>) {
  const receiver = await stallingReceiver(ok);
  const { id } = await webhooks.endpoint(receiver.url);
  await webhooks.customer();
  await webhooks.settled();
  receiver.stall();
  return { ...receiver, id };
}

const eventsOf = async (webhooks: Webhooks<VirtualClock>, id: string): Promise<string[]> =>
  (await webhooks.deliveriesOf(id)).map((one) => one.event);

test('the leases of deliveries in flight, and of those that wait behind them, are renewed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const webhooks = await open();
  const { id, held, goOn, received } = await quickThenStalled(webhooks);
  const waiting = 4;
  await webhooks.customers(atATime + waiting);
  await expect.poll(() => webhooks.leased(id), patience).toBe(atATime + waiting);
  const leases = async () => new Map((await webhooks.rowsOf(id)).map((row) => [row.id, row]));
  const before = await leases();
  for (let halfLeases = 1; halfLeases <= 3; halfLeases++) {
    const last = await leases();
    vi.advanceTimersByTime((leaseSeconds * 1_000) / 2); // in time, though a renewal may come late or fail
    await expect
      .poll(async () => {
        const now = [...(await leases()).values()].filter(({ lease_until }) => lease_until !== null);
        return now.filter((row) => row.lease_until! > last.get(row.id)!.lease_until!).length;
      }, patience)
      .toBe(atATime + waiting);
  }
  for (const [name, { version }] of await leases()) expect(version).toBe(before.get(name)!.version); // taken once
  expect(held).toHaveLength(atATime);
  goOn(200);
  await webhooks.settled();
  expect(received).toHaveLength(1 + atATime + waiting);
});

test('the waiting deliveries of a receiver that has stalled are released, and others get the capacity', async () => {
  const webhooks = await open();
  const stalled = await quickThenStalled(webhooks);
  const made = await webhooks.customers(instanceMax + 20);
  await expect.poll(() => webhooks.leased(stalled.id), patience).toBe(instanceMax);

  const other = await stallingReceiver(ok); // one that nothing is known of
  other.stall();
  const { id } = await webhooks.endpoint(other.url, ['customer.deleted']);
  await Promise.all(made.slice(0, atATime).map((one) => webhooks.account.test.delete(`/v1/customers/${one}`)));
  await expect.poll(() => other.held.length, patience).toBeGreaterThan(0);
  expect(await webhooks.leased(id)).toBeLessThan(atATime); // nearly all the capacity is taken

  webhooks.clock.advance(251);
  webhooks.wake();
  await expect.poll(() => other.held.length, patience).toBe(atATime);
  expect(stalled.held).toHaveLength(atATime); // cannot be called back
  expect(await webhooks.leased(stalled.id)).toBe(atATime);

  stalled.goOn(200);
  other.goOn(200);
  await webhooks.settled();
  const arrived = stalled.received.map((one) => one.headers['webhook-id']);
  expect([arrived.length, new Set(arrived).size]).toEqual([made.length + 1, made.length + 1]);
});

test('a server that stops releases unsent deliveries immediately, and waits for those in flight', async () => {
  const webhooks = await open();
  const { id, held, goOn, received } = await quickThenStalled(webhooks);
  const waiting = 12;
  await webhooks.customers(atATime + waiting);
  await expect.poll(() => held.length, patience).toBe(atATime);
  await expect.poll(() => webhooks.leased(id), patience).toBe(atATime + waiting);

  let isOver = false;
  const stopping = webhooks.server.gateway.worker.stop().then(() => {
    isOver = true;
  });
  await expect.poll(() => webhooks.leased(id), patience).toBe(atATime);
  expect(isOver).toBe(false);
  goOn(200);
  await stopping;
  expect(await webhooks.leased(id)).toBe(0);
  const states = (await webhooks.rowsOf(id)).map(({ state }) => state);
  expect(states.filter((state) => state === 'delivered')).toHaveLength(1 + atATime);
  expect(states.filter((state) => state === 'pending')).toHaveLength(waiting);
  expect(received).toHaveLength(1 + atATime);
});

test('an attempt that ends after its event was resent is recorded, and changes nothing', async () => {
  const webhooks = await open();
  const { url, held, stall, goOn } = await stallingReceiver(ok);
  const { id } = await webhooks.endpoint(url);
  stall();
  await webhooks.customer();
  await expect.poll(() => held.length, patience).toBe(1);
  const first = held.shift()!;
  const [event] = await eventsOf(webhooks, id);
  webhooks.clock.advance(1_000);
  expect((await webhooks.account.test.post(`/v1/events/${event}/resend`)).status).toBe(200);
  await expect.poll(() => held.length, patience).toBe(1);
  goOn(200);
  await expect.poll(async () => (await webhooks.rowOf(id)).state, patience).toBe('delivered');
  const delivered = await webhooks.rowOf(id);

  first.writeHead(500).end('too late');
  await webhooks.settled();
  const [delivery] = await webhooks.deliveriesOf(id);
  expect(delivery.attempts).toMatchObject([{ status: 500, response: 'too late' }, { status: 200 }]);
  expect(await webhooks.rowOf(id)).toEqual(delivered);
});

test('a delivery that is resent from the command line while it is leased is sent immediately', async () => {
  const webhooks = await open();
  const { url, held, stall, goOn } = await stallingReceiver(ok);
  const { id } = await webhooks.endpoint(url);
  stall();
  await webhooks.customer();
  await expect.poll(() => held.length, patience).toBe(1);
  const [event] = await eventsOf(webhooks, id);
  const { rows } = await webhooks.server.sql.query('select tenant from webhook_endpoints where id = $1', [id]);
  expect(await resendEvent(webhooks.server.sql, rows[0].tenant, event!, undefined)).toEqual([id]);
  await expect.poll(() => held.length, patience).toBe(2);
  goOn(200);
  await webhooks.settled();
  expect((await webhooks.deliveriesOf(id))[0].attempts).toHaveLength(2);
});
