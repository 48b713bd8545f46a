import { escapeHtml, type Rendered } from '../../../base/page.ts';
import { chooseLocale } from '../../../locales/choose.ts';
import { PortalWording } from '../../../locales/portal_wording.ts';
import type { ShownToCustomers } from '../../people/branding/shown.ts';
import { checkoutDocument } from '../checkout_page/document.ts';
import { pageFoot, pageTop } from '../checkout_page/render.ts';
import { buttonForm, type PortalContent, type PortalVisit } from './visit.ts';

export function wordsFor(locale: string | null | undefined, acceptLanguage: string | undefined): PortalWording {
  return new PortalWording(chooseLocale(locale ?? undefined, acceptLanguage));
}

type PortalFrame = {
  words: PortalWording;
  merchant: ShownToCustomers;
  isTest: boolean;
  /** The account takes no payments now. */
  isSuspended: boolean;
  headers?: Readonly<Record<string, string>>;
};

/** A page of the portal for somebody who has signed in. `notice` is HTML. */
export function renderPortal(
  visit: PortalVisit,
  { title, content, status = 200 }: PortalContent,
  { headers = {}, notice = '' }: { headers?: Readonly<Record<string, string>>; notice?: string },
): Rendered {
  const { words, merchant, who, isSuspended } = visit;
  const said = notice === '' ? '' : `<p class="said" role="status">${notice}</p>`;
  const signOut = (act: 'sign_out' | 'sign_out_everywhere') =>
    buttonForm(visit, who.base, words.text(act), { fields: { act } });
  const { return_url } = who.session;
  const back =
    return_url === null
      ? ''
      : `<a href="${escapeHtml(return_url)}" rel="noreferrer">${words.html('back', { merchant: merchant.name })}</a>`;
  const end = `<div class="leave">${back}${signOut('sign_out')}${signOut('sign_out_everywhere')}</div>`;
  const inner = `${said}${content}${end}`;
  const frame = { words, merchant, isTest: who.mode === 'test', isSuspended, headers };
  return renderFrame(frame, { title, content: inner, status });
}

/** A page of the portal. */
export function renderFrame(
  { words, merchant, isTest, isSuspended, headers = {} }: PortalFrame,
  { title, content, status = 200 }: PortalContent,
): Rendered {
  const closed = isSuspended ? `<div class="trouble" role="status"><p>${words.html('no_payments')}</p></div>` : '';
  const body = `<div class="portal">${pageTop({ merchant, isTest }, words)}<main><h1>${escapeHtml(title)}</h1>${closed}${content}</main>${pageFoot(merchant, words)}</div>`;
  const full = `${title} – ${merchant.name}`;
  return checkoutDocument({ words, merchant, headers, title: full, body, hasScript: false, look: 'portal', status });
}
