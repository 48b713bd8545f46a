import { expect } from 'vitest';
import { CheckoutTab } from '../checkout_tab.ts';
import type { Answer, Client } from '../client.ts';
import { violationsOf } from '../payment_invariants.ts';
import { isTorture } from '../torture.ts';
import { patienceMs, until } from './child.ts';
import { type CrashPoint, crashPoints, localPoints } from './crash_point.fixture.ts';
import { actsOf, type CrashAct, type CrashScene, type Note, type Phoenix } from './phoenix.ts';
import { posted } from './subscriptions_crash.ts';

/**
 * What a customer does when the server dies. card: pays with a card. subscription: the same, and a subscription starts. setup: has a card kept.
 * trial: the same, and a subscription starts with a trial. page: asks for the page of the processor. link: pays the last place of a payment
 * link. invoice: pays an invoice from its page. another_way: closes a challenge.
 */
const kinds = ['card', 'subscription', 'setup', 'trial', 'page', 'link', 'invoice', 'another_way'] as const;
type Kind = (typeof kinds)[number];
/** `ends`: the status of the try that was interrupted, or `none` where it is not known whether there is one. */
type Case = { verb: 'authorize' | 'setup' | 'cancel'; during: string; kind: Kind; point: CrashPoint; ends: string[] };
const verbs: Partial<Record<Kind, Case['verb']>> = { another_way: 'cancel', setup: 'setup', trial: 'setup' };

type Scene = CrashScene & { session: string; url: string; link: string | undefined; invoice?: string };

const card = { exp_month: 12, exp_year: 2040 };
const typed = { act: 'pay', email: 'ada@example.com', number: '4242424242424242', expiry: '12/40', cvc: '123' };

/** Without a customer, or to have a card kept, the card is typed into our own fields. */
const isTyped = (kind: Kind) => kind === 'link' || kind === 'invoice' || verbs[kind] === 'setup';

/** A form pressed in the tab of the customer. `request` of a scene sends it, and the server does not live to answer. */
async function press(client: Client, url: string, fields: Record<string, string>): Promise<Answer> {
  const tab = new CheckoutTab(client.as(), url);
  await tab.open();
  return tab.send(fields);
}

/** A saved card is offered whichever processors there are. */
async function savedCard(client: Client, number: string): Promise<{ customer: string; method: string }> {
  const { id: customer } = await posted(client, 'customers', {});
  const { id: method } = await posted(client, 'payment_methods', { type: 'card', card: { number, ...card }, customer });
  return { customer, method };
}

async function soldBy(client: Client, kind: Kind, { text }: Note): Promise<object> {
  if (kind === 'setup') return { mode: 'setup', description: text };
  if (kind !== 'subscription' && kind !== 'trial') return { amount: 2_000, currency: 'eur', description: text };
  const terms = { unit_amount: 2_000, currency: 'eur', recurring: { interval: 'month' }, product_name: 'Tea' };
  const { id } = await posted(client, 'prices', terms);
  const trial = kind === 'trial' ? { subscription_data: { trial_days: 14 } } : {};
  return { mode: 'subscription', line_items: [{ price: id }], metadata: { note: text }, ...trial };
}

async function prepare(phoenix: Phoenix, { kind }: Case, note: Note): Promise<Scene> {
  const { key, tenant } = await phoenix.account(note.place);
  const client = await phoenix.client(key);
  if (kind === 'page' && note.place === 'remote') {
    const settings = { place: 'remote' };
    await posted(client, 'processor_accounts', { connector: 'simulator', name: 'Its page', settings });
  }
  if (kind === 'link') return prepareLink(client, { key, tenant }, note);
  if (kind === 'invoice') return prepareInvoice(client, { key, tenant }, note);
  if (isTyped(kind)) {
    const { id: session, url } = await posted(client, 'checkout_sessions', await soldBy(client, kind, note));
    return { key, tenant, session, url, link: undefined, request: (to) => press(to, url, typed) };
  }
  const { customer, method } = await savedCard(
    client,
    kind === 'another_way' ? '4000002500003155' : '4242424242424242',
  );
  const sold = await soldBy(client, kind, note);
  const { id: session, url } = await posted(client, 'checkout_sessions', { ...sold, customer, expires_in: 1_800 });
  const scene = { key, tenant, session, url, link: undefined };
  const pay = { act: 'pay', method: kind === 'page' ? 'new' : method };
  if (kind !== 'another_way') return { ...scene, request: (to) => press(to, url, pay) };
  expect((await press(client, url, pay)).status).toBe(303);
  return { ...scene, request: (to) => press(to, url, { act: 'another_way' }) };
}

/** Links have no customer, so the card is typed: into our own fields, or on the page of the processor. */
async function prepareLink(client: Client, account: Pick<Scene, 'key' | 'tenant'>, note: Note): Promise<Scene> {
  const { id: link, url: address } = await posted(client, 'payment_links', {
    ...{ amount: 2_000, currency: 'eur', description: note.text, limit: 1 },
  });
  const visit = new CheckoutTab(client.as(), address);
  await visit.open();
  const { location = '' } = (await visit.send({ email: 'ada@example.com' })).headers;
  const url = `https://localhost${location}`;
  const session = /cs_\w{22}/.exec(location)![0];
  return { ...account, session, url, link, request: (to) => press(to, url, typed) };
}

/** The metadata of the invoice says when the server dies: the row changes with each try. */
async function prepareInvoice(client: Client, account: Pick<Scene, 'key' | 'tenant'>, note: Note): Promise<Scene> {
  const { id: customer } = await posted(client, 'customers', { name: 'Ada' });
  const items = [{ amount: 2_000, description: 'Tea' }];
  const { id: invoice } = await posted(client, 'invoices', { customer, currency: 'eur', items });
  await posted(client, `invoices/${invoice}`, { metadata: { note: note.text } });
  const { hosted_url } = await posted(client, `invoices/${invoice}/finalize`, {});
  const visit = new CheckoutTab(client.as(), hosted_url);
  await visit.open();
  const { location = '' } = (await visit.send({})).headers;
  const url = `https://localhost${location}`;
  const session = /cs_\w{22}/.exec(location)![0];
  return { ...account, session, url, link: undefined, invoice, request: (to) => press(to, url, typed) };
}

/** As if the deadline of the call, the pause before the first inquiry and the time of the held place had passed. */
async function timePasses({ sql }: Phoenix, tenant: number): Promise<void> {
  await sql.query(
    `update attempts set deadline_at = now() - interval '1 minute' where tenant = $1 and state in ('open', 'unknown')`,
    [tenant],
  );
  for (const table of ['payments', 'setups'])
    await sql.query(
      `update ${table} set due_at = now() - interval '1 second', lease_until = null where tenant = $1 and open_attempt is not null`,
      [tenant],
    );
}

type Stored = { status: string; tries: string[]; payment: string | null };

async function stored({ sql }: Phoenix, session: string): Promise<Stored> {
  const { rows } = await sql.query(
    `with tries as (
       select id, status, open_attempt from payments where checkout_session = $1
       union all select id, status, open_attempt from setups where checkout_session = $1)
     select s.status, s.payment, array(select status from tries order by id) as tries,
            exists (select from tries where open_attempt is not null) as busy
       from checkout_sessions s where s.id = $1`,
    [session],
  );
  const [{ busy, ...row }] = rows;
  return busy ? { ...row, status: 'processing' } : row;
}

async function verify(phoenix: Phoenix, { kind, ends: possible }: Case, scene: Scene): Promise<void> {
  const { sql } = phoenix;
  const { key, tenant, session, url } = scene;
  const client = await phoenix.client(key);
  const tab = new CheckoutTab(client.as(), url);
  // Whatever has become of it, the page of the same session shows it, and offers no second try while it is not known.
  if ((await stored(phoenix, session)).status === 'processing') {
    const before = (await stored(phoenix, session)).tries.length;
    await tab.open();
    await tab.pay();
    expect((await stored(phoenix, session)).tries).toHaveLength(before);
  }
  await until('the session is settled', patienceMs, async () => {
    await timePasses(phoenix, tenant);
    return (await stored(phoenix, session)).status !== 'processing';
  });
  const { tries } = await stored(phoenix, session);
  expect(possible).toContain(tries.at(-1) ?? 'none');
  expect(await violationsOf(sql, { rest: false, tenant })).toEqual([]);
  await payUntilComplete(phoenix, scene, tab);
  const after = await stored(phoenix, session);
  expect([after.status, after.tries.filter((status) => status === 'succeeded')]).toEqual(['complete', ['succeeded']]);
  const { rows } = await sql.query('select sum(net)::int4 as net from simulator_charges where tenant = $1', [tenant]);
  expect(rows).toEqual([{ net: verbs[kind] === 'setup' ? null : 2_000 }]);
  await verifyKept(client, kind, session);
  expect(await violationsOf(sql, { rest: true, tenant })).toEqual([]);
  if (scene.invoice !== undefined)
    expect((await client.get(`/v1/invoices/${scene.invoice}`)).json).toMatchObject({
      status: 'paid',
      amount_paid: 2_000,
    });
  if (scene.link !== undefined) expect((await client.get(`/v1/payment_links/${scene.link}`)).json.completed).toBe(1);
}

/** What has started with the success, once: a subscription, or a card that can be charged again. */
async function verifyKept(client: Client, kind: Kind, session: string): Promise<void> {
  const { customer, payment_method, subscription } = (await client.get(`/v1/checkout_sessions/${session}`)).json;
  if (kind === 'setup' || kind === 'trial') {
    const { data } = (await client.get(`/v1/payment_methods?customer=${customer}`)).json;
    expect(data.map(({ id }: { id: string }) => id)).toEqual([payment_method]);
  }
  if (kind !== 'subscription' && kind !== 'trial') return;
  const { data } = (await client.get('/v1/subscriptions')).json;
  const status = kind === 'trial' ? 'trialing' : 'active';
  expect(data).toMatchObject([{ id: subscription, status, default_payment_method: payment_method }]);
}

/** The customer goes on as the page offers: on the processor's page, or with another press. */
async function payUntilComplete(phoenix: Phoenix, { key, session, url }: Scene, tab: CheckoutTab): Promise<void> {
  const client = await phoenix.client(key);
  await until('the session is complete', patienceMs, async () => {
    const { status } = await stored(phoenix, session);
    if (status !== 'open') return status === 'complete';
    const { text } = await tab.open();
    const goTo = /id="go"[^>]* href="([^"]+)"/.exec(text)?.[1];
    if (goTo === undefined) {
      const method = /name="method" value="(pm_\w+)"/.exec(text)?.[1];
      await (method === undefined ? tab.pay() : tab.send({ act: 'pay', method }));
    } else
      await client.as().form(new URL(goTo, url).pathname, goTo.includes('/pay/') ? 'card=visa' : 'decision=approve');
    return false;
  });
}

/** A charge that the processor did not get fails; a page that it did is waited for; a cancel is sent again. */
function endOf(kind: Kind, point: CrashPoint): string[] {
  if (kind === 'another_way') {
    if (point === 'before_claim') return ['requires_action'];
    return point === 'claim_in_flight' ? ['requires_action', 'canceled'] : ['canceled'];
  }
  if (point === 'before_claim') return ['none'];
  const sent = kind === 'page' ? 'requires_action' : 'succeeded';
  if (point === 'claim_in_flight') return ['none', 'failed', sent];
  return ['claimed', 'before_call', 'sent_not_done'].includes(point) ? ['failed'] : [sent];
}

function casesOf(points: readonly CrashPoint[]): Case[] {
  return kinds.flatMap((kind) =>
    points.map((point) => ({
      verb: verbs[kind] ?? 'authorize',
      during: `checkout-${kind}`,
      kind,
      point,
      ends: endOf(kind, point),
    })),
  );
}

/** Of a remote processor, `npm test` has each kind, at points that need no separate kill. */
const share: Readonly<Record<Kind, readonly CrashPoint[]>> = {
  card: ['claimed', 'sent'],
  subscription: ['before_call', 'reply'],
  setup: ['claimed', 'reply'],
  trial: ['sent', 'before_claim'],
  page: ['sent'],
  link: ['before_claim', 'committed'],
  invoice: ['claimed', 'sent'],
  another_way: ['sent'],
};

export function checkoutRemote(): CrashAct[] {
  const cases = casesOf(crashPoints).filter(({ kind, point }) => isTorture || share[kind].includes(point));
  return actsOf(cases, 'remote', { prepare, verify });
}

/** The rows of a local processor are committed with the gateway's. One with an account has no fields of ours, so its links lead to its page. */
export function checkoutLocal(): CrashAct[] {
  const cases = casesOf(localPoints)
    .filter(({ kind, point }) => !isTyped(kind) && (isTorture || (kind === 'subscription' && point === 'before_claim')))
    .map((one) => ({ ...one, ends: one.point === 'before_claim' ? one.ends : endOf(one.kind, 'committed') }));
  return actsOf(cases, 'local', { prepare, verify });
}
