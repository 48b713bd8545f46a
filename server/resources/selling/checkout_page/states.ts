import { escapeHtml } from '../../../base/page.ts';
import { documentText } from '../../../locales/document_wording.ts';
import { laterIn, momentIn } from '../../../locales/formats.ts';
import type { TextKey } from '../../../locales/texts.ts';
import type { Wording } from '../../../locales/words.ts';
import { brandMark, cancelLink, cardName, isFree, titleOf } from './pay_form.ts';
import { amountOf, linesOf, moneyHtml, totals } from './summary.ts';
import type { PageView } from './view.ts';

const icon = (path: string, kind: string) =>
  `<svg class="icon ${kind}" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="24"/><path d="${path}"/></svg>`;
const check = icon('M14 25l7 7 13-15', 'good');
const clock = icon('M24 13v12l8 5', 'waiting');
const cross = icon('M17 17l14 14M31 17L17 31', 'quiet-icon');
const back = icon('M20 16l-7 7 7 7M14 23h13q7 0 7 9', 'quiet-icon');

/** What has become of the money of a session that is complete. */
type ShownEnding = 'paid' | 'authorized' | 'canceled' | 'refunded';

function endingOf({ paymentStatus, receipt }: PageView): ShownEnding {
  if (paymentStatus === 'authorized') return 'authorized';
  // Its authorization was released.
  if (paymentStatus === 'unpaid') return 'canceled';
  const { received = 0, refunded = 0 } = receipt ?? {};
  return received > 0 && refunded >= received ? 'refunded' : 'paid';
}

const signs = { paid: check, authorized: clock, canceled: cross, refunded: back } as const satisfies Record<
  ShownEnding,
  string
>;
const titles = { payment: 'paid', subscription: 'subscribed', setup: 'card_saved' } as const satisfies Record<
  string,
  TextKey
>;

/** The heading of a session that is complete: never that it is paid where it is not. */
export function endingTitle(view: PageView, words: Wording): string {
  const ending = endingOf(view);
  if (ending === 'refunded') return documentText(words.locale, ending);
  return words.plain(ending === 'paid' ? titles[view.mode] : ending);
}

/** How it went. What is paid can be printed. */
export function receiptPage(view: PageView, words: Wording): string {
  const { merchant, mode, receipt } = view;
  const ending = endingOf(view);
  const amount =
    mode === 'setup' ? '' : `<p class="amount">${moneyHtml(view, words, receipt?.received ?? view.total)}</p>`;
  const onwards =
    view.successUrl === undefined
      ? ''
      : `<a class="first" href="${escapeHtml(view.successUrl)}" rel="noreferrer">${words.html('back', { merchant: merchant.name })}</a>`;
  const print =
    ending === 'authorized' || ending === 'canceled'
      ? ''
      : `<button class="second" type="button" id="print" hidden>${words.html('print')}</button>`;
  return `<main class="result">${signs[ending]}<h1 tabindex="-1">${escapeHtml(endingTitle(view, words))}</h1>${amount}
<p class="payee">${escapeHtml(merchant.name)}</p>
<div class="slip">${soldLines(view, words)}${facts(view, words)}</div>
<div class="acts">${onwards}${print}</div></main>`;
}

const row = (label: string, value: string) => `<div><dt>${label}</dt><dd>${value}</dd></div>`;

/** What was sold, and what was paid of it and given back, where that is not simply the total. */
function soldLines(view: PageView, words: Wording): string {
  if (view.mode === 'setup') return '';
  const { received = view.total, refunded = 0 } = view.receipt ?? {};
  const moved = [
    received === view.total ? '' : row(documentHtml('amount_paid', words), moneyHtml(view, words, received)),
    refunded === 0 ? '' : row(documentHtml('refunded', words), moneyHtml(view, words, -refunded)),
  ].join('');
  const isListed = view.lines.length > 0 || received !== view.total;
  const sold = isListed ? `${linesOf(view, words)}${totals(view, words)}` : '';
  return moved === '' ? sold : `${sold}<dl class="sums">${moved}</dl>`;
}

/** Receipts as documents have these texts too. */
const documentHtml = (key: 'amount_paid' | 'refunded', { locale }: Wording) => escapeHtml(documentText(locale, key));

/** What was paid with, by which number, and when. */
function facts({ receipt }: PageView, words: Wording): string {
  if (receipt === undefined) return '';
  const { brand, last4, reference, paidAt } = receipt;
  const isCardKnown = brand !== undefined || last4 !== undefined;
  const method = isCardKnown ? row(words.html('payment_method'), `${brandMark(brand)}${cardName(brand, last4)}`) : '';
  return `<dl class="sums">${method}${row(words.html('reference'), `<bdi class="code">${escapeHtml(reference)}</bdi>`)}</dl>
<p class="quiet"><time datetime="${new Date(paidAt).toISOString()}">${escapeHtml(momentIn(words.locale, paidAt))}</time></p>`;
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
  const another = words.html('another_way');
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
