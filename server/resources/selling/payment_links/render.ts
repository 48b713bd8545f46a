import { decimalText } from '../../../base/currency.ts';
import { escapeHtml, type Rendered } from '../../../base/page.ts';
import { chooseLocale } from '../../../locales/choose.ts';
import { moneyIn } from '../../../locales/formats.ts';
import type { TextKey } from '../../../locales/texts.ts';
import { Wording } from '../../../locales/words.ts';
import type { ShownToCustomers } from '../../people/branding/shown.ts';
import { checkoutDocument } from '../checkout_page/document.ts';
import { cancelLink } from '../checkout_page/pay_form.ts';
import { pageFoot, pageTop } from '../checkout_page/render.ts';
import { orderLine } from '../checkout_page/session_calls.ts';
import { linesOf, moneyHtml, plainNotes, totals } from '../checkout_page/summary.ts';
import type { LinkView } from './link_calls.ts';

/** `form`: it was not sent by a page that this browser was shown. */
export type LinkProblem = 'quantity' | 'amount' | 'email' | 'reference' | 'form';

/** What is shown again in the fields. */
export type LinkTyped = { quantity: string; amount: string; email: string; reference: string };

export type LinkContext = {
  merchant: ShownToCustomers;
  acceptLanguage: string | undefined;
  formToken: string;
  headers: Readonly<Record<string, string>>;
  typed: LinkTyped;
  problem: LinkProblem | undefined;
};

type LinkOffer = Extract<LinkView, { sells: true }>;

/** The page of a link: what is sold and how much it costs, what the customer may choose, and the button. */
export function renderLink(view: LinkView, context: LinkContext): Rendered {
  const words = new Wording(chooseLocale(view.locale, context.acceptLanguage));
  const { merchant, headers, problem } = context;
  const top = pageTop({ merchant, isTest: view.test }, words);
  const foot = pageFoot(merchant, words);
  const common = { words, merchant, headers, hasScript: false };
  if (!view.sells) {
    const reason = view.suspended ? 'no_payments' : 'not_available';
    const text = view.message === undefined || view.suspended ? words.html(reason) : escapeHtml(view.message);
    const back = cancelLink({ cancelUrl: view.cancel_url, merchant }, words);
    const body = `${top}<div class="lone"><main class="result"><h1>${text}</h1>${back}</main></div>${foot}`;
    return checkoutDocument({ ...common, title: `${words.plain(reason)} – ${merchant.name}`, body });
  }
  const what = view.description ?? view.lines[0]?.name ?? words.plain(view.mode === 'setup' ? 'save_card' : 'amount');
  const title = `${what} – ${merchant.name}`;
  const body = `<div class="split"><div class="left"><div class="inner">${top}
<section id="summary" aria-label="${escapeHtml(words.plain('order_summary'))}">${summary(view, words)}</section></div></div>
<div class="right"><main class="inner"><h1 class="unseen">${escapeHtml(title)}</h1>${form(view, words, context)}${foot}</main></div></div>`;
  const hasScript = view.quantity !== undefined || view.choice?.suggested !== undefined;
  return checkoutDocument({ ...common, hasScript, title, body, status: problem === undefined ? 200 : 400 });
}

/** What is sold, as the page of its sessions shows it. */
function summary(offer: LinkOffer, words: Wording): string {
  const { mode, total, subtotal, discount, currency, description, free_until: freeUntil } = offer;
  const lines = offer.lines.map(orderLine);
  const amount = total === undefined ? '' : `<p class="amount">${moneyHtml({ currency }, words, total)}</p>`;
  const single = lines.length === 1 ? lines[0]!.name : undefined;
  const headline = description ?? (mode === 'setup' ? words.plain('save_card') : single);
  const what = headline === undefined ? '' : `<p class="what">${escapeHtml(headline)}</p>`;
  const [line] = lines;
  if (line === undefined || total === undefined) return `${amount}${what}`;
  if (lines.length === 1 && discount === undefined)
    return `${amount}${what}${plainNotes({ lines, currency, freeUntil }, words)}`;
  const sums = totals({ mode, status: 'open', currency, total, subtotal, discount, freeUntil }, words);
  return `${amount}${what}${linesOf({ lines, currency }, words)}${sums}`;
}

function form(view: LinkOffer, words: Wording, { formToken, typed, problem, merchant }: LinkContext): string {
  const failed =
    problem === 'form' || problem === 'reference' ? `<p class="problem" role="alert">${words.html('failed')}</p>` : '';
  const hidden = (name: string, value: string) =>
    value === '' ? '' : `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;
  const fields = [
    amountFields(view, words, typed, problem),
    quantityField(view, words, typed, problem),
    field({
      name: 'email',
      label: 'email',
      words,
      problem,
      attributes: `type="email" autocomplete="email" maxlength="254" dir="ltr" value="${escapeHtml(typed.email)}"`,
    }),
    typed.reference === ''
      ? ''
      : `<p class="quiet">${words.html('reference')}: <bdi class="code">${escapeHtml(typed.reference)}</bdi></p>`,
  ].join('');
  const back = cancelLink({ cancelUrl: view.cancel_url, merchant }, words);
  return `<form method="post">${failed}${hidden('form_token', formToken)}${hidden('reference', typed.reference)}${fields}
<button class="first">${words.html('continue')}</button></form>${back}`;
}

type FieldText = {
  name: LinkProblem;
  label: TextKey;
  words: Wording;
  problem: LinkProblem | undefined;
  attributes: string;
};

function field({ name, label, words, problem, attributes }: FieldText): string {
  const isWrong = problem === name;
  const tied = isWrong ? ` aria-invalid="true" aria-describedby="${name}-problem" autofocus` : '';
  const text = isWrong ? `<p class="problem" id="${name}-problem">${words.html('invalid')}</p>` : '';
  return `<div class="field"><label for="${name}">${words.html(label)}</label><input id="${name}" name="${name}" ${attributes}${tied}>${text}</div>`;
}

function quantityField(
  { quantity }: LinkOffer,
  words: Wording,
  typed: LinkTyped,
  problem: LinkProblem | undefined,
): string {
  if (quantity === undefined) return '';
  const { min, max, value } = quantity;
  const shown = escapeHtml(typed.quantity === '' ? String(value) : typed.quantity);
  const attributes = `type="number" inputmode="numeric" min="${min}" max="${max}" value="${shown}" required`;
  return field({ name: 'quantity', label: 'quantity', words, problem, attributes });
}

/** Amounts to choose fill in the field, which takes any amount within the bounds. */
function amountFields(
  { choice, currency }: LinkOffer,
  words: Wording,
  typed: LinkTyped,
  problem: LinkProblem | undefined,
): string {
  if (choice === undefined) return '';
  const { min, max, suggested = [] } = choice;
  const options = suggested.map(
    (amount) =>
      `<option value="${decimalText({ amount, currency })}">${escapeHtml(moneyIn(words.locale, { amount, currency }))}</option>`,
  );
  const list = options.length === 0 ? '' : `<datalist id="suggested">${options.join('')}</datalist>`;
  const first = suggested[0] === undefined ? '' : decimalText({ amount: suggested[0], currency });
  const value = escapeHtml(typed.amount === '' ? first : typed.amount);
  const attributes = `type="text" inputmode="decimal" autocomplete="transaction-amount" maxlength="20" dir="ltr" value="${value}" required${list === '' ? '' : ' list="suggested"'}`;
  const bounds = `<p class="quiet">${moneyHtml({ currency }, words, min)} – ${moneyHtml({ currency }, words, max)}</p>`;
  return `${field({ name: 'amount', label: 'amount', words, problem, attributes })}${list}${bounds}`;
}
