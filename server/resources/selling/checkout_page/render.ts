import { escapeHtml, type Rendered } from '../../../base/page.ts';
import { inAscii } from '../../../base/web_address.ts';
import { chooseLocale } from '../../../locales/choose.ts';
import { Wording } from '../../../locales/words.ts';
import { checkoutDocument, type DocumentParts } from './document.ts';
import { buttonText, payForm, readingLink, titleOf } from './pay_form.ts';
import {
  closedPage,
  confirmingPage,
  endingTitle,
  expiredPage,
  failedPage,
  goingPage,
  missingPage,
  receiptPage,
  tooManyPage,
  unfinishedPage,
} from './states.ts';
import { orderSummary } from './summary.ts';
import type { Merchant, PageView, PayWay, ShownProblem, TypedValues } from './view.ts';

export type PageContext = {
  acceptLanguage: string | undefined;
  /** Of the page itself. */
  address: string;
  /** Proves that a form comes from this page: see `guard.ts`. */
  formToken: string;
  problems?: readonly ShownProblem[];
  typed?: TypedValues;
  hasFailed?: boolean;
  /** Where the customer goes on at once. */
  goTo?: string | undefined;
  now: number;
  headers?: Readonly<Record<string, string>>;
};

/** The page of a session, in whatever state it is. */
export function renderCheckout(view: PageView, context: PageContext): Rendered {
  const words = wordsFor(view.locale, context.acceptLanguage);
  const hidden = `<input type="hidden" name="form_token" value="${escapeHtml(context.formToken)}">`;
  const { merchant } = view;
  const common = { words, merchant, headers: context.headers ?? {}, formOrigins: formOrigins(view) };
  const lone = (content: string, title: string): DocumentParts => ({
    ...common,
    title: `${title} – ${merchant.name}`,
    body: `${pageTop(view, words)}<div class="lone">${content}</div>${pageFoot(merchant, words)}`,
  });
  const { goTo } = context;
  if (goTo !== undefined) return onTheWay(lone(goingPage(view, words, goTo), words.plain('continue')), goTo);
  if (view.status === 'complete') return checkoutDocument(lone(receiptPage(view, words), endingTitle(view, words)));
  if (view.status === 'expired') return checkoutDocument(lone(expiredPage(view, words), words.plain('expired')));
  if (view.status === 'processing' || view.lastTry.state === 'confirming')
    return checkoutDocument(
      lone(confirmingPage(view, words, context.address), words.plain(titleOf(view, 'confirming'))),
    );
  if (view.isSuspended === true) return checkoutDocument(lone(closedPage(view, words), words.plain('no_payments')));
  if (view.lastTry.state === 'action')
    return checkoutDocument(lone(unfinishedPage(view, words, hidden), words.plain(titleOf(view, 'unfinished'))));
  return openPage(view, words, hidden, context, common);
}

/** By a header, which needs no script, and which no policy about forms holds up: a page between the form and another origin. */
function onTheWay(parts: DocumentParts, goTo: string): Rendered {
  const headers = { ...parts.headers, Refresh: `0; url=${inAscii(goTo)}` };
  return checkoutDocument({ ...parts, headers, hasScript: false });
}

function openPage(view: PageView, words: Wording, hidden: string, context: PageContext, common: object): Rendered {
  const { problems = [], typed = view.details ?? {}, hasFailed = false, now } = context;
  const { merchant } = view;
  const isWrong = problems.length > 0 || hasFailed;
  const title = `${textOf(buttonText(view, words))} – ${merchant.name}`;
  const body = `<div class="split"><div class="left"><div class="inner">${pageTop(view, words)}
<section id="summary" aria-label="${escapeHtml(words.plain('order_summary'))}">${orderSummary(view, words, hidden, problems)}</section></div></div>
<div class="right"><main class="inner"><h1 class="unseen">${escapeHtml(title)}</h1>${payForm(view, words, { hidden, problems, typed, hasFailed, now })}
${pageFoot(merchant, words)}</main></div></div>`;
  const hosts = view.ways.flatMap((way) => (way.kind === 'fields' ? way.hosts : []));
  return checkoutDocument({ ...(common as DocumentParts), title, body, hosts, status: isWrong ? 400 : 200 });
}

/** Nothing that exists. */
export function renderMissing(acceptLanguage: string | undefined): Rendered {
  const words = wordsFor(undefined, acceptLanguage);
  return bare(words, 404, missingPage(words), words.plain('not_available'));
}

/** A request that was refused before the page was asked. */
export function renderRefusal(status: number, secondsLeft: number, acceptLanguage: string | undefined): Rendered {
  const words = wordsFor(undefined, acceptLanguage);
  if (status === 429) return bare(words, status, tooManyPage(words, secondsLeft), words.plain('not_available'));
  return bare(words, status, failedPage(words), words.plain('failed'));
}

function bare(words: Wording, status: number, content: string, title: string): Rendered {
  return checkoutDocument({ words, status, title, body: `<div class="lone">${content}</div>`, hasScript: false });
}

const wordsFor = (locale: string | undefined, acceptLanguage: string | undefined) =>
  new Wording(chooseLocale(locale, acceptLanguage));

/** The origins that the redirects after a press of the button lead to: browsers apply `form-action` to them too. */
export function formOrigins({ successUrl, ways }: Pick<PageView, 'successUrl' | 'ways'>): string[] {
  const ofWay = (way: PayWay) => (way.kind === 'page' ? (way.origins ?? []) : []);
  return [...(successUrl === undefined ? [] : [new URL(successUrl).origin]), ...ways.flatMap(ofWay)];
}

export function pageTop({ merchant, isTest }: Pick<PageView, 'merchant' | 'isTest'>, words: Wording): string {
  const { logo, name } = merchant;
  const picture =
    logo === undefined
      ? ''
      : `<img src="${escapeHtml(logo.path)}" alt="" width="${Math.round((logo.width / logo.height) * 32)}" height="32">`;
  const test = isTest ? `<p class="test">${words.html('test_mode')}</p>` : '';
  return `<header class="top"><p class="merchant">${picture}<span>${escapeHtml(name)}</span></p>${test}</header>`;
}

export function pageFoot({ supportEmail, supportAddress, termsUrl, privacyUrl }: Merchant, words: Wording): string {
  const mail = supportEmail === undefined ? '' : escapeHtml(supportEmail);
  const links = [
    termsUrl === undefined ? '' : readingLink(termsUrl, words.html('terms')),
    privacyUrl === undefined ? '' : readingLink(privacyUrl, words.html('privacy')),
    mail && `<a href="mailto:${mail}"><bdi>${mail}</bdi></a>`,
  ].filter(Boolean);
  const place = supportAddress === undefined ? '' : `<p>${escapeHtml(supportAddress).replaceAll('\n', ', ')}</p>`;
  return links.length === 0 && place === '' ? '' : `<footer class="foot"><p>${links.join('')}</p>${place}</footer>`;
}

/** HTML of ours as plain text, for the title. */
function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
