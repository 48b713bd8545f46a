import { idTime } from '../../../base/id.ts';
import { escapeHtml, type PageRequest, type Rendered } from '../../../base/page.ts';
import { dateIn } from '../../../locales/formats.ts';
import type { PortalWording } from '../../../locales/portal_wording.ts';
import type { Customer } from '../../payments/customers/customer.ts';
import type { ShownToCustomers } from '../../people/branding/shown.ts';
import { redirect } from '../checkout_page/document.ts';
import type { FormGuard } from '../checkout_page/guard.ts';
import { renderRefusal } from '../checkout_page/render.ts';
import { emailForm } from '../checkout_sessions/details.ts';
import type { BegunVisit, PortalCalls } from './calls.ts';
import type { PortalPlace } from './place.ts';
import { renderFrame, wordsFor } from './render.ts';
import { inputs, trouble } from './visit.ts';

const emailCharsMax = 254;

type SignInParts = {
  calls: PortalCalls;
  guard: FormGuard;
  brandingOf: (tenant: PortalPlace['tenant']) => Promise<ShownToCustomers>;
  isSuspended: (tenant: PortalPlace['tenant']) => Promise<boolean>;
  /** Whether codes can be mailed. */
  isMailSetUp: boolean;
};

/** The way in without a link: an email, then the code that was mailed to it, and where several customers have it, a choice. */
export class SignInPages {
  readonly #parts: SignInParts;

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  /** A session that has begun, or the page to be shown. */
  async answer(request: PageRequest, place: PortalPlace): Promise<BegunVisit | Rendered> {
    const query = new URLSearchParams(request.query);
    const words = wordsFor(undefined, request.headers['accept-language']);
    const said = query.has('signed_out') ? `<p class="said" role="status">${words.text('signed_out')}</p>` : '';
    if (!this.#parts.isMailSetUp) return this.#frame(request, place, `${said}<p>${words.text('no_sign_in')}</p>`);
    if (request.method === 'POST') return this.#sent(request, place, words);
    const ask = query.get('ask');
    if (ask !== null && isAsk(ask)) return this.#codePage(request, place, ask);
    return this.#emailPage(request, place, said);
  }

  async #sent(request: PageRequest, place: PortalPlace, words: PortalWording): Promise<BegunVisit | Rendered> {
    const form = new URLSearchParams(request.body.toString('utf8'));
    const [act, ask] = [form.get('act'), form.get('ask') ?? ''];
    const isProved = act === 'choose';
    const admits = this.#parts.guard.admits(
      formName(place, ask, isProved),
      form.get('form_token') ?? '',
      request.headers,
    );
    if (!admits) return { ...(await this.#emailPage(request, place, trouble([words.html('failed')]))), status: 403 };
    if (act === 'send_code') return this.#send(request, place, (form.get('email') ?? '').trim());
    if (!isAsk(ask)) return this.#emailPage(request, place);
    if (isProved) return this.#choose(request, place, ask, form.get('customer') ?? '');
    return this.#enter(request, place, ask, form.get('code') ?? '');
  }

  /** The same for every address: where nobody has it, nothing is mailed. */
  async #send(request: PageRequest, place: PortalPlace, email: string): Promise<Rendered> {
    const words = wordsFor(undefined, request.headers['accept-language']);
    if (email.length > emailCharsMax || !emailForm.test(email))
      return this.#emailPage(request, place, trouble([words.html('invalid')]), { email, isWrong: true });
    const { ask, secondsLeft } = await this.#parts.calls.requestCode(place, email, words.locale.tag, request.address);
    if (ask !== undefined) return redirect(`${place.base}?ask=${ask}`);
    const refusal = renderRefusal(429, secondsLeft, request.headers['accept-language']);
    return { ...refusal, headers: { ...refusal.headers, 'Retry-After': String(secondsLeft) } };
  }

  async #enter(request: PageRequest, place: PortalPlace, ask: string, code: string): Promise<BegunVisit | Rendered> {
    const result = await this.#parts.calls.enterCode(place, ask, code, request.address);
    if ('token' in result) return result;
    if (result.state === 'choose') return this.#choicePage(request, place, ask, result.customers);
    return this.#codePage(request, place, ask, true);
  }

  async #choose(
    request: PageRequest,
    place: PortalPlace,
    ask: string,
    customer: string,
  ): Promise<BegunVisit | Rendered> {
    const begun = await this.#parts.calls.choose(place, ask, customer, request.address);
    return begun ?? this.#emailPage(request, place);
  }

  #emailPage(
    request: PageRequest,
    place: PortalPlace,
    before = '',
    { email = '', isWrong = false }: { email?: string; isWrong?: boolean } = {},
  ): Promise<Rendered> {
    const words = wordsFor(undefined, request.headers['accept-language']);
    const tied = isWrong ? ' aria-invalid="true" aria-describedby="trouble"' : '';
    const input = `<input id="email" name="email" type="email" autocomplete="email" maxlength="${emailCharsMax}" required dir="ltr" value="${escapeHtml(email)}"${tied}>`;
    const field = `<div class="field"><label for="email">${words.html('email')}</label>${input}</div>`;
    const form = this.#form(request, place, '', {
      fields: { act: 'send_code' },
      inner: field,
      label: words.text('send_code'),
    });
    return this.#frame(request, place, `${before}${form.html}`, { headers: form.headers, status: isWrong ? 400 : 200 });
  }

  /** Whether the code was wrong, or is over, or nobody has the address: the same page. */
  #codePage(request: PageRequest, place: PortalPlace, ask: string, isWrong = false): Promise<Rendered> {
    const words = wordsFor(undefined, request.headers['accept-language']);
    const tied = isWrong ? ' aria-invalid="true" aria-describedby="trouble"' : '';
    const input = `<input id="code" name="code" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" maxlength="16" required dir="ltr"${tied}>`;
    const field = `<div class="field"><label for="code">${words.text('code')}</label>${input}</div>`;
    const form = this.#form(request, place, ask, {
      fields: { act: 'enter_code' },
      inner: field,
      label: words.text('sign_in'),
    });
    const said = isWrong ? trouble([words.html('code_invalid')]) : `<p role="status">${words.text('code_sent')}</p>`;
    const again = `<p class="cancel"><a href="${place.base}">${words.text('send_code')}</a></p>`;
    return this.#frame(request, place, `${said}${form.html}${again}`, {
      headers: form.headers,
      status: isWrong ? 400 : 200,
    });
  }

  #choicePage(
    request: PageRequest,
    place: PortalPlace,
    ask: string,
    customers: readonly Customer[],
  ): Promise<Rendered> {
    const words = wordsFor(undefined, request.headers['accept-language']);
    const buttons = customers.map(({ id, name, email, created_at }) => {
      const since = dateIn(words.locale, created_at?.getTime() ?? idTime(id));
      return `<button class="second" name="customer" value="${id}"><bdi>${escapeHtml(name ?? email ?? '')}</bdi> · ${escapeHtml(since)}</button>`;
    });
    const fields = { act: 'choose' };
    const form = this.#form(request, place, ask, {
      fields,
      inner: `<div class="acts">${buttons.join('')}</div>`,
      isProved: true,
    });
    return this.#frame(request, place, form.html, { headers: form.headers, title: words.title('choose_account') });
  }

  /** `isProved`: for the browser alone that has entered the code. */
  #form(
    request: PageRequest,
    place: PortalPlace,
    ask: string,
    parts: { fields: Record<string, string>; inner: string; label?: string; isProved?: boolean },
  ): { html: string; headers: Record<string, string> } {
    const { fields, inner, label, isProved = false } = parts;
    const { formToken, headers } = this.#parts.guard.issue(formName(place, ask, isProved), request.headers);
    const hidden = inputs({ form_token: formToken, ...(ask !== '' && { ask }), ...fields });
    const button = label === undefined ? '' : `<button class="first">${label}</button>`;
    return { html: `<form method="post" action="${place.base}">${hidden}${inner}${button}</form>`, headers };
  }

  async #frame(
    request: PageRequest,
    place: PortalPlace,
    content: string,
    { title, ...more }: { headers?: Record<string, string>; title?: string; status?: number } = {},
  ): Promise<Rendered> {
    const words = wordsFor(undefined, request.headers['accept-language']);
    const { brandingOf, isSuspended } = this.#parts;
    const [merchant, suspended] = await Promise.all([brandingOf(place.tenant), isSuspended(place.tenant)]);
    const { headers = {}, status = 200 } = more;
    const frame = { words, merchant, isTest: place.mode === 'test', isSuspended: suspended, headers };
    return renderFrame(frame, { title: title ?? words.title('sign_in'), content, status });
  }
}

const formName = ({ tenant }: PortalPlace, ask: string, isProved: boolean) =>
  `portal/${tenant}/${ask}${isProved ? '/proved' : ''}`;

const isAsk = (text: string) => /^pc_\w{22}$/.test(text);
