import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import { eventually } from '../../../test/eventually.ts';
import { Checkout } from '../../selling/checkout_sessions/checkout.fixture.ts';
import { type MailShop, openMailShop } from './mails.fixture.ts';

let shop: MailShop;

beforeAll(async () => {
  shop = await openMailShop();
});
afterAll(() => shop.stop());

const stored = (payment: string) =>
  shop.sql('select address, message, contact, status, suppressed_reason from mails where payment = $1 order by id', [
    payment,
  ]);
const receivedAt = (address: string) => shop.receiver.mails.filter(({ to }) => to.includes(address)).length;

describe('when a customer is deleted', () => {
  test('its address and what was written to it are erased, and nothing is sent to it', async () => {
    const customer = await shop.customer({ email: 'delete@example.com' });
    const payment = await shop.pay({ customer: customer.id });
    await shop.server.settled();
    const [{ id }] = await shop.mailsOf(customer.id);
    await shop.account.live.delete(`/v1/customers/${customer.id}`);
    await shop.server.settled();
    const [mail] = await stored(payment.id);
    expect(mail).toMatchObject({ address: null, message: null, status: 'sent', suppressed_reason: null });
    const shown = (await shop.account.live.get(`/v1/mails/${id}`)).json;
    expect(shown).not.toHaveProperty('to');
    expect(shown).toMatchObject({ status: 'sent', customer: customer.id });
    const again = (await shop.account.live.post(`/v1/mails/${id}/resend`)).json;
    expect(again).toMatchObject({ status: 'suppressed', suppressed_reason: 'customer_deleted' });
    expect(again).not.toHaveProperty('to');
    await shop.server.settled();
    expect(receivedAt('delete@example.com')).toBe(1);
  });

  test('an answer of the mail server that names its address is erased', async () => {
    const customer = await shop.customer({ email: 'named@example.com' });
    const { id } = await shop.pay({ customer: customer.id });
    await shop.server.settled();
    const answer = 'The mail server has refused the address: 550 <named@example.com>: User unknown';
    await shop.sql(`update mails set status = 'bounced', failure = $2 where payment = $1`, [id, answer]);
    await shop.account.live.delete(`/v1/customers/${customer.id}`);
    await shop.server.settled();
    expect(await shop.sql('select from mails where mails::text like $1', ['%named@example.com%'])).toEqual([]);
  });

  test('what waits for it is never sent, even before the deletion has come to its mails', async () => {
    const customer = await shop.customer({ email: 'queued@example.com' });
    await shop.account.live.delete(`/v1/customers/${customer.id}`);
    await shop.server.settled();
    const [{ tenant }] = await shop.sql('select tenant from deleted_customers where id = $1', [customer.id]);
    // As by a payment whose commit was prepared before the deletion and came after it.
    const id = newId('mail', shop.clock.now());
    await shop.sql(
      `insert into mails (tenant, id, version, kind, cause, address, contact, status, subject, message, language, customer, attempts, due_at)
       values ($1, $2, 1, 'receipt', $2, 'queued@example.com', $3, 'queued', 'x', '{"subject":"x","blocks":[]}', 'en', $3, 0, now() - interval '1 hour')`,
      [tenant, id, customer.id],
    );
    await shop.server.settled();
    const [mail] = await shop.sql('select status, suppressed_reason, address, message from mails where id = $1', [id]);
    expect(mail).toEqual({ status: 'suppressed', suppressed_reason: 'customer_deleted', address: null, message: null });
    expect(receivedAt('queued@example.com')).toBe(0);
  });

  test('it is forgotten that its address has bounced', async () => {
    const customer = await shop.customer({ email: 'bounced@example.com' });
    const payment = await shop.pay({ customer: customer.id });
    await shop.server.settled();
    await shop.sql(
      `insert into mail_bounces (tenant, address, mail, contact) select tenant, lower(address), id, contact from mails where payment = $1`,
      [payment.id],
    );
    // Mails are kept for a time, and it is known for longer.
    await shop.sql('delete from mails where payment = $1', [payment.id]);
    await shop.account.live.delete(`/v1/customers/${customer.id}`);
    await shop.server.settled();
    expect(await shop.sql(`select from mail_bounces where address = 'bounced@example.com'`)).toEqual([]);
  });
});

describe('a guest of a checkout', () => {
  const open = () => new Checkout(shop.server, shop.account);

  async function bought(): Promise<{ session: string; payment: string }> {
    const checkout = open();
    const session = await checkout.create({ customer_email: shop.owner.email, locale: 'de' });
    await checkout.pay(session);
    await shop.server.settled();
    return { session: session.id, payment: (await checkout.get(session.id)).payment };
  }

  test('gets the receipt at the email of the session, in its language', async () => {
    const before = receivedAt(shop.owner.email);
    const { session, payment } = await bought();
    const [mail] = await stored(payment);
    expect(mail).toMatchObject({ address: shop.owner.email, contact: session, status: 'sent' });
    expect(receivedAt(shop.owner.email)).toBe(before + 1);
    const { headers } = shop.receiver.mails.at(-1)!;
    expect(headers.get('content-language')).toBe('de');
  });

  test('whose browser has chosen the language gets it in English', async () => {
    const checkout = open();
    const session = await checkout.create({ customer_email: shop.owner.email, locale: 'auto' });
    await checkout.pay(session);
    await shop.server.settled();
    const { payment } = await checkout.get(session.id);
    expect(await shop.sql('select status, language from mails where payment = $1', [payment])).toEqual([
      { status: 'sent', language: 'en' },
    ]);
  });

  test('is erased from mails with the details of the session, and nothing is sent afterwards', async () => {
    const { session, payment } = await bought();
    const [{ id }] = (await shop.account.test.get(`/v1/mails?payment=${payment}`)).json.data;
    await shop.account.test.post(`/v1/checkout_sessions/${session}/redact`, {});
    await eventually(async () => expect((await stored(payment))[0]).toMatchObject({ address: null, message: null }));
    const again = (await shop.account.test.post(`/v1/mails/${id}/resend`)).json;
    expect(again).toMatchObject({ suppressed_reason: 'customer_deleted' });
    expect(again).not.toHaveProperty('to');
  });

  test('keeps its mails while its session only ends', async () => {
    const { payment } = await bought();
    shop.clock.advance(2 * 86_400_000);
    await shop.server.settled();
    expect((await stored(payment))[0].address).toBe(shop.owner.email);
  });
});
