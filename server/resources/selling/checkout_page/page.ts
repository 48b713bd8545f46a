import type { Clock } from '../../../base/clock.ts';
import type { Keyring } from '../../../base/keyring.ts';
import type { Page, PageRequest, Rendered } from '../../../base/page.ts';
import type { ChangedView, CheckoutPageCalls, OpenedPage, TryResult } from './calls.ts';
import { redirect } from './document.ts';
import { FormGuard } from './guard.ts';
import { type PostedForm, readPosted, readPress, typedIn } from './read_form.ts';
import { formOrigins, type PageContext, renderCheckout, renderMissing, renderRefusal } from './render.ts';
import { samplePage, sampleToken } from './sample.ts';
import type { PageView } from './view.ts';

/** The longest form has an address and a card. */
const bodyBytesMax = 16_384;

type PageParts = { keyring: Keyring; publicUrl: () => string; clock: Pick<Clock, 'now'>; calls: CheckoutPageCalls };

/** The page that a customer pays on. The address is the permission: its token names the session. It is never logged. */
export function checkoutPage(parts: PageParts, path = '/pay/'): Page {
  const served = new ServedCheckout(parts, path);
  return {
    path: `${path}:token`,
    methods: ['GET', 'HEAD', 'POST'],
    bodyBytesMax,
    counted: 'customer',
    render: (request) => (request.method === 'POST' ? served.press(request) : served.open(request)),
    renderRefusal: ({ status, secondsLeft }, headers) => renderRefusal(status, secondsLeft, headers['accept-language']),
  };
}

class ServedCheckout {
  readonly #parts: PageParts;
  readonly #path: string;
  readonly #guard: FormGuard;

  constructor(parts: PageParts, path: string) {
    this.#parts = parts;
    this.#path = path;
    this.#guard = new FormGuard(parts.keyring, parts.publicUrl);
  }

  async open(request: PageRequest): Promise<Rendered> {
    if (tokenOf(request) === sampleToken) return samplePage();
    const opened = await this.#parts.calls.open(tokenOf(request), request.address);
    if (opened === undefined) return renderMissing(request.headers['accept-language']);
    const { view } = opened;
    const query = new URLSearchParams(request.query);
    // From `/return/`, which names the payment or the setup: the customer has just come back, and goes on to the shop.
    const isBack = query.has('payment') || query.has('setup');
    if (isBack) return redirect(onwards(view) ?? this.#addressOf(request));
    const next = query.has('go') ? (nextOf(view) ?? onwards(view)) : undefined;
    return this.#show(request, view, { goTo: next && new URL(next, this.#parts.publicUrl()).href });
  }

  async press(request: PageRequest): Promise<Rendered> {
    const token = tokenOf(request);
    const form = readPosted(request.body);
    const opened = await this.#parts.calls.open(token, request.address);
    if (opened === undefined) return renderMissing(request.headers['accept-language']);
    const { view } = opened;
    const act = form.get('act');
    if (!this.#guard.admits(token, form.get('form_token') ?? '', request.headers))
      return { ...this.#show(request, view, refusalOf(act, view)), status: 403 };
    if (act === 'pay') return this.#pay(request, opened, form);
    if (act === 'another_way') return this.#changed(request, await opened.closeTry());
    if (view.status !== 'open') return redirect(this.#addressOf(request));
    if (act === 'coupon' && view.allowsCoupons) return this.#changed(request, await opened.applyCoupon(couponIn(form)));
    return { ...this.#show(request, view, { hasFailed: true }), status: 400 };
  }

  async #pay(request: PageRequest, opened: OpenedPage, form: PostedForm): Promise<Rendered> {
    const { view } = opened;
    const { state } = view.lastTry;
    const isPayable =
      view.status === 'open' && view.isSuspended !== true && state !== 'action' && state !== 'confirming';
    if (!isPayable) return redirect(this.#addressOf(request));
    const pressed = readPress(form, view, this.#parts.clock.now());
    if ('problems' in pressed) return this.#show(request, view, { problems: pressed.problems, typed: typedIn(form) });
    const result = await opened.pay({ ...pressed, total: totalIn(form) });
    if (result.retryAfter !== undefined) return tooMany(result.retryAfter, request.headers['accept-language']);
    const { problems = [] } = result;
    if (result.isChanged) return this.#show(request, result.view, { hasFailed: true, typed: typedIn(form) });
    if (problems.length > 0) return this.#show(request, result.view, { problems, typed: typedIn(form) });
    return this.#follow(request, result);
  }

  /** After a press of the button: to the shop, to the processor, or back to the page, always by GET. */
  #follow(request: PageRequest, { view, goTo }: TryResult): Rendered {
    const here = this.#addressOf(request);
    const next = goTo ?? onwards(view);
    if (next === undefined) return redirect(here);
    const own = this.#parts.publicUrl();
    // Browsers hold a redirect after a form against `form-action`. An origin that is not listed there is reached by way of a page.
    const isListed = [...formOrigins(view), new URL(own).origin].includes(new URL(next, own).origin);
    return redirect(isListed ? next : `${here}?go`);
  }

  #changed(request: PageRequest, { view, problems = [] }: ChangedView): Rendered {
    return problems.length > 0 ? this.#show(request, view, { problems }) : redirect(this.#addressOf(request));
  }

  #show(request: PageRequest, view: PageView, more: Partial<PageContext> = {}): Rendered {
    const { formToken, headers } = this.#guard.issue(tokenOf(request), request.headers);
    const acceptLanguage = request.headers['accept-language'];
    const address = this.#addressOf(request);
    const now = this.#parts.clock.now();
    return renderCheckout(view, { acceptLanguage, address, formToken, headers, now, ...more });
  }

  #addressOf(request: PageRequest): string {
    return `${this.#path}${tokenOf(request)}`;
  }
}

/** What is said where a form is refused: beside the field that it is about, which is all that the script takes from the answer. */
function refusalOf(act: string | null, { allowsCoupons }: PageView): Partial<PageContext> {
  return act === 'coupon' && allowsCoupons ? { problems: [{ field: 'coupon', text: 'failed' }] } : { hasFailed: true };
}

const tokenOf = ({ params: { token = '' } }: PageRequest) => token;

/** Where the customer has begun to pay. */
function nextOf({ status, lastTry }: PageView): string | undefined {
  return status === 'open' && lastTry.state === 'action' ? lastTry.goTo : undefined;
}

/** Where the shop wants its customer after the payment. */
function onwards({ status, successUrl }: PageView): string | undefined {
  return status === 'complete' ? successUrl : undefined;
}

function tooMany(seconds: number, acceptLanguage: string | undefined): Rendered {
  const rendered = renderRefusal(429, seconds, acceptLanguage);
  return { ...rendered, headers: { ...rendered.headers, 'Retry-After': String(seconds) } };
}

/** Pages of an earlier version do not say it. */
function totalIn(form: PostedForm): number | undefined {
  const text = form.get('total') ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** More than a code has: what is cut off here is no code either. */
const couponCharsMax = 64;

function couponIn(form: PostedForm): string | undefined {
  return form.get('coupon')?.trim().slice(0, couponCharsMax) || undefined;
}
