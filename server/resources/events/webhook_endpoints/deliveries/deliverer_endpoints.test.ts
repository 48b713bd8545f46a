import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../../base/clock.fixture.ts';
import { isDistributedRun } from '../../../../test/distributed_databases.ts';
import { ok, type Received, receiver, stallingReceiver, status, Webhooks } from './deliverer.fixture.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const patience = { timeout: 8_000 }; // less than a lease lasts: what is only sent after that fails here

let webhooks: Webhooks<VirtualClock>;
let clock: VirtualClock;
beforeAll(async () => {
  clock = virtualClock(Date.now() + minuteMs); // the database's clock goes on, this one does not: it must not be behind
  webhooks = await Webhooks.start(clock);
});
afterAll(() => webhooks.stop());

/** Makes an event, and waits until all that is due was sent. */
async function happen(): Promise<void> {
  await webhooks.customer();
  await webhooks.settled();
}

describe('while the secret of an endpoint is rotated', () => {
  const plain = (secret: string, { body }: Received) => createHmac('sha256', secret).update(body).digest('hex');
  const standard = (secret: string, { headers, body }: Received) =>
    new Webhook(secret).sign(headers['webhook-id']!, new Date(Number(headers['webhook-timestamp']) * 1_000), body);
  const signatures = ({ headers }: Received) => ({
    plain: headers['x-service-signature'],
    next: headers['x-service-signature-next'],
    standard: headers['webhook-signature'],
  });
  const alone = (secret: string, one: Received) => ({
    plain: plain(secret, one),
    next: undefined,
    standard: standard(secret, one),
  });

  test('its webhooks carry both signatures, and after the overlap the new one alone', async () => {
    const { url, received } = await receiver(ok);
    const { id, secret: old } = await webhooks.endpoint(url);
    await happen();
    expect(signatures(received[0]!)).toEqual(alone(old, received[0]!));

    clock.advance(2_000); // what is known of an endpoint is used for a second
    const { secret } = (await webhooks.account.test.post(`/v1/webhook_endpoints/${id}/rotate_secret`)).json;
    await happen();
    clock.advance(dayMs - minuteMs);
    await happen();
    for (const one of received.slice(1))
      expect(signatures(one)).toEqual({
        plain: plain(old, one),
        next: plain(secret, one),
        standard: `${standard(secret, one)} ${standard(old, one)}`,
      });
    const { body, headers } = received[1]!; // the library knows no clock but the real one
    for (const one of [old, secret]) expect(new Webhook(one).verify(body, headers)).toEqual(JSON.parse(body));

    clock.advance(minuteMs);
    await happen();
    expect(received).toHaveLength(4);
    expect(signatures(received[3]!)).toEqual(alone(secret, received[3]!));
  });
});

describe('an endpoint', () => {
  test('that answers 410 is disabled', async () => {
    const { url, received } = await receiver(status(410));
    const { id } = await webhooks.endpoint(url);
    await happen();
    expect(await webhooks.statusOf(id)).toBe('disabled');
    await happen();
    expect(received).toHaveLength(1);
    const events = await webhooks.account.test.get('/v1/events?type=webhook_endpoint.disabled');
    const disabled = { id, status: 'disabled', disabled_reason: 'gone', disabled_at: Math.floor(clock.now() / 1_000) };
    expect(events.json.data[0].data.object).toMatchObject(disabled);
    const seen = await webhooks.account.test.post(`/v1/webhook_endpoints/${id}`, { status: 'disabled' });
    expect(seen.json).toMatchObject({ status: 'disabled' }); // by its owner, from now on
    expect(seen.json.disabled_reason).toBeUndefined();
  });

  test('is not disabled by an answer 410 of its earlier URL', async () => {
    const before = await stallingReceiver(ok);
    const now = await receiver(ok);
    const { id } = await webhooks.endpoint(before.url);
    before.stall();
    await webhooks.customer();
    await expect.poll(() => before.held.length, patience).toBe(1);
    await webhooks.change(id, { url: now.url });
    before.goOn(410);
    await webhooks.settled();
    expect(await webhooks.statusOf(id)).toBe('enabled');
  });

  test('without a success for five days is disabled, and not a moment before', async () => {
    const { url } = await receiver(status(503));
    const { id } = await webhooks.endpoint(url);
    await happen();
    clock.advance(5 * dayMs - 1);
    await happen();
    expect(await webhooks.statusOf(id)).toBe('enabled');
    clock.advance(1);
    await happen();
    const { json } = await webhooks.account.test.get(`/v1/webhook_endpoints/${id}`);
    expect(json).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
  });

  test('that its owner enables again is not disabled by an earlier attempt', async () => {
    const { url, held, stall, goOn } = await stallingReceiver(status(500));
    const { id } = await webhooks.endpoint(url);
    await happen();
    stall();
    clock.advance(5 * dayMs);
    webhooks.wake();
    await expect.poll(() => held.length, patience).toBe(1);
    await webhooks.change(id, { status: 'enabled' }); // as it is already: nothing of it changes
    goOn(500);
    await webhooks.settled();
    expect((await webhooks.rowOf(id)).attempts).toBe(2);
    expect(await webhooks.statusOf(id)).toBe('enabled');
  });

  test('that was deleted is sent nothing: its pending deliveries are canceled', async () => {
    const { url, received } = await receiver(status(500));
    const { id } = await webhooks.endpoint(url);
    await happen();
    await webhooks.account.test.delete(`/v1/webhook_endpoints/${id}`);
    await webhooks.toNext(id);
    expect(received).toHaveLength(1);
    expect(await webhooks.rowOf(id)).toMatchObject({ state: 'canceled', due_at: null });
  });

  test('that is disabled is sent nothing: pending deliveries are canceled when due, and new events have none', async () => {
    const { url, received } = await receiver(status(500));
    const { id } = await webhooks.endpoint(url);
    await happen();
    await webhooks.change(id, { status: 'disabled' });
    clock.advance(2_000); // before the retry
    await happen();
    expect(await webhooks.rowsOf(id)).toMatchObject([{ state: 'pending', attempts: 1 }]);
    await webhooks.toNext(id);
    expect(received).toHaveLength(1);
    expect(await webhooks.rowsOf(id)).toMatchObject([{ state: 'canceled', due_at: null }]);
  });

  test('that is enabled again is sent the events from then on', async () => {
    let answer = status(500);
    const { url } = await receiver((one, response) => answer(one, response));
    const { id } = await webhooks.endpoint(url);
    await happen();
    await webhooks.change(id, { status: 'disabled' });
    await webhooks.toNext(id);
    expect((await webhooks.rowOf(id)).state).toBe('canceled');
    answer = ok;
    await webhooks.change(id, { status: 'enabled' });
    await happen();
    const states = (await webhooks.deliveriesOf(id)).map((one) => one.status);
    expect(states).toEqual(['delivered', 'canceled']);
  });

  test.skipIf(isDistributedRun)(
    'that is enabled at the moment when a retry would be canceled gets the retry',
    async () => {
      let answer = status(500);
      const { url } = await receiver((one, response) => answer(one, response));
      const { id } = await webhooks.endpoint(url);
      await happen();
      answer = ok;
      await webhooks.change(id, { status: 'disabled' });
      const owner = await webhooks.connection();
      await owner.query('begin');
      await owner.query(`update webhook_endpoints set status = 'enabled', version = version + 1 where id = $1`, [id]);
      clock.advance((await webhooks.rowOf(id)).due_at!.getTime() - clock.now());
      webhooks.wake();
      const waiting = `select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect
        .poll(async () => (await webhooks.server.sql.query(waiting)).rows, patience)
        .toEqual([{ query: expect.stringContaining('webhook_endpoints') }]);
      await owner.query('commit');
      await expect.poll(async () => (await webhooks.rowOf(id)).state, patience).toBe('delivered');
    },
  );
});
