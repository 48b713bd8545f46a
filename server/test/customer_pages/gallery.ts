import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pngOf } from '../../base/images/images.fixture.ts';
import type { Rendered } from '../../base/page.ts';
import { challengePage } from '../../connectors/simulator/challenge_page.ts';
import { cardholderPage } from '../../connectors/simulator/page.ts';
import { payPage } from '../../connectors/simulator/pay_page.ts';
import type { PayView } from '../../connectors/simulator/pay_pages.ts';
import type { ShownToCustomers } from '../../resources/people/branding/shown.ts';
import { renderCheckout, renderMissing, renderRefusal } from '../../resources/selling/checkout_page/render.ts';
import { fieldNames, type PageView } from '../../resources/selling/checkout_page/view.ts';
import { openView, views } from '../../resources/selling/checkout_page/views.fixture.ts';
import type { InvoiceView } from '../../resources/selling/invoice_page/calls.ts';
import { renderInvoice } from '../../resources/selling/invoice_page/render.ts';
import type { LinkView } from '../../resources/selling/payment_links/link_calls.ts';
import { type LinkContext, renderLink } from '../../resources/selling/payment_links/render.ts';
import { portalGallery } from '../../resources/selling/portal/gallery.fixture.ts';

/**
 * Every page that a customer can see, in each of its states: rendered from views, without a gateway. What leads to a state is tested where
 * it happens.
 */
type Draw = (locale: string, base: string) => Rendered | Promise<Rendered>;

const now = openView.expiresAt - 86_400_000;
const context = { acceptLanguage: undefined, address: '/', formToken: 'form-token', now };
const checkout =
  (view: PageView, more: object = {}): Draw =>
  (locale) =>
    renderCheckout({ ...view, locale }, { ...context, ...more });

const merchant: ShownToCustomers = {
  name: 'Nordlicht',
  supportEmail: 'help@nordlicht.test',
  termsUrl: 'https://nordlicht.test/terms',
  logo: { path: '/logo.png', width: 48, height: 32 },
  colors: { background: '#5b21b6', text: '#ffffff' },
  supportAddress: 'Elbchaussee 1\n22765 Hamburg',
  privacyUrl: 'https://nordlicht.test/privacy',
};

const script = `window.Stripe = () => ({
  elements: () => ({ create: () => ({ on(name, handler) { this[name] = handler; },
    mount(place) { place.append(Object.assign(document.createElement('iframe'), { title: 'Card', src: 'data:text/html,<title>Card</title>', style: 'border:0;width:100%;height:168px' })); this.ready(); } }) }),
});`;
const withFields: Draw = (locale, base) => {
  const hosts = [
    { origin: base, use: 'script', reason: '' } as const,
    { origin: 'data:', use: 'frame', reason: '' } as const,
  ];
  const publicConfig = { publishable_key: 'pk_test_1', mode: 'payment', amount: '4890', currency: 'eur' };
  const ways = [{ kind: 'fields', script: `${base}/script.js`, hosts, publicConfig } as const];
  return checkout({ ...openView, ways })(locale, base);
};

const linkView = {
  tenant: 1 as never,
  id: 'plink_1' as never,
  test: true,
  cancel_url: 'https://nordlicht.test/',
};
const linkContext = { merchant, acceptLanguage: undefined, formToken: 'form-token', headers: {}, problem: undefined };
const nothing = { quantity: '', amount: '', email: '', reference: '' };
const link =
  (offer: object, more: Partial<LinkContext> = {}): Draw =>
  (locale) =>
    renderLink({ ...linkView, sells: true, currency: 'eur', locale, ...offer } as unknown as LinkView, {
      ...linkContext,
      typed: nothing,
      ...more,
    });
const mugs = { description: undefined, lines: [{ name: 'Mug', quantity: 1, amount: 1_200 }], total: 1_200 };
const threeMugs = {
  ...mugs,
  lines: [{ name: 'Mug', quantity: 3, amount: 3_600 }],
  total: 3_600,
  quantity: { min: 1, max: 9, value: 3 },
};
const donation = {
  description: 'Save the bees',
  lines: [],
  choice: { min: 100, max: 100_000, suggested: [500, 2_000] },
};

const line = { description: 'Espresso roast, 1 kg', amount: 5_500, quantity: 2 };
const owed = {
  ...{ number: 12, status: 'open', currency: 'eur', lines: [line], created: now / 1_000, finalized_at: now / 1_000 },
  ...{ subtotal: 5_500, discount: 610, credit_applied: 1_000, amount_due: 3_890, amount_paid: 0 },
  ...{ is_charging: false, closing: null, paid_at: null, payment: null, buyer: { name: 'Ada Lovelace' } },
};
const invoice =
  (more: object, view: Partial<InvoiceView> = {}, hasFailed = false): Draw =>
  (locale) => {
    const shown = { invoice: { ...owed, ...more, buyer: { ...owed.buyer, locale } }, test: true, suspended: false };
    const context = { ...linkContext, merchant, address: '/', hasFailed };
    return renderInvoice({ way: undefined, ...shown, ...view } as unknown as InvoiceView, context);
  };

/** The pages of the simulator, which are in English. */
const sum = { amount: 4_890, currency: 'eur' };
const paying = { state: 'open', money: sum, lines: openView.lines, returnUrl: 'https://nordlicht.test/' } as const;
const simulator =
  (view: PayView, asks = false): Draw =>
  () => {
    const shown = { show: async () => view, pay: async () => ({ asks: view }) };
    const body = Buffer.from('card=visa');
    const request = { method: asks ? 'POST' : 'GET', params: { token: 'one' }, body } as never;
    return payPage(shown, async () => {}).render(request);
  };
const challenge =
  (state: 'open' | 'declined'): Draw =>
  () => {
    const shown = { show: async () => challengePage(state, sum) } as never;
    return cardholderPage(shown, async () => {}).render({ method: 'GET', params: { token: 'one' } } as never);
  };

const allProblems = fieldNames.map((field) => ({ field, text: 'invalid' }) as const);

export const gallery: Readonly<Record<string, Draw>> = {
  ...Object.fromEntries(Object.entries<PageView>(views).map(([name, view]) => [name, checkout(view)])),
  'the fields of a processor': withFields,
  'saved cards and the page of a processor': checkout({ ...views.everything, ways: [{ kind: 'page' }] }),
  'a logo and a colour': checkout({ ...openView, merchant }),
  'wrong fields': checkout({ ...views.everything, saved: [] }, { problems: allProblems }),
  'a wrong code': checkout(views['many lines'], { problems: [{ field: 'coupon', text: 'code_invalid' }] }),
  failed: checkout(openView, { hasFailed: true }),
  'on the way': checkout(views.unfinished, { goTo: 'https://bank.test/3ds' }),
  missing: (locale) => renderMissing(locale),
  'too many': (locale) => renderRefusal(429, 95, locale),
  'a failure': (locale) => renderRefusal(500, 1, locale),
  'dinars in one hundred lines': checkout({ ...views['many lines'], currency: 'kwd', total: 1_000_500 }),
  'a link': link(mugs),
  'a link with a quantity': link(threeMugs, { typed: { ...nothing, quantity: '3', reference: 'ORDER-7' } }),
  'a link with an amount': link(donation),
  'a link with a wrong amount': link(donation, { problem: 'amount', typed: { ...nothing, amount: '0' } }),
  'a link that is sold out': (locale) =>
    renderLink(
      { ...linkView, sells: false, suspended: false, locale, message: undefined },
      { ...linkContext, typed: nothing },
    ),
  'an invoice': invoice({}, { way: { kind: 'new' } }),
  'an invoice that could not be paid': invoice({}, { way: { kind: 'new' } }, true),
  'an invoice whose bank asks': invoice(
    { is_charging: true },
    { way: { kind: 'challenge', url: 'https://bank.test/' } },
  ),
  'an invoice whose payment is confirmed': invoice({ is_charging: true }),
  'a paid invoice': invoice({ status: 'paid', amount_paid: 3_890, paid_at: now / 1_000, payment: 'py_1' }),
  'a void invoice': invoice({ status: 'void' }),
  'an invoice of a suspended account': invoice({}, { suspended: true }),
  'the page of the simulator': simulator(paying),
  'the bank in the simulator': simulator(paying, true),
  'a paid page of the simulator': simulator({ ...paying, state: 'paid' }),
  'a challenge of the simulator': challenge('open'),
  'a declined challenge of the simulator': challenge('declined'),
  ...portalGallery(merchant),
};

export type Gallery = { base: string; close(): void };

/** Serves them at `/<locale>/<name>`. */
export async function openGallery(): Promise<Gallery> {
  let base = '';
  const server: Server = createServer(async (request, response) => {
    const [, locale = '', name = ''] = decodeURIComponent(request.url ?? '')
      .split('?')[0]!
      .split('/');
    if (locale === 'script.js') return response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(script);
    if (locale === 'logo.png') return response.writeHead(200, { 'Content-Type': 'image/png' }).end(pngOf());
    // The browser stays.
    const { status, headers: { Refresh: _, ...headers } = {}, contentType, body } = await gallery[name]!(locale, base);
    response.writeHead(status, { ...headers, 'Content-Type': contentType }).end(body);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  base = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { base, close: () => void server.close() };
}
