import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MailShop, openMailShop } from './mails.fixture.ts';

let shop: MailShop;

beforeAll(async () => {
  shop = await openMailShop();
});
afterAll(() => shop.stop());

const received = (to: string) => shop.receiver.mails.filter((mail) => mail.to.includes(to));

describe('a receipt', () => {
  test('is written in the commit of the payment, and sent to the customer', async () => {
    const customer = await shop.customer({ email: 'ada@example.com', name: 'Ada' });
    const payment = await shop.pay({ customer: customer.id });
    const [together] = await shop.sql(
      `select m.xmin = p.xmin as together from mails m join payments p on p.tenant = m.tenant and p.id = m.payment where p.id = $1`,
      [payment.id],
    );
    await shop.server.settled();
    const [mail, ...others] = await shop.mailsOf(customer.id);
    expect(others).toEqual([]);
    expect(mail).toEqual({
      id: expect.stringMatching(/^mail_/),
      object: 'mail',
      kind: 'receipt',
      to: 'ada@example.com',
      status: 'sent',
      subject: expect.stringContaining('Test'),
      created: expect.any(Number),
      customer: customer.id,
      payment: payment.id,
      sent_at: expect.any(Number),
    });
    expect(together).toBeDefined();
    const [sent, ...more] = received('ada@example.com');
    expect(more).toEqual([]);
    expect(sent).toMatchObject({ from: 'billing@shop.example', to: ['ada@example.com'] });
    expect(Object.fromEntries(sent!.headers)).toMatchObject({
      from: 'Test <billing@shop.example>',
      to: 'ada@example.com',
      subject: mail.subject,
      'message-id': `<${mail.id}@shop.example>`,
      'auto-submitted': 'auto-generated',
    });
  });
});
