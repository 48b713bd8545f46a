import type { Static } from 'typebox';
import type { ApiError } from '../../../base/errors.ts';
import { escapeHtml } from '../../../base/page.ts';
import { dateIn, moneyIn, numberIn, periodIn } from '../../../locales/formats.ts';
import { findPrices } from '../../billing/prices/operations.ts';
import type { Price } from '../../billing/prices/price.ts';
import type { SubscriptionOutput } from '../../billing/subscription_state/schema.ts';
import { cancellationReasons } from '../../billing/subscription_state/subscription.ts';
import { listMethods, nameOf, type OwnMethod } from './own_methods.ts';
import { buttonForm, type PortalContent, type PortalVisit, question, trouble, type View, wayBack } from './visit.ts';

export type OwnSubscription = Static<typeof SubscriptionOutput> & {
  items: { id: string; price: string; quantity: number }[];
};
export type PricesById = ReadonlyMap<string, Price>;

const subscriptionsMax = 30;

export async function listSubscriptions({ calls, who }: PortalVisit): Promise<OwnSubscription[]> {
  const parameters = { customer: who.customer.id, limit: subscriptionsMax };
  const found = await calls.read<{ data: OwnSubscription[] }>(who, 'subscriptions.list', '', parameters);
  return found?.data ?? [];
}

export async function subscriptionsSection(visit: PortalVisit): Promise<string> {
  const { words } = visit;
  const all = await listSubscriptions(visit);
  const prices = await pricesOf(visit, all);
  const methods = await listMethods(visit);
  const items = all.map((one) => {
    const manage = isOver(one) ? '' : `<a href="${pathOf(visit, one)}">${words.text('manage')}</a>`;
    return `<li>${summaryOf(visit, one, prices, methods)}<span class="links">${manage}</span></li>`;
  });
  const list =
    all.length === 0 ? `<p class="quiet">${words.text('none')}</p>` : `<ul class="rows">${items.join('')}</ul>`;
  return `<section id="subscriptions"><h2>${words.text('subscriptions')}</h2>${list}</section>`;
}

export const isOver = ({ status }: OwnSubscription) => status === 'canceled';
export const pathOf = ({ who }: PortalVisit, { id }: OwnSubscription) => `${who.base}/subscriptions/${id}`;

export function pricesOf({ reads, who }: PortalVisit, all: readonly OwnSubscription[], more: readonly string[] = []) {
  const ids = all.flatMap(({ items }) => items.map(({ price }) => price));
  return findPrices({ reads, tenant: who.tenant }, [...ids, ...more]);
}

/** What is paid for, how much, and how it stands; and where it has a payment method of its own, which one of these. */
export function summaryOf(
  visit: PortalVisit,
  subscription: OwnSubscription,
  prices: PricesById,
  methods: readonly OwnMethod[] = [],
): string {
  const { words } = visit;
  const own = methods.find(({ id }) => id === subscription.default_payment_method && !isOver(subscription));
  const names = subscription.items.map(({ price, quantity }) => {
    const name = `<bdi>${escapeHtml(prices.get(price)?.product_name ?? '')}</bdi>`;
    return quantity === 1 ? name : `${name} × ${escapeHtml(numberIn(words.locale, quantity))}`;
  });
  const costs = `<span class="sum">${costsOf(visit, subscription, prices)}</span>`;
  return `<span class="name">${names.join('<br>')}<span class="quiet">${stateOf(visit, subscription)}</span>${own === undefined ? '' : `<span class="quiet">${nameOf(own)}</span>`}</span>${costs}`;
}

function costsOf({ words }: PortalVisit, { items, currency }: OwnSubscription, prices: PricesById): string {
  const amount = items.reduce((sum, { price, quantity }) => sum + (prices.get(price)?.unit_amount ?? 0) * quantity, 0);
  const { interval, interval_count: count } = prices.get(items[0]?.price ?? '') ?? {};
  const every = interval && count ? ` / ${escapeHtml(periodIn(words.locale, { interval, count }))}` : '';
  return `<bdi>${escapeHtml(moneyIn(words.locale, { amount, currency }))}${every}</bdi>`;
}

function stateOf({ words }: PortalVisit, subscription: OwnSubscription): string {
  const { status, trial_end, current_period_end: end, cancel_at_period_end: isEnding } = subscription;
  const date = (seconds: number) => dateIn(words.locale, seconds * 1_000);
  if (status === 'canceled') return words.text('ended');
  if (status === 'paused') return words.text('paused');
  if (status === 'past_due' || status === 'unpaid' || status === 'incomplete') return words.text('overdue');
  if (isEnding) return words.text('ends', { date: date(end) });
  if (status === 'trialing') return words.html('free_until', { date: date(trial_end ?? end) });
  return `${words.text('active')} · ${words.text('renews', { date: date(end) })}`;
}

export async function findSubscription({ calls, who }: PortalVisit, id: string): Promise<OwnSubscription | undefined> {
  return calls.read<OwnSubscription>(who, 'subscriptions.retrieve', id);
}

/** What may be done to it now, by what the settings allow and its status. */
export function actsOf({ settings }: PortalVisit, subscription: OwnSubscription) {
  const { status, cancel_at_period_end: isEnding } = subscription;
  const isLiving = !isOver(subscription);
  const isChangeable = status === 'trialing' || status === 'active' || status === 'past_due';
  const { change_price: among, change_quantity } = settings;
  const hasChoice =
    change_quantity || subscription.items.some(({ price }) => among.length > 1 && among.includes(price));
  return {
    cancel: isLiving && !isEnding && settings.cancel !== 'off',
    keep: isLiving && isEnding && settings.cancel !== 'off',
    pause: status === 'active' && settings.pause,
    resume: status === 'paused' && settings.resume,
    change: isChangeable && hasChoice,
  };
}

export const subscriptionView: View = {
  async show(visit, id) {
    const { words, who } = visit;
    const subscription = await findSubscription(visit, id);
    if (subscription === undefined) return undefined;
    const prices = await pricesOf(visit, [subscription]);
    const acts = actsOf(visit, subscription);
    const path = pathOf(visit, subscription);
    const link = (verb: 'change' | 'pause' | 'resume' | 'cancel') =>
      acts[verb] ? `<a class="second" href="${path}/${verb}">${words.text(verb)}</a>` : '';
    const keep = acts.keep
      ? buttonForm(visit, path, words.text('keep'), { look: 'first', fields: { act: 'keep' } })
      : '';
    const links = ['change', 'pause', 'resume', 'cancel'] as const;
    const summary = summaryOf(visit, subscription, prices, await listMethods(visit));
    const content = `<ul class="rows"><li>${summary}</li></ul>
<div class="acts">${keep}${links.map(link).join('')}</div>${wayBack(words, who.base)}`;
    return { title: words.title('manage'), content };
  },
  async act(visit, id, form) {
    if (form.get('act') !== 'keep') return undefined;
    return changed(visit, 'subscriptions.update', id, { cancel_at_period_end: false }, visit.words.title('keep'));
  },
};

/** After an act: back to the account, or what has kept it from being done. */
export async function changed(
  visit: PortalVisit,
  operation: string,
  id: string,
  parameters: Record<string, unknown>,
  title: string,
): Promise<PortalContent | { goTo: string } | undefined> {
  const { calls, who, words } = visit;
  const { error } = await calls.change(who, operation, id, parameters);
  if (error === undefined) return { goTo: `${who.base}?saved#subscriptions` };
  if (error.status === 404) return undefined;
  const content = `${refusalOf(visit, error)}${wayBack(words, who.base)}`;
  return { title, content, status: 400 };
}

/** What the bank has said, that nothing has changed, and what helps. */
function refusalOf(visit: PortalVisit, { status, decline }: ApiError): string {
  const { words, settings, who } = visit;
  if (decline?.decline_code !== 'authentication_required') {
    const reasons = status === 402 ? [`${words.html('declined')} ${words.html('try_another')}`] : [];
    return trouble([...reasons, words.text('not_possible')]);
  }
  // A card that is added is confirmed with its bank then, which lets most of them be charged afterwards.
  const add = settings.add_method
    ? buttonForm(visit, `${who.base}/payment_methods`, words.text('add_method'), {
        look: 'first',
        fields: { act: 'add' },
      })
    : '';
  return `${trouble([words.mail('bank_asks'), words.text('not_possible'), words.html('try_another')])}${add}`;
}

export const cancelView: View = {
  async show(visit, id) {
    const { words, settings, who } = visit;
    const subscription = await findSubscription(visit, id);
    if (subscription === undefined || !actsOf(visit, subscription).cancel) return undefined;
    const end = dateIn(words.locale, subscription.current_period_end * 1_000);
    const notice = settings.cancel === 'now' ? words.text('cancel_now') : words.text('cancel_end', { date: end });
    const prices = await pricesOf(visit, [subscription]);
    const options = cancellationReasons.map((reason) => `<option value="${reason}">${words.text(reason)}</option>`);
    const inner = `<div class="field"><label for="reason">${words.text('reason')}</label><select id="reason" name="reason"><option value=""></option>${options.join('')}</select></div>`;
    const text = `<ul class="rows"><li>${summaryOf(visit, subscription, prices)}</li></ul><p>${notice}</p>`;
    const path = `${pathOf(visit, subscription)}/cancel`;
    const content = question(visit, path, { text, inner, label: words.text('cancel'), back: who.base });
    return { title: words.title('cancel'), content };
  },
  async act(visit, id, form) {
    const { settings, words } = visit;
    const reason = cancellationReasons.find((one) => one === form.get('reason'));
    const parameters = { at_period_end: settings.cancel !== 'now', ...(reason && { reason }) };
    return changed(visit, 'subscriptions.cancel', id, parameters, words.title('cancel'));
  },
};

/** Pausing and resuming ask once more. */
export const verbView = (verb: 'pause' | 'resume'): View => ({
  async show(visit, id) {
    const { words } = visit;
    const subscription = await findSubscription(visit, id);
    if (subscription === undefined || !actsOf(visit, subscription)[verb]) return undefined;
    const prices = await pricesOf(visit, [subscription]);
    const notice = verb === 'pause' ? `<p>${words.text('pause_text')}</p>` : '';
    const text = `<ul class="rows"><li>${summaryOf(visit, subscription, prices)}</li></ul>${notice}`;
    const path = `${pathOf(visit, subscription)}/${verb}`;
    return { title: words.title(verb), content: question(visit, path, { text, label: words.text(verb) }) };
  },
  act: (visit, id) => changed(visit, `subscriptions.${verb}`, id, {}, visit.words.title(verb)),
});
