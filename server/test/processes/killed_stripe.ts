import { readFileSync } from 'node:fs';
import { type FakeStripe, startFakeStripe } from '../../fakes/stripe/index.ts';
import type { FakeEffect } from '../../fakes/stripe/world.ts';
import { type Answer, Client } from '../client.ts';
import { copyBooks, doubled, unremembered } from '../stripe_books.ts';
import { unusedPort } from '../unused_port.ts';
import { type Environment, patienceMs, until } from './child.ts';
import { crashPoints } from './crash_point.fixture.ts';
import type { KilledProcessor, KillPlace, Random } from './kill_run.ts';

/**
 * Two fakes of Stripe in the process of the test, which lives through all kills, behind the real connector and TLS. Card numbers go to the
 * first, and to the second where the first provably did not act; each keeps its own card, too. Both send webhooks.
 */
export class KilledStripe implements KilledProcessor {
  readonly name = 'stripe';
  readonly points = crashPoints;
  readonly #fakes: readonly RunningFake[];
  readonly #place: KillPlace;

  private constructor(place: KillPlace, fakes: readonly RunningFake[]) {
    this.#place = place;
    this.#fakes = fakes;
  }

  /** Adds to the environment of the gateway what it needs to reach them. */
  static async start(place: KillPlace): Promise<{ place: KillPlace; processor: KilledStripe }> {
    const fakes = await Promise.all(['acct_first', 'acct_second'].map((account) => RunningFake.start(place, account)));
    const environment: Environment = {
      ...place.environment,
      PORT: String(await unusedPort()), // a gateway that is started again has to get the webhooks, too
      PROCESSOR_ALLOWED_HOSTS: fakes.map(({ host }) => host).join(','),
      NODE_EXTRA_CA_CERTS: place.caFile,
    };
    const own = { ...place, environment };
    return { place: own, processor: new KilledStripe(own, fakes) };
  }

  async methods(gateway: Client): Promise<string[]> {
    const customer = (await gateway.post('/v1/customers', {})).json.id;
    const card = { exp_month: 12, exp_year: 2040 };
    // Those of a customer are kept at Stripe when they are charged; all are when they are set up.
    const made: object[] = cards.map((number, at) => ({
      card: { ...card, number },
      ...(at % 2 === 0 ? {} : { customer }),
    }));
    for (const fake of this.#fakes) {
      const account = await fake.join(gateway, this.#place.environment.PORT!);
      made.push({ customer, processor_token: { processor_account: account, token: 'pm_card_visa' } });
    }
    const ids: string[] = [];
    for (const method of made)
      ids.push(required(await gateway.post('/v1/payment_methods', { type: 'card', ...method })).id);
    return ids;
  }

  async setupMethods(gateway: Client): Promise<string[]> {
    const card = { number: '4000000000003220', exp_month: 12, exp_year: 2040 };
    return [required(await gateway.post('/v1/payment_methods', { type: 'card', card })).id];
  }

  async trouble(random: Random): Promise<void> {
    const kind = faults[random(faults.length)]!;
    const fake = this.#fakes[kind === 'refuse' ? 0 : random(this.#fakes.length)]!;
    const path = paths[random(paths.length)]!;
    const times = kind === 'refuse' ? {} : { times: 1 + random(3), ...(path === '' ? {} : { method: 'POST', path }) };
    await fake.command('POST', 'faults', { kind, ms: 50 + random(250), ...times });
  }

  async calm(): Promise<void> {
    for (const fake of this.#fakes) await fake.command('DELETE', 'faults');
    // What the fakes have given up sending is asked for. A poll that fails, or leaves something for the next one, is due within a minute.
    const { sql } = this.#place;
    const dueNow = `update processor_accounts set due_at = now(), version = version + 1 where lease_until is null returning id`;
    const polled = `select id from processor_accounts where lease_until is null and due_at > now() + interval '2 minutes'`;
    for (const text of [dueNow, polled])
      await until('all notices are polled', patienceMs, async () => {
        const { rows } = await sql.query(text);
        return rows.length === this.#fakes.length;
      });
  }

  async violations(): Promise<string[]> {
    const books = this.#fakes.map((fake) => fake.books());
    await copyBooks(this.#place.sql, books.flat());
    const left = await unremembered(
      this.#place.sql,
      this.#fakes.map(({ world }) => world),
    );
    return [...doubled(books), ...left, ...(await this.#reconciled())];
  }

  async close(): Promise<void> {
    for (const fake of this.#fakes) await fake.close();
  }

  /**
   * `reconcile` finds what is planted here, and nothing else: a charge that the gateway does not know, and a posting that is wrong. Once it
   * has looked, the posting is right again.
   */
  async #reconciled(): Promise<string[]> {
    const { sql } = this.#place;
    const [first] = this.#fakes;
    const unknown = await first!.charge(1_234);
    const { rows } = await sql.query(
      `select a.id from postings p join attempts a on a.tenant = p.tenant and a.id = p.reference
        where p.kind = 'payment' and a.processor_account = any($1) limit 1`,
      [this.#fakes.map(({ id }) => id)],
    );
    const wrong = rows[0].id;
    const change = `update postings set amount = amount + $2 where kind = 'payment' and reference = $1`;
    await sql.query(change, [wrong, 1]);
    const found = await Promise.all(this.#fakes.map((fake) => fake.reconcile(this.#place)));
    await sql.query(change, [wrong, -1]);
    const planted = [`amount_differs ${wrong}`, `missing_in_ledger ${unknown}`];
    const shown = found.flatMap(({ differences }) => differences.map(({ what, reference }) => `${what} ${reference}`));
    return [
      ...planted.filter((one) => !shown.includes(one)).map((one) => `reconcile does not find ${one}`),
      ...shown.filter((one) => !planted.includes(one)).map((one) => `reconcile finds ${one}`),
    ];
  }
}

/** Approved; disputed immediately; a refund is pending at first; a refund bounces; declined. */
const cards = [
  ...['4242424242424242', '4242424242424242', '4000000000000259', '4000000000007726', '4000000000005126'],
  '4000000000009995',
];

/** Each ends soon, so that no request is on its way when a server that was killed runs again. */
const faults = [
  ...['reset_before', 'reset_after', 'reset_after', 'hold_before', 'hold_after', 'late_before', 'late_after'],
  ...['conflict_409', 'rate_limit_429', 'error_500_before', 'error_500_after', 'html', 'cut_json', 'other_object'],
  ...['refuse', 'refuse'],
];
/** All requests, or those that move money or set a card up. */
const paths = ['', '/confirm', '/confirm', '/capture', '/cancel', '/refunds', '/setup_intents', '/v1/customers'];

type Found = { differences: { what: string; reference: string }[] };

class RunningFake {
  readonly account: string;
  readonly host: string;
  /** Of the processor account at the gateway. */
  id = '';
  readonly #fake: FakeStripe;
  readonly #client: Client;
  readonly #since = new Date();

  private constructor(fake: FakeStripe, ca: string) {
    this.account = fake.account;
    this.host = new URL(fake.url).host;
    this.#fake = fake;
    this.#client = new Client(fake.url, ca, fake.secretKey);
  }

  static async start({ environment, ca }: KillPlace, account: string): Promise<RunningFake> {
    const { TLS_CERT_FILE, TLS_KEY_FILE } = environment;
    const tls = { cert: readFileSync(TLS_CERT_FILE!, 'utf8'), key: readFileSync(TLS_KEY_FILE!, 'utf8') };
    return new RunningFake(await startFakeStripe({ port: 0, account, rawCards: true, tls }), ca);
  }

  async close(): Promise<void> {
    this.#client.close();
    await this.#fake.close();
  }

  /** Becomes a processor account of the gateway. */
  async join(gateway: Client, port: string): Promise<string> {
    const made = await gateway.post('/v1/processor_accounts', {
      ...{ connector: 'stripe', name: this.account, settings: { api_base: this.#fake.url, raw_cards: true } },
      credentials: { secret_key: this.#fake.secretKey, webhook_secret: this.#fake.webhookSecret },
    });
    this.id = required(made).id;
    await this.command('POST', 'webhooks', { url: `https://localhost:${port}/processors/${this.id}` });
    return this.id;
  }

  /** It may be refusing connections. */
  async command(method: 'POST' | 'DELETE', path: string, body?: object): Promise<Answer> {
    const options = body === undefined ? {} : { body };
    const answer = await until(`${this.account} takes a command`, patienceMs, () =>
      this.#client.request(method, `/_fake/${path}`, options).catch(() => undefined),
    );
    required(answer);
    return answer;
  }

  get world(): FakeStripe['world'] {
    return this.#fake.world;
  }

  books(): readonly FakeEffect[] {
    return this.#fake.books();
  }

  /** A charge that no gateway has made: its id. */
  async charge(amount: number): Promise<string> {
    const form = `amount=${amount}&currency=usd&payment_method=pm_card_visa&confirm=true&payment_method_types[]=card`;
    return required(await this.#client.form('/v1/payment_intents', form)).latest_charge;
  }

  /** `tollgate reconcile` of the days since it was started. */
  async reconcile({ children, environment, home }: KillPlace): Promise<Found> {
    const days = new Set([this.#since, new Date()].map((at) => at.toISOString().slice(0, 10)));
    const found: Found = { differences: [] };
    for (const date of days) {
      const args = ['reconcile', '--processor-account', this.id, '--date', date, '--json'];
      // A separate process: it has to trust the certificate of the fake from its start.
      const child = children.tollgate(args, { cwd: home, environment });
      await child.ends();
      found.differences.push(...parsed(child.stdout, child.stderr).differences);
    }
    return found;
  }
}

function parsed(stdout: string, stderr: string): Found {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`reconcile said: ${stdout} ${stderr}`);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
function required(answer: Answer): any {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer.json;
}
