import { expect, test } from 'vitest';
import type { Tenant } from '../base/tenant.ts';
import { hashOf } from './hash.ts';

test.each([
  [0, -272_711_505],
  [1, -1_905_060_026],
  [2, 1_134_484_726],
  [7, -978_793_473],
  [1_000, -840_720_108],
  [123_456_789, 524_883_300],
  [2_147_483_647, -96_758_253],
  [-1, 385_747_274],
  [-2_147_483_648, -1_524_351_049],
])('the hash of tenant %i is that of Citus', (tenant, hash) => {
  expect(hashOf(tenant as Tenant)).toBe(hash);
});
