import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { linkPages } from './token.ts';

let server: TestServer;
let shop: TestAccount;
let price: string;
let recurring: string;
let dollars: string;

beforeAll(async () => {
  server = await startServer();
  shop = await server.account();
  const made = async (more: object) =>
    (await shop.test.post('/v1/prices', { currency: 'eur', unit_amount: 900, product_name: 'Mug', ...more })).json.id;
  price = await made({});
  recurring = await made({ recurring: { interval: 'month' } });
  dollars = await made({ currency: 'usd' });
});
afterAll(() => server.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
const create = async (body: object): Promise<any> => (await shop.test.post('/v1/payment_links', body)).json;
const mug = { name: 'Mug', unit_amount: 1_200, currency: 'eur' };

describe('a payment link', () => {
  test('sells an amount, at an address that names it and that nobody can make up', async () => {
    const link = await create({ amount: 2_000, currency: 'EUR', description: 'Tea', metadata: { shelf: '7' } });
    expect(link).toEqual({
      id: expect.stringMatching(/^plink_/),
      object: 'payment_link',
      active: true,
      url: expect.stringMatching(/\/l\/\d+-plink_\w+-[\w-]{22}$/),
      mode: 'payment',
      completed: 0,
      created: expect.any(Number),
      amount: 2_000,
      currency: 'eur',
      description: 'Tea',
      metadata: { shelf: '7' },
    });
    expect((await shop.test.get(`/v1/payment_links/${link.id}`)).json).toEqual(link);
    const token = link.url.split('/l/')[1];
    const { keyring } = server.gateway.services;
    expect(linkPages.read(keyring, token)?.id).toBe(link.id);
    const other = await create({ amount: 1, currency: 'eur' });
    for (const wrong of [`${token}x`, token.replace(link.id, other.id), token.replace(/^\d+/, '999999'), link.id, ''])
      expect(linkPages.read(keyring, wrong)).toBeUndefined();
  });

  test('sells lines whose number the customer chooses, or an amount of choice', async () => {
    const lines = [{ price, quantity: 2 }];
    const link = await create({ line_items: lines, adjustable_quantity: { min: 1, max: 5 }, limit: 100 });
    expect(link).toMatchObject({ line_items: lines, adjustable_quantity: { min: 1, max: 5 }, limit: 100 });
    const choice = { min: 100, max: 50_000, suggested: [500, 1_000] };
    expect(await create({ currency: 'jpy', amount_choice: choice })).toMatchObject({ amount_choice: choice });
  });

  test('keeps a payment method: of a payment, or of nothing that is paid', async () => {
    const offer = await create({ amount: 500, currency: 'eur', save_payment_method: 'offer' });
    expect(offer).toMatchObject({ mode: 'payment', save_payment_method: 'offer' });
    const change = await shop.test.post(`/v1/payment_links/${offer.id}`, { save_payment_method: null });
    expect(change.json).not.toHaveProperty('save_payment_method');
    const setup = await create({ mode: 'setup', description: 'A card for deliveries' });
    expect(setup).toMatchObject({ mode: 'setup', description: 'A card for deliveries' });
    for (const member of ['amount', 'currency', 'save_payment_method']) expect(setup).not.toHaveProperty(member);
  });

  test('is changed in what it names, with an event; another way to sell replaces the one before', async () => {
    const { id } = await create({ line_items: [mug], adjustable_quantity: { min: 1, max: 3 } });
    const post = async (body: object) => (await shop.test.post(`/v1/payment_links/${id}`, body)).json;
    expect(await post({ active: false, inactive_message: 'Back in May.' })).toMatchObject({
      active: false,
      inactive_message: 'Back in May.',
      line_items: [mug],
    });
    expect(await post({ active: false })).toMatchObject({ active: false });
    const changed = await post({ amount: 700, currency: 'usd', inactive_message: null });
    expect(changed).toMatchObject({ amount: 700, currency: 'usd' });
    for (const gone of ['line_items', 'adjustable_quantity', 'inactive_message'])
      expect(changed).not.toHaveProperty(gone);
    const { data } = (await shop.test.get(`/v1/events?object_id=${id}`)).json;
    expect(data.map(({ type }: { type: string }) => type)).toEqual([
      'payment_link.updated',
      'payment_link.updated',
      'payment_link.created',
    ]);
    expect(data[0].data.object).toEqual(changed);
  });

  test('is listed, by whether it is active', async () => {
    const other = await server.account();
    const make = async () => (await other.test.post('/v1/payment_links', { amount: 1, currency: 'eur' })).json.id;
    const [first, second] = [await make(), await make()];
    await other.test.post(`/v1/payment_links/${first}`, { active: false });
    const ids = async (query: string) =>
      (await other.test.get(`/v1/payment_links${query}`)).json.data.map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual([second, first]);
    expect(await ids('?active=true')).toEqual([second]);
    expect(await ids('?active=false')).toEqual([first]);
    expect((await shop.test.get(`/v1/payment_links/${first}`)).json.error.code).toBe('resource_missing');
  });
});

describe('refused:', () => {
  const amount = { amount: 500, currency: 'eur' };
  const cases: [what: string, body: () => object, param: string][] = [
    ['nothing to sell', () => ({}), 'amount'],
    ['an amount without a currency', () => ({ amount: 500 }), 'currency'],
    ['a currency that is none', () => ({ amount: 500, currency: 'abc' }), 'currency'],
    ['an amount of nothing', () => ({ amount: 0, currency: 'eur' }), 'amount'],
    ['too large an amount', () => ({ amount: 1_000_000_000_000, currency: 'eur' }), 'amount'],
    ['an amount as text', () => ({ amount: '500', currency: 'eur' }), 'amount'],
    ['an amount and lines', () => ({ ...amount, line_items: [mug] }), 'amount'],
    ['no lines', () => ({ line_items: [] }), 'line_items'],
    ['101 lines', () => ({ line_items: Array(101).fill(mug) }), 'line_items'],
    ['a line of a price and a name', () => ({ line_items: [{ price, name: 'Mug' }] }), 'line_items.0.name'],
    ['a line without a name', () => ({ line_items: [{ ...mug, name: undefined }] }), 'line_items.0.name'],
    ['a line with a blank name', () => ({ line_items: [{ ...mug, name: ' ' }] }), 'line_items.0.name'],
    ['a line of none', () => ({ line_items: [{ ...mug, quantity: 0 }] }), 'line_items.0.quantity'],
    ['a line of a thousand', () => ({ line_items: [{ ...mug, quantity: 1_000 }] }), 'line_items.0.quantity'],
    ['lines in two currencies', () => ({ line_items: [mug, { price: dollars }] }), 'line_items.1.price'],
    ['a price that recurs', () => ({ line_items: [{ price: recurring }] }), 'line_items.0.price'],
    ['bounds without a line', () => ({ ...amount, adjustable_quantity: { min: 1, max: 2 } }), 'adjustable_quantity'],
    [
      'bounds of two lines',
      () => ({ line_items: [mug, mug], adjustable_quantity: { min: 1, max: 2 } }),
      'adjustable_quantity',
    ],
    [
      'bounds the wrong way round',
      () => ({ line_items: [mug], adjustable_quantity: { min: 3, max: 2 } }),
      'adjustable_quantity.min',
    ],
    [
      'a quantity outside its bounds',
      () => ({ line_items: [{ ...mug, quantity: 9 }], adjustable_quantity: { min: 1, max: 2 } }),
      'line_items.0.quantity',
    ],
    [
      'bounds that reach too large an amount',
      () => ({ line_items: [{ ...mug, unit_amount: 500_000_000_000 }], adjustable_quantity: { min: 1, max: 3 } }),
      'line_items',
    ],
    ['a choice without a currency', () => ({ amount_choice: { min: 1, max: 2 } }), 'currency'],
    ['a choice beside an amount', () => ({ ...amount, amount_choice: { min: 1, max: 2 } }), 'amount_choice'],
    ['a choice without bounds', () => ({ currency: 'eur', amount_choice: { min: 1 } }), 'amount_choice.max'],
    [
      'a choice the wrong way round',
      () => ({ currency: 'eur', amount_choice: { min: 3, max: 2 } }),
      'amount_choice.min',
    ],
    [
      'a suggestion outside the choice',
      () => ({ currency: 'eur', amount_choice: { min: 1, max: 2, suggested: [2, 3] } }),
      'amount_choice.suggested.1',
    ],
    ['an amount that is not paid', () => ({ mode: 'setup', ...amount }), 'amount'],
    ['lines that are not paid', () => ({ mode: 'setup', line_items: [mug] }), 'line_items'],
    [
      'a choice of what is not paid',
      () => ({ mode: 'setup', currency: 'eur', amount_choice: { min: 1, max: 2 } }),
      'amount_choice',
    ],
    ['coupons without an amount', () => ({ mode: 'setup', allow_coupons: true }), 'allow_coupons'],
    ['a capture of nothing', () => ({ mode: 'setup', capture_method: 'manual' }), 'capture_method'],
    ['a method kept twice', () => ({ mode: 'setup', save_payment_method: 'offer' }), 'save_payment_method'],
    ['a choice that is none', () => ({ ...amount, save_payment_method: 'maybe' }), 'save_payment_method'],
    ['a limit of none', () => ({ ...amount, limit: 0 }), 'limit'],
    ['a long message', () => ({ ...amount, inactive_message: 'x'.repeat(501) }), 'inactive_message'],
    ['a customer', () => ({ ...amount, customer: 'cus_1' }), 'customer'],
    ['a reference', () => ({ ...amount, reference: '7' }), 'reference'],
    ['a time to live', () => ({ ...amount, expires_in: 1_800 }), 'expires_in'],
    ['an address without encryption', () => ({ ...amount, success_url: 'http://shop.example/' }), 'success_url'],
    ['an address that is none', () => ({ ...amount, cancel_url: 'shop' }), 'cancel_url'],
    ['a language that there is not', () => ({ ...amount, locale: 'xx' }), 'locale'],
    ['an unknown thing to collect', () => ({ ...amount, collect: { shoe_size: true } }), 'collect.shoe_size'],
  ];
  test.each(cases)('%s', async (_, body, param) => {
    const { status, json } = await shop.test.post('/v1/payment_links', body());
    expect([status, json.error?.param]).toEqual([400, param]);
  });

  test('a price that is missing', async () => {
    const { status, json } = await shop.test.post('/v1/payment_links', { line_items: [{ price: 'price_0' }] });
    expect([status, json.error.param]).toEqual([404, 'line_items.0.price']);
  });

  test.each([
    ['to sell nothing', { amount: null }, 'amount'],
    ['an active that is none', { active: null }, 'active'],
    ['an amount beside a choice', { amount: 5, amount_choice: { min: 1, max: 2 } }, 'amount_choice'],
    ['another mode', { mode: 'setup' }, 'mode'],
  ])('a change %s', async (_, body, param) => {
    const { id } = await create({ amount: 500, currency: 'eur' });
    const { status, json } = await shop.test.post(`/v1/payment_links/${id}`, body);
    expect([status, json.error?.param]).toEqual([400, param]);
  });
});
