import { Type } from '../../../base/schema.ts';
import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import { Parameters } from '../../../operations/schemas.ts';
import type { Coupon } from '../../billing/coupons/coupon.ts';
import { findCouponByCode } from '../../billing/coupons/operations.ts';
import { couponTriesMax, mayBeginTry, takesSetup } from './checkout_session.ts';
import { requireSession } from './descriptor.ts';
import { apiError, notOpen } from './errors.ts';
import { withCoupon } from './lines.ts';
import { SessionOutput, serializeSession } from './schema.ts';
import { replaceSession } from './store.ts';

/** The customer enters a code, or takes it back. A wrong one is counted. Not an operation of the API: the page runs it. */
export const enterCoupon: AnyOperation = operation({
  name: 'checkout_sessions.enter_coupon',
  summary: 'Apply a coupon to a checkout session',
  route: 'POST /checkout_sessions/:id/enter_coupon',
  callers: ['shopper'],
  input: Parameters({ code: Type.Optional(Type.String({ maxLength: 256, description: 'As it was typed.' })) }),
  output: SessionOutput,
  errors: apiError.codes('checkout_session_not_open', 'parameter_invalid'),
  async run(context, { code }) {
    const session = await requireSession(context);
    if (!mayBeginTry(session, context.now)) throw notOpen(session);
    if (session.allow_coupons !== true) throw wrongCode('this session takes no coupons');
    const next = { ...session, version: session.version + 1, coupon_code: null };
    if (code === undefined) {
      const without = await withCoupon(context, next, undefined);
      return { result: serializeSession(without), objectId: session.id, writes: [replaceSession(without)] };
    }
    if (session.coupon_tries >= couponTriesMax) throw wrongCode('too many codes were wrong');
    const coupon = await usableCoupon(context, code, session.currency);
    const after = coupon && (await withCoupon(context, { ...next, coupon_code: coupon.code }, coupon));
    // Nothing to pay would leave a subscription without a method to renew it by, unless its trial sets one up.
    if (after === undefined || (takesSetup(after) && !takesSetup(session))) {
      const counted = { ...session, version: next.version, coupon_tries: session.coupon_tries + 1 };
      const error = wrongCode('there is no such coupon');
      return { result: serializeSession(counted), objectId: session.id, writes: [replaceSession(counted)], error };
    }
    return { result: serializeSession(after), objectId: session.id, writes: [replaceSession(after)] };
  },
});

const wrongCode = (reason: string) => apiError('parameter_invalid', { param: 'code', reason });

/** A coupon that takes off an amount in another currency is none here. */
async function usableCoupon(context: Context, code: string, currency: string | null): Promise<Coupon | undefined> {
  const coupon = await findCouponByCode(context, code);
  return coupon !== undefined && (coupon.currency === null || coupon.currency === currency) ? coupon : undefined;
}
