import type { Static } from 'typebox';
import { assert } from '../../../base/errors.ts';
import { newId } from '../../../base/id.ts';
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
import { type Coupon, type CouponId, codeKeyOf, hundredthsOf } from './coupon.ts';
import {
  CodeFilter,
  CouponOutput,
  couponEvent,
  DeletedCouponOutput,
  NewCouponInput,
  serializeCoupon,
} from './schema.ts';
import { addCoupon, couponsTable, findCouponByKey, replaceCoupon } from './store.ts';

export const couponDescriptor: Descriptor<Coupon> = {
  resource: 'coupons',
  scope: 'prices',
  noun: 'coupon',
  notes: { retrieve: 'A coupon that was deleted is not found.', list: 'Deleted coupons are left out.' },
  prefix: 'coupon',
  table: couponsTable,
  serialize: serializeCoupon,
  output: CouponOutput,
  csv: 'id created name percent_off amount_off currency duration duration_in_months amount_off_decimal code',
};

/** The coupon that a request names. A deleted one is missing. */
export const requireCoupon = requireRow(couponDescriptor);
/** The coupons that stored objects name, deleted ones included. */
export const findCoupons = findRows(couponDescriptor);

/** The coupon whose code was typed. An id is no code. */
export async function findCouponByCode(
  { reads, tenant }: Pick<Context, 'reads' | 'tenant'>,
  typed: string,
): Promise<Coupon | undefined> {
  const key = codeKeyOf(typed.trim());
  return key === undefined ? undefined : findCouponByKey(reads, tenant, key);
}

/** Refuses a code that another coupon has. A race is lost at the commit, by the unique index; then it is decided again, and refused here. */
async function checkCodeIsFree({ reads, tenant }: Context, code: string | undefined): Promise<void> {
  const holder = code === undefined ? undefined : await findCouponByKey(reads, tenant, codeKeyOf(code)!);
  if (holder === undefined) return;
  const reason = `the coupon ${holder.id} has this code already; delete that coupon, or choose another code`;
  throw apiError('parameter_invalid', { param: 'code', reason });
}

function checkCode({ code }: NewCoupon): void {
  if (code !== undefined && codeKeyOf(code) === undefined)
    throw apiError('parameter_invalid', {
      param: 'code',
      reason: 'it must have 1 to 40 characters that can be seen, without spaces, such as WELCOME10',
    });
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
  const {
    percent_off,
    amount_off = null,
    currency = null,
    duration,
    duration_in_months = null,
    name = null,
    code = null,
  } = input;
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
    code,
    code_key: code === null ? null : codeKeyOf(code)!,
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
    checkCode(input);
  },
  async run(context, input) {
    const { tenant, now } = context;
    await checkCodeIsFree(context, input.code);
    const coupon = newCoupon(tenant, newId('coupon', now), input);
    const events = [couponEvent('coupon.created', coupon)];
    return { result: serializeCoupon(coupon), objectId: coupon.id, writes: [addCoupon(coupon)], events };
  },
});

const remove = operation({
  name: 'coupons.delete',
  summary: 'Delete a coupon',
  description:
    'No subscription can get it from now on, and its code can be given to another. Subscriptions that have it keep it.',
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
      writes: [replaceCoupon({ ...before, version, deleted: true, code_key: null })],
      events: [{ type: 'coupon.deleted', objectId: id, objectVersion: version, object: result }],
    };
  },
});

const list = listOperation(couponDescriptor, { code: CodeFilter }, { narrow: ['code_key'], filtersOf });

/** A code is compared as it is unique: in any case. What no coupon can have finds none. */
function filtersOf({ code, ...others }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return code === undefined ? others : { ...others, code_key: codeKeyOf(String(code).trim()) ?? '' };
}

export const couponOperations = [create, retrieveOperation(couponDescriptor), remove, list];
