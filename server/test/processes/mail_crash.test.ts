import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../base/id.ts';
import { type Connection, connect } from '../../base/sql.ts';
import { createDatabase } from '../harness.ts';
import { patienceMs, testMs, until } from './child.ts';
import { Children, type Running } from './children.ts';

vi.setConfig({ testTimeout: testMs, hookTimeout: testMs });

const member = 'member@shop.example';
const children = new Children();
let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;

/** A mail server that can fall silent: before it takes anything, or after it has a mail and before it answers. */
class MailServer {
  mode: 'answers' | 'silent' | 'silent_after_mail' = 'answers';
  /** The Message-IDs of all mails that it has got, in their order. */
  readonly got: string[] = [];
  connections = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#serve(socket));

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    this.connections += 1;
    const isSilent = this.mode === 'silent';
    if (!isSilent) socket.write('220 scripted ESMTP\r\n');
    let rest = '';
    let mail: string | undefined;
    socket.on('data', (chunk) => {
      if (isSilent) return;
      rest += chunk.toString();
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (mail !== undefined && line !== '.') mail += `${line}\n`;
        else if (mail !== undefined) {
          this.got.push(/^Message-ID: (.*)$/m.exec(mail)![1]!);
          mail = undefined;
          if (this.mode !== 'silent_after_mail') socket.write('250 taken\r\n');
        } else if (line === 'DATA') {
          mail = '';
          socket.write('354 go on\r\n');
        } else socket.write(line.startsWith('EHLO') ? '250-scripted\r\n250 8BITMIME\r\n' : '250 OK\r\n');
      }
    });
  }
}

const mailServer = new MailServer();

beforeAll(async () => {
  database = await createDatabase();
  sql = children.keep(await connect(database.address, 'test'));
});
afterAll(async () => {
  mailServer.close();
  await children.cleanUp();
  await database.drop();
});

/** In test mode, somebody who has a role in the account gets mails. */
async function addMember(account: string): Promise<void> {
  const user = newId('usr', Date.now());
  await sql.query(`insert into users (id, version, email, password) values ($1, 1, $2, 'none')`, [user, member]);
  await sql.query(`insert into memberships (account, user_id, version, role) values ($1, $2, 1, 'owner')`, [
    account,
    user,
  ]);
  await sql.query(`update accounts set mail = '{"receipt":true}', version = version + 1 where id = $1`, [account]);
}

const mailOf = async (payment: string) =>
  (await sql.query(`select id, status, attempts from mails where payment = $1`, [payment])).rows[0];
const gotOf = ({ id }: { id: string }) => mailServer.got.filter((one) => one === `<${id}@shop.example>`).length;

test('kill -9 loses no mail, and only one whose answer was on its way is sent again', async () => {
  const smtp = { SMTP_URL: `smtp://127.0.0.1:${await mailServer.listen()}`, MAIL_FROM: 'billing@shop.example' };
  const environment = children.serveEnvironment({ DATABASE_URL: database.url, ...smtp });
  let running: Running = await children.serve(environment);
  const { account, test_secret_key: key } = await children.account(environment);
  await addMember(account);
  const pay = async () => {
    const client = running.client(key);
    const customer = (await client.post('/v1/customers', { email: member })).json.id;
    const card = { type: 'card', card: { number: '4242424242424242', exp_month: 12, exp_year: 2050 }, customer };
    const payment_method = (await client.post('/v1/payment_methods', card)).json.id;
    const { json } = await client.post('/v1/payments', { amount: 900, currency: 'eur', customer, payment_method });
    expect(json.status).toBe('succeeded');
    return json.id as string;
  };
  const killed = async () => {
    expect(await running.child.stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    mailServer.mode = 'answers';
    running = await children.serve(environment);
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
  await running.child.stop('SIGTERM');
});
