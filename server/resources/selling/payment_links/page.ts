import type { Clock } from '../../../base/clock.ts';
import type { Keyring } from '../../../base/keyring.ts';
import type { Page, PageRequest, Rendered } from '../../../base/page.ts';
import type { BrandingServices } from '../../people/branding/shown.ts';
import { redirect } from '../checkout_page/document.ts';
import { FormGuard } from '../checkout_page/guard.ts';
import { renderMissing, renderRefusal } from '../checkout_page/render.ts';
import { emailCharsMax, referenceCharsMax } from './begin.ts';
import type { LinkCalls, LinkView } from './link_calls.ts';
import { amountFrom, quantityFrom } from './numbers.ts';
import { type LinkProblem, type LinkTyped, renderLink } from './render.ts';
import { linkPages } from './token.ts';

/** The form has a number, an email and a reference. */
const bodyBytesMax = 4_096;

type LinkPageParts = {
  keyring: Keyring;
  publicUrl: () => string;
  clock: Pick<Clock, 'now'>;
  brandingOf: BrandingServices['brandingOf'];
  calls: LinkCalls;
};

/** The page of a payment link. A visit writes nothing; the press of the button makes a session, and leads to its page. */
export function linkPage({ keyring, publicUrl, clock, brandingOf, calls }: LinkPageParts): Page {
  const guard = new FormGuard(keyring, publicUrl);

  const show = async (
    request: PageRequest,
    view: LinkView,
    typed: LinkTyped,
    problem?: LinkProblem,
  ): Promise<Rendered> => {
    const { formToken, headers } = guard.issue(tokenOf(request), request.headers);
    const merchant = await brandingOf(view.tenant);
    const acceptLanguage = request.headers['accept-language'];
    return renderLink(view, { merchant, acceptLanguage, formToken, headers, typed, problem });
  };

  const press = async (request: PageRequest, view: LinkView, form: URLSearchParams): Promise<Rendered> => {
    const typed = typedIn(form);
    if (!guard.admits(tokenOf(request), form.get('form_token') ?? '', request.headers))
      return { ...(await show(request, view, typed, 'form')), status: 403 };
    if (!view.sells) return show(request, view, typed);
    // What a form has too much of is refused, where an address would have it left out.
    const lost = (['email', 'reference'] as const).find((name) => (form.get(name) ?? '').trim() !== typed[name]);
    if (lost !== undefined) return show(request, view, typed, lost);
    const choice = choiceIn(view, typed);
    if (typeof choice === 'string') return show(request, view, typed, choice);
    const { email, reference } = typed;
    const begun = await calls.begin(tokenOf(request), { ...choice, email, reference, address: request.address });
    if (begun === undefined) return renderMissing(request.headers['accept-language']);
    if ('goTo' in begun) return redirect(begun.goTo);
    if ('problem' in begun) return show(request, view, typed, begun.problem);
    if ('refused' in begun) return refuse(request, begun.refused.until);
    return show(request, { ...view, sells: false, suspended: 'suspended' in begun, message: undefined }, typed);
  };

  const refuse = ({ headers }: PageRequest, until: number | undefined): Rendered => {
    const seconds = Math.max(1, Math.ceil(((until ?? 0) - clock.now()) / 1_000));
    const rendered = renderRefusal(429, seconds, headers['accept-language']);
    return { ...rendered, headers: { ...rendered.headers, 'Retry-After': String(seconds) } };
  };

  return {
    path: `${linkPages.path}:token`,
    methods: ['GET', 'HEAD', 'POST'],
    bodyBytesMax,
    counted: 'customer',
    async render(request) {
      const isPress = request.method === 'POST';
      const form = new URLSearchParams(isPress ? request.body.toString('utf8') : request.query);
      const typed = typedIn(form);
      const view = await calls.find(tokenOf(request), request.address, quantityFrom(typed.quantity));
      if (view === undefined) return renderMissing(request.headers['accept-language']);
      return isPress ? press(request, view, form) : show(request, view, typed);
    },
    renderRefusal: ({ status, secondsLeft }, headers) => renderRefusal(status, secondsLeft, headers['accept-language']),
  };
}

const tokenOf = ({ params: { token = '' } }: PageRequest) => token;

/** What is too long is left out, and so is everything that a person cannot see. */
function typedIn(values: URLSearchParams): LinkTyped {
  const text = (name: string, max: number) => {
    const value = (values.get(name) ?? '').trim();
    return value.length > max || /\p{Cc}/u.test(value) ? '' : value;
  };
  return {
    quantity: text('quantity', 3),
    amount: text('amount', 20),
    email: text('email', emailCharsMax),
    reference: text('reference', referenceCharsMax),
  };
}

function choiceIn(view: Extract<LinkView, { sells: true }>, typed: LinkTyped) {
  const quantity = view.quantity === undefined ? undefined : quantityFrom(typed.quantity);
  if (view.quantity !== undefined && quantity === undefined) return 'quantity';
  const amount = view.choice === undefined ? undefined : amountFrom(typed.amount, view.currency);
  if (view.choice !== undefined && amount === undefined) return 'amount';
  return { quantity, amount };
}
