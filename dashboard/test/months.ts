import type { StatisticsSubscriptions } from '@tollgate/node';
import type { VirtualClock } from '../../server/base/clock.fixture.ts';
import type { Answer } from '../../server/test/client.ts';
import type { TestAccount, TestServer } from '../../server/test/harness.ts';

const day = 86_400_000;

/** Names as they come: long ones, and those of other scripts and directions. */
const people = [
  { name: 'Ada Lovelace', country: 'GB', number: '4242424242424242' },
  { name: 'Hatice Şükran Gökçeoğlu-Karaosmanoğlu', country: 'TR', number: '5555555555554444' },
  { name: '山田 太郎', country: 'JP', number: '3566002020360505' },
  { name: 'محمد عبد الرحمن الفهيم', country: 'KW', number: '4242424242424242' },
  { name: 'Zoë Ångström', country: 'SE', number: '378282246310005' },
  {
    name: 'Wolfeschlegelsteinhausenbergerdorff & Söhne Vermögensverwaltungsgesellschaft mbH',
    country: 'DE',
    number: '5555555555554444',
  },
  { name: 'Олександра Шевченко', country: 'UA', number: '4242424242424242' },
  { name: '김민준', country: 'KR', number: '6011111111111117' },
  { name: 'María José de la Ó', country: 'ES', number: '4242424242424242' },
  { name: 'נעמי כהן', country: 'IL', number: '5555555555554444' },
  { name: 'Nguyễn Thị Minh Khai', country: 'VN', number: '6200000000000005' },
  { name: 'Grace Hopper', country: 'US', number: '378282246310005' },
] as const;

/** What is charged in each currency, in its smallest unit: JPY has none, KWD has three digits. */
const currencies = [
  { currency: 'eur', from: 900, to: 18_000, share: 0.5 },
  { currency: 'usd', from: 1_200, to: 24_000, share: 0.75 },
  { currency: 'jpy', from: 800, to: 42_000, share: 0.9 },
  { currency: 'kwd', from: 2_500, to: 61_000, share: 1 },
] as const;

const declines = ['4000000000009995', '4000000000009995', '4000000000000002', '4000000000000069', '4000000000000127'];
const disputed = ['4000000000000259', '4000000000002685'];

/** What a shop pays: 1.9%, and some cents. */
const terms = { fee_ppm: 19_000, fee_fixed: { eur: 25, usd: 30, jpy: 30, kwd: 80 } };

/** The same numbers in every run, from 0 to before 1. */
function randomNumbers(seed = 7): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

type Payer = { customer: string; card: string; others: Map<string, string>; country: string };
type Post = (path: string, body: object) => Promise<Answer['json']>;

export type MonthsOptions = {
  server: TestServer;
  account: TestAccount;
  clock: VirtualClock;
  days: number;
  perDay: number;
};

/**
 * Months in the life of a shop, made by the API while a clock runs from then to now: payments of weekdays and weekends in four
 * currencies, declines, refunds, disputes, and subscriptions of which some fail, some recover and some end.
 */
export async function addMonths({ server, account, clock, days, perDay }: MonthsOptions): Promise<void> {
  const random = randomNumbers();
  const pick = <Item>(all: readonly Item[]): Item => all[Math.floor(random() * all.length)]!;
  const post: Post = async (path, body) => {
    const { status, json, text } = await account.test.post(path, body);
    // A decline is an answer too.
    if (status !== 200 && status !== 402) throw new Error(`${path} was answered ${status}: ${text}`);
    return json;
  };
  await server.operator.run('accounts.update', { id: account.id, parameters: terms });
  await addProcessors(post);
  const payers = await Promise.all(people.map((person) => addPayer(post, person)));
  const plans = await addPlans(post);
  const revenue = new Map<string, Revenue>();
  const failing: Failing[] = [];
  let order = 1_000;
  for (let n = 0; n < days; n++) {
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    const weekday = new Date(clock.now()).getUTCDay();
    const isWeekend = weekday === 0 || weekday === 6;
    const count = Math.round(perDay * (0.7 + (0.6 * n) / days) * (isWeekend ? 0.55 : 1) * (0.8 + 0.4 * random()));
    const pause = Math.floor(day / (count + 1));
    for (let at = 0; at < count; at++) {
      clock.advance(pause);
      await pay({ post, pick, random, payer: pick(payers), order: order++ });
    }
    clock.advance(day - count * pause);
    if (n % 2 === 0)
      await subscribe({ post, pick, random, payer: payers[(n / 2) % payers.length]!, plans, failing, day: n });
    // Four days after a renewal has failed, every second one has another card.
    for (const { id, card } of failing.filter((one, at) => n - one.day === 34 && at % 2 === 0))
      await post(`/v1/subscriptions/${id}`, { default_payment_method: card });
    await server.settled();
    revenue.set(today, await revenueOf(server, account, clock.now()));
  }
  await keepRevenue(server, account, revenue);
}

type Revenue = Record<string, { mrr: number; active: number }>;

/** The recurring revenue of now, by currency. */
async function revenueOf({ operator }: TestServer, { id }: TestAccount, now: number): Promise<Revenue> {
  const to = Math.ceil(now / 1_000);
  const asked = { account: id, mode: 'test', parameters: { from: to - 1, to } } as const;
  const { totals } = await operator.run<StatisticsSubscriptions>('statistics.subscriptions', asked);
  return Object.fromEntries(totals.map(({ currency, mrr, active }) => [currency, { mrr, active }]));
}

/** As the end of each day would have left it. A server keeps it by the clock of the database, which cannot be moved. */
async function keepRevenue(
  { sql }: TestServer,
  { id }: TestAccount,
  revenue: ReadonlyMap<string, Revenue>,
): Promise<void> {
  await sql.query(
    `insert into revenue_days (tenant, day, figures)
     select (select tenant from tenants where account = $1 and mode = 'test'), day::date, figures::json
       from unnest($2::text[], $3::text[]) as kept (day, figures)
     on conflict (tenant, day) do update set figures = excluded.figures`,
    [id, [...revenue.keys()], Array.from(revenue.values(), (figures) => JSON.stringify(figures))],
  );
}

/** One takes Visa, the other takes all else; and a receiver that does not answer. */
async function addProcessors(post: Post): Promise<void> {
  const add = async (name: string) =>
    (await post('/v1/processor_accounts', { connector: 'simulator', name })).id as string;
  const [north, south] = [await add('Acquirer North'), await add('Banco del Sur')];
  await post('/v1/routing', { rules: [{ when: { brand: ['visa'] }, use: [north] }, { use: [south] }] });
  const endpoint = { url: 'https://127.0.0.1:9/orders', enabled_events: ['invoice.*'] };
  await post('/v1/webhook_endpoints', endpoint);
}

async function addPayer(post: Post, { name, country, number }: (typeof people)[number]): Promise<Payer> {
  const customer = (await post('/v1/customers', { name, email: `${country.toLowerCase()}@example.com` })).id;
  const payer = { customer, card: '', others: new Map(), country };
  return { ...payer, card: await cardOf(post, payer, number) };
}

async function cardOf(post: Post, { customer, others, country }: Payer, number: string): Promise<string> {
  const known = others.get(number);
  if (known !== undefined) return known;
  const card = { number, exp_month: 12, exp_year: 2040 };
  const method = { type: 'card', card, customer, billing_details: { address: { country } } };
  const { id } = await post('/v1/payment_methods', method);
  others.set(number, id);
  return id;
}

type Chance = { post: Post; pick: <Item>(all: readonly Item[]) => Item; random: () => number; payer: Payer };

async function pay({ post, pick, random, payer, order }: Chance & { order: number }): Promise<void> {
  const chosen = random();
  const { currency, from, to } = currencies.find(({ share }) => chosen < share)!;
  const amount = Math.round(from + (to - from) * random() ** 2);
  const luck = random();
  const number = luck < 0.07 ? pick(declines) : luck < 0.09 ? pick(disputed) : undefined;
  const payment_method = number === undefined ? payer.card : await cardOf(post, payer, number);
  const sent = { amount, currency, customer: payer.customer, payment_method, description: `Order ${order}` };
  const payment = await post('/v1/payments', sent);
  if (number !== undefined || random() > 0.09) return;
  await post('/v1/refunds', { payment: payment.id, amount: random() < 0.5 ? amount : Math.ceil(amount / 3) });
}

async function addPlans(post: Post): Promise<string[]> {
  const plan = async (product_name: string, currency: string, unit_amount: number, interval: string) =>
    (await post('/v1/prices', { product_name, currency, unit_amount, recurring: { interval } })).id as string;
  return Promise.all([
    plan('Starter', 'eur', 1_900, 'month'),
    plan('Team', 'eur', 24_000, 'year'),
    plan('Starter', 'usd', 2_100, 'month'),
    plan('スターター', 'jpy', 2_800, 'month'),
  ]);
}

type Failing = { id: string; card: string; day: number };
type Subscribing = Chance & { plans: readonly string[]; failing: Failing[]; day: number };

/** One in five has a card that fails with the next renewal; one in six leaves at the end of its period. */
async function subscribe({ post, pick, random, payer, plans, failing, day: since }: Subscribing): Promise<void> {
  const { id, status } = await post('/v1/subscriptions', {
    customer: payer.customer,
    default_payment_method: payer.card,
    items: [{ price: pick(plans), quantity: 1 + Math.floor(random() * 3) }],
  });
  if (status !== 'active') return;
  const luck = random();
  if (luck < 1 / 5) {
    const card = await cardOf(post, payer, '4000000000000341');
    await post(`/v1/subscriptions/${id}`, { default_payment_method: card });
    failing.push({ id, card: payer.card, day: since });
  } else if (luck < 1 / 5 + 1 / 6) await post(`/v1/subscriptions/${id}`, { cancel_at_period_end: true });
}
