import type { Sheet, SheetRow, SheetSum } from '../../../documents/sheet.ts';
import { documentText } from '../../../locales/document_wording.ts';
import { dateIn, moneyIn, numberIn } from '../../../locales/formats.ts';
import type { Locale } from '../../../locales/index.ts';
import { belonging } from '../../../operations/descriptor.ts';
import { type Context, operation } from '../../../operations/operation.ts';
import { FileOutput, pdfMedia } from '../../../operations/schemas.ts';
import { findCustomerById } from '../../payments/customers/operations.ts';
import { documentLocale, letterheadOf } from '../../people/branding/letterhead.ts';
import { invoiceDescriptor, requireInvoice } from './descriptor.ts';
import { apiError } from './errors.ts';
import { type Invoice, numberText, totalOf } from './invoice.ts';
import type { Line } from './line.ts';
import { buyerOf, type Parties } from './parties.ts';

export const invoicePdf = operation({
  name: 'invoices.pdf',
  summary: 'Retrieve an invoice as PDF',
  description:
    "Returns the document of a finalized invoice, in the customer's language, with seller and buyer as they were when it was finalized. The same invoice gives the same bytes, until it changes or Tollgate is upgraded.",
  route: 'GET /invoices/:id/pdf',
  scope: 'invoices:read',
  callers: ['key', 'shopper'],
  customers: { about: belonging(invoiceDescriptor) },
  output: FileOutput('The document. Its name is that of the number, such as `INV-000012.pdf`.'),
  file: pdfMedia,
  errors: apiError.codes('invoice_not_finalized'),
  async run(context) {
    const invoice = await requireInvoice(context);
    const { number } = invoice;
    if (number === null) throw apiError('invoice_not_finalized', { param: 'id' });
    const sheet = await sheetOf(context, invoice, numberText(number));
    const bytes = await context.documents.render(context.tenant, sheet);
    return { file: { name: `${numberText(number)}.pdf`, bytes }, objectId: invoice.id };
  },
});

/** Of an invoice from before it kept its parties: as they are now. */
async function partiesIn(context: Context, { seller, buyer, customer }: Invoice): Promise<Parties> {
  if (seller !== null) return { seller, buyer };
  const found = await findCustomerById(context, customer);
  return { seller: await context.sellerOf(context.tenant), buyer: found === undefined ? null : buyerOf(found) };
}

async function sheetOf(context: Context, invoice: Invoice, number: string): Promise<Sheet> {
  const { seller, buyer } = await partiesIn(context, invoice);
  const locale = documentLocale(buyer ?? {});
  const text = textsIn(locale);
  const { status, created, paid_at } = invoice;
  const date = invoice.finalized_at ?? created;
  const day = (seconds: number) => dateIn(locale, seconds * 1_000);
  const columns = [
    { heading: text('description'), share: 5, align: 'start' },
    { heading: text('quantity'), share: 1.4, align: 'end' },
    { heading: text('unit_price'), share: 2, align: 'end' },
    { heading: text('amount'), share: 2.1, align: 'end' },
  ] as const;
  return {
    ...(await letterheadOf(context, { seller, buyer, locale })),
    title: `${text('invoice')} ${number}`,
    heading: text('invoice'),
    ...((status === 'paid' || status === 'void') && { mark: text(status) }),
    facts: [
      { label: text('invoice_number'), value: number },
      { label: text('date'), value: day(date) },
      ...(paid_at === null ? [] : [{ label: text('paid_on'), value: day(paid_at) }]),
    ],
    table: { columns, rows: invoice.lines.map((line) => rowOf(line, invoice.currency, locale)) },
    sums: sumsOf(invoice, locale),
    remarks: [],
    createdAt: date * 1_000,
  };
}

const textsIn = (locale: Locale) => (key: Parameters<typeof documentText>[1]) => documentText(locale, key);

/** The price of one is shown where the amount is exactly so many of them. */
function rowOf(line: Line, currency: string, locale: Locale): SheetRow {
  const { amount, description, period, proration, quantity } = line;
  const isExact = quantity !== undefined && !proration && amount % quantity === 0;
  const day = (seconds: number) => dateIn(locale, seconds * 1_000);
  return {
    cells: [
      description,
      quantity === undefined ? '' : numberIn(locale, quantity),
      isExact ? moneyIn(locale, { amount: amount / quantity, currency }) : '',
      moneyIn(locale, { amount, currency }),
    ],
    ...(period.end > period.start && { note: `${day(period.start)} – ${day(period.end)}` }),
  };
}

function sumsOf(invoice: Invoice, locale: Locale): SheetSum[] {
  const { currency, subtotal, discount, credit_applied, amount_due, amount_paid } = invoice;
  const text = textsIn(locale);
  const sum = (key: Parameters<typeof text>[0], amount: number) => ({
    label: text(key),
    value: moneyIn(locale, { amount, currency }),
  });
  return [
    sum('subtotal', subtotal),
    ...(discount === 0 ? [] : [sum('discount', -discount)]),
    { ...sum('total', totalOf(invoice)), isStrong: true },
    ...(credit_applied === 0 ? [] : [sum('credit_applied', -credit_applied)]),
    ...(amount_paid === 0 ? [] : [sum('amount_paid', amount_paid)]),
    { ...sum('amount_due', invoice.status === 'void' ? 0 : amount_due - amount_paid), isStrong: true },
  ];
}
