import type { Page as Tab } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { tenantOf } from '../../server/resources/payments/balance/postings.fixture.ts';
import { addComparison } from '../../server/resources/payments/reconciliations/reconciliations.fixture.ts';
import { eventually } from '../../server/test/eventually.ts';
import { expectSoundOnTheWay } from './browser.ts';
import { go, heading, loaded, longWalk, openDashboard } from './fixture.ts';

const dashboard = openDashboard();

type Written = { name: string; description: string; product: string };

/** In several scripts: what is written, and the beginnings of its words as people type them, without marks. */
const scripts: Record<string, { written: Written; typed: Written }> = {
  latin: {
    written: { name: 'José Ñandú', description: 'Bücher für Oslo', product: 'Crème brûlée' },
    typed: { name: 'nandu', description: 'oslo buch', product: 'brulee' },
  },
  greek: {
    written: { name: 'Ζωή Παπά', description: 'Παραγγελία Αθήνα', product: 'Συνδρομή' },
    typed: { name: 'παπα', description: 'αθην', product: 'συνδρομη' },
  },
  cyrillic: {
    written: { name: 'Иван Петров', description: 'Заказ книги', product: 'Подписка Плюс' },
    typed: { name: 'петр', description: 'книг зак', product: 'плюс' },
  },
  arabic: {
    written: { name: 'محمد علي', description: 'طلب كتاب', product: 'اشتراك ذهبي' },
    typed: { name: 'محمد', description: 'كتاب', product: 'ذهبي' },
  },
  japanese: {
    written: { name: '山田太郎', description: '年間購読料', product: '星空プラン' },
    typed: { name: '太郎', description: '購読', product: 'プラン' },
  },
  korean: {
    written: { name: '김민준', description: '도서주문', product: '연간구독' },
    typed: { name: '민준', description: '주문', product: '구독' },
  },
};

const field = (tab: Tab) => tab.getByPlaceholder('Search payments');
const results = (tab: Tab) => tab.getByRole('dialog');
/** Its title is drawn by the style. */
const group = (tab: Tab, title: string) => results(tab).locator(`[style*="${title}"]`);
const hit = (tab: Tab, name: string | RegExp) => results(tab).getByRole('button', { name });

async function search(tab: Tab, text: string): Promise<void> {
  if (!(await field(tab).isVisible())) await tab.keyboard.press('Control+k');
  await field(tab).fill(text);
}

async function finds(tab: Tab, text: string, name: string | RegExp): Promise<void> {
  await search(tab, text);
  await hit(tab, name).first().waitFor();
}

let grace: string;

/** What a payment of the script at this place is, so that it is found among the others. */
const amountOf = (at: number) => 30_001 + at;
const recurring = { interval: 'month' };

async function write({ name, description, product }: Written, at: number): Promise<void> {
  const { post } = dashboard;
  const { id: customer } = await post('/v1/customers', { name });
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const { id: payment_method } = await post('/v1/payment_methods', { type: 'card', card, customer });
  await post('/v1/payments', { amount: amountOf(at), currency: 'eur', payment_method, customer, description });
  await post('/v1/prices', { currency: 'eur', unit_amount: 1_900, product_name: product, recurring });
}

beforeAll(async () => {
  const { post } = dashboard;
  const person = { name: 'Grace Brewster Hopper', email: 'person0@example.com', phone: '+49 30 5550' };
  grace = (await post('/v1/customers', person)).id;
  await Promise.all(Object.values(scripts).map(({ written }, at) => write(written, at)));
  const card = { number: '5555555555554444', exp_month: 12, exp_year: 2040 };
  const { id: payment_method } = await post('/v1/payment_methods', { type: 'card', card, customer: grace });
  await post('/v1/payments', {
    amount: 12_900,
    currency: 'eur',
    payment_method,
    customer: grace,
    description: 'Order 1029',
  });
  const price = {
    currency: 'eur',
    unit_amount: 1_900,
    product_name: 'Observatory plan',
    external_id: 'sku-77',
    recurring,
  };
  await post('/v1/prices', price);
  await post('/v1/invoice_items', { customer: grace, amount: 700, currency: 'eur', description: 'Setup' });
  const { id: invoice } = await post('/v1/invoices', { customer: grace });
  await post(`/v1/invoices/${invoice}/finalize`, {});
  // More than a picker reads at once, and than a group of results shows.
  await Promise.all(Array.from({ length: 30 }, (_, at) => post('/v1/customers', { name: `Zed Number${at}` })));
  // The index follows commits.
  const counted = async () => (await dashboard.account.test.get('/v1/search?q=zed&kind=customer')).json.counts.customer;
  await eventually(async () => expect(await counted()).toBe(30));
});

longWalk.each(Object.entries(scripts))('names, descriptions and products are found in %s', async (_, script) => {
  const { written, typed } = script;
  const amount = (amountOf(Object.values(scripts).indexOf(script)) / 100).toFixed(2);
  const tab = await dashboard.open('/settings/account');
  await heading(tab, 'Account').waitFor();
  await finds(tab, typed.name, new RegExp(written.name));
  await finds(tab, typed.description, new RegExp(amount));
  await finds(tab, typed.product, new RegExp(written.product));
  await finds(tab, `customer:${typed.name} amount:>300`, new RegExp(amount));
});

longWalk('each kind of word finds its object', async () => {
  const tab = await dashboard.open('/settings/account');
  await heading(tab, 'Account').waitFor();
  const words: [typed: string, found: RegExp][] = [
    ['hop gra', /Grace/],
    ['person0@exam', /Grace/],
    ['example.com person0', /Grace/],
    ['5550', /Grace/],
    ['+49 30 5550', /Grace/],
    ['Order 1029', /129\.00/],
    ['129', /129\.00/],
    ['129.00', /129\.00/],
    ['€129', /129\.00/],
    ['4444', /129\.00|4444/],
    ['INV-000001', /INV-000001|7\.00/],
    ['observ', /Observatory plan/],
    ['sku-77', /Observatory plan/],
    [grace.slice(0, 15), /Grace/],
    ['card:4444', /129\.00/],
    ['status:succeeded order', /129\.00/],
    ['amount:100..200 created:>2020 order', /129\.00/],
    ['amount:>100 customer:hopper', /129\.00/],
    ['"Brewster Hopper"', /Grace/],
  ];
  for (const [typed, found] of words) await finds(tab, typed, found);
  await expectSoundOnTheWay(tab, 'what was found');
  await search(tab, '"Hopper Brewster"');
  await results(tab).getByText('No results').waitFor();
  await search(tab, 'order_id:1029');
  await results(tab).getByText('Metadata is not searched.').waitFor();
  await expectSoundOnTheWay(tab, 'nothing found');
});

longWalk('results are counted by kind, all of them are in the list, and what was opened last is offered', async () => {
  const tab = await dashboard.open('/settings/account');
  await heading(tab, 'Account').waitFor();
  await finds(tab, 'zed', 'Show all 30 customers');
  await group(tab, 'Customers · 30').waitFor();
  await hit(tab, 'Show all 30 customers').click();
  await tab.waitForURL(`${dashboard.place}/customers?q=zed`);
  await tab
    .getByText(/^Zed Number/)
    .first()
    .waitFor();
  expect(await tab.locator('tbody tr').count()).toBe(25);
  await tab.getByRole('button', { name: 'Older' }).click();
  await tab.waitForURL(/q=zed&after=cus_/);
  await expect.poll(() => tab.locator('table:not([data-stale]) tbody tr').count()).toBe(5);
  const name = await tab.locator('tbody a').first().innerText();
  await tab.getByText(name, { exact: true }).click();
  await heading(tab, name).waitFor();
  await tab.keyboard.press('Control+k');
  await group(tab, 'Recent').waitFor();
  await hit(tab, name).first().waitFor();
  await expectSoundOnTheWay(tab, 'what was opened last');
});

longWalk('a list finds customers by words, and payments by the name of a customer', async () => {
  const tab = await dashboard.open('/customers');
  await tab.getByRole('button', { name: 'Search' }).last().click();
  await tab.getByRole('textbox', { name: 'Search' }).fill('hopper');
  await tab.getByRole('button', { name: 'Apply' }).click();
  await tab.waitForURL(/customers\?q=hopper/);
  await expect
    .poll(() => tab.locator('table:not([data-stale]) tbody tr').allInnerTexts())
    .toEqual([expect.stringMatching(/Grace/)]);
  await go(tab, '/payments?customer=hopper');
  await expect.poll(() => tab.locator('table:not([data-stale]) tbody tr').count()).toBe(1);
  await go(tab, '/payments?customer=nobody');
  await tab.getByText('No customer matches “nobody”.').waitFor();
  await go(tab, '/payments?customer=zed');
  await tab.getByText('30 match “zed”, and this filter takes 10.').waitFor();
  await go(tab, `/payments?customer=${grace}`);
  await tab.getByRole('button', { name: /^Customer Grace/ }).waitFor();
  await loaded(tab);
  await expectSoundOnTheWay(tab, 'payments of a customer');
});

longWalk('a picker finds everything, not the newest alone; a customer gets a test clock by its name', async () => {
  await dashboard.post('/v1/test_clocks', { frozen_time: 1_900_000_000, name: 'Renewal in spring' });
  const tab = await dashboard.open('/subscriptions');
  await tab.getByRole('button', { name: 'Create subscription' }).click();
  const customer = tab.getByRole('combobox', { name: 'Customer' }).or(tab.getByRole('textbox', { name: 'Customer' }));
  await customer.fill('Brewster');
  await tab.getByRole('option', { name: /Grace Brewster Hopper/ }).click();
  const price = tab
    .getByRole('combobox', { name: 'Price' })
    .or(tab.getByRole('textbox', { name: 'Price' }))
    .first();
  await price.fill('observ');
  await tab.getByRole('option', { name: /Observatory plan/ }).click();
  await tab.goto(`${dashboard.place}/customers`);
  await tab.getByRole('button', { name: 'Create customer' }).click();
  const clock = tab.getByRole('combobox', { name: 'Test clock' }).or(tab.getByRole('textbox', { name: 'Test clock' }));
  await clock.fill('spring');
  await tab.getByRole('option', { name: 'Renewal in spring' }).click();
  await tab.getByRole('textbox', { name: 'Email' }).fill('not an email');
  await tab.getByRole('button', { name: 'Create the customer' }).waitFor();
  await expectSoundOnTheWay(tab, 'a new customer with a clock');
});

longWalk(
  'a list is filtered by a processor account, a payment or a link, which are chosen by their names',
  async () => {
    const { post, server, account } = dashboard;
    const { id: processor_account } = await post('/v1/processor_accounts', { connector: 'simulator', name: 'Harbour' });
    const tenant = await tenantOf(server.sql, account);
    await addComparison(server.sql, tenant, { date: '2026-11-15', processor_account });
    await addComparison(server.sql, tenant, { date: '2026-11-16' });
    const {
      data: [paid],
    } = (await account.test.get(`/v1/payments?customer=${grace}`)).json;
    await post('/v1/refunds', { payment: paid.id, amount: 100 });
    const { id: link } = await post('/v1/payment_links', {
      amount: 900,
      currency: 'eur',
      description: 'Barista course',
    });
    for (const [path, title, typed, name, query] of [
      ['/reconciliations', 'Processor', 'harb', 'Harbour', `processor_account=${processor_account}`],
      ['/refunds', 'Payment', '1029', '€129.00 · Order 1029 · Grace Brewster Hopper', `payment=${paid.id}`],
      ['/checkout-sessions', 'Payment link', 'barista', 'Barista course · €9.00', `payment_link=${link}`],
    ] as const) {
      const tab = await dashboard.open(path);
      await loaded(tab);
      const filters = tab.getByRole('group', { name: 'Filters' });
      if (title === 'Payment link') await filters.getByRole('button', { name: 'More filters' }).click();
      await filters.getByRole('button', { name: title, exact: true }).click();
      const field = tab.getByRole('combobox', { name: title }).or(tab.getByRole('textbox', { name: title }));
      await field.fill(typed);
      await tab.getByRole('option', { name }).click();
      await tab.waitForURL(`${dashboard.place}${path}?${query}`);
      await filters.getByRole('button', { name: `${title} ${name}`, exact: true }).waitFor();
      await loaded(tab);
      if (path === '/reconciliations') {
        expect(await tab.locator('tbody tr').count()).toBe(1);
        await tab.getByRole('cell', { name: 'Harbour' }).waitFor();
      }
      await expectSoundOnTheWay(tab, `${path}, filtered by name`);
    }
  },
);
