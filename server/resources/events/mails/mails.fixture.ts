import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { type ReceivedMail, type Receiver, startReceiver } from '../../../mail/smtp/receiver.fixture.ts';
import type { Client } from '../../../test/client.ts';
import { type ServerOptions, startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import type { TestPerson } from '../../../test/person.ts';

/** A gateway whose mails go to a real receiver, and one account, which has switched every kind on. */
export type MailShop = {
  server: TestServer;
  account: TestAccount;
  receiver: Receiver;
  clock: VirtualClock;
  owner: TestPerson;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into objects of every kind
  customer(details: object, client?: Client): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  pay(more?: object, client?: Client): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  mailsOf(customer: string, client?: Client): Promise<any[]>;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  sql(text: string, values?: unknown[]): Promise<any[]>;
  /** What is switched is known within a second. */
  switchMails(kinds: object, account?: TestAccount): Promise<void>;
  stop(): Promise<void>;
};

export const card = { type: 'card', card: { number: '4242424242424242', exp_month: 12, exp_year: 2045, cvc: '123' } };

export const allKinds = {
  receipt: true,
  refund: true,
  invoice: true,
  payment_failed: true,
  action_required: true,
  card_expiring: true,
  trial_ending: true,
  subscription_canceled: true,
};

/** Live mode is served by the simulator, so that mails go to everybody. */
export async function openMailShop(options: ServerOptions & { smtp?: Receiver } = {}): Promise<MailShop> {
  const { smtp, environment, ...rest } = options;
  const receiver = smtp ?? (await startReceiver());
  const clock = virtualClock(Date.now());
  const mail = { SMTP_URL: receiver.url, MAIL_FROM: 'billing@shop.example' };
  const server = await startServer({
    purpose: 'dev',
    clock,
    environment: { LIVE_CONNECTOR: 'simulator', ...mail, ...environment },
    ...rest,
  });
  const account = await server.account();
  const switchMails = async (kinds: object, { id }: TestAccount = account) => {
    await server.operator.run('account.update', { account: id, parameters: { mail: kinds } });
    clock.advance(1_000);
  };
  await switchMails(allKinds);
  const owner = await server.person(account.id, 'owner', { mode: 'live' });
  return {
    server,
    account,
    receiver,
    clock,
    owner,
    switchMails,
    customer: async (details, client = account.live) => (await client.post('/v1/customers', details)).json,
    async pay(more = {}, client = account.live) {
      clock.advance(1); // of two payments, the second one is the newer one
      const { id } = (await client.post('/v1/payment_methods', card)).json;
      const body = { amount: 2_000, currency: 'eur', payment_method: id, ...more };
      return (await client.post('/v1/payments', body)).json;
    },
    mailsOf: async (customer, client = account.live) => (await client.get(`/v1/mails?customer=${customer}`)).json.data,
    sql: async (text, values = []) => (await server.sql.query(text, values)).rows,
    async stop() {
      await server.stop();
      await receiver.close();
    },
  };
}

/** The first link in the plain text of a mail. */
export function linkIn({ raw }: Pick<ReceivedMail, 'raw'>): string {
  return /https:\/\/\S+/.exec(plainTextOf({ raw }))![0];
}

export function plainTextOf({ raw }: Pick<ReceivedMail, 'raw'>): string {
  const part = raw.slice(raw.indexOf('text/plain'), raw.indexOf('text/html'));
  return part.replaceAll('=\r\n', '').replaceAll('=3D', '=');
}
