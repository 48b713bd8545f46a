import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../base/id.ts';
import { type Connection, connect } from '../../base/sql.ts';
import { tenantOf } from '../../operations/tenants.ts';
import { createDatabase } from '../harness.ts';
import { shareOf, shareOfCases } from '../torture.ts';
import { type Environment, patienceMs, testMs, until } from './child.ts';
import { Children, type NewAccount, type Running } from './children.ts';
import { MailServer } from './mail_server.ts';

vi.setConfig({ testTimeout: testMs, hookTimeout: testMs });

const member = 'member@shop.example';
const children = new Children();
let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
let environment: Environment;
let running: Running;
let shop: NewAccount;

const mailServer = new MailServer();

beforeAll(async () => {
  database = await createDatabase();
  sql = children.keep(await connect(database.address, 'test'));
  const smtp = { SMTP_URL: `smtp://127.0.0.1:${await mailServer.listen()}`, MAIL_FROM: 'billing@shop.example' };
  environment = children.serveEnvironment({ DATABASE_URL: database.url, ...smtp });
  running = await children.serve(environment);
  shop = await children.account(environment);
});
afterAll(async () => {
  mailServer.close();
  await children.cleanUp();
  await database.drop();
});

async function kill(): Promise<void> {
  expect(await running.child.stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
  mailServer.mode = 'answers';
}

/** Another process. What a dead one has leased is due again after seconds: `webhooks_crash.test.ts` waits for that. */
async function restart(): Promise<void> {
  for (const table of ['mails', 'person_mails', 'reset_requests', 'attention_mails'])
    await sql.query(`update ${table} set lease_until = null where lease_until is not null`);
  running = await children.serve(environment);
}

async function killed(): Promise<void> {
  await kill();
  await restart();
}

/** In test mode, somebody who has a role in the account gets mails. */
async function addMember(account: string, email = member): Promise<string> {
  const user = newId('usr', Date.now());
  await sql.query(`insert into users (id, version, email, password) values ($1, 1, $2, 'none')`, [user, email]);
  await sql.query(`insert into memberships (account, user_id, version, role) values ($1, $2, 1, 'owner')`, [
    account,
    user,
  ]);
  return user;
}

const mailOf = async (payment: string) =>
  (await sql.query(`select id, status, attempts from mails where payment = $1`, [payment])).rows[0];
const gotOf = (mail: { id: string }) => mailServer.got.filter(({ id }) => id === mail.id).length;

test('kill -9 loses no mail, and only one whose answer was on its way is sent again', async () => {
  const { account, test_secret_key: key } = shop;
  await addMember(account);
  await sql.query(`update accounts set mail = '{"receipt":true}', version = version + 1 where id = $1`, [account]);
  const pay = async () => {
    const client = running.client(key);
    const customer = (await client.post('/v1/customers', { email: member })).json.id;
    const card = { type: 'card', card: { number: '4242424242424242', exp_month: 12, exp_year: 2050 }, customer };
    const payment_method = (await client.post('/v1/payment_methods', card)).json.id;
    const { json } = await client.post('/v1/payments', { amount: 900, currency: 'eur', customer, payment_method });
    expect(json.status).toBe('succeeded');
    return json.id as string;
  };
  const sent = (payment: string) =>
    until('the mail is sent', patienceMs, async () => ((await mailOf(payment)).status === 'sent' ? true : undefined));

  // Between the commit of the payment and the mail.
  mailServer.mode = 'silent';
  const before = mailServer.connections;
  const unsent = await pay();
  await until('the mail server is asked', patienceMs, () => mailServer.connections > before);
  await killed();
  await sent(unsent);
  expect(gotOf(await mailOf(unsent))).toBe(1);

  // Between the mail and its answer: the mail server has it, and nobody here knows.
  mailServer.mode = 'silent_after_mail';
  const unknown = await pay();
  await until('the mail server has it', patienceMs, async () => gotOf(await mailOf(unknown)) === 1);
  await killed();
  await sent(unknown);
  expect(gotOf(await mailOf(unknown))).toBe(2);

  // After the answer nothing is sent again.
  const last = await pay();
  await sent(last);
  await killed();
  const next = await pay();
  await sent(next);
  expect([gotOf(await mailOf(last)), gotOf(await mailOf(next))]).toEqual([1, 1]);
  expect(mailServer.got).toHaveLength(5);
});

/** How far both jobs are when the process is killed. The most telling moments come first. */
type Moment = {
  name: string;
  /** What another connection holds until the process is dead. */
  locks?: string;
  /** Whether what waits for it ends with the process; otherwise it arrives after it. */
  isLost?: boolean;
  mode?: MailServer['mode'];
  isReached(): Promise<boolean>;
};

const waiting = `from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'relation'`;
const count = async (what: string) => Number((await sql.query(`select count(*) ${what}`)).rows[0].count);
const isWaiting = async () => (await count(waiting)) > 0;
const queued = async () => (await sql.query(`select id from person_mails where status = 'queued'`)).rows;

const moments: readonly Moment[] = [
  { name: 'in a commit that is lost', locks: 'person_mails in share mode', isLost: true, isReached: isWaiting },
  {
    name: 'after the mails, before their answers',
    mode: 'silent_after_mail',
    async isReached() {
      const mails = await queued();
      return mails.length === 2 && mails.every((mail) => gotOf(mail) === 1);
    },
  },
  { name: 'in a commit that arrives after the process', locks: 'person_mails in share mode', isReached: isWaiting },
  {
    name: 'between the lease and the commit',
    locks: 'users in access exclusive mode',
    isLost: true,
    async isReached() {
      const leased = (table: string) => count(`from ${table} where lease_until is not null`);
      return (await leased('reset_requests')) + (await leased('attention_mails')) === 2 && isWaiting();
    },
  },
  {
    name: 'between the commits and the mails',
    mode: 'silent',
    isReached: async () => (await queued()).length === 2,
  },
  { name: 'right after the request', isReached: async () => true },
];

type Reader = { user: string; email: string; payment: string };

/** Somebody who can resolve a payment that waits for a person. */
async function addReader(name: string): Promise<Reader> {
  const email = `${name}@shop.example`;
  const [user, tenant] = [await addMember(shop.account, email), await tenantOf(sql, shop.account, 'test')];
  const payment = newId('py', Date.now());
  await sql.query(`insert into verified_emails (email, user_id, version, verified_at) values ($1, $2, 1, now())`, [
    email,
    user,
  ]);
  await sql.query(
    `insert into payments (tenant, id, version, amount, amount_received, currency, payment_method, status, inquiries, flagged_at)
     values ($1, $2, 1, 1500, 0, 'eur', 'pm_x', 'processing', 1, now())`,
    [tenant, payment],
  );
  return { user, email, payment };
}

async function killedAt({ locks, isLost = false, mode = 'answers', isReached }: Moment, name: string): Promise<Reader> {
  const other = await connect(database.address, 'test');
  await sql.query('delete from mail_requests'); // there is a limit for each network
  mailServer.mode = mode;
  const visitor = running.client().with({ Origin: running.baseUrl });
  const reader = await addReader(name);
  await other.query('begin');
  if (locks !== undefined) await other.query(`lock table ${locks}`);
  await sql.query(
    `insert into attention_mails (tenant, id, version, frequency, told, due_at)
     select tenant, $1, 1, 'at_once', '{}', now() from payments where id = $2`,
    [reader.user, reader.payment],
  );
  expect((await visitor.post('/v1/me/forgotten_password', { email: reader.email })).status).toBe(200);
  await until(name, patienceMs, isReached);
  await kill();
  if (isLost) await sql.query(`select pg_terminate_backend(pid, 10000) ${waiting}`);
  await other.query('rollback');
  await other.end();
  await restart();
  return reader;
}

/** One link in one mail, and one mail that tells of the payment. */
async function verify({ user, email, payment }: Reader, { mode }: Moment): Promise<void> {
  await until('all is mailed', patienceMs, async () => {
    const isTold = (await count(`from attention_mails where id = '${user}' and told::text like '%${payment}%'`)) === 1;
    return isTold && (await count('from reset_requests')) === 0 && (await queued()).length === 0;
  });
  const { rows: mails } = await sql.query(
    'select id, kind, cause, status, message from person_mails where address = $1 order by kind',
    [email],
  );
  const links = await sql.query('select id from sign_in_links where user_id = $1', [user]);
  const sent = { id: expect.any(String), cause: expect.any(String), status: 'sent', message: null };
  expect(mails).toEqual([
    { ...sent, kind: 'needs_attention' },
    { ...sent, kind: 'password_reset' },
  ]);
  expect(links.rows).toEqual([{ id: mails[1].cause }]);
  for (const mail of mails) {
    const texts = mailServer.got.filter(({ id }) => id === mail.id).map(({ text }) => text);
    // SMTP cannot tell whether a mail without an answer was taken: it comes again, with the same words, and the same link.
    expect(texts).toEqual(Array(mode === 'silent_after_mail' ? 2 : 1).fill(texts[0]));
  }
  const { text } = mailServer.got.find(({ id }) => id === mails[0].id)!;
  expect(text.replaceAll('=\n', '')).toContain(payment);
  await sql.query('update payments set flagged_at = null where id = $1', [payment]); // a mail has only the first ones
}

const rounds = shareOf(3, 1);

test.each(shareOfCases(moments, 2))(
  'kill -9 of what looks for whom to mail, $name: nothing is lost or doubled',
  async (moment) => {
    for (let round = 0; round < rounds; round++) {
      const name = `${moment.name.replaceAll(/\W+/g, '-')}-${round}`;
      await verify(await killedAt(moment, name), moment);
    }
  },
);
