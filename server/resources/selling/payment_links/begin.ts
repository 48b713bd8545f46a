import { newId } from '../../../base/id.ts';
import { Type } from '../../../base/schema.ts';
import { type AnyOperation, operation } from '../../../operations/operation.ts';
import { Parameters, Personal } from '../../../operations/schemas.ts';
import { apiError as subscriptionError } from '../../billing/subscriptions/errors.ts';
import type { CheckoutSessionId } from '../checkout_sessions/checkout_session.ts';
import { apiError } from '../checkout_sessions/errors.ts';
import { createdSession, newSession } from '../checkout_sessions/operations.ts';
import { SessionOutput } from '../checkout_sessions/schema.ts';
import { soldWith } from '../payment_link_state/payment_link.ts';
import { requirePaymentLink } from './operations.ts';
import { termsOfSession } from './terms.ts';

/** A session of a limited link lives for 30 minutes, so that nobody keeps a place for long. */
const limitedSeconds = 1_800;
export const emailCharsMax = 254;
export const referenceCharsMax = 200;

const BeginInput = Parameters({
  session: Type.Unsafe<CheckoutSessionId>(Type.String({ description: 'The id of the session that is made.' })),
  quantity: Type.Optional(Type.Integer({ description: 'How many, where the customer chooses.' })),
  amount: Type.Optional(Type.Integer({ description: 'How much, where the customer chooses.' })),
  email: Type.Optional(Personal({ maxLength: emailCharsMax, description: 'What the page begins with.' })),
  reference: Type.Optional(Type.String({ maxLength: referenceCharsMax, description: 'From the address of the link.' })),
});

/** The first press of the button makes the session. Not an operation of the API: the page runs it. */
export const beginSession: AnyOperation = operation({
  name: 'payment_links.begin_session',
  summary: 'Make a checkout session of a payment link',
  route: 'POST /payment_links/:id/begin_session',
  callers: ['shopper'],
  input: BeginInput,
  output: SessionOutput,
  errors: [...apiError.codes('parameter_invalid', 'amount_too_large'), ...subscriptionError.codes('coupon_not_usable')],
  async run(context, { session: id, quantity, amount, email, reference }) {
    const link = await requirePaymentLink(context);
    if (!link.active) throw apiError('parameter_invalid', { param: 'id', reason: 'the payment link is inactive' });
    const sold = soldWith(link, { quantity, amount });
    if (typeof sold === 'string')
      throw apiError('parameter_invalid', { param: sold, reason: 'the payment link does not allow it' });
    const typed = { ...(email && { customer_email: email }), ...(reference && { reference }) };
    const { metadata, sales_limit } = link;
    const own = { ...(metadata && { metadata }), ...(sales_limit !== null && { expires_in: limitedSeconds }) };
    const input = { ...sold, ...termsOfSession(link), ...own, ...typed };
    return createdSession(await newSession(context, input, { id, payment_link: link.id }));
  },
});

export const newSessionId = (now: number): CheckoutSessionId => newId('cs', now);
