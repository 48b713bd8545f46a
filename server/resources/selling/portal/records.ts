import type { Static } from 'typebox';
import { escapeHtml } from '../../../base/page.ts';
import { dateIn, moneyIn } from '../../../locales/formats.ts';
import type { InvoiceOutput } from '../../billing/invoices/schema.ts';
import type { PaymentOutput } from '../../payments/payments/schema.ts';
import { type PortalVisit, type View, wayBack } from './visit.ts';

type OwnInvoice = Static<typeof InvoiceOutput>;
type OwnPayment = Static<typeof PaymentOutput>;
type RecordPage<PortalContent> = { data: PortalContent[]; has_more: boolean };

const fewMax = 6;
const manyMax = 50;

type RecordKind = 'invoices' | 'payments';

/** The newest invoices or payments, as many as are seen at once. */
export async function recordsSection(visit: PortalVisit, kind: RecordKind): Promise<string> {
  const { words } = visit;
  const heading = `<h2>${words.text(kind)}</h2>`;
  return `<section id="${kind}">${heading}${await listed(visit, kind, { limit: fewMax })}</section>`;
}

async function listed(
  visit: PortalVisit,
  kind: RecordKind,
  range: { limit: number; starting_after?: string },
): Promise<string> {
  const { calls, who, words } = visit;
  const parameters = { customer: who.customer.id, ...range };
  const page = await calls.read<RecordPage<{ id: string }>>(who, `${kind}.list`, '', parameters);
  if (page === undefined || page.data.length === 0) return `<p class="quiet">${words.text('none')}</p>`;
  const items =
    kind === 'invoices'
      ? (page.data as OwnInvoice[]).map((one) => invoiceItem(visit, one))
      : await Promise.all((page.data as OwnPayment[]).map((one) => paymentItem(visit, one)));
  const more = page.has_more
    ? `<p class="next"><a href="${who.base}/${kind}?after=${page.data.at(-1)!.id}">${words.text('more')}</a></p>`
    : '';
  return `<ul class="rows">${items.join('')}</ul>${more}`;
}

const day = ({ words }: PortalVisit, seconds: number) => escapeHtml(dateIn(words.locale, seconds * 1_000));
const money = ({ words }: PortalVisit, amount: number, currency: string) =>
  `<bdi>${escapeHtml(moneyIn(words.locale, { amount, currency }))}</bdi>`;

function invoiceItem(visit: PortalVisit, invoice: OwnInvoice): string {
  const { words, who, isSuspended } = visit;
  const { id, number = '', status, amount_due, amount_remaining, currency, created, hosted_url } = invoice;
  const isOwed = status === 'open' || status === 'uncollectible';
  const state = isOwed ? words.text('unpaid') : words.document(status === 'void' ? 'void' : 'paid');
  const amount = isOwed ? amount_remaining : amount_due;
  const pay =
    isOwed && hosted_url !== undefined && !isSuspended
      ? `<a href="${escapeHtml(new URL(hosted_url).pathname)}">${words.html('pay', { amount: moneyIn(words.locale, { amount, currency }) })}</a>`
      : '';
  const pdf = `<a href="${who.base}/invoices/${id}/invoice.pdf">${words.document('invoice')} (PDF)</a>`;
  return `<li><span class="name"><bdi>${escapeHtml(number)}</bdi><span class="quiet">${day(visit, created)}</span></span>
<span class="sum">${money(visit, amount, currency)} <span class="badge${isOwed ? ' owed' : ''}">${state}</span></span><span class="links">${pay}${pdf}</span></li>`;
}

/** What was paid for, in the words of the shop, or by the number of the invoice that was collected. */
async function subjectOf({ calls, who }: PortalVisit, { description, invoice }: OwnPayment): Promise<string> {
  if (description !== undefined || invoice === undefined) return description ?? '';
  const paid = await calls.read<OwnInvoice>(who, 'invoices.retrieve', invoice);
  return paid?.number ?? '';
}

async function paymentItem(visit: PortalVisit, payment: OwnPayment): Promise<string> {
  const { words, who } = visit;
  const { id, amount_received = 0, amount_refunded = 0, currency, created } = payment;
  const subject = await subjectOf(visit, payment);
  const what = subject === '' ? '' : `<bdi>${escapeHtml(subject)}</bdi>`;
  const refunded =
    amount_refunded === 0
      ? ''
      : ` <span class="badge">${words.document('refunded')}: ${money(visit, amount_refunded, currency)}</span>`;
  const pdf = `<a href="${who.base}/payments/${id}/receipt.pdf">${words.document('receipt')} (PDF)</a>`;
  return `<li><span class="name">${what}<span class="quiet">${day(visit, created)}</span></span>
<span class="sum">${money(visit, amount_received, currency)}${refunded}</span><span class="links">${pdf}</span></li>`;
}

export const recordsView = (kind: RecordKind): View => ({
  async show(visit, _id, query) {
    const { words, who } = visit;
    const after = query.get('after');
    const range = { limit: manyMax, ...(after === null ? {} : { starting_after: after.slice(0, 64) }) };
    return { title: words.title(kind), content: `${await listed(visit, kind, range)}${wayBack(words, who.base)}` };
  },
});
