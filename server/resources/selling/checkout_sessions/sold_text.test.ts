import { expect, test } from 'vitest';
import { soldText } from './sold_text.ts';

const line = (name: string, quantity = 1) => ({ name, quantity });

test.each([
  [[line('Teapot')], 'Teapot'],
  [[line('Teapot', 2)], 'Teapot × 2'],
  [[line('Teapot'), line('Cup', 4)], 'Teapot and 1 more'],
  [[line('Teapot', 2), line('Cup'), line('Tea'), line('Honey')], 'Teapot × 2 and 3 more'],
  [null, undefined],
])('%j is %s', (line_items, text) => {
  expect(soldText({ mode: 'payment', line_items })).toBe(text);
});

test('is short, however long the names are and however many lines there are', () => {
  const line_items = Array.from({ length: 100 }, () => line('🫖'.repeat(256), 999));
  expect([...soldText({ mode: 'payment', line_items })!].length).toBeLessThanOrEqual(1_000);
});

test('does not describe the first payment of a subscription: its invoice does', () => {
  expect(soldText({ mode: 'subscription', line_items: [line('Tea')] })).toBeUndefined();
});
