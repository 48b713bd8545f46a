import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localeOf, localeTags } from '../../../locales/index.ts';
import { renderMessage } from '../../../mail/render.ts';
import { mailContacts } from '../../../operations/extension_points/mail_contacts.ts';
import { collect } from '../../../operations/resource.ts';
import { Billing, cards } from '../../billing/subscriptions/billing.fixture.ts';
import { resources } from '../../index.ts';
import { customerMailKinds } from '../../people/accounts/mail_kinds.ts';
import { peopleFrame } from '../../people/branding/mail_frame.ts';
import { type MailShop, openMailShop } from './mails.fixture.ts';
import { mailSweep } from './sweep.ts';

const { mailKinds, extensionsOf } = collect(resources);

let shop: MailShop;
let billing: Billing;

beforeAll(async () => {
  shop = await openMailShop();
  billing = new Billing(shop.account);
});
afterAll(() => shop.stop());
beforeEach(() => {
  shop.receiver.mails.length = 0;
});

// biome-ignore lint/suspicious/noExplicitAny: answers of the API
type Shown = any;

/** Somebody who lives by a test clock, and whose mails arrive because the account has a member of the same address. */
async function customerAt(when: string, number = cards.pays): Promise<{ clock: Shown; customer: Shown }> {
  const clock = await billing.clock(when);
  const customer = await billing.customer(clock, number);
  await billing.post(`customers/${customer.id}`, { email: shop.owner.email });
  return { clock, customer };
}

/** The kinds of the mails to a customer, oldest first. */
async function kindsOf(customer: Shown): Promise<string[]> {
  await shop.server.settled();
  const { data } = await billing.get(`mails?customer=${customer.id}&limit=100`);
  expect(data.every(({ status }: Shown) => status === 'sent')).toBe(true);
  return data.map(({ kind }: Shown) => kind).reverse();
}

/** The plain texts of the mails of a kind, from the mail server. */
async function textsOf(customer: Shown, kind: string): Promise<string> {
  const { data } = await billing.get(`mails?customer=${customer.id}&kind=${kind}&limit=100`);
  const ids = data.map(({ id }: Shown) => `<${id}@shop.example>`);
  const sent = shop.receiver.mails.filter(({ headers }) => ids.includes(headers.get('message-id')));
  return sent.map(({ raw }) => plainText(raw)).join('\n');
}

function plainText(raw: string): string {
  const part = raw.slice(raw.indexOf('text/plain'), raw.indexOf('text/html')).replaceAll('=\r\n', '');
  const bytes = part.replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

describe('the mails about a subscription', () => {
  test('are an invoice and a receipt for each period, sent now whatever the test clock says', async () => {
    const { clock, customer } = await customerAt('2026-01-31');
    const subscription = await billing.subscribe(customer, await billing.price(1_500));
    expect((await kindsOf(customer)).sort()).toEqual(['invoice', 'receipt']);
    expect(await textsOf(customer, 'invoice')).toMatch(/Gold[\s\S]*INV-\d{6}/);
    expect(await textsOf(customer, 'receipt')).toContain('•••• 4242');
    await billing.advance(clock, '2026-02-28');
    expect((await kindsOf(customer)).sort()).toEqual(['invoice', 'invoice', 'receipt', 'receipt']);
    const [sent] = await shop.sql('select max(sent_at) as at from mails where customer = $1', [customer.id]);
    expect(sent.at.getTime()).toBe(shop.clock.now());
    expect(await textsOf(customer, 'receipt')).toContain('Feb 28, 2026');
    await billing.post(`subscriptions/${subscription.id}/cancel`);
    expect(await kindsOf(customer)).toContain('subscription_canceled');
    expect(await textsOf(customer, 'subscription_canceled')).toContain('Gold');
  });

  test('say that a renewal has failed, and when it is tried again; the last one, that it is not', async () => {
    const { clock, customer } = await customerAt('2026-01-01');
    await billing.subscribe(customer, await billing.price(1_500));
    await billing.pays(customer, '4000000000000341');
    await billing.advance(clock, '2026-02-01T00:00');
    expect((await kindsOf(customer)).filter((kind) => kind === 'payment_failed')).toHaveLength(1);
    const first = await textsOf(customer, 'payment_failed');
    expect(first).toContain('•••• 0341');
    expect(first).toContain('Next attempt: Feb 2, 2026');
    await billing.advance(clock, '2026-02-10');
    const kinds = await kindsOf(customer);
    expect(kinds.filter((kind) => kind === 'payment_failed')).toHaveLength(5);
    expect(kinds.filter((kind) => kind === 'subscription_canceled')).toHaveLength(1);
    const all = await textsOf(customer, 'payment_failed');
    expect(all.match(/Next attempt: /g)).toHaveLength(4);
  });

  test('say once that a trial ends, and what it will cost with the coupon', async () => {
    const { clock, customer } = await customerAt('2026-01-01');
    const coupon = await billing.post('coupons', { percent_off: 50, duration: 'once' });
    await billing.subscribe(customer, await billing.price(3_000), { trial_days: 14, coupon: coupon.id });
    await billing.advance(clock, '2026-01-13');
    expect((await kindsOf(customer)).filter((kind) => kind === 'trial_ending')).toHaveLength(1);
    expect(await textsOf(customer, 'trial_ending')).toMatch(/15\.00/);
  });

  test('do not say that a subscription was canceled that never began', async () => {
    const { customer } = await customerAt('2026-01-01', '4000000000000341');
    const subscription = await billing.subscribe(customer, await billing.price(1_500));
    expect(subscription.status).toBe('incomplete');
    await billing.post(`subscriptions/${subscription.id}/cancel`);
    // The cardholder was there when the first payment was declined.
    expect(await kindsOf(customer)).toEqual(['invoice']);
  });
});

test('a refund is told to the customer, of which amount and of which payment', async () => {
  const customer = await shop.customer({ email: 'refund@example.com' });
  const payment = await shop.pay({ customer: customer.id, description: 'Three posters' });
  await shop.server.settled();
  await shop.account.live.post('/v1/refunds', { payment: payment.id, amount: 500 });
  await shop.server.settled();
  const kinds = (await shop.mailsOf(customer.id)).map(({ kind }) => kind);
  expect(kinds.sort()).toEqual(['receipt', 'refund']);
  const { raw } = shop.receiver.mails.at(-1)!;
  expect(raw).toContain('5.00');
  expect(raw).toContain('Three posters');
});

test('a card that expires is announced once, two weeks before the end of its month', async () => {
  const { services } = shop.server.gateway;
  const loop = mailSweep(services, mailKinds, extensionsOf(mailContacts));
  const sweep = async () => {
    await loop.run(new AbortController().signal, () => {});
    await shop.server.settled();
  };
  const month = new Date(shop.clock.now() + 40 * 86_400_000);
  const [exp_year, exp_month] = [month.getUTCFullYear(), month.getUTCMonth() + 1];
  const customer = await shop.customer({ email: 'expires@example.com' });
  const stored = (number: string, year: number) => {
    const card = { number, exp_month, exp_year: year };
    return shop.account.live.post('/v1/payment_methods', { type: 'card', card, customer: customer.id });
  };
  await stored('4242424242424242', exp_year);
  await stored('5555555555554444', exp_year + 1);
  const detached = (await stored('378282246310005', exp_year)).json.id;
  await shop.account.live.post(`/v1/payment_methods/${detached}/detach`);
  const end = Date.UTC(exp_year, exp_month, 1);
  shop.clock.advance(end - 14 * 86_400_000 - 1_000 - shop.clock.now());
  await sweep();
  expect(await shop.mailsOf(customer.id)).toEqual([]);
  shop.clock.advance(1_000);
  for (let time = 0; time < 3; time++) await sweep();
  expect((await shop.mailsOf(customer.id)).map(({ kind, status }) => `${kind} ${status}`)).toEqual([
    'card_expiring sent',
  ]);
  expect(plainText(shop.receiver.mails.at(-1)!.raw)).toContain('•••• 4242');
  shop.clock.advance(14 * 86_400_000);
  await sweep();
  expect(await shop.mailsOf(customer.id)).toHaveLength(1);
});

describe('every kind', () => {
  test('that a resource declares can be switched on, and the other way round', () => {
    expect(mailKinds.map(({ kind }) => kind).sort()).toEqual([...customerMailKinds].sort());
  });

  test.each(mailKinds.map((kind) => [kind.kind, kind] as const))(
    '%s has a sample that can be sent in each language',
    (_, kind) => {
      for (const tag of localeTags) {
        const message = kind.sample({ locale: localeOf(tag), merchant: 'Corner shop' });
        expect(message.subject).toContain('Corner shop');
        expect(renderMessage(message, peopleFrame).text.length).toBeGreaterThan(20);
      }
    },
  );
});
