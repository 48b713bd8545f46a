import type { Sheet } from '../../../documents/sheet.ts';
import { documentText } from '../../../locales/document_wording.ts';
import { dateIn, moneyIn } from '../../../locales/formats.ts';
import { belonging } from '../../../operations/descriptor.ts';
import { type Context, operation } from '../../../operations/operation.ts';
import { createdOf, FileOutput, pdfMedia } from '../../../operations/schemas.ts';
import { documentLocale, letterheadOf } from '../../people/branding/letterhead.ts';
import { findCustomerById } from '../customers/operations.ts';
import { cardText } from '../payment_methods/card/brand_names.ts';
import { apiError } from './errors.ts';
import { paymentDescriptor, requirePayment } from './operations.ts';
import type { Payment } from './payment.ts';

export const receiptPdf = operation({
  name: 'payments.receipt',
  summary: 'Retrieve the receipt of a payment as PDF',
  description:
    "Returns a document about the money that was received, in the customer's language. The same payment, customer and branding give the same bytes, until Tollgate is upgraded.",
  route: 'GET /payments/:id/receipt.pdf',
  scope: 'payments:read',
  callers: ['key', 'shopper'],
  customers: { about: belonging(paymentDescriptor) },
  output: FileOutput('The document. Its name has the id of the payment.'),
  file: pdfMedia,
  errors: apiError.codes('payment_not_received'),
  async run(context) {
    const payment = await requirePayment(context);
    const { id, status, amount_received } = payment;
    if (amount_received === 0) throw apiError('payment_not_received', { param: 'id', status });
    const bytes = await context.documents.render(context.tenant, await sheetOf(context, payment));
    return { file: { name: `receipt-${id}.pdf`, bytes }, objectId: id };
  },
});

async function sheetOf(context: Context, payment: Payment): Promise<Sheet> {
  const { id, customer, currency, description, amount_received, amount_refunded } = payment;
  const buyer = customer === null ? undefined : await findCustomerById(context, customer);
  const locale = documentLocale(buyer ?? {});
  const text = (key: Parameters<typeof documentText>[1]) => documentText(locale, key);
  const paidAt = createdOf(payment) * 1_000;
  const money = (amount: number) => moneyIn(locale, { amount, currency });
  const method = cardText(payment);
  const seller = await context.sellerOf(context.tenant);
  return {
    ...(await letterheadOf(context, { seller, buyer: buyer ?? null, locale })),
    title: `${text('receipt')} ${id}`,
    heading: text('receipt'),
    facts: [
      { label: text('reference'), value: id },
      { label: text('paid_on'), value: dateIn(locale, paidAt) },
      ...(method === '' ? [] : [{ label: text('payment_method'), value: method }]),
    ],
    ...(description && {
      table: {
        columns: [
          { heading: text('description'), share: 3, align: 'start' },
          { heading: text('amount'), share: 1, align: 'end' },
        ],
        rows: [{ cells: [description, money(amount_received)] }],
      },
    }),
    sums: [
      { label: text('amount_paid'), value: money(amount_received), isStrong: true },
      ...(amount_refunded ? [{ label: text('refunded'), value: money(-amount_refunded) }] : []),
    ],
    remarks: [],
    createdAt: paidAt,
  };
}
