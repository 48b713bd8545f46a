import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pngOf, samples } from '../../../base/images/images.fixture.ts';
import { readPdf } from '../../../documents/read_pdf.fixture.ts';
import { localeTags } from '../../../locales/index.ts';
import type { Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { expectRefusal } from '../../../test/http/support.ts';
import { Billing, type Shown } from '../subscriptions/billing.fixture.ts';

let server: TestServer;
let account: TestAccount;
let owner: Client;
let billing: Billing;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
  billing = new Billing(account);
  owner = (await server.person(account.id, 'owner')).client;
});
afterAll(() => server.stop());

const ada = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  tax_id: 'DE123456789',
  locale: 'de',
  address: { line1: 'Hauptstraße 5', postal_code: '10115', city: 'Berlin', country: 'de' },
};
const seller = {
  legal_name: 'Zwölf & Söhne GmbH',
  legal_address: 'Ring 1\n1010 Wien',
  tax_id: 'ATU12345678',
  document_footer: 'FN 123456a\nHandelsgericht Wien',
};

const post = async (path: string, body: object = {}): Promise<Shown> => billing.post(path, body);
const pdfOf = (id: string) => account.test.get(`/v1/invoices/${id}/pdf`);
const receiptOf = (id: string) => account.test.get(`/v1/payments/${id}/receipt.pdf`);

async function invoiceFor(customer: object, items: object[], currency = 'eur'): Promise<Shown> {
  const { id } = await post('customers', customer);
  const made = await post('invoices', { customer: id, currency, items });
  return post(`invoices/${made.id}/finalize`);
}

/** The lines of all pages without spaces. */
async function linesOf(bytes: Buffer): Promise<string[]> {
  const { pages } = await readPdf(bytes);
  return pages.flat().map((line) => line.normalize('NFKC').replaceAll(/\s/g, ''));
}

async function pay(more: object = {}): Promise<Shown> {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const method = await post('payment_methods', { type: 'card', card });
  return post('payments', { amount: 2_050, currency: 'eur', payment_method: method.id, ...more });
}

describe('the document of an invoice', () => {
  test('says who sells, who buys, for what, and how much, in the language of the customer', async () => {
    await owner.post('/v1/branding', { ...seller, display_name: 'Zwölf', color: '#0a7d5a' });
    const items = [
      { amount: 123_450, description: 'Beratung' },
      { amount: -450, description: 'Nachlass' },
    ];
    const invoice = await invoiceFor(ada, items);
    const answer = await pdfOf(invoice.id);
    expect([answer.status, answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
      ...[200, 'application/pdf', `inline; filename="${invoice.number}.pdf"`],
    ]);
    const lines = await linesOf(answer.bytes);
    for (const text of [
      ...[
        'Testmodus',
        'Zwölf',
        'Rechnung',
        invoice.number,
        'VerkäuferRechnungsempfänger',
        'Zwölf&SöhneGmbHAdaLovelace',
      ],
      ...[
        'Ring1Hauptstraße5',
        '1010Wien10115Berlin',
        'Steuernummer:ATU12345678',
        'Deutschland',
        'Steuernummer:DE123456789',
      ],
      ...[
        'Beratung1.234,50€',
        'Nachlass-4,50€',
        'Gesamt1.230,00€',
        'FälligerBetrag1.230,00€',
        'FN123456a1/1',
        'HandelsgerichtWien',
      ],
    ])
      expect(lines.join('\n')).toContain(text);
  });

  test('is the same bytes each time, and keeps seller and buyer when both change, and when the customer is deleted', async () => {
    const invoice = await invoiceFor(ada, [{ amount: 500, description: 'Tea' }]);
    const first = await pdfOf(invoice.id);
    await post(`customers/${invoice.customer}`, { name: 'Changed', address: null, tax_id: '', locale: 'fr' });
    await owner.post('/v1/branding', { legal_name: 'Another Ltd', legal_address: null });
    expect((await pdfOf(invoice.id)).bytes.equals(first.bytes)).toBe(true);
    await post(`invoices/${invoice.id}/void`);
    const { bytes } = await pdfOf(invoice.id);
    await account.test.delete(`/v1/customers/${invoice.customer}`);
    expect((await pdfOf(invoice.id)).bytes.equals(bytes)).toBe(true);
    const text = (await linesOf(bytes)).join('\n');
    expect(text).toContain('AdaLovelace');
    expect(text).toContain('Storniert');
    expect(text).not.toContain('Another');
    await owner.post('/v1/branding', seller);
  });

  test.each([
    ['jpy', 'ja', 1_200, '¥1,200'],
    ['kwd', 'en', 1_234_500, 'KWD1,234.500'],
    ['usd', 'fr', 1_050, '10,50$US'],
  ])('writes an amount in %s', async (currency, locale, amount, shown) => {
    const invoice = await invoiceFor({ name: 'A', locale }, [{ amount, description: 'x' }], currency);
    expect((await linesOf((await pdfOf(invoice.id)).bytes)).join('\n').replaceAll('￥', '¥')).toContain(shown);
  });

  test.each(localeTags)('is there in %s', async (locale) => {
    const invoice = await invoiceFor({ name: 'Ada', locale }, [{ amount: 100, description: 'Tea' }]);
    const { bytes } = await pdfOf(invoice.id);
    const { info, pages } = await readPdf(bytes);
    expect(info.Language).toBe(locale);
    expect(pages.flat().join('')).not.toContain('\u0000');
  });

  test('has credit that was used, and what was paid', async () => {
    const customer = await post('customers', { name: 'Ada' });
    const credit = await post('invoices', {
      customer: customer.id,
      currency: 'eur',
      items: [{ amount: -300, description: 'Sorry' }],
    });
    await post(`invoices/${credit.id}/finalize`);
    const made = await post('invoices', {
      customer: customer.id,
      currency: 'eur',
      items: [{ amount: 200, description: 'Tea' }],
    });
    const paid = await post(`invoices/${made.id}/finalize`);
    expect(paid.status).toBe('paid');
    const text = (await linesOf((await pdfOf(paid.id)).bytes)).join('\n');
    for (const line of ['Paid', 'Total€2.00', 'Creditapplied-€2.00', 'Amountdue€0.00']) expect(text).toContain(line);
  });

  test('has none while it is a draft, for a key without the scope, and for others', async () => {
    const { id } = await post('customers', { name: 'Ada' });
    const made = await post('invoices', {
      customer: id,
      currency: 'eur',
      items: [{ amount: 200, description: 'Tea' }],
    });
    expectRefusal(await pdfOf(made.id), 'invoice_not_finalized', 'id');
    const other = await server.account();
    expectRefusal(await other.test.get(`/v1/invoices/${made.id}/pdf`), 'resource_missing', 'id');
  });

  test.each([
    ['PNG', pngOf()],
    ['JPEG', samples.jpeg],
    ['WebP, whose place the name takes,', samples.transparentWebp],
  ])('has a logo: %s', async (_, file) => {
    await owner.post('/v1/branding', {
      legal_name: 'Legal Ltd',
      display_name: 'Shown Name',
      logo: file.toString('base64'),
    });
    const invoice = await invoiceFor({ name: 'Ada' }, [{ amount: 100, description: 'Tea' }]);
    const look = async () => {
      const { bytes } = await pdfOf(invoice.id);
      return [
        bytes.toString('latin1').includes('/Subtype /Image'),
        (await linesOf(bytes)).join().includes('ShownName'),
      ];
    };
    // A change of the branding is known within a second.
    await expect
      .poll(look, { timeout: 20_000 })
      .toEqual(file === samples.transparentWebp ? [false, true] : [true, false]);
    await owner.post('/v1/branding', { logo: null });
  });

  test('is not in the request log, whose entry names the invoice', async () => {
    const invoice = await invoiceFor({ name: 'Ada' }, [{ amount: 100, description: 'Tea' }]);
    const { headers } = await pdfOf(invoice.id);
    const read = async () => (await owner.get(`/v1/request_logs/${headers['request-id']}`)).json;
    await expect.poll(read).toMatchObject({ operation: 'invoices.pdf', object_id: invoice.id });
    expect(JSON.stringify(await read())).not.toContain('%PDF');
  });
});

describe('the receipt of a payment', () => {
  test('says what was received, from whom and how, and what went back', async () => {
    const customer = await post('customers', { name: 'Grace Hopper', locale: 'en', address: { country: 'GB' } });
    const payment = await pay({ customer: customer.id, description: 'Order 7' });
    await post('refunds', { payment: payment.id, amount: 50 });
    const { headers, bytes } = await receiptOf(payment.id);
    expect(headers['content-disposition']).toBe(`inline; filename="receipt-${payment.id}.pdf"`);
    const text = (await linesOf(bytes)).join('\n');
    for (const line of [
      'Receipt',
      payment.id,
      'Visa••••4242',
      'GraceHopper',
      'Order7€20.50',
      'Amountpaid€20.50',
      'Refunded-€0.50',
    ])
      expect(text).toContain(line);
    expect((await receiptOf(payment.id)).bytes.equals(bytes)).toBe(true);
  });

  test('is there without a customer and a description', async () => {
    const { id } = await pay();
    expect((await linesOf((await receiptOf(id)).bytes)).join('\n')).toContain('Amountpaid€20.50');
  });

  test('is refused until money was received', async () => {
    const { id } = await pay({ capture_method: 'manual' });
    expectRefusal(await receiptOf(id), 'payment_not_received', 'id');
    await post(`payments/${id}/capture`, { amount: 1_000 });
    expect((await linesOf((await receiptOf(id)).bytes)).join('\n')).toContain('€10.00');
  });
});

describe('the details of a customer for documents', () => {
  test('are shown when supplied, and an address is replaced as a whole', async () => {
    const made = await post('customers', ada);
    const address = { ...ada.address, country: 'DE' };
    expect(made).toMatchObject({ tax_id: ada.tax_id, locale: 'de', address });
    const moved = await post(`customers/${made.id}`, { address: { city: 'Paris', country: 'FR' } });
    expect(moved.address).toEqual({ city: 'Paris', country: 'FR' });
    const cleared = await post(`customers/${made.id}`, { address: null, tax_id: '', locale: null });
    for (const name of ['address', 'tax_id', 'locale']) expect(cleared).not.toHaveProperty(name);
  });

  test.each([
    ['locale', { locale: 'tlh' }],
    ['address.country', { address: { country: 'Germany' } }],
    ['address.street', { address: { street: 'x' } }],
    ['tax_id', { tax_id: 'x'.repeat(65) }],
  ])('take no wrong %s', async (param, body) => {
    const { status, json } = await account.test.post('/v1/customers', body);
    expect([status, json.error.param]).toEqual([400, param]);
  });
});
