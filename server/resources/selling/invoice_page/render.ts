import { escapeHtml, type Rendered } from '../../../base/page.ts';
import { chooseLocale } from '../../../locales/choose.ts';
import { documentText } from '../../../locales/document_wording.ts';
import { dateIn, moneyIn } from '../../../locales/formats.ts';
import { Wording } from '../../../locales/words.ts';
import { type Invoice, numberText, totalOf } from '../../billing/invoices/invoice.ts';
import type { ShownToCustomers } from '../../people/branding/shown.ts';
import { checkoutDocument } from '../checkout_page/document.ts';
import { pageFoot, pageTop } from '../checkout_page/render.ts';
import { linesOf, moneyHtml } from '../checkout_page/summary.ts';
import type { InvoiceView } from './calls.ts';

export type InvoiceContext = {
  merchant: ShownToCustomers;
  acceptLanguage: string | undefined;
  /** Of the page itself. */
  address: string;
  formToken: string;
  headers: Readonly<Record<string, string>>;
  /** The form was not sent by a page that this browser was shown. */
  hasFailed: boolean;
};

type DocumentKey = Parameters<typeof documentText>[1];

/** The page of an invoice: who asks for how much, for what, and the button; or how it was settled. */
export function renderInvoice(view: InvoiceView, context: InvoiceContext): Rendered {
  const { invoice } = view;
  const { merchant, headers } = context;
  const words = new Wording(chooseLocale(invoice.buyer?.locale ?? undefined, context.acceptLanguage));
  const text = (key: DocumentKey) => escapeHtml(documentText(words.locale, key));
  const number = numberText(invoice.number!);
  const title = `${documentText(words.locale, 'invoice')} ${number} – ${merchant.name}`;
  const amount = `<p class="amount">${moneyHtml(invoice, words, shownAmount(invoice))}</p>`;
  const summary = `${amount}<p class="what">${text('invoice')} <bdi>${number}</bdi></p>${linesOf(orderOf(invoice), words)}${sumsOf(invoice, words)}`;
  const state = `${stateOf(view, words, context)}${factsOf(invoice, words)}${documentsOf(invoice, context.address, text)}`;
  const body = `<div class="split"><div class="left"><div class="inner">${pageTop({ merchant, isTest: view.test }, words)}
<section aria-label="${text('invoice')}">${summary}</section></div></div>
<div class="right"><main class="inner"><h1 class="unseen">${escapeHtml(title)}</h1>${state}
${pageFoot(merchant, words)}</main></div></div>`;
  // The script asks again while a payment has no outcome.
  const hasScript = invoice.is_charging && view.way === undefined;
  return checkoutDocument({ words, merchant, headers, title, body, hasScript, status: context.hasFailed ? 400 : 200 });
}

/** What is still to be paid; of an invoice that is over, what was due. */
function shownAmount({ status, amount_due, amount_paid }: Invoice): number {
  return status === 'paid' || status === 'void' ? amount_due : amount_due - amount_paid;
}

function orderOf({ lines, currency }: Invoice) {
  return {
    currency,
    lines: lines.map(({ description: name, amount, quantity = 1 }) => ({ name, amount, quantity })),
  };
}

function sumsOf(invoice: Invoice, words: Wording): string {
  const { currency, subtotal, discount, credit_applied, amount_due, amount_paid, status } = invoice;
  const row = (label: string, amount: number, name = '') =>
    `<div${name}><dt>${label}</dt><dd>${moneyHtml({ currency }, words, amount)}</dd></div>`;
  const text = (key: DocumentKey) => escapeHtml(documentText(words.locale, key));
  const total = totalOf(invoice);
  const isReduced = credit_applied !== 0 || amount_paid !== 0;
  const rows = [
    discount === 0 ? '' : row(words.html('subtotal'), subtotal) + row(words.html('discount'), -discount),
    isReduced ? row(words.html('total'), total) : '',
    credit_applied === 0 ? '' : row(text('credit_applied'), -credit_applied),
    amount_paid === 0 ? '' : row(text('amount_paid'), amount_paid),
    row(text('amount_due'), status === 'void' ? 0 : amount_due - amount_paid, ' class="total"'),
  ];
  return `<dl class="sums">${rows.join('')}</dl>`;
}

/** The button, or why there is none. */
function stateOf(view: InvoiceView, words: Wording, { formToken, hasFailed }: InvoiceContext): string {
  const { invoice, suspended, way } = view;
  const text = (key: DocumentKey) => escapeHtml(documentText(words.locale, key));
  const said = (what: string, more = '') => `<div role="status"${more}><h2>${what}</h2></div>`;
  if (invoice.status === 'paid') return said(text('paid'));
  if (invoice.status === 'void' || invoice.closing !== null) return said(text('void'));
  if (suspended) return said(words.html('no_payments'));
  if (invoice.is_charging && way === undefined)
    return `${said(words.html('confirming'), ' data-poll')}<p class="quiet">${words.html('confirming_text')}</p>`;
  if (way === undefined) return '';
  if (way.kind === 'challenge')
    return `<p class="acts"><a class="first" href="${escapeHtml(way.url)}" rel="noreferrer">${words.html('continue')}</a></p>`;
  const failed = hasFailed ? `<p class="problem" role="alert">${words.html('failed')}</p>` : '';
  const label = invoice.is_charging ? words.html('continue') : payText(invoice, words);
  return `<form method="post">${failed}<input type="hidden" name="form_token" value="${escapeHtml(formToken)}"><button class="first">${label}</button></form>`;
}

function payText(invoice: Invoice, words: Wording): string {
  return words.html('pay', { amount: plainMoney(invoice, words) });
}

function plainMoney(invoice: Invoice, words: Wording): string {
  return moneyIn(words.locale, { amount: shownAmount(invoice), currency: invoice.currency });
}

function factsOf({ number, finalized_at, created, paid_at, buyer }: Invoice, words: Wording): string {
  const row = (key: DocumentKey, value: string) =>
    `<div><dt>${escapeHtml(documentText(words.locale, key))}</dt><dd><bdi>${escapeHtml(value)}</bdi></dd></div>`;
  const day = (seconds: number) => dateIn(words.locale, seconds * 1_000);
  const who = buyer?.name ?? buyer?.email;
  return `<dl class="sums">${row('invoice_number', numberText(number!))}${row('date', day(finalized_at ?? created))}${
    paid_at === null ? '' : row('paid_on', day(paid_at))
  }${who ? row('bill_to', who) : ''}</dl>`;
}

function documentsOf({ status, payment }: Invoice, address: string, text: (key: DocumentKey) => string): string {
  const link = (kind: 'invoice' | 'receipt') =>
    `<a class="second" href="${escapeHtml(address)}/${kind}.pdf">${text(kind)} (PDF)</a>`;
  return `<p class="acts">${link('invoice')}${status === 'paid' && payment !== null ? link('receipt') : ''}</p>`;
}
