import { expect, test } from 'vitest';
import { listOf, looksLikeMetadata } from '../src/shell/show_all.ts';

test.each([
  ['payment', 'grace', { path: '/payments', search: { q: 'grace' } }],
  ['payment', 'status:failed amount:>100', { path: '/payments', search: { status: 'failed', amount: '>100' } }],
  [
    'payment',
    'card:4242 customer:"Grace Hopper"',
    { path: '/payments', search: { card: '4242', customer: 'Grace Hopper' } },
  ],
  ['payment', 'status:failed grace', { path: '/payments', search: { q: 'status:failed grace' } }],
  ['payment', 'created:2026-03', { path: '/payments', search: { q: 'created:2026-03' } }],
  ['customer', 'status:failed', { path: '/customers', search: { q: 'status:failed' } }],
  ['payment', 'status:failed status:canceled', { path: '/payments', search: { q: 'status:failed status:canceled' } }],
  ['event', 'grace', undefined],
])('all of %s that %o finds are in %o', (kind, query, list) => expect(listOf(kind, query)).toEqual(list));

test.each([
  ['order_id:1029', true],
  ['order_id=1029', true],
  ['order_id 1029', true],
  ['orderId: 7', true],
  ['status:failed', false],
  ['amount:>100', false],
  ['Grace Hopper', false],
  ['1029', false],
  ['grace@example.com', false],
])('%o looks like metadata: %o', (query, is) => expect(looksLikeMetadata(query)).toBe(is));
