import { escapeHtml } from '../../../base/page.ts';
import { monthIn } from '../../../locales/formats.ts';
import { listMethods, nameOf, type OwnMethod } from './own_methods.ts';
import { isOver, listSubscriptions } from './subscriptions.ts';
import { buttonForm, type PortalVisit, question, trouble, type View } from './visit.ts';

export async function methodsSection(visit: PortalVisit): Promise<string> {
  const { words, settings, who } = visit;
  const methods = await listMethods(visit);
  const items = methods.map((method) => methodItem(visit, method)).join('');
  const list = methods.length === 0 ? `<p class="quiet">${words.text('none')}</p>` : `<ul class="rows">${items}</ul>`;
  const path = `${who.base}/payment_methods`;
  const add = settings.add_method
    ? buttonForm(visit, path, words.text('add_method'), { look: 'second', fields: { act: 'add' } })
    : '';
  return `<section id="payment_methods"><h2>${words.text('payment_methods')}</h2>${list}${add}</section>`;
}

function methodItem(visit: PortalVisit, method: OwnMethod): string {
  const { words, settings, who } = visit;
  const { exp_month: month, exp_year: year } = method.card ?? {};
  const isDefault = who.customer.default_payment_method === method.id;
  const expiry =
    month === undefined || year === undefined
      ? ''
      : `<span class="quiet">${words.html('expiry')}: <bdi>${escapeHtml(monthIn(words.locale, { month, year }))}</bdi></span>`;
  const badge = isDefault ? ` <span class="badge">${words.text('default')}</span>` : '';
  const path = `${who.base}/payment_methods`;
  const choose =
    settings.default_method && !isDefault
      ? buttonForm(visit, path, words.text('make_default'), { fields: { act: 'default', method: method.id } })
      : '';
  const remove = settings.remove_method
    ? `<a href="${who.base}/payment_methods/${method.id}/remove">${words.html('remove')}</a>`
    : '';
  return `<li><span class="name">${nameOf(method)}${badge}${expiry}</span><span class="links">${choose}${remove}</span></li>`;
}

/** What is sent by the list: a page of its own it has not. */
export const methodsView: View = {
  show: async () => undefined,
  async act(visit, _id, form) {
    const { calls, who, publicUrl } = visit;
    if (form.get('act') === 'add') {
      const home = `${publicUrl}${who.base}`;
      const { customer } = who;
      const { error, result } = await calls.change(who, 'checkout_sessions.create', '', {
        customer: customer.id,
        success_url: `${home}?saved#payment_methods`,
        cancel_url: `${home}#payment_methods`,
        ...(customer.locale !== null && { locale: customer.locale }),
      });
      return error === undefined ? { goTo: new URL((result as { url: string }).url).pathname } : refused(visit);
    }
    if (form.get('act') !== 'default') return undefined;
    const made = await makeDefault(visit, form.get('method') ?? '');
    if (made === 'nowhere') return refused(visit);
    return { goTo: `${who.base}${made === 'everywhere' ? '?saved' : ''}#payment_methods` };
  },
};

/**
 * The method pays for everything from now on: also for subscriptions that have one of their own, as those have that began at a checkout. The
 * customer's own default comes last: while it is another one, the page offers to press again, and shows which subscriptions have the method.
 */
async function makeDefault(visit: PortalVisit, method: string): Promise<'everywhere' | 'partly' | 'nowhere'> {
  const { calls, who } = visit;
  const wish = { default_payment_method: method };
  const own = (await listSubscriptions(visit)).filter(
    (one) => !isOver(one) && one.default_payment_method !== undefined && one.default_payment_method !== method,
  );
  const changes = [
    ...own.map(({ id }) => ['subscriptions.update', id] as const),
    ['customers.update', who.customer.id] as const,
  ];
  for (const [at, [operation, id]] of changes.entries()) {
    const { error } = await calls.change(who, operation, id, wish);
    if (error !== undefined) return at === 0 ? 'nowhere' : 'partly';
  }
  return 'everywhere';
}

const refused = ({ words }: PortalVisit) => ({
  title: words.title('payment_methods'),
  content: trouble([words.text('not_possible')]),
  status: 400,
});

export const removeMethodView: View = {
  async show(visit, id) {
    const { words, settings, who } = visit;
    const method = (await listMethods(visit)).find((one) => one.id === id);
    if (method === undefined || !settings.remove_method) return undefined;
    const path = `${who.base}/payment_methods/${id}/remove`;
    const content = question(visit, path, {
      text: `<p class="what">${nameOf(method)}</p>`,
      label: words.html('remove'),
    });
    return { title: words.plain('remove'), content };
  },
  async act(visit, id) {
    const { calls, who } = visit;
    const { error } = await calls.change(who, 'payment_methods.detach', id);
    return error === undefined ? { goTo: `${who.base}?saved#payment_methods` } : refused(visit);
  },
};
