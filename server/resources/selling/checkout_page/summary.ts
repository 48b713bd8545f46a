import { escapeHtml } from '../../../base/page.ts';
import { dateIn, moneyIn, numberIn, periodIn } from '../../../locales/formats.ts';
import type { Wording } from '../../../locales/words.ts';
import { scriptTag } from './document.ts';
import { FieldMaker } from './fields.ts';
import type { OrderLine, PageView, ShownProblem } from './view.ts';

/** As many lines are surely seen at once on a wide screen. */
const linesShown = 4;

/** Who is paid, for what, and how much. `hidden` are the inputs that every form of the page has. */
export function orderSummary(
  view: PageView,
  words: Wording,
  hidden: string,
  problems: readonly ShownProblem[],
): string {
  const { description } = view;
  const isPlain = view.lines.length <= 1 && !view.allowsCoupons && view.discount === undefined;
  const headline = description ?? (view.lines.length === 1 ? view.lines[0]!.name : undefined);
  const shown = headline === undefined ? '' : `<p class="what">${escapeHtml(headline)}</p>`;
  const amount = view.mode === 'setup' ? '' : `<p class="amount">${amountOf(view, words)}</p>`;
  const rest = isPlain ? plainNotes(view, words) : orderDetails(view, words, hidden, problems);
  return `${amount}${shown}${rest}`;
}

export function amountOf(view: Pick<PageView, 'currency' | 'total'>, words: Wording): string {
  return moneyHtml(view, words, view.total);
}

export function moneyHtml({ currency = '' }: Pick<PageView, 'currency'>, words: Wording, amount: number): string {
  return `<bdi>${escapeHtml(moneyIn(words.locale, { amount, currency }))}</bdi>`;
}

/** Of one line, whose name and amount stand above. */
export function plainNotes(view: Pick<PageView, 'lines' | 'currency' | 'freeUntil'>, words: Wording): string {
  const [line] = view.lines;
  const quantity = line === undefined || line.quantity === 1 ? '' : `<p class="quiet">${quantityOf(line, words)}</p>`;
  return `${quantity}${trial(view, words)}${line === undefined ? '' : recurrence(view, line, words)}`;
}

function orderDetails(view: PageView, words: Wording, hidden: string, problems: readonly ShownProblem[]): string {
  const heading = `<span>${words.html('order_summary')}</span>`;
  const sums = totals({ ...view, freeUntil: undefined }, words);
  // On a narrow screen the details are closed: until when it is free stands above them.
  return `${trial(view, words)}<details id="order" open><summary>${heading}</summary>${linesOf(view, words)}
${couponForm(view, words, hidden, problems)}${sums}</details>${scriptTag('summary')}`;
}

/** What the sums are made of. */
export type ShownSums = Pick<
  PageView,
  'mode' | 'status' | 'currency' | 'total' | 'subtotal' | 'discount' | 'coupon' | 'freeUntil'
>;

/** The lines and the sums, as a table: it is read out by rows, and printed as it is. */
export function linesOf(view: Pick<PageView, 'lines' | 'currency'>, words: Wording): string {
  if (view.lines.length === 0) return '';
  const items = view.lines.map((line) => {
    const notes = `${line.quantity === 1 ? '' : `<span class="quiet">${quantityOf(line, words)}</span>`}`;
    const every = line.every === undefined ? '' : ` / ${escapeHtml(periodIn(words.locale, line.every))}`;
    return `<li><span class="name">${escapeHtml(line.name)}${notes}</span><span class="sum">${moneyHtml(view, words, line.amount)}${every}</span></li>`;
  });
  // A long list scrolls: it must be reachable by keyboard.
  const isLong = view.lines.length > linesShown;
  const focus = isLong ? ` tabindex="0" aria-label="${escapeHtml(words.plain('order_summary'))}"` : '';
  return `<ul class="lines"${focus}>${items.join('')}</ul>`;
}

export function totals(view: ShownSums, words: Wording): string {
  const { subtotal, discount, coupon } = view;
  const row = (label: string, sum: string, name = '') => `<div${name}><dt>${label}</dt><dd>${sum}</dd></div>`;
  const code = coupon?.code === undefined ? '' : ` <span class="code">${escapeHtml(coupon.code)}</span>`;
  const rows = [
    subtotal === undefined || subtotal === view.total
      ? ''
      : row(words.html('subtotal'), moneyHtml(view, words, subtotal)),
    discount === undefined || discount === 0
      ? ''
      : row(`${words.html('discount')}${code}`, moneyHtml(view, words, -discount)),
    view.mode === 'setup' ? '' : row(totalLabel(view, words), amountOf(view, words), ' class="total"'),
  ];
  return `<dl class="sums">${rows.join('')}</dl>${trial(view, words)}`;
}

function totalLabel({ mode, status }: ShownSums, words: Wording): string {
  return words.html(mode === 'subscription' && status !== 'complete' ? 'due_today' : 'total');
}

function quantityOf({ quantity }: OrderLine, words: Wording): string {
  return `${words.html('quantity')}: ${escapeHtml(numberIn(words.locale, quantity))}`;
}

function recurrence(view: Pick<PageView, 'currency'>, line: OrderLine, words: Wording): string {
  if (line.every === undefined) return '';
  return `<p class="quiet">${moneyHtml(view, words, line.amount)} / ${escapeHtml(periodIn(words.locale, line.every))}</p>`;
}

function trial({ freeUntil }: Pick<PageView, 'freeUntil'>, words: Wording): string {
  if (freeUntil === undefined) return '';
  return `<p class="quiet">${words.html('free_until', { date: dateIn(words.locale, freeUntil) })}</p>`;
}

function couponForm(view: PageView, words: Wording, hidden: string, problems: readonly ShownProblem[]): string {
  if (!view.allowsCoupons || view.status !== 'open') return '';
  const fields = new FieldMaker(words, problems);
  const form = (act: string, content: string) =>
    `<form class="inline" method="post" data-live>${hidden}<input type="hidden" name="act" value="${act}">${content}</form>`;
  if (view.coupon !== undefined) {
    const { code } = view.coupon;
    const what = code === undefined ? words.html('discount') : `<bdi>${escapeHtml(code)}</bdi>`;
    const button = `<button class="plain"${fields.described('coupon')}>${words.html('remove')} ${what}</button>`;
    return form('coupon', `<input type="hidden" name="coupon" value="">${button}${fields.problem('coupon')}`);
  }
  const input = fields.input({
    name: 'coupon',
    label: 'coupon',
    autocomplete: 'off',
    maxlength: 40,
    isRequired: false,
    isLatin: true,
  });
  return form('coupon', `${input}<button class="second">${words.html('apply')}</button>`);
}
