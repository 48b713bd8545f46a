import { invalid } from './errors.ts';
import { listOf, listParams } from './lists.ts';
import type { FakeParams } from './reading.ts';
import { type FakeCall, type FakeEndpoint, retrieval } from './route.ts';
import type { FakeCoupon } from './shapes.ts';

const path = '/v1/coupons';
// biome-ignore format: a list of words
const facts = [
  'amount_off', 'currency', 'duration', 'duration_in_months', 'id', 'max_redemptions', 'metadata', 'name',
  'percent_off', 'redeem_by',
];

export const couponEndpoints: readonly FakeEndpoint[] = [
  { method: 'POST', path, run: create },
  {
    method: 'GET',
    path,
    run: ({ world, params }) => listOf(path, params.only(...listParams), world.all<FakeCoupon>('coupon')),
  },
  retrieval<FakeCoupon>('coupon', path),
];

function create({ world, params }: FakeCall): object {
  params.only(...facts, 'expand');
  const percent = percentOf(params);
  const amount = params.integer('amount_off');
  if ((percent === undefined) === (amount === undefined))
    throw invalid('You must pass either a percent_off or an amount_off.', { param: 'percent_off' });
  const duration = params.oneOf('duration', ['once', 'repeating', 'forever']) ?? 'once';
  const months = params.integer('duration_in_months');
  if ((duration === 'repeating') !== (months !== undefined))
    throw invalid('duration_in_months is for the duration repeating, which needs it.', { param: 'duration_in_months' });
  return world.add<FakeCoupon>({
    id: params.text('id') ?? world.newId('coupon').slice(7, 15),
    object: 'coupon',
    amount_off: amount ?? null,
    created: world.seconds(),
    currency: amount === undefined ? null : params.currency('currency'),
    duration,
    duration_in_months: months ?? null,
    livemode: world.settings.livemode,
    max_redemptions: params.integer('max_redemptions') ?? null,
    metadata: params.metadata(),
    name: params.text('name') ?? null,
    percent_off: percent ?? null,
    redeem_by: params.integer('redeem_by') ?? null,
    times_redeemed: 0,
    valid: true,
  });
}

function percentOf(params: FakeParams): number | undefined {
  const text = params.text('percent_off');
  if (text === undefined) return undefined;
  const percent = Number(text);
  if (percent > 0 && percent <= 100) return percent;
  throw invalid('percent_off is above 0, and 100 at most.', { param: 'percent_off' });
}
