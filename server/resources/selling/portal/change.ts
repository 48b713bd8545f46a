import type { Static } from 'typebox';
import { escapeHtml } from '../../../base/page.ts';
import { dateIn, moneyIn, periodIn } from '../../../locales/formats.ts';
import type { UpcomingInvoiceOutput } from '../../billing/invoices/schema.ts';
import type { Price } from '../../billing/prices/price.ts';
import {
  actsOf,
  changed,
  findSubscription,
  type OwnSubscription,
  type PricesById,
  pathOf,
  pricesOf,
  summaryOf,
} from './subscriptions.ts';
import { inputs, type PortalVisit, question, trouble, type View, wayBack } from './visit.ts';

const quantityMax = 1_000_000;

type ItemWish = { id: string; price?: string; quantity?: number };

/** The form, then what it would cost, then the change. */
export const changeView: View = {
  async show(visit, id) {
    const subscription = await findSubscription(visit, id);
    if (subscription === undefined || !actsOf(visit, subscription).change) return undefined;
    return formPage(visit, subscription);
  },
  async act(visit, id, form) {
    const subscription = await findSubscription(visit, id);
    if (subscription === undefined) return undefined;
    const items = readChanges(subscription, form);
    if (items === undefined || items.length === 0) return formPage(visit, subscription, visit.words.html('invalid'));
    const title = visit.words.title('change');
    if (form.get('act') === 'confirm') return changed(visit, 'subscriptions.update', id, { items }, title);
    return previewPage(visit, subscription, items, form);
  },
};

async function formPage(visit: PortalVisit, subscription: OwnSubscription, problem?: string) {
  const { words, settings, who, hidden } = visit;
  const prices = await pricesOf(visit, [subscription], settings.change_price);
  const rows = subscription.items.map((item) => {
    const { id, price, quantity } = item;
    const choice = choicesFor(visit, price, prices);
    const name = escapeHtml(prices.get(price)?.product_name ?? '');
    const select =
      choice.length < 2
        ? `<p class="what"><bdi>${name}</bdi></p>`
        : `<fieldset><legend class="unseen">${name}</legend>${choice.map((one) => radio(visit, id, one, one.id === price)).join('')}</fieldset>`;
    const number = settings.change_quantity
      ? `<div class="field"><label for="q-${id}">${words.html('quantity')}</label><input id="q-${id}" name="quantity_${id}" inputmode="numeric" autocomplete="off" maxlength="7" required value="${quantity}"></div>`
      : '';
    return `${select}${number}`;
  });
  const wrong = problem === undefined ? '' : trouble([problem]);
  const button = `<button class="first">${words.html('continue')}</button>`;
  const path = `${pathOf(visit, subscription)}/change`;
  return {
    title: words.title('change'),
    content: `${wrong}<form method="post" action="${path}">${hidden}${rows.join('')}${button}</form>${wayBack(words, who.base)}`,
    status: problem === undefined ? 200 : 400,
  };
}

/** The prices that an item can change to, and its own. */
function choicesFor({ settings }: PortalVisit, current: string, prices: PricesById): Price[] {
  const own = prices.get(current);
  if (own === undefined || !settings.change_price.includes(current)) return own ? [own] : [];
  const all = settings.change_price.map((id) => prices.get(id));
  return all.filter(
    (one): one is Price => one !== undefined && one.currency === own.currency && (one.active || one === own),
  );
}

function radio({ words }: PortalVisit, item: string, price: Price, isChosen: boolean): string {
  const { id, product_name, unit_amount: amount, currency, interval, interval_count: count } = price;
  const every = interval && count ? ` / ${escapeHtml(periodIn(words.locale, { interval, count }))}` : '';
  const cost = `<bdi>${escapeHtml(moneyIn(words.locale, { amount, currency }))}${every}</bdi>`;
  const checked = isChosen ? ' checked' : '';
  return `<div class="check"><input type="radio" id="${item}-${id}" name="price_${item}" value="${id}"${checked}><label for="${item}-${id}"><bdi>${escapeHtml(product_name)}</bdi> – ${cost}</label></div>`;
}

/** What differs from the items as they are; undefined for what is no quantity. */
function readChanges({ items }: OwnSubscription, form: URLSearchParams): ItemWish[] | undefined {
  const changes: ItemWish[] = [];
  for (const { id, price, quantity } of items) {
    const wanted = form.get(`price_${id}`) ?? price;
    const text = (form.get(`quantity_${id}`) ?? String(quantity)).trim();
    const number = /^\d{1,7}$/.test(text) ? Number(text) : 0;
    if (number < 1 || number > quantityMax) return undefined;
    if (wanted !== price || number !== quantity)
      changes.push({
        id,
        ...(wanted !== price && { price: wanted }),
        ...(number !== quantity && { quantity: number }),
      });
  }
  return changes;
}

type Upcoming = Static<typeof UpcomingInvoiceOutput> & { lines: { description: string; amount: number }[] };

async function previewPage(
  visit: PortalVisit,
  subscription: OwnSubscription,
  items: ItemWish[],
  form: URLSearchParams,
) {
  const { calls, who, words } = visit;
  const { id, currency } = subscription;
  const { error, result } = await calls.change(who, 'invoices.preview', '', { subscription: id, items });
  if (error !== undefined) return formPage(visit, subscription, words.text('not_possible'));
  const invoice = result as Upcoming;
  const money = (amount: number) => `<bdi>${escapeHtml(moneyIn(words.locale, { amount, currency }))}</bdi>`;
  const lines = invoice.lines.map(
    ({ description, amount }) =>
      `<li><span class="name"><bdi>${escapeHtml(description)}</bdi></span><span class="sum">${money(amount)}</span></li>`,
  );
  const row = (label: string, amount: number, name = '') =>
    amount === 0 && name === '' ? '' : `<div${name}><dt>${label}</dt><dd>${money(amount)}</dd></div>`;
  const date = escapeHtml(dateIn(words.locale, invoice.created * 1_000));
  // Without a change that is charged at once, the preview is that of the next invoice.
  const when =
    invoice.billing_reason === 'subscription_update' ? words.html('due_today') : `${words.html('total')}, ${date}`;
  const sums = `<dl class="sums">${row(words.html('discount'), -invoice.discount)}${row(words.document('credit_applied'), -invoice.credit_applied)}${row(when, invoice.amount_due, ' class="total"')}</dl>`;
  const after = {
    ...subscription,
    items: subscription.items.map((item) => ({ ...item, ...items.find((one) => one.id === item.id) })),
  };
  const prices = await pricesOf(visit, [after]);
  const summary = `<ul class="rows"><li>${summaryOf(visit, after, prices)}</li></ul>`;
  const sent = [...form].filter(([name]) => /^(?:price|quantity)_si_\w+$/.test(name));
  const inner = inputs({ ...Object.fromEntries(sent), act: 'confirm' });
  const text = `${summary}<ul class="lines">${lines.join('')}</ul>${sums}`;
  const content = question(visit, `${pathOf(visit, subscription)}/change`, { text, inner });
  return { title: words.title('change'), content };
}
