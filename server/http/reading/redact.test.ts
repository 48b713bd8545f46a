import { describe, expect, test } from 'vitest';
import { Keyring, newRootKey } from '../../base/keyring.ts';
import { Secret } from '../../base/secret.ts';
import { CustomerInput } from '../../resources/payments/customers/schema.ts';
import { differingParameters, redactParameters } from './redact.ts';

const keyring = new Keyring(new Secret(newRootKey()));
const live = { keyring, mode: 'live' } as const;
const redact = (values: Record<string, unknown>) => redactParameters(live, values, CustomerInput);

const ada = { email: 'ada@example.com', name: 'Ada', phone: '+44 20 7946 0000', metadata: { plan: 'gold' } };

describe('the copy for the request log', () => {
  test('has digests in place of personal data, and all other values unchanged', () => {
    const digest = expect.stringMatching(/^digest:[0-9a-f]{12}$/);
    expect(redact(ada)).toEqual({ email: digest, name: digest, phone: digest, metadata: digest });
    const schema = { properties: { limit: {}, email: { personal: true } } };
    expect(redactParameters(live, { limit: 5, email: 'a@b.co' }, schema)).toEqual({ limit: 5, email: digest });
  });

  test('shows whether two requests sent the same value, within one installation only', () => {
    const other = new Keyring(new Secret(newRootKey()));
    expect(redact(ada)).toEqual(redact({ ...ada }));
    expect(redact({ name: 'Ada' })).not.toEqual(redact({ name: 'ada' }));
    expect(redactParameters({ ...live, keyring: other }, ada, CustomerInput)).not.toEqual(redact(ada));
  });

  test('distinguishes null, which clears, from a parameter that was not sent', () => {
    expect(redact({ email: null })).toEqual({ email: null });
    expect(redact({})).toEqual({});
  });

  test('redacts inside objects too', () => {
    const schema = { properties: { billing_details: { properties: { email: { personal: true }, city: {} } } } };
    const copy = redactParameters(live, { billing_details: { email: 'ada@example.com', city: 'london' } }, schema);
    expect(copy).toEqual({ billing_details: { email: expect.stringMatching(/^digest:/), city: 'london' } });
  });

  const texts: [string, boolean][] = [
    ['manual', true],
    ['requested_by_customer', true],
    ['payment.succeeded', true],
    ['EUR', true],
    ['cus_0Vb0freRkUP6qbeOV4agzQ', true],
    ['4242424242424242', false],
    ['4242 4242 4242 4242', false],
    ['pm_4242424242424242', false],
    ['Ada Lovelace', false],
    ['ada@example.com', false],
    ['https://shop.example/back?token=1', false],
  ];
  test.each(texts)('of a parameter that is neither personal nor confidential, %s is kept: %s', (text, isKept) => {
    const copy = redactParameters(live, { word: text }, { properties: { word: {} } });
    expect(copy.word).toEqual(isKept ? text : expect.stringMatching(/^digest:/));
  });

  test('has short texts without numbers, addresses and keys in test mode', () => {
    const shown = (word: string) => {
      const copy = redactParameters({ keyring, mode: 'test' }, { word }, { properties: { word: {} } });
      return copy.word === word;
    };
    expect(['EURO', 'Order 1029', 'Ünïcode!', '山田'].filter(shown)).toEqual([
      'EURO',
      'Order 1029',
      'Ünïcode!',
      '山田',
    ]);
    const hidden = [
      'ada@example.com',
      'https://shop.example/x',
      '4242 4242 4242 4242',
      '+44 20 7946 0815',
      'sk_test_tg_A1',
    ];
    expect([...hidden, 'x'.repeat(41), 'two\nlines'].filter(shown)).toEqual([]);
  });

  test('has the elements of lists by their schema', () => {
    const items = { items: { properties: { price: {}, quantity: {}, note: { personal: true } } } };
    const copy = redactParameters(
      live,
      { items: [{ price: 'pro', quantity: 2, note: 'Ada' }] },
      { properties: { items } },
    );
    expect(copy).toEqual({ items: [{ price: 'pro', quantity: 2, note: expect.stringMatching(/^digest:/) }] });
  });

  test('has nothing but names of what was refused because it does not exist, and no secret that is not wrapped yet', () => {
    const schema = {
      properties: {
        amount: {},
        list: {},
        card: { properties: { number: { confidential: 'compared' }, cvc: { confidential: 'ignored' } } },
      },
    };
    const digest = expect.stringMatching(/^digest:[0-9a-f]{12}$/);
    const sent = {
      emial: 'ada@example.com',
      4242424242424242: 1,
      amount: 4242424242424242,
      list: ['4242424242424242', 7],
      card: { number: 4242424242424242, cvc: '123', cvv: 123 },
    };
    for (const mode of ['live', 'test'] as const)
      expect(redactParameters({ keyring, mode }, sent, schema)).toEqual({
        '(name withheld)': digest,
        emial: digest,
        amount: digest,
        list: [digest, 7],
        card: { number: digest, cvc: '[secret]', cvv: digest },
      });
    expect(redactParameters(live, { card: '4242424242424242' }, schema)).toEqual({ card: digest });
  });

  test('has a digest of a confidential parameter that is compared, and nothing of one that is ignored', () => {
    const schema = { properties: { number: { confidential: 'compared' }, cvc: { confidential: 'ignored' } } };
    const copy = redactParameters(live, { number: new Secret('4242424242424242'), cvc: new Secret('123') }, schema);
    expect(copy).toEqual({ number: expect.stringMatching(/^digest:[0-9a-f]{12}$/), cvc: '[secret]' });
  });

  test('has one digest of a confidential object, whatever the order of its members', () => {
    const schema = { properties: { credentials: { confidential: 'compared' } } };
    const copyOf = (members: object) =>
      redactParameters(live, { credentials: new Secret(members) }, schema).credentials;
    expect(copyOf({ key: 'a', other: null })).toMatch(/^digest:[0-9a-f]{12}$/);
    expect(copyOf({ key: 'a', other: null })).toBe(copyOf({ other: null, key: 'a' }));
    expect(copyOf({ key: 'a' })).not.toBe(copyOf({ key: 'b' }));
  });
});

describe('the names of the parameters that differ between two requests', () => {
  const cases: [string, Record<string, unknown>, Record<string, unknown>, string[]][] = [
    ['none', ada, { ...ada }, []],
    ['none, in another order', { name: 'Ada', email: 'a@b.c' }, { email: 'a@b.c', name: 'Ada' }, []],
    ['a changed one', ada, { ...ada, name: 'Eve' }, ['name']],
    ['one more, one less', { email: 'a@b.c' }, { name: 'Ada' }, ['email', 'name']],
    ['one cleared', { email: 'a@b.c' }, { email: null }, ['email']],
    ['one cleared and one not sent', { email: null }, {}, ['email']],
    ['metadata', ada, { ...ada, metadata: { plan: 'silver' } }, ['metadata']],
    ['not metadata in another order', { metadata: { a: 1, b: 2 } }, { metadata: { b: 2, a: 1 } }, []],
  ];
  test.each(cases)('%s', (_, first, second, names) => {
    expect(differingParameters(redact(first), redact(second))).toEqual(names);
  });
});
