import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { virtualClock } from '../../base/clock.fixture.ts';
import { firstIdAt } from '../../base/id.ts';
import type { Tenant } from '../../base/reads.ts';
import type { AttemptId, ProcessorAccountId } from '../../connectors/contract.ts';
import { registrations } from '../../connectors/index.ts';
import { defaultRetention } from '../../operations/retention.ts';
import { everyTenant } from '../../operations/tenants.ts';
import { sweepNotices } from '../../resources/payments/notices/store.ts';
import { openPier } from '../../resources/payments/payments/pier.fixture.ts';
import { eventually } from '../eventually.ts';
import { createDatabase, startServer, type TestAccount, type TestServer } from '../harness.ts';
import { harborSignature } from './harbor/accounts.ts';
import { books, decide, type HarborEvent } from './harbor/books.ts';
import { harbor } from './harbor/index.ts';
import { attemptOf, openHarborAccount } from './harbor/merchant.ts';

/** Notices that a processor sends to the gateway, over HTTPS, to two instances on one database. */

const secret = 'whsec_harbor';
const clock = virtualClock(Date.now() + 60_000);
const [pendingCard, approvedCard] = ['4242424242424242', '5555555555554444'];
let server: TestServer;
let other: TestServer;
let account: TestAccount;
let pa: ProcessorAccountId;
let tenant: Tenant;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createDatabase();
  drop = database.drop;
  const options = {
    ...{ databaseUrl: database.url, clock, connectors: [...registrations, harbor, openPier().registration] },
    environment: { LIVE_CONNECTOR: 'harbor' },
  };
  server = await startServer(options);
  other = await startServer(options);
  account = await server.account();
  [{ tenant }] = await rows(`select tenant from tenants where account = $1 and mode = 'live'`, [account.id]);
  pa = await openHarborAccount(server.gateway.services, tenant, { webhook_secret: secret });
  await settled();
});
afterAll(async () => {
  await other.stop();
  await server.stop();
  await drop();
});
beforeEach(() => {
  books.isDown = false;
});

// biome-ignore lint/suspicious/noExplicitAny: rows of every table
const rows = async (text: string, values: unknown[] = []): Promise<any[]> =>
  (await server.sql.query(text, values)).rows;
const settled = async () => {
  for (const one of [server, other, server]) await one.settled();
};
const later = async (seconds: number) => {
  clock.advance(seconds * 1_000);
  await settled();
};
const stored = (event: string) => rows('select * from notices where event_id = $1', [event]);
const statusOf = async (payment: string) => (await account.live.get(`/v1/payments/${payment}`)).json.status;

async function pay(number: string): Promise<{ payment: string; attempt: AttemptId }> {
  const card = { number, exp_month: 12, exp_year: 2040 };
  const { id: payment_method } = (await account.live.post('/v1/payment_methods', { type: 'card', card })).json;
  const body = { amount: 900, currency: 'eur', payment_method };
  const { id: payment } = (await account.live.post('/v1/payments', body)).json;
  return { payment, attempt: await attemptOf(rows, payment, pa) };
}

let events = 0;
const event = <About extends object>(about: About) => ({ id: `evt_${++events}`, ...about }) as unknown as HarborEvent;
const chargeEvent = (attempt: AttemptId) => event({ about: 'charge', attempt });
const disputeEvent = (attempt: AttemptId, dispute: string) =>
  event({ about: 'dispute', attempt, dispute, amount: 900, currency: 'eur' });

/** Sends a notice as Harbor does; it may be tampered with. */
const send = (body: object | string, sent: { at?: number; secret?: string; to?: string; via?: TestServer } = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const signature = harborSignature(sent.secret ?? secret, sent.at ?? clock.now(), text);
  return (sent.via ?? server).anonymous.post(`/processors/${sent.to ?? pa}`, text, { 'Harbor-Signature': signature });
};
const received = { status: 200, json: { received: true } };
const received200 = async (body: object) => expect(await send(body)).toMatchObject(received);

describe('a notice', () => {
  test('is on disk when it is answered, sealed, and is handled afterwards', async () => {
    const { payment, attempt } = await pay(pendingCard);
    decide(attempt, { kind: 'approved', reference: 'harbor_7' });
    const happened = { ...chargeEvent(attempt), email: 'jenny@example.com' };
    await received200(happened);
    const [row] = await stored(happened.id);
    expect(row).toMatchObject({ tenant, connector: 'harbor', processor_account: pa });
    expect(row.request.toString('latin1')).not.toContain('jenny');
    await settled();
    expect(await statusOf(payment)).toBe('succeeded');
    expect(await stored(happened.id)).toMatchObject([{ due_at: null, lease_until: null, failures: 0 }]);
    expect(server.logged.concat(other.logged).join('')).not.toContain('jenny');
  });

  test('that comes many times, to two instances concurrently, takes effect once', async () => {
    const { attempt } = await pay(approvedCard);
    const happened = disputeEvent(attempt, 'dp_many');
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => send(happened, { via: at % 2 === 0 ? server : other })),
    );
    for (const answer of answers) expect(answer).toMatchObject(received);
    await settled();
    await received200(happened);
    await settled();
    expect(await stored(happened.id)).toHaveLength(1);
    const disputes = await rows(`select id, processor_account from disputes where reference = 'dp_many'`);
    expect(disputes).toMatchObject([{ processor_account: pa }]);
    expect(await rows('select type from events where object_id = $1', [disputes[0].id])).toHaveLength(1);
  });

  test('about an attempt without an open question changes nothing but its own row', async () => {
    const { payment, attempt } = await pay(approvedCard);
    const before = await rows('select xmin, * from payments where id = $1', [payment]);
    const happened = chargeEvent(attempt);
    await received200(happened);
    await settled();
    expect(await stored(happened.id)).toMatchObject([{ due_at: null }]);
    expect(await rows('select xmin, * from payments where id = $1', [payment])).toEqual(before);
  });

  test('in the wrong order waits: the end of a dispute that was not opened yet', async () => {
    const { attempt } = await pay(approvedCard);
    const end = event({ about: 'verdict', dispute: 'dp_early', result: 'lost' });
    await received200(end);
    await settled();
    expect(await stored(end.id)).toMatchObject([
      { failures: 1, reason: 'Error: the dispute dp_early is not known here' },
    ]);
    await received200(disputeEvent(attempt, 'dp_early'));
    await settled();
    await later(10);
    expect(await rows(`select status from disputes where reference = 'dp_early'`)).toEqual([{ status: 'lost' }]);
    expect(await stored(end.id)).toMatchObject([{ due_at: null, failures: 0, reason: null }]);
  });

  test('that comes before the answer to our own call waits for it', async () => {
    const { payment, attempt } = await pay(pendingCard);
    decide(attempt, { kind: 'approved' });
    const isOpen = `update attempts set state = $2, deadline_at = $3 where id = $1`;
    await rows(isOpen, [attempt, 'open', new Date(clock.now() + 15_000)]);
    const happened = chargeEvent(attempt);
    await received200(happened);
    await settled();
    // It is normal, and neither a failure nor a warning.
    expect(await stored(happened.id)).toMatchObject([{ failures: 0, reason: null, due_at: expect.any(Date) }]);
    const lines = [...server.logged, ...other.logged].map((line) => JSON.parse(line));
    expect(lines.filter(({ error }) => error?.includes(attempt)).map(({ level }) => level)).toEqual([]);
    expect(await statusOf(payment)).toBe('processing');
    await rows(isOpen, [attempt, 'pending', new Date(clock.now())]);
    await later(10);
    expect(await statusOf(payment)).toBe('succeeded');
  });

  test('waits at most seven others of its account when the processor is slow: further ones are put off', async () => {
    const { attempt } = await pay(approvedCard);
    const gate = Promise.withResolvers<void>();
    books.answers = gate.promise;
    const before = books.asked;
    for (let sent = 0; sent < 8; sent++) await received200(chargeEvent(attempt));
    await eventually(() => expect(books.asked).toBe(before + 8));
    await new Promise((resolve) => setTimeout(resolve, 1_100)); // by then they are slow
    const further = chargeEvent(attempt);
    await received200(further);
    await eventually(async () => {
      const [{ due_at, lease_until, failures }] = await stored(further.id);
      expect([due_at > new Date(clock.now()), lease_until, failures]).toEqual([true, null, 0]);
    });
    expect(books.asked).toBe(before + 8);
    gate.resolve();
    await settled();
    await later(10);
    expect([books.asked, await stored(further.id)]).toMatchObject([before + 9, [{ due_at: null }]]);
  });

  test('is one of sixteen of its account that ask concurrently, however many there are', async () => {
    const { attempt } = await pay(approvedCard);
    const gate = Promise.withResolvers<void>();
    books.answers = gate.promise;
    const before = books.asked;
    const happened = Array.from({ length: 40 }, () => chargeEvent(attempt));
    await Promise.all(happened.map(received200));
    await eventually(() => expect(books.asked).toBe(before + 16));
    gate.resolve();
    await settled();
    await later(10); // on a slow machine some were put off
    expect(books.asked).toBe(before + 40);
    expect(await rows('select 1 from notices where due_at is not null and failures = 0')).toEqual([]);
  });

  test('of a disabled account is still taken', async () => {
    await rows('update processor_accounts set enabled = false where id = $1', [pa]);
    const { payment, attempt } = await pay(pendingCard);
    decide(attempt, { kind: 'declined', code: 'card_declined', advice: 'never' });
    await received200(chargeEvent(attempt));
    await settled();
    expect(await statusOf(payment)).toBe('failed');
    await rows('update processor_accounts set enabled = true where id = $1', [pa]);
  });
});

describe('refused, with the same answer each, and stored nowhere', () => {
  const cases: [what: string, send: () => ReturnType<typeof send>][] = [
    ['a forged signature', () => send({ id: 'evt_bad' }, { secret: 'guessed' })],
    ['no signature', () => server.anonymous.post(`/processors/${pa}`, '{"id":"evt_bad"}')],
    ['a signature of last week', () => send({ id: 'evt_bad' }, { at: clock.now() - 7 * 86_400_000 })],
    ['an account that does not exist', () => send({ id: 'evt_bad' }, { to: `pa_${'0'.repeat(22)}` })],
    ['something that is no account', () => send({ id: 'evt_bad' }, { to: 'acct' })],
    ['a signed body that cannot be read', () => send('evt_bad')],
    [
      'an account without a secret',
      async () => {
        const bare = await openHarborAccount(server.gateway.services, tenant, {});
        const answer = await send({ id: 'evt_bad' }, { to: bare, secret: '' });
        await rows('delete from processor_accounts where id = $1', [bare]);
        return answer;
      },
    ],
  ];
  test.each(cases)('%s', async (_, sent) => {
    const answer = await sent();
    expect([answer.status, answer.json.error]).toEqual([
      400,
      {
        code: 'notice_signature_invalid',
        message: 'This notice is not signed by a processor account that takes notices here.',
        type: 'invalid_request_error',
      },
    ]);
    expect(await stored('evt_bad')).toEqual([]);
  });

  test('more than 256 KiB', async () => {
    const body = { id: 'evt_large', filler: 'x'.repeat(256 * 1_024) };
    const answer = await send(body);
    expect([answer.status, answer.json.error.code]).toEqual([400, 'body_too_large']);
    expect(await stored('evt_large')).toEqual([]);
  });

  test('one that was taken is recognized a week later', async () => {
    const { attempt } = await pay(approvedCard);
    const happened = chargeEvent(attempt);
    await received200(happened);
    await settled();
    const sentAt = clock.now();
    await later(7 * 86_400);
    expect((await send(happened, { at: sentAt })).status).toBe(400);
    await received200(happened);
    expect(await stored(happened.id)).toMatchObject([{ due_at: null }]);
  });
});

describe('what is stored', () => {
  test('is flagged after six failures, listed with its kind, and recorded when a person has it retried', async () => {
    const { payment, attempt } = await pay(pendingCard);
    decide(attempt, { kind: 'approved' });
    books.isDown = true;
    const happened = chargeEvent(attempt);
    await received200(happened);
    await settled();
    for (const seconds of [10, 20, 40, 80, 160]) {
      expect(await stored(happened.id)).toMatchObject([{ flagged_at: null }]);
      await later(seconds);
    }
    const [flagged] = await stored(happened.id);
    expect(flagged).toMatchObject({ failures: 6, reason: 'Error: no connection to Harbor', reported: null });
    expect(flagged.flagged_at).not.toBeNull();
    const incident = server.logged.concat(other.logged).filter((line) => line.includes('cannot be recorded'));
    expect(incident.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'error', notice: flagged.id, processor_account: pa, event: happened.id, kind: 'request' },
    ]);
    books.isDown = false;
    const shown = await server.operator.run('notices.retry', { id: flagged.id, parameters: { tenant } });
    expect(shown).toMatchObject({ kind: 'request', processor_account: pa, failures: 6 });
    await settled();
    expect([await statusOf(payment), await stored(happened.id)]).toMatchObject([
      'succeeded',
      [{ flagged_at: null, due_at: null, failures: 0 }],
    ]);
  });

  test('is dismissed by a person, and stays recognizable', async () => {
    const happened = event({ about: 'verdict', dispute: 'dp_never', result: 'won' });
    await received200(happened);
    await settled();
    const wait = `update notices set flagged_at = now(), due_at = now() + interval '1 year' where event_id = $1`;
    await rows(wait, [happened.id]);
    const [{ id }] = await stored(happened.id);
    await server.operator.run('notices.dismiss', { id, parameters: { tenant } });
    expect(await stored(happened.id)).toMatchObject([{ flagged_at: null, due_at: null }]);
    await received200(happened);
    await expect(server.operator.run('notices.dismiss', { id, parameters: { tenant } })).rejects.toThrow('No such');
  });

  test('is handled once more on demand: one event, or all since a moment; recorded in the audit log', async () => {
    const { attempt } = await pay(approvedCard);
    const [first, second] = [chargeEvent(attempt), chargeEvent(attempt)];
    await received200(first);
    clock.advance(5_000);
    const since = Math.floor(clock.now() / 1_000);
    await received200(second);
    await settled();
    const replay = async (parameters: Record<string, string | number>) => {
      const before = books.asked;
      const { replayed } = await server.operator.run<{ replayed: number }>('notices.replay', { id: pa, parameters });
      await settled();
      return [replayed, books.asked - before];
    };
    expect(await replay({ event: first.id })).toEqual([1, 1]);
    expect(await replay({ since })).toEqual([1, 1]);
    expect(await replay({ event: 'evt_unknown' })).toEqual([0, 0]);
    const audit = await rows(`select details from audit where action = 'notices.replay' order by id`);
    expect(audit.map(({ details }) => details)).toEqual([
      { tenant, since: 0, event: first.id, replayed: 1 },
      { tenant, since, event: null, replayed: 1 },
      { tenant, since: 0, event: 'evt_unknown', replayed: 0 },
    ]);
    const missing = { id: `pa_${'0'.repeat(22)}`, parameters: {} };
    await expect(server.operator.run('notices.replay', missing)).rejects.toThrow('No such processor account');
  });

  test('is deleted after 30 days, unless it still waits', async () => {
    const aged = async (days: number, columns: string) => {
      const happened = event({ about: 'verdict', dispute: 'dp_old', result: 'won' });
      await received200(happened);
      const id = firstIdAt('ntc', Date.now() - days * 86_400_000).replace(/.{6}$/, String(100_000 + events));
      await rows(`update notices set id = $2, ${columns} where event_id = $1`, [happened.id, id]);
      return happened.id;
    };
    const done = 'due_at = null, lease_until = null, version = 1000';
    const [old, fresh] = [await aged(31, done), await aged(29, done)];
    const flagged = await aged(31, `flagged_at = now(), due_at = now() + interval '1 year', version = 1000`);
    const { directory } = server.gateway.services.durable;
    await sweepNotices(directory, defaultRetention, () => everyTenant(directory));
    expect([await stored(old), await stored(fresh), await stored(flagged)]).toMatchObject([[], [{}], [{}]]);
    await rows(`delete from notices where event_id = any($1)`, [[fresh, flagged]]);
  });
});

describe('a notice that never arrives', () => {
  const cursor = async () =>
    (await rows('select poll_cursor from processor_accounts where id = $1', [pa]))[0].poll_cursor;

  test('is found by a poll, and takes effect once if it arrives after all', async () => {
    const { payment, attempt } = await pay(pendingCard);
    decide(attempt, { kind: 'approved' });
    const happened = chargeEvent(attempt);
    books.events.push(happened);
    await later(300);
    expect(await statusOf(payment)).toBe('succeeded');
    expect(await cursor()).toBe(String(books.events.length));
    await received200(happened);
    expect(await stored(happened.id)).toMatchObject([{ request: null, reported: [{ attempt }], due_at: null }]);
  });

  test('is found immediately, however many there are', async () => {
    const [{ attempt }, before] = [await pay(approvedCard), await cursor()];
    for (let more = 0; more < 7; more++) books.events.push(chargeEvent(attempt));
    await later(300);
    expect(Number(await cursor())).toBe(Number(before) + 7);
  });

  test('is asked for again as long as it could not be stored, or the processor does not answer', async () => {
    const [{ attempt }, before] = [await pay(approvedCard), await cursor()];
    books.events.push(disputeEvent(attempt, 'dp_polled'));
    await rows(`alter table notices add constraint refused check (event_id <> 'evt_${events}') not valid`);
    await later(300);
    expect(await cursor()).toBe(before);
    await rows('alter table notices drop constraint refused');
    books.isDown = true;
    await later(60);
    expect(await cursor()).toBe(before);
    books.isDown = false;
    await later(60);
    expect(await cursor()).toBe(String(books.events.length));
    expect(await rows(`select status from disputes where reference = 'dp_polled'`)).toHaveLength(1);
  });

  test('is not asked for where the processor cannot be asked', async () => {
    await rows(`update processor_accounts set connector = 'pier', due_at = now() where id = $1`, [pa]);
    await settled();
    expect(await rows('select due_at from processor_accounts where id = $1', [pa])).toEqual([{ due_at: null }]);
  });
});
