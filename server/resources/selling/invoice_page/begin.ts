import { Type } from '../../../base/schema.ts';
import { type AnyOperation, operation } from '../../../operations/operation.ts';
import { Parameters } from '../../../operations/schemas.ts';
import { requireInvoice } from '../../billing/invoices/descriptor.ts';
import { apiError } from '../../billing/invoices/errors.ts';
import { numberText } from '../../billing/invoices/invoice.ts';
import { isPayable } from '../../billing/invoices/payable.ts';
import { clockCodes } from '../../payments/test_clocks/errors.ts';
import type { CheckoutSessionId } from '../checkout_sessions/checkout_session.ts';
import { createdSession, newSession } from '../checkout_sessions/operations.ts';
import { SessionOutput } from '../checkout_sessions/schema.ts';

const BeginInput = Parameters({
  session: Type.Unsafe<CheckoutSessionId>(Type.String({ description: 'The id of the session that is made.' })),
});

/** The press of the button makes the session that pays the invoice. Not an operation of the API: the page runs it. */
export const beginPayingInvoice: AnyOperation = operation({
  name: 'invoices.begin_session',
  summary: 'Make a checkout session that pays an invoice',
  route: 'POST /invoices/:id/begin_session',
  scope: 'checkout_sessions:write',
  callers: ['shopper'],
  input: BeginInput,
  output: SessionOutput,
  errors: [...clockCodes, ...apiError.codes('invoice_not_payable')],
  async run(context, { session }) {
    const invoice = await requireInvoice(context);
    const { id, status, customer, currency, amount_due, amount_paid, number, hosted_url, buyer } = invoice;
    if (!isPayable(invoice)) throw apiError('invoice_not_payable', { param: 'id', reason: `it is ${status}` });
    const back = hosted_url === null ? {} : { success_url: hosted_url, cancel_url: hosted_url };
    const input = {
      amount: amount_due - amount_paid,
      currency,
      customer,
      description: numberText(number!),
      ...back,
      // A card that the customer keeps pays the next invoices of the subscription.
      ...(invoice.subscription !== null && { save_payment_method: 'offer' as const }),
      ...(buyer?.locale && { locale: buyer.locale }),
    };
    return createdSession(await newSession(context, input, { id: session, invoice: id }));
  },
});
