import { resource } from '../resource.ts';
import { couponEvents } from './coupon.ts';
import { couponOperations } from './operations.ts';

/** It uses the scopes of prices: both say what something costs. */
export const coupons = resource({ name: 'coupons', events: couponEvents, operations: couponOperations });
