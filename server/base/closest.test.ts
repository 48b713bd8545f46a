import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closest } from './closest.ts';

const known = ['email', 'name', 'phone', 'metadata', 'payment_method', 'currency'];

describe('the closest known name', () => {
  const cases: [string, string | undefined][] = [
    ['emial', 'email'],
    ['e-mail', 'email'],
    ['Email', 'email'],
    ['EMAIL', 'email'],
    ['mail', 'email'],
    ['nmae', 'name'],
    ['nxmx', undefined], // two letters of four are too many to guess from
    ['nam', 'name'],
    ['names', 'name'],
    ['phon', 'phone'],
    ['meta_data', 'metadata'],
    ['metdata', 'metadata'],
    ['paymentMethod', 'payment_method'],
    ['paymentmethod', 'payment_method'],
    ['curency', 'currency'],
    ['amount', undefined],
    ['x', undefined],
    ['', undefined],
    ['m'.repeat(100_000), undefined],
  ];
  test.each(cases)('%.20s → %s', (typed, meant) => {
    expect(closest(typed, known)).toBe(meant);
  });

  test('is the nearest of several near ones', () => {
    expect(closest('starting_aftr', ['starting_at', 'starting_after'])).toBe('starting_after');
  });

  test('is undefined when there are no known names', () => {
    expect(closest('email', [])).toBeUndefined();
  });

  test('is found whichever single letter was mistyped, dropped or added', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...known),
        fc.nat(),
        fc.constantFrom('', 'q', 'qq'),
        fc.boolean(),
        (name, nat, put, replace) => {
          const at = nat % name.length;
          const typed = name.slice(0, at) + put.slice(0, 1) + name.slice(replace || put === '' ? at + 1 : at);
          expect(closest(typed, known)).toBe(name);
        },
      ),
    );
  });
});
