import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../../../mail/smtp/receiver.fixture.ts';
import { eventually } from '../../../test/eventually.ts';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { attemptGapsMs } from './mail.ts';
import { type MailShop, openMailShop } from './mails.fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const canary = 'canary-31f9';

let receiver: Receiver;
let shop: MailShop;
/** What the mail server answers to an address; and to a mail. Null: it takes it. */
const says = { to: (_: string): Error | null => null, mail: (): Error | null => null };

/** Waited for before an address is answered. */
let holdBack = async () => {};

const answer = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });

beforeAll(async () => {
  const taken: Receiver['mails'] = [];
  receiver = await startReceiver({
    onRcptTo: ({ address }, _, callback) => void holdBack().then(() => callback(says.to(address))),
    onData(stream, { envelope }, callback) {
      stream.resume().on('end', () => {
        const error = says.mail();
        const to = envelope.rcptTo.map(({ address }) => address);
        if (error === null) taken.push({ from: '', to, raw: '', headers: new Map(), isSecure: false });
        callback(error);
      });
    },
  });
  Object.assign(receiver, { mails: taken });
  shop = await openMailShop({ smtp: receiver });
});
afterAll(() => shop.stop());
beforeEach(() => {
  receiver.mails.length = 0;
});
afterEach(() => {
  Object.assign(says, { to: () => null, mail: () => null });
});

const sentTo = (address: string) => receiver.mails.filter(({ to }) => to.includes(address)).length;

async function paid(email: string) {
  const customer = await shop.customer({ email });
  await shop.pay({ customer: customer.id });
  await shop.server.settled();
  return customer;
}

const statusOf = async ({ id }: { id: string }) => {
  const [{ status, failure, suppressed_reason }] = await shop.mailsOf(id);
  return { status, failure, suppressed_reason };
};

describe('a mail server that takes nothing', () => {
  test('for a day gets each mail again with growing pauses, until it takes it', async () => {
    says.mail = () => answer(451, 'try again later');
    const customer = await paid('day@example.com');
    const attempts = async () =>
      (await shop.sql('select attempts from mails where customer = $1', [customer.id]))[0].attempts;
    expect(await statusOf(customer)).toMatchObject({
      status: 'queued',
      failure: 'The mail server has refused the mail: 451 try again later',
    });
    for (const [before, gap] of [...attemptGapsMs.entries()].slice(1, 7)) {
      expect(await attempts()).toBe(before);
      shop.clock.advance(gap - 1_000);
      await shop.server.settled();
      expect(await attempts()).toBe(before);
      shop.clock.advance(1_000);
      await shop.server.settled();
    }
    expect(attemptGapsMs.slice(1)).toEqual([1, 5, 15, 60, 180, 480, 1_440].map((minutes) => minutes * minuteMs));
    expect([await attempts(), sentTo('day@example.com')]).toEqual([7, 0]);
    says.mail = () => null;
    shop.clock.advance(24 * hourMs);
    await shop.server.settled();
    expect(await statusOf(customer)).toEqual({ status: 'sent' });
    expect(sentTo('day@example.com')).toBe(1);
  });

  test('for longer fails the mail, which can be sent again by hand', async () => {
    says.mail = () => answer(421, 'closing');
    const customer = await paid('long@example.com');
    for (const gap of attemptGapsMs.slice(1)) {
      expect(await statusOf(customer)).toMatchObject({ status: 'queued' });
      shop.clock.advance(gap);
      await shop.server.settled();
    }
    expect(await statusOf(customer)).toMatchObject({ status: 'failed', failure: expect.stringContaining('421') });
    says.mail = () => null;
    const [{ id }] = await shop.mailsOf(customer.id);
    await shop.account.live.post(`/v1/mails/${id}/resend`);
    await shop.server.settled();
    expect(sentTo('long@example.com')).toBe(1);
  });

  test('because of what a mail says fails it at once', async () => {
    says.mail = () => answer(554, 'no spam here');
    const customer = await paid('spam@example.com');
    expect(await statusOf(customer)).toEqual({
      status: 'failed',
      failure: 'The mail server has refused the mail: 554 no spam here',
    });
  });
});

describe('an address that is refused', () => {
  test('gets nothing more until the email of the customer changes', async () => {
    says.to = (address) => (address === 'gone@example.com' ? answer(550, 'no such user') : null);
    const customer = await paid('gone@example.com');
    expect(await statusOf(customer)).toEqual({
      status: 'bounced',
      failure: 'The mail server has refused the address: 550 no such user',
    });
    says.to = () => null;
    const again = async () => {
      await shop.pay({ customer: customer.id });
      await shop.server.settled();
      return statusOf(customer);
    };
    expect(await again()).toEqual({ status: 'suppressed', suppressed_reason: 'bounced_before' });
    const other = await shop.customer({ email: 'Gone@Example.com' });
    await shop.pay({ customer: other.id });
    await shop.server.settled();
    expect(await statusOf(other)).toMatchObject({ suppressed_reason: 'bounced_before' });
    const update = (change: object) => shop.account.live.post(`/v1/customers/${customer.id}`, change);
    await update({ name: 'Ada' });
    expect(await again()).toMatchObject({ suppressed_reason: 'bounced_before' });
    await update({ email: 'here@example.com' });
    expect(await again()).toEqual({ status: 'sent' });
    await update({ email: 'gone@example.com' });
    expect(await again()).toEqual({ status: 'sent' });
    expect([sentTo('here@example.com'), sentTo('gone@example.com')]).toEqual([1, 1]);
  });

  test('for a while is tried again', async () => {
    says.to = () => answer(450, 'greylisted');
    const customer = await paid('grey@example.com');
    expect(await statusOf(customer)).toMatchObject({ status: 'queued' });
    says.to = () => null;
    shop.clock.advance(minuteMs);
    await shop.server.settled();
    expect(await statusOf(customer)).toEqual({ status: 'sent' });
  });
});

describe('two instances', () => {
  let other: TestServer;
  beforeAll(async () => {
    other = await startServer({
      purpose: 'dev',
      clock: shop.clock,
      databaseUrl: shop.server.databaseUrl,
      environment: { LIVE_CONNECTOR: 'simulator', SMTP_URL: receiver.url, MAIL_FROM: 'billing@shop.example' },
    });
  });
  afterAll(() => other.stop());

  test('send each mail once', async () => {
    const customer = await shop.customer({ email: 'many@example.com' });
    const count = 40;
    await Promise.all(Array.from({ length: count }, () => shop.pay({ customer: customer.id })));
    await shop.server.settled();
    const rows = await shop.sql('select status, attempts from mails where customer = $1', [customer.id]);
    expect(rows).toEqual(Array(count).fill({ status: 'sent', attempts: 1 }));
    expect(sentTo('many@example.com')).toBe(count);
  });

  test('send a mail once, even if the lease of one ends before it has handed the mail over', async () => {
    const asked = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    holdBack = async () => {
      holdBack = async () => {};
      asked.resolve();
      await goOn.promise;
    };
    const customer = await shop.customer({ email: 'stood-still@example.com' });
    await shop.pay({ customer: customer.id });
    await asked.promise;
    // As after a pause of the first one: the other one has leased the mail, and sends it.
    await shop.sql('update mails set version = version + 1, lease_until = null where customer = $1', [customer.id]);
    await eventually(async () => expect(sentTo('stood-still@example.com')).toBe(1));
    shop.clock.advance(5_000);
    goOn.resolve();
    await shop.server.settled();
    expect(sentTo('stood-still@example.com')).toBe(1);
    expect(await statusOf(customer)).toEqual({ status: 'sent' });
  });
});

describe('a mail that cannot be put together', () => {
  test('is refused and logged, and not tried for ever', async () => {
    says.mail = () => answer(451, 'try again later');
    const customer = await paid('broken@example.com');
    const blocks = [{ kind: 'button', text: 'Go', url: 'javascript:alert(1)' }];
    await shop.sql('update mails set message = $2 where customer = $1', [customer.id, { subject: 'x', blocks }]);
    says.mail = () => null;
    shop.clock.advance(minuteMs);
    await shop.server.settled();
    expect(await statusOf(customer)).toEqual({ status: 'failed', failure: 'The mail could not be put together.' });
    expect(sentTo('broken@example.com')).toBe(0);
    const [{ id }] = await shop.mailsOf(customer.id);
    const line = shop.server.logged.find((one) => one.includes('could not put a mail together; it is not sent'));
    expect(line).toContain(id);
  });
});

describe('MAIL_PER_MINUTE', () => {
  test('holds for all instances together, and what has no place waits for the next minute', async () => {
    const environment = { MAIL_PER_MINUTE: '3' };
    const limited = await openMailShop({ environment });
    const second = await startServer({
      purpose: 'dev',
      clock: limited.clock,
      databaseUrl: limited.server.databaseUrl,
      environment: {
        LIVE_CONNECTOR: 'simulator',
        SMTP_URL: limited.receiver.url,
        MAIL_FROM: 'billing@shop.example',
        ...environment,
      },
    });
    const toNextMinute = () => limited.clock.advance(minuteMs - (limited.clock.now() % minuteMs) + 1);
    toNextMinute();
    const customer = await limited.customer({ email: 'slow@example.com' });
    for (let payment = 0; payment < 8; payment++) await limited.pay({ customer: customer.id });
    for (const sent of [3, 6, 8]) {
      await limited.server.settled();
      expect(limited.receiver.mails).toHaveLength(sent);
      toNextMinute();
    }
    const rows = await limited.sql('select distinct status, attempts from mails');
    expect(rows).toEqual([{ status: 'sent', attempts: 1 }]);
    await second.stop();
    await limited.stop();
  });

  test('does not count mails that must not be sent', async () => {
    const limited = await openMailShop({ environment: { MAIL_PER_MINUTE: '2' } });
    const { test: client } = limited.account;
    const stranger = await limited.customer({ email: 'stranger@example.com' }, client);
    const member = await limited.customer({ email: limited.owner.email }, client);
    limited.clock.advance(minuteMs - (limited.clock.now() % minuteMs) + 1);
    for (const { id } of [...Array(6).fill(stranger), member, member]) {
      limited.clock.advance(1); // so that the mails are due in this order
      await limited.pay({ customer: id }, client);
    }
    await limited.server.settled();
    expect(await limited.mailsOf(stranger.id, client)).toEqual(
      Array(6).fill(expect.objectContaining({ suppressed_reason: 'test_mode' })),
    );
    expect(limited.receiver.mails).toHaveLength(2);
    await limited.stop();
  });
});

describe('without a mail server', () => {
  test('a mail is suppressed in the commit of its cause, and nothing is queued for later', async () => {
    const server = await startServer();
    const account = await server.account();
    await server.operator.run('account.update', { account: account.id, parameters: { mail: { receipt: true } } });
    const { email } = await server.person(account.id, 'owner');
    const { id: customer } = (await account.test.post('/v1/customers', { email })).json;
    const card = { type: 'card', card: { number: '4242424242424242', exp_month: 12, exp_year: 2045 } };
    const method = (await account.test.post('/v1/payment_methods', card)).json.id;
    const body = { amount: 2_000, currency: 'eur', payment_method: method, customer };
    const { id } = (await account.test.post('/v1/payments', body)).json;
    const { rows } = await server.sql.query(
      `select m.status, m.suppressed_reason, m.xmin = p.xmin as together, m.xmin = e.xmin as "withEvent"
         from payments p join mails m on m.payment = p.id join events e on e.id = m.cause where p.id = $1`,
      [id],
    );
    expect(rows).toEqual([
      { status: 'suppressed', suppressed_reason: 'not_configured', together: true, withEvent: true },
    ]);
    // As by an instance that has one already: this one leaves the mail to it, for a time.
    const queue = `update mails set status = 'queued', suppressed_reason = null, due_at = now(), version = version + 1 where payment = $1`;
    const found = async () =>
      (
        await server.sql.query('select status, attempts, failure, suppressed_reason from mails where payment = $1', [
          id,
        ])
      ).rows[0];
    await server.sql.query(queue, [id]);
    const left = { status: 'queued', attempts: 1, failure: 'No mail server is set up.', suppressed_reason: null };
    await eventually(async () => expect(await found()).toEqual(left));
    await server.sql.query('update mails set attempts = 3, due_at = now(), version = version + 1 where payment = $1', [
      id,
    ]);
    await eventually(async () => expect(await found()).toMatchObject({ suppressed_reason: 'not_configured' }));
    await server.stop();
  });
});

describe('a mail server that hangs', () => {
  test('delays neither payments nor other work', async () => {
    const hanging = await startReceiver({ onData: (stream) => void stream.resume() });
    const slow = await openMailShop({ smtp: hanging });
    const customer = await slow.customer({ email: 'wait@example.com' });
    for (let payment = 0; payment < 12; payment++) await slow.pay({ customer: customer.id });
    const { rows } = await slow.server.sql.query(
      'select count(*)::int4 as leased from mails where lease_until is not null',
    );
    await eventually(async () => {
      const [{ leased }] = await slow.sql('select count(*)::int4 as leased from mails where lease_until is not null');
      expect(leased).toBe(5); // half of what is sent at a time: other accounts have the other half
    });
    expect(rows).toHaveLength(1);
    await slow.account.live.delete(`/v1/customers/${customer.id}`);
    await eventually(async () => {
      const [tombstone] = await slow.sql('select due_at from deleted_customers where id = $1', [customer.id]);
      expect(tombstone.due_at).toBeNull();
    });
    await slow.server.stop();
    hanging.server.close();
  });
});

test('no secret is in a mail, in the log or in an answer', async () => {
  const secretive = await openMailShop({
    environment: { SMTP_URL: `smtp://user:${canary}@127.0.0.1:1`, MAIL_FROM: 'billing@shop.example' },
  });
  const customer = await secretive.customer({ email: 'ada@example.com' });
  await secretive.pay({ customer: customer.id });
  await secretive.server.settled();
  const [mail] = await secretive.mailsOf(customer.id);
  expect(mail).toMatchObject({
    status: 'queued',
    failure: 'The mail server could not be reached: nothing listens there.',
  });
  expect(JSON.stringify([mail, secretive.server.logged])).not.toContain(canary);
  await secretive.stop();
});
