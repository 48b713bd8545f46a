import type { Page, PageRequest, Rendered } from '../../../base/page.ts';
import type { JobServices } from '../../../operations/resource.ts';
import { guards, redirect } from '../checkout_page/document.ts';
import { FormGuard } from '../checkout_page/guard.ts';
import { renderMissing, renderRefusal } from '../checkout_page/render.ts';
import { portalPath } from '../portal_sessions/links.ts';
import type { OpenLink, PortalCalls, SignedInCustomer } from './calls.ts';
import { noCookie, sessionCookie, tokenIn } from './cookie.ts';
import { findPlace, type PortalPlace } from './place.ts';
import { renderFrame, renderPortal, wordsFor } from './render.ts';
import { SignInPages } from './sign_in.ts';
import { findView } from './views.ts';
import { inputs, nothingAllowed, type PortalVisit } from './visit.ts';

/** The longest form has an address. */
const bodyBytesMax = 8_192;

type PortalParts = Pick<
  JobServices,
  'reads' | 'keyring' | 'publicUrl' | 'brandingOf' | 'isSuspended' | 'portalSettingsOf' | 'mail'
> & { calls: PortalCalls };

/** Every page of the portal. What follows the address of the portal of an account names one of its views. */
export function portalPage(parts: PortalParts): Page {
  const served = new ServedPortal(parts);
  return {
    path: `${portalPath}*`,
    methods: ['GET', 'HEAD', 'POST'],
    bodyBytesMax,
    counted: 'customer',
    render: (request) => served.render(request),
    renderRefusal: ({ status, secondsLeft }, headers) => renderRefusal(status, secondsLeft, headers['accept-language']),
  };
}

class ServedPortal {
  readonly #parts: PortalParts;
  readonly #guard: FormGuard;
  readonly #signIn: SignInPages;

  constructor(parts: PortalParts) {
    const { keyring, publicUrl, mail } = parts;
    this.#parts = parts;
    this.#guard = new FormGuard(keyring, publicUrl);
    this.#signIn = new SignInPages({ ...parts, guard: this.#guard, isMailSetUp: mail.isSetUp });
  }

  async render(request: PageRequest): Promise<Rendered> {
    const path = request.params['*'] ?? '';
    const [first, token, ...more] = path.split('/');
    if (first === 'link' && token !== undefined && more.length === 0) return this.#link(request, token);
    const found = await findPlace(this.#parts.reads, path);
    if (found === undefined) return missing(request);
    const { place, rest } = found;
    const who = await this.#parts.calls.signedIn(place, tokenIn(request.headers, place.tenant), request.address);
    return who === undefined ? this.#signedOut(request, place) : this.#view(request, who, rest);
  }

  /** A visit does not use a link up: the press of the button does. */
  async #link(request: PageRequest, token: string): Promise<Rendered> {
    const { calls, brandingOf, isSuspended } = this.#parts;
    const link = await calls.findLink(token);
    if (link === undefined) return missing(request);
    const { place } = link;
    const isSent = request.method === 'POST' && this.#admits(request, token);
    if (isSent) return this.#begin(request, link);
    const { formToken, headers } = this.#guard.issue(token, request.headers);
    const words = wordsFor(link.customer.locale, request.headers['accept-language']);
    const [merchant, suspended] = await Promise.all([brandingOf(place.tenant), isSuspended(place.tenant)]);
    const hidden = inputs({ form_token: formToken });
    const content = `<form method="post">${hidden}<button class="first">${words.html('continue')}</button></form>`;
    const status = request.method === 'POST' ? 403 : 200;
    const frame = { words, merchant, isTest: place.mode === 'test', isSuspended: suspended, headers };
    return renderFrame(frame, { title: words.title('sign_in'), content, status });
  }

  async #begin(request: PageRequest, link: OpenLink): Promise<Rendered> {
    const begun = await this.#parts.calls.begin(link, request.address);
    if (begun === undefined) return missing(request);
    return withCookie(redirect(begun.goTo), sessionCookie(link.place.tenant, begun.token));
  }

  async #signedOut(request: PageRequest, place: PortalPlace): Promise<Rendered> {
    const answer = await this.#signIn.answer(request, place);
    return 'token' in answer ? withCookie(redirect(answer.goTo), sessionCookie(place.tenant, answer.token)) : answer;
  }

  async #view(request: PageRequest, who: SignedInCustomer, rest: readonly string[]): Promise<Rendered> {
    const { view, document, id } = findView(rest);
    if (document !== undefined && request.method !== 'POST') return this.#document(request, who, document, id);
    if (view === undefined) return missing(request);
    const { formToken, headers } = this.#guard.issue(formName(who), request.headers);
    const visit = await this.#visit(request, who, inputs({ form_token: formToken }));
    const query = new URLSearchParams(request.query);
    if (request.method !== 'POST') {
      const shown = await view.show(visit, id, query);
      const notice = query.has('saved') ? visit.words.text('saved') : '';
      return shown === undefined ? missing(request) : renderPortal(visit, shown, { headers, notice });
    }
    if (!this.#admits(request, formName(who))) {
      const content = `<div class="trouble" role="alert"><p>${visit.words.html('failed')}</p></div>`;
      return renderPortal(visit, { title: visit.words.title('account'), content, status: 403 }, { headers });
    }
    const form = formIn(request);
    const act = form.get('act');
    if (act === 'sign_out' || act === 'sign_out_everywhere') return this.#signOut(who, act);
    const result = await view.act?.(visit, id, form);
    if (result === undefined) return missing(request);
    return 'goTo' in result ? redirect(result.goTo) : renderPortal(visit, result, { headers });
  }

  async #signOut(who: SignedInCustomer, act: 'sign_out' | 'sign_out_everywhere'): Promise<Rendered> {
    await this.#parts.calls.signOut(who, act === 'sign_out_everywhere');
    return withCookie(redirect(`${who.base}?signed_out`), noCookie(who.tenant));
  }

  async #document(request: PageRequest, who: SignedInCustomer, operation: string, id: string): Promise<Rendered> {
    const file = await this.#parts.calls.file(who, operation, id);
    if (file === undefined) return missing(request);
    const headers = {
      ...guards,
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Content-Disposition': `inline; filename="${file.name}"`,
    };
    return { status: 200, contentType: 'application/pdf', body: '', bytes: file.bytes, headers };
  }

  async #visit(request: PageRequest, who: SignedInCustomer, hidden: string): Promise<PortalVisit> {
    const { calls, reads, publicUrl, brandingOf, isSuspended, portalSettingsOf } = this.#parts;
    const [merchant, suspended, settings] = await Promise.all([
      brandingOf(who.tenant),
      isSuspended(who.tenant),
      portalSettingsOf(who.tenant),
    ]);
    return {
      who,
      calls,
      reads,
      words: wordsFor(who.customer.locale, request.headers['accept-language']),
      merchant,
      settings: suspended ? nothingAllowed : settings,
      isSuspended: suspended,
      publicUrl: publicUrl(),
      hidden,
    };
  }

  #admits(request: PageRequest, name: string): boolean {
    return this.#guard.admits(name, formIn(request).get('form_token') ?? '', request.headers);
  }
}

/** A form belongs to one session: that of somebody else who has signed in here since refuses it. */
const formName = ({ session }: SignedInCustomer) => `portal/${session.id}`;

const formIn = ({ body }: PageRequest) => new URLSearchParams(body.toString('utf8'));

const missing = ({ headers }: PageRequest) => renderMissing(headers['accept-language']);

const withCookie = (rendered: Rendered, cookie: string): Rendered => ({
  ...rendered,
  headers: { ...rendered.headers, 'Set-Cookie': cookie },
});
