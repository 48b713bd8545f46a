import type { PageView } from './view.ts';

/** When they are looked at: a clock of today would find their sessions expired. */
export const viewedAt = Date.UTC(2026, 10, 18, 12);

/** One line in English: what the limits in bytes are for. */
export const openView: PageView = {
  merchant: { name: 'Nordlicht', supportEmail: 'help@nordlicht.test', termsUrl: 'https://nordlicht.test/terms' },
  isTest: true,
  mode: 'payment',
  status: 'open',
  paymentStatus: 'unpaid',
  currency: 'eur',
  total: 4890,
  lines: [{ name: 'Espresso roast, 1 kg', quantity: 1, amount: 4890 }],
  collects: { email: true },
  allowsCoupons: false,
  save: 'none',
  expiresAt: viewedAt + 86_400_000,
  cancelUrl: 'https://nordlicht.test/cart',
  ways: [{ kind: 'own' }],
  saved: [],
  lastTry: { state: 'none' },
};

const two = [...openView.lines, { name: 'Filter papers', quantity: 3, amount: 1500 }];
const receipt = { paidAt: viewedAt, brand: 'visa', last4: '4242', received: 4890, reference: 'ORDER-7' };
const ended = { ...openView, status: 'complete', paymentStatus: 'paid' } as const;
const asksAll = { email: true, name: true, phone: true, billingAddress: 'full', terms: true } as const;

/** The page in each of its states. */
export const views = {
  open: openView,
  everything: {
    ...openView,
    lines: two,
    subtotal: 6390,
    discount: 639,
    total: 5751,
    coupon: { code: 'WELCOME10' },
    allowsCoupons: true,
    save: 'offer',
    collects: asksAll,
    saved: [{ id: 'pm_1', brand: 'visa', last4: '4242', expMonth: 4, expYear: 2030 }],
  },
  'many lines': {
    ...openView,
    lines: Array.from({ length: 100 }, (_, at) => ({ name: `Item ${at + 1}`, quantity: 1 + (at % 3), amount: 100 })),
    total: 10_000,
    allowsCoupons: true,
  },
  'a long name in yen': {
    ...openView,
    currency: 'jpy',
    total: 1280,
    lines: [{ name: `${'Donaudampfschifffahrt'.repeat(6)} and more`, quantity: 12, amount: 1280 }],
  },
  declined: { ...openView, lastTry: { state: 'declined', reason: 'declined' } },
  subscription: {
    ...openView,
    mode: 'subscription',
    total: 0,
    freeUntil: viewedAt + 14 * 86_400_000,
    lines: [{ name: 'Pro', quantity: 1, amount: 2900, every: { interval: 'month', count: 3 } }],
  },
  setup: { ...openView, mode: 'setup', total: 0, lines: [], currency: undefined, description: 'Keep a card' },
  'a known email': { ...openView, collects: { phone: true }, details: { email: 'ada@nordlicht.test' } },
  'a page of the processor': { ...openView, ways: [{ kind: 'page', origins: ['https://pay.processor.test'] }] },
  unfinished: { ...openView, lastTry: { state: 'action', goTo: 'https://bank.test/3ds' } },
  confirming: { ...openView, status: 'processing', lastTry: { state: 'confirming' } },
  paid: { ...ended, lines: two, receipt, successUrl: 'https://nordlicht.test/done' },
  'a part was captured, and a part of it refunded': {
    ...ended,
    receipt: { ...receipt, received: 3000, refunded: 500 },
  },
  refunded: { ...ended, receipt: { ...receipt, refunded: 4890 } },
  authorized: { ...ended, paymentStatus: 'authorized', receipt: { ...receipt, received: undefined } },
  'an authorization that was canceled': {
    ...ended,
    paymentStatus: 'unpaid',
    receipt: { ...receipt, received: undefined },
    lines: two,
  },
  'a long reference': { ...ended, receipt: { ...receipt, reference: `ORDER-${'0123456789'.repeat(19)}` } },
  expired: { ...openView, status: 'expired' },
} as const satisfies Record<string, PageView>;
