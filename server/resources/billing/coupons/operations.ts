import type { Static } from 'typebox';
import { assert } from '../../../base/errors.ts';
import { isId, newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import {
  type Descriptor,
  findRows,
  listOperation,
  requireRow,
  retrieveOperation,
} from '../../../operations/descriptor.ts';
import { apiError } from '../../../operations/errors.ts';
import { changeMetadata } from '../../../operations/metadata.ts';
import { checkAmount, checkCurrency } from '../../../operations/money.ts';
import { type Context, operation } from '../../../operations/operation.ts';
import { type Coupon, type CouponId, hundredthsOf } from './coupon.ts';
import { CouponOutput, couponEvent, DeletedCouponOutput, NewCouponInput, serializeCoupon } from './schema.ts';
import { addCoupon, couponsTable, findCouponByName, replaceCoupon } from './store.ts';

export const couponDescriptor: Descriptor<Coupon> = {
  resource: 'coupons',
  scope: 'prices',
  noun: 'coupon',
  notes: { retrieve: 'A coupon that was deleted is not found.', list: 'Deleted coupons are left out.' },
  prefix: 'coupon',
  table: couponsTable,
  serialize: serializeCoupon,
  output: CouponOutput,
  csv: 'id created name percent_off amount_off currency duration duration_in_months amount_off_decimal',
};

/** The coupon that a request names. A deleted one is missing. */
export const requireCoupon = requireRow(couponDescriptor);
/** The coupons that stored objects name, deleted ones included. */
export const findCoupons = findRows(couponDescriptor);

/** The coupon that a customer means by what was typed: its id, or its name in either case. Of several with a name, the newest. */
export async function findCouponByCode(
  { reads, tenant }: Pick<Context, 'reads' | 'tenant'>,
  code: string,
): Promise<Coupon | undefined> {
  const coupon = isId('coupon', code)
    ? await reads.one(couponsTable, tenant, code)
    : await findCouponByName(reads, tenant, code);
  return coupon?.deleted ? undefined : coupon;
}

type NewCoupon = Static<typeof NewCouponInput>;

function checkDiscount({ percent_off, amount_off, currency }: NewCoupon): void {
  if (percent_off !== undefined && amount_off !== undefined)
    throw apiError('parameters_exclusive', { param: 'percent_off', other: 'amount_off' });
  if (percent_off !== undefined) checkPercentage(percent_off, currency);
  else if (amount_off !== undefined) checkAmountOff(amount_off, currency);
  else
    throw apiError('parameter_missing', { param: 'percent_off' }).saying(
      'Send percent_off, or amount_off with currency.',
    );
}

function checkAmountOff(amount: number, currency: string | undefined): void {
  checkAmount(amount, 'amount_off');
  if (currency === undefined)
    throw apiError('parameter_missing', { param: 'currency' }).saying(
      'The parameter currency is required with amount_off.',
    );
  checkCurrency(currency);
}

function checkPercentage(percentage: number, currency: string | undefined): void {
  if (hundredthsOf(percentage) === undefined)
    throw apiError('parameter_invalid', {
      param: 'percent_off',
      reason: 'it must have at most two decimals, such as 33.33',
    });
  if (currency !== undefined)
    throw apiError('parameter_invalid', {
      param: 'currency',
      reason: 'it goes with amount_off only; leave it out with percent_off',
    });
}

function checkDuration({ duration, duration_in_months }: NewCoupon): void {
  const isRepeating = duration === 'repeating';
  if (isRepeating && duration_in_months === undefined)
    throw apiError('parameter_missing', { param: 'duration_in_months' }).saying(
      'The parameter duration_in_months is required with the duration repeating.',
    );
  if (!isRepeating && duration_in_months !== undefined)
    throw apiError('parameter_invalid', {
      param: 'duration_in_months',
      reason: `it goes with the duration repeating only; leave it out with ${duration}`,
    });
}

function newCoupon(tenant: Tenant, id: CouponId, input: NewCoupon): Coupon {
  const { percent_off, amount_off = null, currency = null, duration, duration_in_months = null, name = null } = input;
  const percent_hundredths = percent_off === undefined ? null : hundredthsOf(percent_off);
  assert(percent_hundredths !== undefined, 'the percentage was checked');
  return {
    tenant,
    id,
    version: 1,
    percent_hundredths,
    amount_off,
    currency,
    duration,
    duration_in_months,
    name,
    metadata: changeMetadata(null, input.metadata),
    deleted: false,
  };
}

const create = operation({
  name: 'coupons.create',
  summary: 'Create a coupon',
  description:
    'Send either `percent_off`, or `amount_off` with `currency`. A coupon cannot be changed: delete it, and create another.',
  route: 'POST /coupons',
  scope: 'prices:write',
  input: NewCouponInput,
  output: CouponOutput,
  errors: apiError.codes('parameters_exclusive', 'amount_too_small', 'amount_too_large', 'currency_unknown'),
  check(input) {
    checkDiscount(input);
    checkDuration(input);
  },
  async run({ tenant, now }, input) {
    const coupon = newCoupon(tenant, newId('coupon', now), input);
    const events = [couponEvent('coupon.created', coupon)];
    return { result: serializeCoupon(coupon), objectId: coupon.id, writes: [addCoupon(coupon)], events };
  },
});

const remove = operation({
  name: 'coupons.delete',
  summary: 'Delete a coupon',
  description: 'No subscription can get it from now on. Subscriptions that have it keep it.',
  route: 'DELETE /coupons/:id',
  scope: 'prices:write',
  output: DeletedCouponOutput,
  async run(context) {
    const before = await requireCoupon(context);
    const [id, version] = [before.id, before.version + 1];
    const result = { id, object: 'coupon', deleted: true };
    return {
      result,
      objectId: id,
      writes: [replaceCoupon({ ...before, version, deleted: true })],
      events: [{ type: 'coupon.deleted', objectId: id, objectVersion: version, object: result }],
    };
  },
});

export const couponOperations = [create, retrieveOperation(couponDescriptor), remove, listOperation(couponDescriptor)];
