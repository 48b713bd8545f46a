import { escapeHtml } from '../../base/page.ts';
import type { FakePage, FakeRequest } from '../server.ts';
import { confirm } from './confirm.ts';
import { addCustomer } from './customers.ts';
import { FakeStripeError } from './errors.ts';
import { addIntent, newIntent } from './intent.ts';
import { addPaymentMethod, expiryOf, noBilling, typedCard } from './payment_methods.ts';
import { FakeParams } from './reading.ts';
import { confirmSetup } from './setup_outcomes.ts';
import type { FakeCheckoutSession, FakeIntent, FakePaymentMethod, FakeSetupIntent } from './shapes.ts';
import type { FakeWorld } from './world.ts';

export const checkoutPath = '/_fake/checkout/';

/** The page where a shopper pays, leaves, or comes back to after a challenge. */
export function serveCheckout(world: FakeWorld, { method, path, query, body }: FakeRequest): FakePage | undefined {
  if (!path.startsWith(checkoutPath)) return undefined;
  const session = world.find(path.slice(checkoutPath.length)) as FakeCheckoutSession | undefined;
  if (session?.object !== 'checkout.session') return notice(404, 'There is no such checkout.');
  const isBack = new URLSearchParams(query).has('redirect_status');
  if (session.status === 'complete')
    return isBack ? success(session) : notice(200, "You're all done here: this checkout is complete.");
  if (session.status === 'expired') return notice(410, 'This checkout has expired, or was given up.');
  if (method !== 'POST') return form(world, session, isBack ? errorOf(world, session) : '');
  const given = new URLSearchParams(body);
  if (given.get('decision') === 'leave') return leave(session);
  return pay(world, session, given);
}

function pay(world: FakeWorld, session: FakeCheckoutSession, given: URLSearchParams): FakePage {
  try {
    const intent = confirmed(world, session, methodOf(world, given));
    const next = intent.next_action?.redirect_to_url?.url;
    return next ? { status: 303, html: '', location: next } : success(session);
  } catch (error) {
    if (error instanceof FakeStripeError) return form(world, session, error.message);
    throw error;
  }
}

function methodOf(world: FakeWorld, given: URLSearchParams): FakePaymentMethod {
  const [exp_month = '', year = ''] = (given.get('expiry') ?? '').split('/').map((part) => part.trim());
  const expiry = expiryOf(world, new FakeParams({ exp_month, exp_year: year.length === 2 ? `20${year}` : year }));
  const text = (name: string) => given.get(name) || null;
  const billing = { ...noBilling(), email: text('email'), name: text('name') };
  return addPaymentMethod(world, typedCard(world, given.get('number') ?? ''), { expiry, billing });
}

function confirmed(
  world: FakeWorld,
  session: FakeCheckoutSession,
  method: FakePaymentMethod,
): FakeIntent | FakeSetupIntent {
  const { address, email, name, phone } = method.billing_details;
  if (session.customer === null && session.customer_creation === 'always')
    session.customer = addCustomer(world, { email, name }).id;
  session.customer_details = { address, email, name, phone, tax_exempt: 'none', tax_ids: null };
  const params = new FakeParams({ payment_method: method.id, return_url: `${world.url}${checkoutPath}${session.id}` });
  if (session.mode === 'payment') return confirm(world, paymentOf(world, session), params);
  const setup = world.get<FakeSetupIntent>(session.setup_intent as string);
  setup.customer = session.customer;
  return confirmSetup(world, setup, params);
}

/** The intent of the session, which the first press of the button makes. */
function paymentOf(world: FakeWorld, session: FakeCheckoutSession): FakeIntent {
  if (session.payment_intent !== null) return world.get<FakeIntent>(session.payment_intent as string);
  const params = new FakeParams({
    ...world.checkouts.get(session.id)!.intent,
    amount: String(session.amount_total),
    currency: session.currency!,
    ...(session.customer === null ? {} : { customer: session.customer as string }),
  });
  const intent = newIntent(world, params);
  world.checkoutOf.set(intent.id, session.id);
  session.payment_intent = intent.id;
  return addIntent(world, intent, params);
}

function success({ id, success_url }: FakeCheckoutSession): FakePage {
  return { status: 303, html: '', location: success_url.replaceAll('{CHECKOUT_SESSION_ID}', id) };
}

/** The session stays open: the shopper may come back. */
function leave({ cancel_url }: FakeCheckoutSession): FakePage {
  if (cancel_url === null) return notice(200, 'You can close this page.');
  return { status: 303, html: '', location: cancel_url };
}

function errorOf(world: FakeWorld, { payment_intent, setup_intent }: FakeCheckoutSession): string {
  const id = (payment_intent ?? setup_intent) as string | null;
  if (id === null) return '';
  const intent = world.get<FakeIntent | FakeSetupIntent>(id);
  const error = intent.object === 'payment_intent' ? intent.last_payment_error : intent.last_setup_error;
  return error?.message ?? '';
}

function form(world: FakeWorld, session: FakeCheckoutSession, error: string): FakePage {
  const { lines } = world.checkouts.get(session.id)!;
  const items = lines.map(
    ({ name, quantity, amount }) => `<li>${escapeHtml(name)} × ${quantity}: ${amount} ${session.currency}</li>`,
  );
  const field = (name: string, label: string, value = '') =>
    `<p><label>${label} <input name="${name}" value="${escapeHtml(value)}"></label></p>`;
  const label = session.mode === 'payment' ? `Pay ${session.amount_total} ${session.currency}` : 'Save card';
  return page(
    200,
    `<ul>${items.join('')}</ul>${error === '' ? '' : `<p role="alert">${escapeHtml(error)}</p>`}
<form method="post">${field('email', 'Email', session.customer_email ?? '')}${field('number', 'Card number')}
${field('expiry', 'Expiry (MM / YY)')}${field('cvc', 'Security code')}${field('name', 'Name on card')}
<button name="decision" value="pay">${escapeHtml(label)}</button>
<button name="decision" value="leave">Back</button></form>`,
  );
}

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui;margin:0}main{max-width:26rem;margin:0 auto;padding:1.5rem 1rem}
h1{font-size:1.25rem}ul{padding:0;list-style:none}label{font-size:.875rem}[role=alert]{color:light-dark(#a11b1b,#ffa8a8)}
input{display:block;box-sizing:border-box;width:100%;padding:.625rem;font:inherit;font-size:1rem}
button{display:block;width:100%;margin-top:.75rem;padding:.75rem;font:inherit;font-weight:600}`;

function notice(status: number, text: string): FakePage {
  return page(status, `<p>${text}</p>`);
}

function page(status: number, body: string): FakePage {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Fake checkout</title>
<style>${style}</style><main><h1>Fake checkout</h1>${body}</main></html>`;
  return { status, html };
}
