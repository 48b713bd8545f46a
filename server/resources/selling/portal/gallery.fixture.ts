import type { Rendered } from '../../../base/page.ts';
import { localeOf } from '../../../locales/index.ts';
import { PortalWording } from '../../../locales/portal_wording.ts';
import type { PortalSettings } from '../../../operations/portal_settings.ts';
import type { ShownToCustomers } from '../../people/branding/shown.ts';
import { renderFrame, renderPortal, wordsFor } from './render.ts';
import { SignInPages } from './sign_in.ts';
import { findView } from './views.ts';
import { nothingAllowed, type PortalVisit } from './visit.ts';

const day = 86_400;
const start = Date.UTC(2026, 10, 2) / 1_000;
const base = '/portal/test/acct_1';

const subscription = {
  ...{ id: 'sub_1', status: 'active', currency: 'eur', cancel_at_period_end: false },
  current_period_end: start + 30 * day,
  items: [
    { id: 'si_1', price: 'price_1', quantity: 2 },
    { id: 'si_2', price: 'price_3', quantity: 1 },
  ],
};
const subscriptions = [
  subscription,
  { ...subscription, id: 'sub_2', cancel_at_period_end: true },
  { ...subscription, id: 'sub_3', status: 'past_due' },
  { ...subscription, id: 'sub_4', status: 'paused' },
  { ...subscription, id: 'sub_5', status: 'trialing', trial_end: start + 9 * day },
  { ...subscription, id: 'sub_6', status: 'canceled' },
];
const priceOf = (id: string, product_name: string, unit_amount: number) => ({
  ...{ id, product_name, unit_amount, currency: 'eur', interval: 'month', interval_count: 1, active: true },
});
const prices = [
  priceOf('price_1', 'Espresso club', 1_900),
  priceOf('price_2', 'Espresso club, large, with a name that is long enough to need a second line', 3_900),
  priceOf('price_3', 'Insurance', 100),
];
const methods = [
  { id: 'pm_1', type: 'card', card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 } },
  { id: 'pm_2', type: 'card', card: { brand: 'mastercard', last4: '4444', exp_month: 3, exp_year: 2027 } },
];
const invoiceOf = (id: number, status: string) => ({
  ...{ id: `in_${id}`, number: `INV-00000${id}`, status, amount_due: 3_900, amount_remaining: 3_900, currency: 'eur' },
  ...{ created: start - id * day, hosted_url: 'https://pay.example/i/1' },
});
const invoices = [invoiceOf(3, 'open'), invoiceOf(2, 'paid'), invoiceOf(1, 'void')];
const payments = [
  {
    id: 'py_1',
    description: 'Espresso roast',
    amount_received: 3_900,
    amount_refunded: 0,
    currency: 'eur',
    created: start,
  },
  { id: 'py_2', amount_received: 3_900, amount_refunded: 900, currency: 'eur', created: start },
];
const preview = {
  ...{ created: start, billing_reason: 'subscription_update', discount: 300, credit_applied: 200, amount_due: 3_200 },
  lines: [
    { description: 'Unused time on 2 × Espresso club after 2 Nov 2026', amount: -1_900 },
    { description: 'Remaining time on Espresso club, large', amount: 5_600 },
  ],
};

const lists: Record<string, readonly object[]> = {
  ...{ 'subscriptions.list': subscriptions, 'payment_methods.list': methods },
  ...{ 'invoices.list': invoices, 'payments.list': payments },
};
const calls = {
  read: async (_who: object, name: string, id: string) =>
    name in lists
      ? { data: lists[name], has_more: true }
      : subscriptions.find((one) => one.id === id && name === 'subscriptions.retrieve'),
  change: async (_who: object, name: string, _id: string, { items = [] }: { items?: { id: string }[] } = {}) => {
    if (name === 'invoices.preview') return { result: preview };
    const decline_code = items.some(({ id }) => id === 'si_2') ? 'authentication_required' : 'generic_decline';
    return { error: { status: 402, decline: { decline_code } } };
  },
};

const everything: PortalSettings = {
  ...nothingAllowed,
  ...{ add_method: true, remove_method: true, default_method: true, cancel: 'period_end', pause: true, resume: true },
  ...{ change_price: ['price_1', 'price_2'], change_quantity: true, edit_details: true },
};

const customer = {
  ...{ id: 'cus_1', name: 'Ada Lovelace', email: 'ada@lovelace.example', phone: '+44 20 7946 0000', tax_id: null },
  default_payment_method: 'pm_1',
  address: { line1: '12 St James’s Square', city: 'London', postal_code: 'SW1Y 4JH', country: 'GB' },
};

function visitIn(locale: string, merchant: ShownToCustomers, settings: PortalSettings): PortalVisit {
  const session = { id: 'ps_1', return_url: 'https://nordlicht.test/' };
  const reads = { one: async (_table: object, _tenant: number, id: string) => prices.find((one) => one.id === id) };
  const visit = {
    who: { base, mode: 'test', tenant: 1, session, customer },
    ...{ calls, reads, merchant, settings, publicUrl: 'https://pay.example' },
    words: new PortalWording(localeOf(locale as 'en')),
    isSuspended: settings === nothingAllowed,
    hidden: '<input type="hidden" name="form_token" value="form-token">',
  };
  return visit as unknown as PortalVisit;
}

type Draw = (locale: string) => Promise<Rendered>;

/** The pages of the portal, in their states, rendered from made-up answers of operations. */
export function portalGallery(merchant: ShownToCustomers): Readonly<Record<string, Draw>> {
  const page =
    (path: string, { form, settings = everything, notice = false }: PageWish = {}): Draw =>
    async (locale) => {
      const visit = visitIn(locale, merchant, settings);
      const { view, id } = findView(path === '' ? [] : path.split('/'));
      const shown =
        form === undefined
          ? await view!.show(visit, id, new URLSearchParams())
          : await view!.act!(visit, id, new URLSearchParams(form));
      return renderPortal(visit, shown as never, notice ? { notice: visit.words.text('saved') } : {});
    };
  return {
    'a portal': page('', { notice: true }),
    'the portal of a suspended account': page('', { settings: nothingAllowed }),
    'the invoices of a portal': page('invoices'),
    'a subscription in a portal': page('subscriptions/sub_1'),
    'canceling in a portal': page('subscriptions/sub_1/cancel'),
    'taking back in a portal': page('subscriptions/sub_2'),
    'pausing in a portal': page('subscriptions/sub_1/pause'),
    'changing in a portal': page('subscriptions/sub_1/change'),
    'a wrong quantity in a portal': page('subscriptions/sub_1/change', { form: { quantity_si_1: '0' } }),
    'the preview of a change in a portal': page('subscriptions/sub_1/change', { form: { price_si_1: 'price_2' } }),
    'a declined change in a portal': page('subscriptions/sub_1/change', {
      form: { price_si_1: 'price_2', act: 'confirm' },
    }),
    'a change in a portal about which the bank asks': page('subscriptions/sub_1/change', {
      form: { quantity_si_2: '2', act: 'confirm' },
    }),
    'removing a card in a portal': page('payment_methods/pm_2/remove'),
    'details in a portal': page('details'),
    'wrong details in a portal': page('details', { form: { email: 'x', name: 'Ada' } }),
    ...signInGallery(merchant),
    'a link to a portal': async (locale) => {
      const words = wordsFor(locale, undefined);
      const content = `<form method="post"><button class="first">${words.html('continue')}</button></form>`;
      return renderFrame(
        { words, merchant, isTest: true, isSuspended: false },
        { title: words.title('sign_in'), content },
      );
    },
  };
}

/** The pages on which nobody has signed in yet. */
function signInGallery(merchant: ShownToCustomers): Readonly<Record<string, Draw>> {
  const ask = `pc_${'1'.repeat(22)}`;
  const namesakes = [
    { id: 'cus_1', name: 'Ada Lovelace', created_at: new Date(start * 1_000) },
    { id: 'cus_2', name: 'محمد بن سلمان', created_at: new Date((start - 400 * day) * 1_000) },
    { id: 'cus_3', name: null, email: 'ada@lovelace.example', created_at: new Date((start - 9 * day) * 1_000) },
  ];
  const codes = {
    enterCode: async (_place: object, _ask: string, code: string) =>
      code === 'RIGHT' ? { state: 'choose', customers: namesakes } : { state: 'wrong' },
  };
  const guard = { issue: () => ({ formToken: 'form-token', headers: {} }), admits: () => true };
  const page =
    ({ query = '', form, isMailSetUp = true }: SignInWish = {}): Draw =>
    async (locale) => {
      const isSuspended = async () => false;
      const parts = { calls: codes, guard, brandingOf: async () => merchant, isSuspended, isMailSetUp };
      const request = {
        method: form === undefined ? 'GET' : 'POST',
        query,
        headers: { 'accept-language': locale },
        body: Buffer.from(new URLSearchParams(form).toString()),
        address: '127.0.0.1',
      };
      const place = { tenant: 1, account: 'acct_1', mode: 'test', base };
      return (await new SignInPages(parts as never).answer(request as never, place as never)) as Rendered;
    };
  return {
    'signing in to a portal': page(),
    'a wrong address in a portal': page({ form: { act: 'send_code', email: 'x' } }),
    'the code of a portal': page({ query: `ask=${ask}` }),
    'a wrong code of a portal': page({ form: { act: 'enter_code', ask, code: 'WRONG' } }),
    'the choice among several customers': page({ form: { act: 'enter_code', ask, code: 'RIGHT' } }),
    'signed out of a portal': page({ query: 'signed_out' }),
    'a portal without a mail server': page({ isMailSetUp: false }),
  };
}

type SignInWish = { query?: string; form?: Record<string, string>; isMailSetUp?: boolean };
type PageWish = { form?: Record<string, string>; settings?: PortalSettings; notice?: boolean };
