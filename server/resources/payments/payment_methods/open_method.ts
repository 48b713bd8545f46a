import type { Context } from '../../../operations/operation.ts';
import { findAttempt } from '../attempts/find.ts';
import type { Customer } from '../customers/customer.ts';
import { apiError } from './errors.ts';
import { instrumentOf, openEarly } from './instrument.ts';
import type { OpenedMethod } from './kind.ts';
import { refuseDetached, requireMethodAndCustomer } from './operations.ts';
import type { PaymentMethod } from './payment_method.ts';
import { usedBy } from './tokens.ts';

/** A method that is to be charged or set up, with the customer that the request names. Refuses one that cannot be. */
export async function openMethod(
  context: Context,
  wanted: { payment_method: string; customer?: string | undefined; checkout_session?: string | null | undefined },
): Promise<OpenedMethod & { method: PaymentMethod; customer: Customer | undefined }> {
  const [[method, customer], early] = await Promise.all([
    requireMethodAndCustomer(context, wanted),
    openEarly(context, wanted.payment_method),
  ]);
  refuseDetached(method, 'payment_method', { isTry: (wanted.checkout_session ?? null) !== null });
  if (customer !== undefined && method.customer !== null && method.customer !== customer.id)
    throw apiError('customer_mismatch', { param: 'customer' });
  await refuseUsed(context, method);
  return { method, customer, ...(await instrumentOf(context, method, early)) };
}

/** Refuses a token that serves one payment or setup, and has served it. An attempt that was not sent has not used it. */
async function refuseUsed({ reads, tenant }: Context, method: PaymentMethod): Promise<void> {
  const attempt = usedBy(method);
  if (attempt === undefined || (await findAttempt(reads, tenant, attempt))?.state === 'not_sent') return;
  const reason =
    'a payment or a setup has used it, and a token that is not attached to a customer at its processor serves one only';
  throw apiError('payment_method_not_usable', { param: 'payment_method', reason });
}
