import { escapeHtml } from '../../../base/page.ts';
import { laterIn, momentIn } from '../../../locales/formats.ts';
import type { TextKey } from '../../../locales/texts.ts';
import type { Wording } from '../../../locales/words.ts';
import { brandMark, cancelLink, cardName } from './pay_form.ts';
import { amountOf, linesOf, totals } from './summary.ts';
import type { PageView } from './view.ts';

const icon = (path: string, kind: string) =>
  `<svg class="icon ${kind}" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="24"/><path d="${path}"/></svg>`;
const check = icon('M14 25l7 7 13-15', 'good');
const clock = icon('M24 13v12l8 5', 'waiting');
const cross = icon('M17 17l14 14M31 17L17 31', 'quiet-icon');

const titles = { payment: 'paid', subscription: 'subscribed', setup: 'card_saved' } as const satisfies Record<
  string,
  TextKey
>;

/** How it went. It can be printed. */
export function receiptPage(view: PageView, words: Wording): string {
  const { receipt, merchant, mode } = view;
  const amount = mode === 'setup' ? '' : `<p class="amount">${amountOf(view, words)}</p>`;
  const row = (label: string, value: string) => `<div><dt>${label}</dt><dd>${value}</dd></div>`;
  const isCardKnown = receipt?.brand !== undefined || receipt?.last4 !== undefined;
  const method = isCardKnown
    ? row(words.html('payment_method'), `${brandMark(receipt.brand)}${cardName(receipt.brand, receipt.last4)}`)
    : '';
  const facts =
    receipt === undefined
      ? ''
      : `<dl class="sums">${method}${row(words.html('reference'), `<bdi class="code">${escapeHtml(receipt.reference)}</bdi>`)}</dl>
<p class="quiet"><time datetime="${new Date(receipt.paidAt).toISOString()}">${escapeHtml(momentIn(words.locale, receipt.paidAt))}</time></p>`;
  const onwards =
    view.successUrl === undefined
      ? ''
      : `<a class="first" href="${escapeHtml(view.successUrl)}" rel="noreferrer">${words.html('back', { merchant: merchant.name })}</a>`;
  const sums = mode === 'setup' || view.lines.length === 0 ? '' : `${linesOf(view, words)}${totals(view, words)}`;
  return `<main class="result">${check}<h1 tabindex="-1">${words.html(titleOf(view, 'paid'))}</h1>${amount}
<p class="payee">${escapeHtml(merchant.name)}</p>
<div class="slip">${sums}${facts}</div>
<div class="acts">${onwards}<button class="second" type="button" id="print" hidden>${words.html('print')}</button></div></main>`;
}

/** Nothing is paid now: a card is kept. */
const isFree = ({ mode, total }: PageView) => mode !== 'payment' && total === 0;

/** The heading of a state. Where nothing is paid now, it says what the customer is about to do. */
export function titleOf(view: PageView, state: 'paid' | 'confirming' | 'unfinished'): TextKey {
  if (state === 'paid') return titles[view.mode];
  if (!isFree(view)) return state;
  return view.mode === 'setup' ? 'save_card' : 'subscribe';
}

/** The outcome is not known yet: no second try is offered. */
export function confirmingPage(view: PageView, words: Wording, address: string): string {
  const amount = view.mode === 'setup' ? '' : `<p class="amount">${amountOf(view, words)}</p>`;
  const wait = `<p class="quiet" role="status">${words.html('confirming_text')}</p>`;
  return `<main class="result" data-poll>${clock}<h1>${words.html(titleOf(view, 'confirming'))}</h1>${amount}
${isFree(view) ? '' : wait}<div class="busy" aria-hidden="true"></div>
<noscript><p class="acts"><a class="second" href="${escapeHtml(address)}">${words.html('continue')}</a></p></noscript></main>`;
}

/** For the moment before the browser is somewhere else. */
export function goingPage(view: PageView, words: Wording, goTo: string): string {
  const sum = view.mode === 'setup' ? escapeHtml(view.merchant.name) : amountOf(view, words);
  return `<main class="result"><h1 class="amount">${sum}</h1><div class="busy" aria-hidden="true"></div>
<p class="cancel"><a href="${escapeHtml(goTo)}" rel="noreferrer">${words.html('continue')}</a></p></main>`;
}

/** A challenge or the processor's page is open. The customer goes on, or chooses another way, which closes it first. */
export function unfinishedPage(view: PageView, words: Wording, hidden: string): string {
  const { lastTry } = view;
  const goTo = lastTry.state === 'action' ? lastTry.goTo : undefined;
  const link =
    goTo === undefined
      ? ''
      : `<a class="first" id="go" href="${escapeHtml(goTo)}" rel="noreferrer">${words.html('continue')}</a>`;
  const amount = view.mode === 'setup' ? '' : `<p class="amount">${amountOf(view, words)}</p>`;
  const another = words.html(isFree(view) ? 'another_card' : 'another_way');
  return `<main class="result">${clock}<h1>${words.html(titleOf(view, 'unfinished'))}</h1>${amount}
<div class="acts">${link}<form method="post">${hidden}<input type="hidden" name="act" value="another_way"><button class="second">${another}</button></form></div>
${cancelLink(view, words)}</main>`;
}

export function expiredPage(view: PageView, words: Wording): string {
  return `<main class="result">${cross}<h1>${words.html('expired')}</h1>${cancelLink(view, words)}</main>`;
}

/** The account is suspended. */
export function closedPage(view: PageView, words: Wording): string {
  return `<main class="result">${cross}<h1>${words.html('no_payments')}</h1>${cancelLink(view, words)}</main>`;
}

export function missingPage(words: Wording): string {
  return `<main class="result">${cross}<h1>${words.html('not_available')}</h1></main>`;
}

/** The address of this very page is where to go on, by GET: whatever was sent, the page of the session says what has become of it. */
export function failedPage(words: Wording): string {
  return `<main class="result">${cross}<h1>${words.html('failed')}</h1>${againLink(words)}</main>`;
}

export function tooManyPage(words: Wording, secondsLeft: number): string {
  return `<main class="result">${cross}<h1>${words.html('too_many', { when: laterIn(words.locale, secondsLeft) })}</h1>${againLink(words)}</main>`;
}

/** To the page as it is now. To load this one again would send a form twice. */
function againLink(words: Wording): string {
  return `<p class="acts"><a class="second" href="">${words.html('continue')}</a></p>`;
}
