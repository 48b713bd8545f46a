import type { Tenant } from '../../../base/reads.ts';
import type {
  CheckoutCalls,
  CheckoutView,
  OpenedSession,
  PayInput,
  SentInstrument,
} from '../checkout_sessions/page_calls.ts';
import type { CheckoutPageCalls, OpenedPage, PressedInput, TypedInstrument } from './calls.ts';
import {
  type FieldName,
  fieldNames,
  type LastTry,
  type Merchant,
  type OrderLine,
  type PageView,
  type PayWay,
  type ShownProblem,
  type TypedValues,
} from './view.ts';

export type SessionSources = {
  calls: CheckoutCalls;
  brandingOf: (tenant: Tenant) => Promise<Merchant>;
  clock: { now(): number };
};

/** Checkout sessions as the page sees them. */
export function sessionCalls({ calls, brandingOf, clock }: SessionSources): CheckoutPageCalls {
  return {
    async open(token, address) {
      const opened = await calls.open(token, address);
      if (opened === undefined) return undefined;
      const merchant = await brandingOf(opened.view.tenant);
      return openedPage(opened, merchant, clock);
    },
  };
}

function openedPage(opened: OpenedSession, merchant: Merchant, clock: SessionSources['clock']): OpenedPage {
  const shown = (view: CheckoutView) => pageViewOf(view, merchant);
  return {
    view: shown(opened.view),
    async pay(input) {
      const { view, goTo, problems = [], isChanged = false, refused } = await opened.pay(sentInput(input, opened.view));
      // A session that takes no more tries has expired, and its page says so.
      const until = view.status === 'open' ? refused?.until : undefined;
      const retryAfter = until === undefined ? undefined : Math.max(1, Math.ceil((until - clock.now()) / 1_000));
      return { view: shown(view), problems: problems.map(shownProblem), goTo, isChanged, retryAfter };
    },
    closeTry: async () => ({ view: shown(await opened.closeTry()) }),
    async applyCoupon(code) {
      const { view, problems = [] } = await opened.applyCoupon(code);
      return { view: shown(view), problems: problems.map(() => ({ field: 'coupon', text: 'code_invalid' })) };
    },
  };
}

type SentProblem = { field: string; key: string };

const fieldsOfCard: Readonly<Record<string, FieldName>> = { exp_month: 'expiry', exp_year: 'expiry', card: 'number' };

function shownProblem({ field, key }: SentProblem): ShownProblem {
  const known = fieldNames.find((name) => name === field);
  const text = key === 'required' || key === 'try_another' ? key : 'invalid';
  return { field: known ?? fieldsOfCard[field] ?? 'number', text };
}

function sentInput({ instrument, details, save, total }: PressedInput, view: CheckoutView): PayInput {
  return { instrument: sentInstrument(instrument, view), details, save, amount: total };
}

function sentInstrument(instrument: TypedInstrument, { ways }: CheckoutView): SentInstrument {
  if (instrument.kind === 'saved') return { kind: 'saved', payment_method: instrument.paymentMethod };
  if (instrument.kind === 'page') return instrument;
  if (instrument.kind === 'card') {
    const { expMonth: exp_month, expYear: exp_year, number, cvc } = instrument;
    return { kind: 'card', number, cvc, exp_month, exp_year };
  }
  const fields = ways.find(({ kind }) => kind === 'fields');
  const processor_account = fields?.kind === 'fields' ? fields.processor_account : '';
  return { kind: 'confirmation', token: instrument.token, processor_account };
}

function pageViewOf(view: CheckoutView, merchant: Merchant): PageView {
  const { collect, details, saved, paid, coupons, description } = view;
  return {
    merchant,
    isTest: view.test,
    isSuspended: view.suspended,
    mode: view.mode,
    status: view.status,
    paymentStatus: view.payment_status,
    currency: view.currency ?? undefined,
    total: view.amount_total,
    subtotal: view.amount_subtotal,
    discount: view.amount_discount,
    coupon: coupons.applied,
    description: description ?? undefined,
    lines: view.lines.map(orderLine),
    freeUntil: view.free_until,
    locale: view.locale,
    collects: { ...collect, email: view.asks_email, billingAddress: collect.billing_address },
    details: typedOf(details),
    allowsCoupons: coupons.allowed,
    save: view.save,
    expiresAt: view.expires_at,
    successUrl: view.success_url,
    cancelUrl: view.cancel_url,
    ways: view.ways.map((way) => wayOf(way, view)),
    saved: saved.map(({ exp_month: expMonth, exp_year: expYear, ...card }) => ({ ...card, expMonth, expYear })),
    lastTry: lastTryOf(view),
    receipt: paid && {
      paidAt: paid.created * 1_000,
      brand: paid.brand ?? undefined,
      last4: paid.last4 ?? undefined,
      received: paid.received,
      refunded: paid.refunded,
      reference: view.reference ?? paid.id,
    },
  };
}

export function orderLine({ name, quantity, amount, recurring }: CheckoutView['lines'][number]): OrderLine {
  const every = recurring && { interval: recurring.interval, count: recurring.interval_count };
  return { name, quantity, amount, every };
}

function typedOf({ email, name, phone, address = {} }: CheckoutView['details']): TypedValues {
  const { country, line1, postal_code, city } = address as Readonly<Record<string, string>>;
  const all = { email, name, phone, country, line1, postal_code, city };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** The config of the fields has the amount: they show it in wallets, and refuse another. Where nothing is due, they keep a card. */
function wayOf(way: CheckoutView['ways'][number], view: CheckoutView): PayWay {
  if (way.kind !== 'fields') return way;
  const { script, hosts, publicConfig } = way.fields;
  const { mode, amount_total, currency, save, takes_setup } = view;
  const purpose = takes_setup ? { mode: 'setup' } : { mode, amount: String(amount_total) };
  const keeps = mode === 'payment' && save === 'require' ? { setupFutureUsage: 'off_session' } : {};
  const money = currency === null ? {} : { currency };
  return { kind: 'fields', script, hosts, publicConfig: { ...publicConfig, ...purpose, ...keeps, ...money } };
}

function lastTryOf({ try: { state, reason, goTo } }: CheckoutView): LastTry {
  if (state === 'action') return { state, goTo };
  return state === 'declined' ? { state, reason: reason ?? 'declined' } : { state };
}
